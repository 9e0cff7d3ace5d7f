import type { Act, VaultRecord } from "@countersign/client/types";
import type { ComponentChildren } from "preact";
import { ActChip, waitingFor } from "../acts/words.tsx";
import { list } from "../api.ts";
import { Link } from "../link.tsx";
import { Card } from "../parts/card.tsx";
import { Chip } from "../parts/chip.tsx";
import { Facts } from "../parts/facts.tsx";
import { type Column, PagedTable, pageOf } from "../parts/table.tsx";
import { day, When } from "../parts/when.tsx";
import { me } from "../session.ts";
import { useLoad } from "../use-load.ts";
import { Custodian } from "./custodian.tsx";
import { Holds } from "./holds.tsx";
import { Propose } from "./propose.tsx";
import type { RecordProps } from "./record-props.ts";
import { SecuredParty } from "./secured-party.tsx";

/** Who controls and keeps the record, and what is proposed to change that. */
export function Control(it: RecordProps) {
  const page = pageOf("open");
  const { envelope_id, copy } = it;
  // An act that took effect raises the version, and is no longer open.
  const open = useLoad(`open acts ${page} ${copy.control_version}`, () =>
    list("list_acts", { query: { envelope_id, state: "proposed", page, limit: 10 } }),
  );
  const done: RecordProps["done"] = async (words, tone) => void (await Promise.all([open.reload(), it.done(words, tone)]));
  return (
    <>
      <Controller copy={copy} />
      <Card title="Open acts">
        <PagedTable
          loaded={open}
          caption="Open acts on this document, newest first"
          columns={columns}
          keyOf={({ act_id }) => act_id}
          to={({ act_id }) => `/acts/${act_id}`}
          pageName="open"
          empty={<p class="quiet">No open acts. No one is asked to confirm a change of this record.</p>}
        />
      </Card>
      <Propose {...it} done={done} />
      <SecuredParty {...it} done={done} />
      <Custodian {...it} done={done} />
      <Holds {...it} />
    </>
  );
}

const columns: readonly Column<Act>[] = [
  { head: "Act", cell: ({ summary }) => summary },
  { head: "State", cell: (act) => <ActChip {...act} /> },
  { head: "Waiting for", cell: (act) => waitingFor(act).join(", ") },
  { head: "Expires", cell: ({ expires_at }) => <When at={expires_at} /> },
];

function Controller({ copy }: Pick<RecordProps, "copy">) {
  const { policy, pledges, participations } = copy.control;
  return (
    <Card title="Control">
      <Facts
        facts={[
          ["Controller", <ControllerName key="controller" {...copy.control} />],
          ["Pledges", listOf(pledges.map(({ name, since, act_id }) => [act_id, `${name}, since ${day(since)}`] as const))],
          [
            "Shares",
            listOf(participations.map(({ name, share_bp, act_id }) => [act_id, `${name}, ${(share_bp / 100).toFixed(2)} %`] as const)),
          ],
          [
            "Changes",
            policy === "confirmed" ? "Each party confirms with a credential of its own" : "A party without an approver is not asked",
          ],
        ]}
      />
    </Card>
  );
}

function ControllerName({ controller }: VaultRecord["control"]) {
  if (controller === null) return <>{me().org.name} (your organization). No secured party is on record.</>;
  const { name, party_id, confirmation } = controller;
  return (
    <>
      {party_id === null ? name : <Link to={`/parties/${party_id}`}>{name}</Link>}{" "}
      {confirmation === "confirmed" ? <Chip tone="good">Confirmed</Chip> : <Chip tone="caution">Not confirmed</Chip>}
      <span class="beside quiet small">
        {confirmation === "confirmed"
          ? "The party confirmed with a credential of its own that the record is assigned to it."
          : "Named by your organization. The party has not confirmed with a credential of its own."}
      </span>
    </>
  );
}

/** Each with a link to the act that made it. */
function listOf(entries: readonly (readonly [act_id: string, words: string])[]): ComponentChildren {
  if (entries.length === 0) return "None";
  return (
    <ul class="control-list">
      {entries.map(([act_id, words]) => (
        <li key={act_id}>
          {words} <Link to={`/acts/${act_id}`}>Act</Link>
        </li>
      ))}
    </ul>
  );
}
