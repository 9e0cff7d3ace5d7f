import { controlBatchStates } from "@countersign/client/lists";
import type { ControlBatch, ControlBatchState, ListControlBatchesQuery } from "@countersign/client/types";
import { recordsWords } from "../../act-words.ts";
import { list } from "../api.ts";
import { formatNumber } from "../format-number.ts";
import { useLive } from "../live.ts";
import { query, setQuery } from "../navigation.ts";
import { ApiCall, apiCalls } from "../parts/api-call.tsx";
import { Empty } from "../parts/empty.tsx";
import { SelectField } from "../parts/field.tsx";
import { filtersFrom } from "../parts/filters.ts";
import { Screen } from "../parts/screen.tsx";
import { type Column, PagedTable, pageOf } from "../parts/table.tsx";
import { When } from "../parts/when.tsx";
import { en as words } from "../words/batches/en.ts";
import { BatchChip, batchKindWords } from "./words.tsx";

const columns: readonly Column<ControlBatch>[] = [
  { head: words.columns.batch, cell: ({ kind, count }) => words.named(batchKindWords(kind), recordsWords(count)) },
  { head: words.columns.state, cell: (batch) => <BatchChip {...batch} /> },
  { head: words.columns.done, cell: ({ done }) => formatNumber(done) },
  { head: words.columns.skipped, cell: ({ skipped }) => formatNumber(skipped) },
  { head: words.columns.reason, cell: ({ reason }) => reason, minor: true },
  { head: words.columns.created, cell: ({ created_at }) => <When at={created_at} /> },
];

const ToReference = () => (
  <a class="button" href="/docs" target="_blank" rel="noopener">
    {words.reference}
  </a>
);

/** Acts on many records, and orders to evaluate many or to collect their evidence. */
export function Batches() {
  const given = filtersFrom<ListControlBatchesQuery>(["state"]);
  const wanted = { ...given, page: pageOf(), limit: 20 };
  const loaded = useLive(JSON.stringify(wanted), () => list("list_control_batches", { query: wanted }));
  const isFiltered = (given.state ?? "") !== "";
  return (
    <Screen title={words.title} lead={words.lead}>
      <search class="filters">
        <SelectField
          label={words.columns.state}
          name="state"
          value={(query.value.get("state") ?? "") as ControlBatchState | ""}
          choices={[["", words.any], ...controlBatchStates.map((state) => [state, words.states[state]] as const)]}
          onChoice={(state) => setQuery({ state })}
        />
      </search>
      <PagedTable
        loaded={loaded}
        columns={columns}
        keyOf={({ control_batch_id }) => control_batch_id}
        to={({ control_batch_id }) => `/batches/${control_batch_id}`}
        caption={words.caption}
        empty={
          isFiltered ? (
            <Empty title={words.noMatch}>{words.noMatchText}</Empty>
          ) : (
            <Empty title={words.none} glyph="page" action={<ToReference />}>
              {apiCalls.isOn.value ? words.noneCall : words.noneText}
            </Empty>
          )
        }
      />
      <ApiCall operation="list_control_batches" given={{ query: given }} />
    </Screen>
  );
}
