import type { EnvelopeAuditEntry, Member, Recipient } from "@countersign/client/types";
import type { ComponentChildren } from "preact";
import { list, listAll } from "../api.ts";
import { Link } from "../link.tsx";
import { ApiCall } from "../parts/api-call.tsx";
import { type Column, PagedTable, pageOf } from "../parts/table.tsx";
import { local, utc } from "../parts/when.tsx";
import { useLoad } from "../use-load.ts";
import { en as words } from "../words/timeline/en.ts";
import { actorName } from "./actor-name.ts";
import { auditText } from "./audit-texts.ts";

interface TimelineProps {
  readonly envelope_id: string;
  readonly recipients: readonly Recipient[];
  /** reloads when this changes */
  readonly changed: string;
}

const LIMIT = 20;
const HASH_SHOWN = 16;

/** The envelope's audit trail, newest first. Each entry is a link in its hash chain. */
export function Timeline({ envelope_id, recipients, changed }: TimelineProps) {
  const page = pageOf();
  const given = { params: { envelope_id }, query: { page, limit: LIMIT } };
  const loaded = useLoad(`${envelope_id} ${page} ${changed}`, () => list("list_envelope_audit_trail", given));
  const members = useLoad("", () => listAll("list_members"));
  const columns: readonly Column<EnvelopeAuditEntry>[] = [
    { head: words.columns.event, cell: (item) => <Entry item={item} /> },
    { head: words.columns.who, cell: ({ actor }) => actorOf(actor, recipients, members.data ?? []) },
    { head: words.columns.when, cell: ({ at }) => <LocalAndUtc at={at} /> },
    { head: words.columns.number, cell: ({ seq }) => seq },
    { head: words.columns.hash, cell: ({ hash }) => <code title={hash}>{hash.slice(0, HASH_SHOWN)}</code> },
  ];
  return (
    <>
      <PagedTable caption={words.caption} loaded={loaded} columns={columns} keyOf={({ seq }) => String(seq)} empty={<p>{words.none}</p>} />
      <ApiCall operation="list_envelope_audit_trail" given={given} />
    </>
  );
}

function Entry({ item: { type, data } }: { item: EnvelopeAuditEntry }) {
  return (
    <>
      {auditText(type)}
      {data?.by === "test_operation" && <span class="quiet"> ({words.byTest})</span>}
      <details class="envelope-entry-data">
        <summary>{words.details}</summary>
        {data === null ? <p class="quiet">{words.erased}</p> : <pre>{JSON.stringify({ type, ...data }, null, 2)}</pre>}
      </details>
    </>
  );
}

/** API keys as a link. */
function actorOf(actor: EnvelopeAuditEntry["actor"], recipients: readonly Recipient[], members: readonly Member[]): ComponentChildren {
  const name = actorName(actor, recipients, members);
  return actor.kind === "key" ? <Link to={`/keys/${actor.id}`}>{name}</Link> : name;
}

const LocalAndUtc = ({ at }: { at: string }) => (
  <time dateTime={at}>
    {local(at)}
    <br />
    <span class="quiet small">{utc(at)}</span>
  </time>
);
