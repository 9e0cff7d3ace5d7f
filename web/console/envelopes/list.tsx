import { envelopeStatuses } from "@countersign/client/lists";
import type { EnvelopeCounts, EnvelopeStatus, EnvelopeSummary, Statistics } from "@countersign/client/types";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { saveFile } from "../../save-file.ts";
import { call, file, list } from "../api.ts";
import { Link } from "../link.tsx";
import { useListKeys } from "../list-keys.ts";
import { query } from "../navigation.ts";
import { ApiCall } from "../parts/api-call.tsx";
import { Avatar, type Standing } from "../parts/avatar.tsx";
import { ActionButton } from "../parts/button.tsx";
import { StatusChip } from "../parts/chip.tsx";
import { Empty } from "../parts/empty.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { Glyph } from "../parts/glyph.tsx";
import { RequireRole } from "../parts/require-role.tsx";
import { Screen } from "../parts/screen.tsx";
import { type Column, PagedTable, pageOf } from "../parts/table.tsx";
import { When } from "../parts/when.tsx";
import { useSending } from "../sending.ts";
import { hasRole } from "../session.ts";
import { useInterval, useLoad } from "../use-load.ts";
import { useWhenChanged } from "../when-changed.ts";
import { en as words } from "../words/list/en.ts";
import { isDraft, isOpen } from "./api.ts";
import { Filters, sortOf } from "./filters.tsx";
import { rememberList } from "./last-list.ts";
import { useRowActions } from "./row-actions.tsx";
import { Selected } from "./selected.tsx";
import { Views } from "./views.tsx";

const EVERY_S = 10;

const columns: readonly Column<EnvelopeSummary>[] = [
  { head: words.columns.document, cell: ({ envelope_name }) => envelope_name, more: (row) => <AboutRow row={row} /> },
  { head: words.columns.people, cell: (row) => <People row={row} /> },
  { head: words.columns.status, cell: ({ status }) => <StatusChip status={status} /> },
  { head: words.columns.signed, cell: signedText },
  { head: words.columns.activity, cell: ({ updated_at }) => <When at={updated_at} /> },
];

/** The customer below the name, and the tags beside it. */
function AboutRow({ row: { customer, tags = [] } }: { row: EnvelopeSummary }) {
  const name = customer?.name ?? customer?.email ?? null;
  return (
    <span class="envelope-about">
      {name !== null && <span class="quiet small">{name}</span>}
      {tags.map((tag) => (
        <span key={tag} class="envelope-tag">
          <span class="hidden-visually">{words.tag}</span>
          {tag}
        </span>
      ))}
    </span>
  );
}

function signedText({ status, signers = [] }: EnvelopeSummary): string {
  if (isDraft(status)) return words.notSent;
  return signers.length === 0 ? "–" : words.signed(signers.filter((one) => one.status === "signed").length, signers.length);
}

const MOST_PEOPLE = 4;

function People({ row: { status, signers = [] } }: { row: EnvelopeSummary }) {
  if (signers.length === 0) return <>–</>;
  const shown = signers.length > MOST_PEOPLE ? signers.slice(0, MOST_PEOPLE - 1) : signers;
  return (
    <span class="avatars">
      {shown.map((one) => {
        const standing = standingOf(one.status, isOpen(status));
        return <Avatar key={one.email} name={one.name} standing={standing} label={words.person(one.name, words.standings[standing])} />;
      })}
      {shown.length < signers.length && <span class="quiet small">{words.morePeople(signers.length - shown.length)}</span>}
    </span>
  );
}

/** Who has not signed an envelope that is not open is not waited for. */
function standingOf(status: NonNullable<EnvelopeSummary["signers"]>[number]["status"], isOpen: boolean): Standing {
  if (status === "signed") return "done";
  if (status === "declined") return "refused";
  return isOpen && status !== "cancelled" ? "waiting" : "later";
}

