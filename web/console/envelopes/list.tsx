import { envelopeStatuses } from "@countersign/client/lists";
import type { EnvelopeCounts, EnvelopeStatus, EnvelopeSummary, Statistics } from "@countersign/client/types";
import { useCallback, useRef, useState } from "preact/hooks";
import { saveFile } from "../../save-file.ts";
import { call, file, list } from "../api.ts";
import { Link } from "../link.tsx";
import { useListKeys } from "../list-keys.ts";
import { query } from "../navigation.ts";
import { ApiCall } from "../parts/api-call.tsx";
import { ActionButton } from "../parts/button.tsx";
import { StatusChip } from "../parts/chip.tsx";
import { Empty } from "../parts/empty.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { RequireRole } from "../parts/require-role.tsx";
import { Screen } from "../parts/screen.tsx";
import { type Column, PagedTable, pageOf } from "../parts/table.tsx";
import { When } from "../parts/when.tsx";
import { useSending } from "../sending.ts";
import { hasRole } from "../session.ts";
import { useInterval, useLoad } from "../use-load.ts";
import { useWhenChanged } from "../when-changed.ts";
import { Filters, StatusChoices, sortOf } from "./filters.tsx";
import { useRowActions } from "./row-actions.tsx";
import { Selected } from "./selected.tsx";
import { Views } from "./views.tsx";

const EVERY_S = 10;

const columns: readonly Column<EnvelopeSummary>[] = [
  {
    head: "Name",
    cell: ({ envelope_name, tags = [] }) => (
      <>
        {envelope_name}
        {tags.map((tag) => (
          <span key={tag} class="envelope-tag">
            <span class="hidden-visually">, tag </span>
            {tag}
          </span>
        ))}
      </>
    ),
  },
  { head: "Customer", cell: ({ customer }) => customer?.name ?? customer?.email ?? "–" },
  { head: "Status", cell: ({ status }) => <StatusChip status={status} /> },
  { head: "Signed", cell: ({ signers = [] }) => signedText(signers) },
  { head: "Updated", cell: ({ updated_at }) => <When at={updated_at} /> },
];

function signedText(signers: NonNullable<EnvelopeSummary["signers"]>): string {
  return signers.length === 0 ? "–" : `${signers.filter(({ status }) => status === "signed").length} of ${signers.length}`;
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
  return (
    <Screen title="Envelopes" lead="Your documents for signature." actions={<Actions filters={filters} />}>
      <RequireRole least="member" to="send envelopes">
        {null}
      </RequireRole>
      <Views />
      <div class="stack">
        <StatusChoices chosen={statusOf(query.value)} counts={counted.data === null ? null : liveCounts(counted.data)} />
        <Filters tags={(tags.data ?? []).map(({ name }) => name)} />
      </div>
      <Selected
        chosen={shown.filter(({ envelope_id }) => chosen.has(envelope_id))}
        onDone={(failed) => void finish(failed)}
        onClear={clear}
      />
      {actions.shown}
      <PagedTable
        caption="Envelopes"
        {...(hasRole("member") && { selection: { chosen, onChoose: setChosen, nameOf }, menu: actions.menu })}
        loaded={loaded}
        columns={columns}
        keyOf={({ envelope_id }) => envelope_id}
        to={({ envelope_id }) => `/envelopes/${envelope_id}`}
        empty={isFiltered(filters) ? <NoMatches /> : <NoneYet />}
      />
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
        Export CSV
      </ActionButton>
      {hasRole("member") && <NewEnvelopeLink />}
      <ErrorNotice error={sending.error} />
    </div>
  );
}

const statusOf = (from: URLSearchParams): EnvelopeStatus | null => envelopeStatuses.find((one) => one === from.get("status")) ?? null;

/** The filters in the address, as the API takes them. Days are in the browser's time zone, and the last day is included. */
function filtersIn(from: URLSearchParams) {
  return {
    q: from.get("q"),
    status: statusOf(from),
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
    New envelope
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
