import { file, listAll } from "../api.ts";
import { formatNumber } from "../format-number.ts";
import { Link } from "../link.tsx";
import { Empty } from "../parts/empty.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { local, utc } from "../parts/when.tsx";
import { useLoad } from "../use-load.ts";
import { en } from "../words/org-activity/en.ts";
import { actorOf, listKeys, type Names, namesOf } from "./about-entry.ts";

const words = en.signIns;

/** A line of GET /org/sign-in-events. */
interface SignIn {
  readonly event_no: number;
  readonly user_id: string | null;
  readonly key_id: string | null;
  readonly ip: string;
  readonly user_agent: string;
  readonly method: string;
  readonly result: string;
  readonly reason: string;
  readonly count: number;
  readonly last_at: string;
}

const LATEST = 200;

/** Failed and blocked log-ins, and refused requests. */
export function SignIns() {
  const loaded = useLoad("sign-ins", async () =>
    linesOf(await (await file("export_sign_in_events", { query: { latest: LATEST } })).blob.text()),
  );
  const people = useLoad("members", () => listAll("list_members"));
  const keys = useLoad("keys", listKeys);
  const names = namesOf(people.data, keys.data);
  const { data: events } = loaded;
  return (
    <>
      <p class="quiet">{words.lead}</p>
      <ErrorNotice error={loaded.error} onRetry={loaded.reload} />
      {events === null && loaded.isSlow && <Skeleton />}
      {events?.length === 0 && <Empty title={words.none}>{words.noneHint}</Empty>}
      {events !== null && events.length > 0 && (
        <Table caption={words.caption} rows={events} columns={columnsOf(names)} keyOf={({ event_no }) => String(event_no)} />
      )}
    </>
  );
}

/** Newest first. The last line says where to continue. */
const linesOf = (text: string): SignIn[] =>
  text
    .trimEnd()
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as SignIn)
    .reverse();

const wordOf = (table: Readonly<Record<string, string>>, code: string): string => table[code] ?? code;

const columnsOf = (names: Names): readonly Column<SignIn>[] => [
  {
    head: words.columns.what,
    cell: ({ result, method, reason, count }) => (
      <>
        {wordOf(words.results, result)}: {wordOf(words.reasons, reason)}
        <span class="quiet">
          {" "}
          {wordOf(words.methods, method)}
          {count > 1 && ` · ${words.times(formatNumber(count))}`}
        </span>
      </>
    ),
  },
  {
    head: words.columns.who,
    cell: ({ user_id, key_id }) =>
      key_id === null ? (
        actorOf({ actor: { kind: "user", id: user_id ?? "" }, data: null }, names)
      ) : (
        <Link to={`/keys/${key_id}`}>{actorOf({ actor: { kind: "key", id: key_id }, data: null }, names)}</Link>
      ),
  },
  {
    head: words.columns.from,
    cell: ({ ip, user_agent }) => (
      <>
        {ip} <span class="quiet">{user_agent}</span>
      </>
    ),
  },
  {
    head: words.columns.when,
    cell: ({ last_at }) => (
      <time class="entry-when" dateTime={last_at}>
        <span>{local(last_at)}</span>
        <span class="quiet">{utc(last_at)}</span>
      </time>
    ),
  },
];
