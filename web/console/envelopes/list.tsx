import { envelopeStatuses } from "@countersign/client/lists";
import type { EnvelopeCounts, EnvelopeStatus, EnvelopeSummary, Statistics } from "@countersign/client/types";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { saveFile } from "../../save-file.ts";
import { call, file, list } from "../api.ts";
import { formatNumber } from "../format-number.ts";
import { Link } from "../link.tsx";
import { useListKeys } from "../list-keys.ts";
import { query } from "../navigation.ts";
import { ApiCall } from "../parts/api-call.tsx";
import { Avatar } from "../parts/avatar.tsx";
import { ActionButton } from "../parts/button.tsx";
import { StatusChip } from "../parts/chip.tsx";
import { cut } from "../parts/cut.tsx";
import { Empty } from "../parts/empty.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { Glyph } from "../parts/glyph.tsx";
import { RequirePermission } from "../parts/require-permission.tsx";
import { Screen } from "../parts/screen.tsx";
import { type Column, PagedTable, pageOf } from "../parts/table.tsx";
import { When } from "../parts/when.tsx";
import { useSending } from "../sending.ts";
import { may } from "../session.ts";
import { useInterval, useLoad } from "../use-load.ts";
import { useWhenChanged } from "../when-changed.ts";
import { en as words } from "../words/list/en.ts";
import { filterDay, midnight } from "../zone-inputs.ts";
import { isDraft, isOpen } from "./api.ts";
import { atTurn } from "./at-turn.ts";
import { Filters, sortedBy, sortOf } from "./filters.tsx";
import { rememberList } from "./last-list.ts";
import { useRowActions } from "./row-actions.tsx";
import { Selected } from "./selected.tsx";
import { standingOf, stateOf } from "./state-of.ts";
import { type ViewCounts, Views } from "./views.tsx";

const EVERY_S = 10;
// They change less often than the rows, and each is a request.
const TOTALS_EVERY_S = 30;

/** Only discarded drafts are listed, or none of them. */
const isOfDiscarded = (from = query.value): boolean => from.get("discarded") === "only";

const columns: readonly Column<EnvelopeSummary>[] = [
  {
    head: words.columns.document,
    sorting: sortedBy("envelope_name"),
    cell: ({ envelope_name }) => envelope_name,
    more: (row) => <AboutRow row={row} />,
  },
  { head: words.columns.people, cell: (row) => <People row={row} /> },
  { head: words.columns.status, cell: ({ status }) => <StatusChip status={status} isDiscarded={isOfDiscarded()} /> },
  { head: words.columns.signed, cell: (row) => <span class="unbroken">{signedText(row)}</span> },
  { head: words.columns.activity, sorting: sortedBy("-updated_at"), cell: ({ updated_at }) => <When at={updated_at} /> },
];

/** The customer below the name, and the tags beside it. */
function AboutRow({ row: { customer, tags = [] } }: { row: EnvelopeSummary }) {
  const name = customer?.name ?? customer?.email ?? null;
  return (
    <span class="envelope-about">
      {name !== null && <span class="quiet small">{cut(name)}</span>}
      {tags.map((tag) => (
        <span key={tag} class="envelope-tag">
          <span class="hidden-visually">{words.tag}</span>
          {tag}
        </span>
      ))}
    </span>
  );
}

function signedText({ status, recipients = [] }: EnvelopeSummary): string {
  if (isDraft(status)) return words.notSent;
  const signers = recipients.filter(({ kind }) => kind === "signer");
  return signers.length === 0 ? "–" : words.signed(signers.filter((one) => one.status === "signed").length, signers.length);
}

const MOST_PEOPLE = 4;

/** The people who act, each with a badge of how far they have come. No one has been asked about a draft. */
function People({ row: { status, recipients = [] } }: { row: EnvelopeSummary }) {
  const people = recipients.filter(({ kind }) => kind !== "cc");
  if (people.length === 0) return <>–</>;
  const shown = people.length > MOST_PEOPLE ? people.slice(0, MOST_PEOPLE - 1) : people;
  const turn = isOpen(status) ? atTurn(people) : [];
  return (
    <span class="avatars">
      {shown.map((one) => {
        if (isDraft(status)) return <Avatar key={one.email} name={one.name} label={one.name} />;
        const isAtTurn = turn.includes(one);
        const [, state] = stateOf(one, isAtTurn);
        return <Avatar key={one.email} name={one.name} standing={standingOf(one, isAtTurn)} label={words.person(one.name, state)} />;
      })}
      {shown.length < people.length && <span class="quiet small">{words.morePeople(people.length - shown.length)}</span>}
    </span>
  );
}

