import { controlBatchStates } from "@countersign/client/lists";
import type { ControlBatch, ControlBatchState, ListControlBatchesQuery } from "@countersign/client/types";
import { recordsWords } from "../../act-words.ts";
import { list } from "../api.ts";
import { useLive } from "../live.ts";
import { query, setQuery } from "../navigation.ts";
import { ApiCall } from "../parts/api-call.tsx";
import { Empty } from "../parts/empty.tsx";
import { SelectField } from "../parts/field.tsx";
import { filtersFrom } from "../parts/filters.ts";
import { Screen } from "../parts/screen.tsx";
import { type Column, PagedTable, pageOf } from "../parts/table.tsx";
import { When } from "../parts/when.tsx";
import { BatchChip, batchKindWords, stateWords } from "./words.tsx";

const columns: readonly Column<ControlBatch>[] = [
  { head: "Batch", cell: ({ kind, count }) => `${batchKindWords(kind)}: ${recordsWords(count)}` },
  { head: "State", cell: (batch) => <BatchChip {...batch} /> },
  { head: "Done", cell: ({ done }) => done.toLocaleString() },
  { head: "Skipped", cell: ({ skipped }) => skipped.toLocaleString() },
  { head: "Reason", cell: ({ reason }) => reason, minor: true },
  { head: "Created", cell: ({ created_at }) => <When at={created_at} /> },
];

/** Acts on many records, and orders to evaluate many or to collect their evidence. */
export function Batches() {
  const given = filtersFrom<ListControlBatchesQuery>(["state"]);
  const wanted = { ...given, page: pageOf(), limit: 20 };
  const loaded = useLive(JSON.stringify(wanted), () => list("list_control_batches", { query: wanted }));
  const isFiltered = (given.state ?? "") !== "";
  return (
    <Screen
      title="Control batches"
      lead="One act on many records. The parties confirm the whole list once; then each record changes on its own, and those that cannot are skipped."
    >
      <search class="filters">
        <SelectField
          label="State"
          name="state"
          value={(query.value.get("state") ?? "") as ControlBatchState | ""}
          choices={[["", "Any"], ...controlBatchStates.map((state) => [state, stateWords[state]] as const)]}
          onChoice={(state) => setQuery({ state })}
        />
      </search>
      <PagedTable
        loaded={loaded}
        columns={columns}
        keyOf={({ control_batch_id }) => control_batch_id}
        to={({ control_batch_id }) => `/batches/${control_batch_id}`}
        caption="Control batches, newest first"
        empty={
          isFiltered ? (
            <Empty title="No matching batches">No control batch has this state.</Empty>
          ) : (
            <Empty title="No control batches yet">
              A pool of records is assigned, pledged or moved as a whole with POST /partner/control-batches.
            </Empty>
          )
        }
      />
      <ApiCall operation="list_control_batches" given={{ query: given }} />
    </Screen>
  );
}
