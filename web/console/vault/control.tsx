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
import { en } from "../words/vault/en.ts";
import { Custodian } from "./custodian.tsx";
import { Holds } from "./holds.tsx";
import { Propose } from "./propose.tsx";
import type { RecordProps } from "./record-props.ts";
import { SecuredParty } from "./secured-party.tsx";

const w = en.control;

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
      <Card title={w.openActs}>
        <PagedTable
          loaded={open}
          caption={w.openActsOn}
          columns={columns}
          keyOf={({ act_id }) => act_id}
          to={({ act_id }) => `/acts/${act_id}`}
          pageName="open"
          empty={<p class="quiet">{w.noOpenActs}</p>}
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
  { head: w.act, cell: ({ summary }) => summary },
  { head: w.state, cell: (act) => <ActChip {...act} /> },
  { head: w.waitingFor, cell: (act) => waitingFor(act).join(", ") },
  { head: w.expires, cell: ({ expires_at }) => <When at={expires_at} /> },
];

function Controller({ copy }: Pick<RecordProps, "copy">) {
  const { policy, pledges, participations } = copy.control;
  return (
    <Card title={w.control}>
      <Facts
        facts={[
          [w.controller, <ControllerName key="controller" {...copy.control} />],
          [w.pledges, listOf(pledges.map(({ name, since, act_id }) => [act_id, w.since(name, day(since))] as const))],
          [
            w.shares,
            listOf(participations.map(({ name, share_bp, act_id }) => [act_id, `${name}, ${(share_bp / 100).toFixed(2)}%`] as const)),
          ],
          [w.changes, policy === "confirmed" ? w.eachPartyConfirms : w.aPartyWithout],
        ]}
      />
    </Card>
  );
}

function ControllerName({ controller }: VaultRecord["control"]) {
  if (controller === null) return <>{w.yourOrganizationNo(me().org.name)}</>;
  const { name, party_id, confirmation } = controller;
  return (
    <>
      {party_id === null ? name : <Link to={`/parties/${party_id}`}>{name}</Link>}{" "}
      {confirmation === "confirmed" ? <Chip tone="good">{w.confirmed}</Chip> : <Chip tone="caution">{w.notConfirmed}</Chip>}
      <span class="beside quiet small">{confirmation === "confirmed" ? w.thePartyConfirmed : w.namedByYour}</span>
    </>
  );
}

/** Each with a link to the act that made it. */
function listOf(entries: readonly (readonly [act_id: string, words: string])[]): ComponentChildren {
  if (entries.length === 0) return w.none;
  return (
    <ul class="control-list">
      {entries.map(([act_id, words]) => (
        <li key={act_id}>
          {words} <Link to={`/acts/${act_id}`}>{w.act}</Link>
        </li>
      ))}
    </ul>
  );
}