export function Envelopes() {
  const filters = filtersIn(query.value);
  const wanted = { ...filters, expand: "recipients,customer,tags", page: pageOf(), limit: 20 };
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
  const totals = useLoad("totals", totalsOfViews);
  useInterval(EVERY_S, () => void renew());
  useInterval(TOTALS_EVERY_S, () => void totals.reload());
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  // What cannot be seen is not acted on.
  useWhenChanged(key, () => setChosen(new Set()));
  const clear = useCallback(() => setChosen(new Set()), []);
  useListKeys(clear);
  const shown = loaded.data?.data ?? [];
  const finish = async (failed: ReadonlySet<string>) => {
    setChosen(failed);
    await Promise.all([renew(), tags.reload(), totals.reload()]);
  };
  const actions = useRowActions(async () => {
    await Promise.all([renew(), totals.reload()]);
  });
  const counts = counted.data === null ? null : liveCounts(counted.data);
  useEffect(() => rememberList(), [key]);
  return (
    <Screen title={words.title} actions={<Actions filters={filters} />}>
      <RequirePermission needs="envelopes:write" to={words.toSend}>
        {null}
      </RequirePermission>
      <Views counts={{ ...totals.data, ...(counted.data !== null && countsOfViews(counted.data)) }} />
      <Filters tags={(tags.data ?? []).map(({ name }) => name)} status={statusOf(query.value)} counts={counts} />
      <Selected
        chosen={shown.filter(({ envelope_id }) => chosen.has(envelope_id))}
        onDone={(failed) => void finish(failed)}
        onClear={clear}
      />
      {actions.shown}
      <div class="envelope-rows">
        <PagedTable
          caption={words.title}
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

/** The views whose counts the service keeps. */
function countsOfViews(figures: Statistics): ViewCounts {
  const counts = liveCounts(figures);
  const sum = (statuses: readonly EnvelopeStatus[]) => formatNumber(statuses.reduce((total, status) => total + counts[status], 0));
  return {
    all: sum(envelopeStatuses),
    drafts: sum(envelopeStatuses.filter(isDraft)),
    completed: sum(["completed"]),
    discarded: formatNumber(figures.discarded),
  };
}

/** The others, as their lists count them: the service stops at 10,000, so that a count costs the same in an organization of any size. */
async function totalsOfViews(): Promise<ViewCounts> {
  const totalOf = async (filter: { readonly waiting_for?: "me"; readonly stage?: "open"; readonly owner?: string }) => {
    const { meta } = await list("list_envelopes", { query: { ...filter, discarded: "exclude", limit: 1 } });
    const total = formatNumber(meta.total);
    return meta.total_capped === true ? words.views.atLeast(total) : total;
  };
  const [waitingForMe, inProgress, mine] = await Promise.all([
    totalOf({ waiting_for: "me" }),
    totalOf({ stage: "open" }),
    totalOf({ owner: "me" }),
  ]);
  return { waitingForMe, inProgress, mine };
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
      {may("envelopes:write") && <NewEnvelopeLink />}
      <ErrorNotice error={sending.error} />
    </div>
  );
}

const statusOf = (from: URLSearchParams): EnvelopeStatus | null => envelopeStatuses.find((one) => one === from.get("status")) ?? null;

const stageOf = (from: URLSearchParams) => (["draft", "open"] as const).find((one) => one === from.get("stage")) ?? null;

/** The filters in the address, as the API takes them. Days are in the user's time zone, and the last day is included. */
function filtersIn(from: URLSearchParams) {
  return {
    q: from.get("q"),
    status: statusOf(from),
    stage: stageOf(from),
    customer_id: from.get("customer_id"),
    created_from: midnight(filterDay(from.get("from"))),
    created_to: midnight(filterDay(from.get("to")), 1),
    tag: from.get("tag"),
    owner: from.get("owner"),
    batch_id: from.get("batch_id"),
    template_id: from.get("template_id"),
    discarded: isOfDiscarded(from) ? ("only" as const) : ("exclude" as const),
    waiting_for: from.get("waiting_for") === "me" ? ("me" as const) : null,
    sort: sortOf(from),
  };
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
      title={words.noMatches.title}
      action={
        <Link to="/envelopes" class="button">
          {words.noMatches.all}
        </Link>
      }
    >
      {words.noMatches.text}
    </Empty>
  );
}

function NoneYet() {
  return (
    <Empty
      title={words.noneYet.title}
      {...(may("envelopes:write") && { action: <NewEnvelopeLink /> })}
      curl={
        <ApiCall
          operation="create_envelope"
          given={{ body: { envelope_name: "Lease", customer_name: "Ann Example", customer_email: "ann@example.com" } }}
          open
        />
      }
    >
      {words.noneYet.text}
    </Empty>
  );
}
