import type { OrganizationAuditEntry } from "@countersign/client/types";
import { list, listAll } from "../api.ts";
import { Link } from "../link.tsx";
import { query } from "../navigation.ts";
import { Empty } from "../parts/empty.tsx";
import { RequirePermission } from "../parts/require-permission.tsx";
import { Screen } from "../parts/screen.tsx";
import { type Column, PagedTable, pageOf } from "../parts/table.tsx";
import { Tabs } from "../parts/tabs.tsx";
import { local, utc } from "../parts/when.tsx";
import { may } from "../session.ts";
import { useLoad } from "../use-load.ts";
import { en as words } from "../words/org-activity/en.ts";
import { filterDay, midnight } from "../zone-inputs.ts";
import { aboutOf, actorOf, listKeys, type Names, namesOf, wordsOf } from "./about-entry.ts";
import { ActivityFilters } from "./activity-filters.tsx";
import { SignIns } from "./sign-ins.tsx";

const LIMIT = 20;
// Enough to compare by eye; the full hash is in the details.
const SHOWN_HASH_LENGTH = 16;

const TABS = [
  ["entries", words.tabs.entries],
  ["log-ins", words.tabs.logIns],
] as const;

/** The organization's audit trail. Each envelope has its own. */
export function Activity() {
  return (
    <Screen title={words.title} lead={words.lead}>
      <RequirePermission needs="audit:read" to={words.toSee}>
        {may("audit:export") ? (
          <Tabs label={words.tabs.label} tabs={TABS}>
            {(tab) => (tab === "log-ins" ? <SignIns /> : <Entries />)}
          </Tabs>
        ) : (
          <Entries />
        )}
      </RequirePermission>
    </Screen>
  );
}

function Entries() {
  const given = query.value;
  const wanted = {
    page: pageOf(),
    limit: LIMIT,
    actor_id: given.get("actor_id") || null,
    type: given.get("type") || null,
    from: midnight(filterDay(given.get("from"))),
    to: midnight(filterDay(given.get("to")), 1),
  };
  const loaded = useLoad(JSON.stringify(wanted), () => list("list_org_audit_trail", { query: wanted }));
  const people = useLoad("members", () => listAll("list_members"));
  const keys = useLoad("keys", listKeys);
  const names = namesOf(people.data, keys.data);
  return (
    <>
      <ActivityFilters members={people.data ?? []} keys={keys.data ?? []} />
      <PagedTable
        caption={words.caption}
        loaded={loaded}
        columns={columnsOf(names)}
        keyOf={({ seq }) => String(seq)}
        empty={<Empty title={words.none}>{words.noneHint}</Empty>}
      />
    </>
  );
}

const columnsOf = (names: Names): readonly Column<OrganizationAuditEntry>[] => [
  { head: words.columns.what, cell: (entry) => <What entry={entry} names={names} /> },
  { head: words.columns.who, cell: (entry) => <Who entry={entry} names={names} /> },
  {
    head: words.columns.when,
    cell: ({ at }) => (
      <time class="entry-when" dateTime={at}>
        <span>{local(at)}</span>
        <span class="quiet">{utc(at)}</span>
      </time>
    ),
  },
  {
    head: words.columns.entry,
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
          {about === "" ? words.details : about}
          <span class="hidden-visually">{about === "" ? words.of(entry.seq) : words.moreOf(entry.seq)}</span>
        </summary>
        <pre>{JSON.stringify(entry, null, 2)}</pre>
      </details>
    </>
  );
}

function Who({ entry, names }: { entry: OrganizationAuditEntry; names: Names }) {
  const { kind, id } = entry.actor;
  const shown = <span>{actorOf(entry, names)}</span>;
  return kind === "key" ? <Link to={`/keys/${id}`}>{shown}</Link> : shown;
}