export function Envelopes() {
  const filters = filtersIn(query.value);
  const wanted = { ...filters, expand: "signers,customer,tags", page: pageOf(), limit: 20 };
  const key = JSON.stringify(wanted);
  const loaded = useLoad(key, () => list("list_envelopes", { query: wanted }));
  const tags = useLoad("tags", () => call("list_tags"));
  const counted = useLoad("", () => call("get_statistics", { query: { days: 1 } }));
  const current = useRef(key);
  current.current = key;
  const renew = async () => {
    // Replaces the rows without a loading state. On an error the current rows stay until the next time.
    const [rows, counts] = await Promise.allSettled([
      list("list_envelopes", { query: wanted }),
      call("get_statistics", { query: { days: 1 } }),
    ]);
    if (rows.status === "fulfilled" && current.current === key) loaded.put(rows.value);
    if (counts.status === "fulfilled") counted.put(counts.value);
  };
  useInterval(EVERY_S, () => void renew());
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  // What cannot be seen is not acted on.
  useWhenChanged(key, () => setChosen(new Set()));
  const clear = useCallback(() => setChosen(new Set()), []);
  useListKeys(clear);
  const shown = loaded.data?.data ?? [];
  const finish = async (failed: ReadonlySet<string>) => {
    setChosen(failed);
    await Promise.all([renew(), tags.reload()]);
  };
  const actions = useRowActions(renew);
  const counts = counted.data === null ? null : liveCounts(counted.data);
  useEffect(() => rememberList(), [key]);
  return (
    <Screen title="Envelopes" actions={<Actions filters={filters} />}>
      <RequireRole least="member" to="send envelopes">
        {null}
      </RequireRole>
      <Views all={counts === null ? null : Object.values(counts).reduce((sum, count) => sum + count, 0)} />
      <Filters tags={(tags.data ?? []).map(({ name }) => name)} status={statusOf(query.value)} counts={counts} />
      <Selected
        chosen={shown.filter(({ envelope_id }) => chosen.has(envelope_id))}
        onDone={(failed) => void finish(failed)}
        onClear={clear}
      />
      {actions.shown}
      <div class="envelope-rows">
        <PagedTable
          caption="Envelopes"
          selection={{ chosen, onChoose: setChosen, nameOf }}
          menu={actions.menu}
          loaded={loaded}
          columns={columns}
          keyOf={({ envelope_id }) => envelope_id}
          to={({ envelope_id }) => `/envelopes/${envelope_id}`}
          empty={isFiltered(filters) ? <NoMatches /> : <NoneYet />}
        />
      </div>
      <ApiCall operation="list_envelopes" given={{ query: wanted }} />
    </Screen>
  );
}

const nameOf = ({ envelope_name }: EnvelopeSummary): string => envelope_name;

/** Export has the filters of the list. */
function Actions({ filters }: { filters: ReturnType<typeof filtersIn> }) {
  const sending = useSending();
  const save = async () => {
    const { blob, name } = await file("export_envelopes", { query: filters });
    saveFile(blob, name ?? "envelopes.csv");
  };
  return (
    <div class="buttons">
      <ActionButton sending={sending} onAction={save}>
        <Glyph name="download" />
        {words.export}
      </ActionButton>
      {hasRole("member") && <NewEnvelopeLink />}
      <ErrorNotice error={sending.error} />
    </div>
  );
}

const statusOf = (from: URLSearchParams): EnvelopeStatus | null => envelopeStatuses.find((one) => one === from.get("status")) ?? null;

const stageOf = (from: URLSearchParams) => (["draft", "open"] as const).find((one) => one === from.get("stage")) ?? null;

/** The filters in the address, as the API takes them. Days are in the browser's time zone, and the last day is included. */
function filtersIn(from: URLSearchParams) {
  return {
    q: from.get("q"),
    status: statusOf(from),
    stage: stageOf(from),
    customer_id: from.get("customer_id"),
    created_from: midnight(from.get("from"), 0),
    created_to: midnight(from.get("to"), 1),
    tag: from.get("tag"),
    owner: from.get("owner"),
    batch_id: from.get("batch_id"),
    discarded: from.get("discarded") === "only" ? ("only" as const) : ("exclude" as const),
    waiting_for: from.get("waiting_for") === "me" ? ("me" as const) : null,
    sort: sortOf(from),
  };
}

const LAST_YEAR = 2100;

function midnight(day: string | null, later: number): string | null {
  const [year, month, date] =
    /^(\d{4})-(\d\d)-(\d\d)$/
      .exec(day ?? "")
      ?.slice(1)
      .map(Number) ?? [];
  if (year === undefined || month === undefined || date === undefined) return null;
  const start = new Date(year, month - 1, date);
  // `Date` turns 31 February into a day in March, and the address bar accepts years that the database does not.
  if (start.getFullYear() !== year || start.getMonth() !== month - 1 || start.getDate() !== date || year > LAST_YEAR) return null;
  return new Date(year, month - 1, date + later).toISOString();
}

const isFiltered = ({ sort: _, discarded, ...filters }: ReturnType<typeof filtersIn>): boolean =>
  discarded === "only" || Object.values(filters).some((one) => one !== null && one !== "");

/** Without discarded drafts, as the list is. */
const liveCounts = ({ by_status, discarded }: Statistics): EnvelopeCounts => ({ ...by_status, voided: by_status.voided - discarded });

const NewEnvelopeLink = () => (
  <Link to="/envelopes/new" class="button primary">
    <Glyph name="plus" />
    {words.create}
  </Link>
);

function NoMatches() {
  return (
    <Empty
      title="No matching envelopes"
      action={
        <Link to="/envelopes" class="button">
          Show all envelopes
        </Link>
      }
    >
      Remove a filter or try another search. The search finds beginnings of words in names, people, tags and external IDs.
    </Empty>
  );
}

function NoneYet() {
  return (
    <Empty
      title="No envelopes yet"
      {...(hasRole("member") && { action: <NewEnvelopeLink /> })}
      curl={
        <ApiCall
          operation="create_envelope"
          given={{ body: { envelope_name: "Lease", customer_name: "Ann Example", customer_email: "ann@example.com" } }}
          open
        />
      }
    >
      An envelope is a document with the people who sign it. Choose a document, add signers and fields, and send it. Each signer gets a
      link, and you can follow the progress here.
    </Empty>
  );
}
