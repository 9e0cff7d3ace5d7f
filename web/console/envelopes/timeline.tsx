import type { EnvelopeAuditEntry, Member, Recipient } from "@countersign/client/types";
import type { ComponentChildren } from "preact";
import { list, listAll } from "../api.ts";
import { Link } from "../link.tsx";
import { ApiCall } from "../parts/api-call.tsx";
import { type Column, PagedTable, pageOf } from "../parts/table.tsx";
import { local, utc } from "../parts/when.tsx";
import { useLoad } from "../use-load.ts";
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
    { head: "Event", cell: (item) => <Entry item={item} /> },
    { head: "Who", cell: ({ actor }) => actorOf(actor, recipients, members.data ?? []) },
    { head: "When", cell: ({ at }) => <LocalAndUtc at={at} /> },
    { head: "No.", cell: ({ seq }) => seq },
    { head: "Hash", cell: ({ hash }) => <code title={hash}>{hash.slice(0, HASH_SHOWN)}</code> },
  ];
  return (
    <>
      <PagedTable caption="Timeline" loaded={loaded} columns={columns} keyOf={({ seq }) => String(seq)} empty={<p>No activity yet.</p>} />
      <ApiCall operation="list_envelope_audit_trail" given={given} />
    </>
  );
}

function Entry({ item: { type, data } }: { item: EnvelopeAuditEntry }) {
  return (
    <>
      {auditText(type)}
      <details class="envelope-entry-data">
        <summary>Details</summary>
        {data === null ? (
          <p class="quiet">The details were erased. The entry and its hash are kept.</p>
        ) : (
          <pre>{JSON.stringify({ type, ...data }, null, 2)}</pre>
        )}
      </details>
    </>
  );
}

/** Members and recipients by name, API keys as a link. */
function actorOf(
  { kind, id }: EnvelopeAuditEntry["actor"],
  recipients: readonly Recipient[],
  members: readonly Member[],
): ComponentChildren {
  if (kind === "system") return "Countersign";
  if (kind === "user") return members.find(({ user_id }) => user_id === id)?.name ?? id;
  if (kind === "signer") return recipients.find(({ slug }) => slug === id)?.name ?? "A signer";
  if (kind === "recipient") return recipients.find(({ slug }) => slug === id)?.name ?? "A recipient";
  if (kind === "viewer") return "Read-only viewer";
  if (kind === "person") return "A person of a party";
  if (kind === "vault") return "Another vault";
  return kind === "key" ? <Link to={`/keys/${id}`}>API key</Link> : `${kind} ${id}`;
}

const LocalAndUtc = ({ at }: { at: string }) => (
  <time dateTime={at}>
    {local(at)}
    <br />
    <span class="quiet small">{utc(at)}</span>
  </time>
);
