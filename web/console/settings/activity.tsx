import type { OrganizationAuditEntry } from "@countersign/client/types";
import { list, listAll } from "../api.ts";
import { Link } from "../link.tsx";
import { RequireRole } from "../parts/require-role.tsx";
import { Screen } from "../parts/screen.tsx";
import { type Column, PagedTable, pageOf } from "../parts/table.tsx";
import { local, utc } from "../parts/when.tsx";
import { useLoad } from "../use-load.ts";
import { aboutOf, actorOf, type Names, wordsOf } from "./about-entry.ts";

const LIMIT = 20;
// Enough to compare by eye; the full hash is in the details.
const SHOWN_HASH_LENGTH = 16;

/** The organization's audit trail. Each envelope has its own. */
export function Activity() {
  return (
    <Screen
      title="Activity"
      lead="Changes to members, keys, settings, customers, templates and webhooks, newest first. Each entry contains the hash of the previous one. Events of an envelope are on the page of the envelope."
    >
      <RequireRole least="admin" to="see the organization's activity">
        <Entries />
      </RequireRole>
    </Screen>
  );
}

function Entries() {
  const wanted = { page: pageOf(), limit: LIMIT };
  const loaded = useLoad(`activity ${wanted.page}`, () => list("list_org_audit_trail", { query: wanted }));
  const people = useLoad("members", () => listAll("list_members"));
  const names: Names = new Map(people.data?.map(({ user_id, name }) => [user_id, name]));
  return (
    <PagedTable
      caption="Entries of the organization's audit trail"
      loaded={loaded}
      columns={columnsOf(names)}
      keyOf={({ seq }) => String(seq)}
      empty={null}
    />
  );
}

const columnsOf = (names: Names): readonly Column<OrganizationAuditEntry>[] => [
  { head: "What", cell: (entry) => <What entry={entry} names={names} /> },
  { head: "Who", cell: (entry) => <Who entry={entry} names={names} /> },
  {
    head: "When",
    cell: ({ at }) => (
      <time class="entry-when" dateTime={at}>
        <span>{local(at)}</span>
        <span class="quiet">{utc(at)}</span>
      </time>
    ),
  },
  {
    head: "Entry",
    cell: ({ seq, hash }) => (
      <span class="entry-hash">
        {seq} <span class="mono quiet">{hash.slice(0, SHOWN_HASH_LENGTH)}</span>
      </span>
    ),
  },
];

function What({ entry, names }: { entry: OrganizationAuditEntry; names: Names }) {
  const about = aboutOf(entry, names);
  return (
    <>
      {wordsOf(entry)}
      <details class="entry-data">
        <summary>
          {about === "" ? "Details" : about}
          <span class="hidden-visually">
            {about !== "" && ", details"} of entry {entry.seq}
          </span>
        </summary>
        <pre>{JSON.stringify(entry, null, 2)}</pre>
      </details>
    </>
  );
}

function Who({ entry, names }: { entry: OrganizationAuditEntry; names: Names }) {
  const { kind, id } = entry.actor;
  const words = <span>{actorOf(entry, names)}</span>;
  return kind === "key" ? <Link to={`/keys/${id}`}>{words}</Link> : words;
}
