import type { Transparency, Witness } from "@countersign/client/types";
import { Card } from "../parts/card.tsx";
import { Chip } from "../parts/chip.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { When } from "../parts/when.tsx";
import { counted, errorWords } from "./words.ts";

/** The witnesses that cosign the log, each with its last answer. */
export function Witnesses({ log }: { log: Transparency }) {
  const { witnesses, quorum } = log;
  if (witnesses.length === 0) {
    return (
      <Card title="Witnesses">
        <p>
          <Chip tone="caution">No witness</Chip> Only this installation itself says that everyone is shown the same log.
        </p>
        <p class="quiet">
          A witness is a party outside the installation. It cosigns the log and refuses a second history. The operator starts one with{" "}
          <code>countersign-verify witness</code> on a machine that someone else operates, and adds it to the setting <code>WITNESSES</code>
          .
        </p>
      </Card>
    );
  }
  return (
    <Card title="Witnesses">
      <Table
        caption="Witnesses of the log, with their last cosignature and their last error"
        columns={columnsOf(log)}
        rows={witnesses}
        keyOf={({ vkey }) => vkey}
      />
      <p class="quiet small">
        Witnesses are asked every hour and after each vaulting. The operator has set a quorum of {counted(quorum, "witness", "witnesses")} (
        <code>WITNESS_QUORUM</code>).
      </p>
    </Card>
  );
}

const columnsOf = (log: Transparency): readonly Column<Witness>[] => [
  {
    head: "Witness",
    cell: ({ name, address }) => (
      <>
        {name}
        <span class="beside quiet small">{address}</span>
      </>
    ),
  },
  { head: "State", cell: (witness) => <State witness={witness} log={log} /> },
  { head: "Last cosignature", cell: (witness) => <Cosigned witness={witness} log={log} /> },
  { head: "Last error", cell: ({ last_error }) => <LastError last_error={last_error} /> },
];

interface RowProps {
  readonly witness: Witness;
  readonly log: Transparency;
}

function State({ witness, log }: RowProps) {
  if (log.conflicts.some((conflict) => conflict.witness === witness.name)) return <Chip tone="bad">Conflict</Chip>;
  if (witness.last_error !== null) return <Chip tone="caution">Request failed</Chip>;
  return witness.cosigned === null ? <Chip>Not asked yet</Chip> : <Chip tone="good">Cosigned</Chip>;
}

function Cosigned({ witness: { cosigned }, log: { latest } }: RowProps) {
  if (cosigned === null) return <span class="quiet">None</span>;
  const behind = (latest?.tree_size ?? 0) - cosigned.tree_size;
  return (
    <>
      <When at={cosigned.at} />
      <span class="beside quiet small">
        {counted(cosigned.tree_size, "entry", "entries")}
        {behind > 0 && `, ${behind.toLocaleString()} more since`}
      </span>
    </>
  );
}

/** The latest answer, if it was an error. */
function LastError({ last_error }: Pick<Witness, "last_error">) {
  if (last_error === null) return <span class="quiet">None</span>;
  return (
    <>
      {errorWords(last_error.error)}
      <span class="beside quiet small">
        <When at={last_error.at} />
      </span>
    </>
  );
}
