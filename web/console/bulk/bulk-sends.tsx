import { bulkBatchStates } from "@countersign/client/lists";
import type { BulkBatch, BulkBatchState, ListBulkBatchesQuery } from "@countersign/client/types";
import { list } from "../api.ts";
import { Link } from "../link.tsx";
import { useLive } from "../live.ts";
import { query, setQuery } from "../navigation.ts";
import { ApiCall } from "../parts/api-call.tsx";
import { Empty } from "../parts/empty.tsx";
import { SelectField } from "../parts/field.tsx";
import { filtersFrom } from "../parts/filters.ts";
import { Screen } from "../parts/screen.tsx";
import { type Column, PagedTable, pageOf } from "../parts/table.tsx";
import { When } from "../parts/when.tsx";
import { TemplateFilter } from "../templates/template-filter.tsx";
import { BulkChip, words } from "./words.tsx";

const columns: readonly Column<BulkBatch>[] = [
  { head: words.list.name, cell: ({ name }) => name },
  { head: words.state, cell: (batch) => <BulkChip {...batch} /> },
  { head: words.list.rows, cell: ({ rows }) => words.number(rows) },
  { head: words.list.sent, cell: ({ sent }) => words.number(sent) },
  { head: words.list.created, cell: ({ created_at }) => <When at={created_at} /> },
];

/** Every bulk send of the organization. A new one begins on the page of its template. */
export function BulkSends() {
  const given = filtersFrom<ListBulkBatchesQuery>(["state", "template_id"]);
  const wanted = { ...given, page: pageOf(), limit: 20 };
  const loaded = useLive(JSON.stringify(wanted), () => list("list_bulk_batches", { query: wanted }));
  const isFiltered = Object.values(given).some((value) => value !== null && value !== undefined && value !== "");
  return (
    <Screen title={words.title} lead={words.lead}>
      <search class="filters">
        <SelectField
          label={words.state}
          name="state"
          value={(query.value.get("state") ?? "") as BulkBatchState | ""}
          choices={[["", words.anyState], ...bulkBatchStates.map((state) => [state, words.states[state]] as const)]}
          onChoice={(state) => setQuery({ state: state || null })}
        />
        <TemplateFilter />
      </search>
      <PagedTable
        loaded={loaded}
        columns={columns}
        keyOf={({ batch_id }) => batch_id}
        to={({ batch_id }) => `/bulk/${batch_id}`}
        caption={words.list.caption}
        empty={
          isFiltered ? (
            <Empty title={words.list.noMatch}>{words.list.noMatchText}</Empty>
          ) : (
            <Empty
              title={words.list.empty}
              action={
                <Link to="/templates" class="button">
                  {words.list.templates}
                </Link>
              }
            >
              {words.list.emptyText}
            </Empty>
          )
        }
      />
      <ApiCall operation="list_bulk_batches" given={{ query: given }} />
    </Screen>
  );
}
