import type { Transparency, Witness } from "@countersign/client/types";
import { formatNumber } from "../format-number.ts";
import { Card } from "../parts/card.tsx";
import { Chip } from "../parts/chip.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { When } from "../parts/when.tsx";
import { en } from "../words/evidence-log/en.ts";
import { errorWords } from "./words.ts";

const w = en.witnesses;

/** The witnesses that cosign the log, each with its last answer. */
export function Witnesses({ log }: { log: Transparency }) {
  const { witnesses, quorum } = log;
  if (witnesses.length === 0) {
    return (
      <Card title={w.witnesses}>
        <p>
          <Chip tone="caution">{w.noWitness}</Chip>
          {w.onlyThisInstallation}
        </p>
        <p class="quiet">
          {w.aWitnessIs}
          <code>countersign-verify witness</code>
          {w.onAMachine}
          <code>WITNESSES</code>.
        </p>
      </Card>
    );
  }
  return (
    <Card title={w.witnesses}>
      <Table caption={w.witnessesOfThe} columns={columnsOf(log)} rows={witnesses} keyOf={({ vkey }) => vkey} />
      <p class="quiet small">
        {w.witnessesAreAsked(en.shared.witnesses(quorum))}
        <code>WITNESS_QUORUM</code>).
      </p>
    </Card>
  );
}

const columnsOf = (log: Transparency): readonly Column<Witness>[] => [
  {
    head: w.witness,
    cell: ({ name, address }) => (
      <>
        {name}
        <span class="beside quiet small">{address}</span>
      </>
    ),
  },
  { head: w.state, cell: (witness) => <State witness={witness} log={log} /> },
  { head: w.lastCosignature, cell: (witness) => <Cosigned witness={witness} log={log} /> },
  { head: w.lastError, cell: ({ last_error }) => <LastError last_error={last_error} /> },
];

interface RowProps {
  readonly witness: Witness;
  readonly log: Transparency;
}

function State({ witness, log }: RowProps) {
  if (log.conflicts.some((conflict) => conflict.witness === witness.name)) return <Chip tone="bad">{w.conflict}</Chip>;
  if (witness.last_error !== null) return <Chip tone="caution">{w.requestFailed}</Chip>;
  return witness.cosigned === null ? <Chip>{w.notAskedYet}</Chip> : <Chip tone="good">{w.cosigned}</Chip>;
}

function Cosigned({ witness: { cosigned }, log: { latest } }: RowProps) {
  if (cosigned === null) return <span class="quiet">{w.none}</span>;
  const behind = (latest?.tree_size ?? 0) - cosigned.tree_size;
  return (
    <>
      <When at={cosigned.at} />
      <span class="beside quiet small">
        {en.shared.entries(cosigned.tree_size)}
        {behind > 0 && w.moreSince(formatNumber(behind))}
      </span>
    </>
  );
}

/** The latest answer, if it was an error. */
function LastError({ last_error }: Pick<Witness, "last_error">) {
  if (last_error === null) return <span class="quiet">{w.none}</span>;
  return (
    <>
      {errorWords(last_error.error)}
      <span class="beside quiet small">
        <When at={last_error.at} />
      </span>
    </>
  );
}
