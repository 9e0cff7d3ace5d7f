import type { FailedJob } from "@countersign/client/types";
import { list } from "../api.ts";
import { Link } from "../link.tsx";
import { useLive } from "../live.ts";
import { query, setQuery } from "../navigation.ts";
import { ApiCall } from "../parts/api-call.tsx";
import { Chip, type Tone } from "../parts/chip.tsx";
import { Empty } from "../parts/empty.tsx";
import { SelectField } from "../parts/field.tsx";
import { RequirePermission } from "../parts/require-permission.tsx";
import { Screen } from "../parts/screen.tsx";
import { type Column, PagedTable, pageOf } from "../parts/table.tsx";
import { When } from "../parts/when.tsx";
import { may } from "../session.ts";
import { en as words } from "../words/problems/en.ts";
import { RetryButton } from "./retry-button.tsx";
import { taskWords } from "./task-words.ts";

/** Work of the organization that failed, with a button that tries it again. */
export function Problems() {
  return (
    <Screen title={words.title} lead={words.lead}>
      <RequirePermission needs="settings:manage" to={words.role}>
        <List />
      </RequirePermission>
    </Screen>
  );
}

const views = ["open", "resolved", "discarded"] as const;
type View = (typeof views)[number];

function List() {
  const page = pageOf();
  const view = views.find((one) => one === query.value.get("state")) ?? "open";
  const loaded = useLive(`problems ${view} ${page}`, () =>
    list("list_problems", { query: { page, limit: 20, ...(view !== "open" && { state: view }) } }),
  );
  return (
    <>
      <search class="filters">
        <SelectField<View>
          label={words.views.label}
          name="state"
          value={view}
          choices={views.map((one) => [one, words.views[one]] as const)}
          onChoice={(chosen) => setQuery({ state: chosen === "open" ? null : chosen, page: null })}
        />
      </search>
      <PagedTable
        loaded={loaded}
        caption={words.caption}
        columns={columnsOf(loaded.reload)}
        keyOf={({ problem_id }) => problem_id}
        empty={
          <Empty title={words.none} glyph="check">
            {words.noneText[view]}
          </Empty>
        }
      />
      <ApiCall operation="list_problems" credential="$TOKEN" />
    </>
  );
}

const tones: Record<FailedJob["state"], Tone> = {
  retrying: "waiting",
  failed: "bad",
  retry_requested: "going",
  resolved: "good",
  discarded: "plain",
};

const columnsOf = (onRetried: () => Promise<void>): readonly Column<FailedJob>[] => [
  { head: words.columns.what, cell: taskWords, more: (problem) => <OfEnvelope of={problem} /> },
  { head: words.columns.why, cell: ({ explanation }) => explanation },
  { head: words.columns.state, cell: (problem) => <State of={problem} /> },
  { head: words.columns.attempts, cell: ({ attempts }) => attempts, end: true, minor: true },
  { head: words.columns.last, cell: ({ last_failed_at }) => <When at={last_failed_at} /> },
  { head: words.columns.act, cell: (problem) => <RetryButton of={problem} onRetried={onRetried} /> },
];

/** Its name, and for those who may read envelopes a link. */
function OfEnvelope({ of: { envelope_id, envelope_name } }: { of: FailedJob }) {
  if (envelope_id === null || !may("envelopes:read")) return null;
  return (
    <p class="small">
      <Link to={`/envelopes/${envelope_id}`}>{envelope_name ?? words.envelope}</Link>
    </p>
  );
}

function State({ of: { state, next_attempt_at } }: { of: FailedJob }) {
  return (
    <>
      <Chip tone={tones[state]}>{words.states[state]}</Chip>
      {state === "retrying" && next_attempt_at !== null && (
        <span class="quiet small">
          {" "}
          {words.next} <When at={next_attempt_at} />
        </span>
      )}
    </>
  );
}
