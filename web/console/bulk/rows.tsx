import { bulkRowStates } from "@countersign/client/lists";
import type { BulkBatch, BulkRow, BulkRowState, ListBulkRowsQuery } from "@countersign/client/types";
import { list } from "../api.ts";
import { Link } from "../link.tsx";
import { query, setQuery } from "../navigation.ts";
import { ActionButton } from "../parts/button.tsx";
import { Card } from "../parts/card.tsx";
import { Chip, type Tone } from "../parts/chip.tsx";
import { Empty } from "../parts/empty.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { SelectField } from "../parts/field.tsx";
import { filtersFrom } from "../parts/filters.ts";
import { saveFrom } from "../parts/save.ts";
import { type Column, PagedTable, pageOf } from "../parts/table.tsx";
import { useSending } from "../sending.ts";
import { useLoad } from "../use-load.ts";
import { words } from "./words.tsx";

const tones: Record<BulkRowState, Tone> = { ready: "waiting", invalid: "bad", sent: "good", failed: "bad", skipped: "plain" };

// Enough to recognize a row.
const SHOWN_CELLS = 2;

const columns: readonly Column<BulkRow>[] = [
  { head: words.rows.row, cell: ({ row_no }) => words.number(row_no) },
  {
    head: words.rows.person,
    cell: ({ cells }) =>
      cells
        ?.filter((cell) => cell !== "")
        .slice(0, SHOWN_CELLS)
        .join(", ") ?? "–",
  },
  { head: words.state, cell: ({ state }) => <Chip tone={tones[state]}>{words.rowStates[state]}</Chip> },
  { head: words.rows.what, cell: Faults },
  {
    head: words.rows.envelope,
    cell: ({ envelope_id, state }) =>
      envelope_id === null ? "–" : <Link to={`/envelopes/${envelope_id}`}>{state === "sent" ? words.rows.open : words.rows.draft}</Link>,
  },
];

function Faults({ errors, warnings }: BulkRow) {
  const all = [...errors, ...warnings];
  if (all.length === 0) return <>–</>;
  return (
    <ul class="bulk-faults">
      {all.map(({ column, message }) => (
        <li key={`${column} ${message}`}>
          {column !== null && <strong>{column}</strong>} {message}
        </li>
      ))}
    </ul>
  );
}

/** The rows of the file. They are read again when the numbers change. */
export function Rows({ batch }: { batch: BulkBatch }) {
  const { batch_id, state, ready, sent, failed, skipped, erased_at } = batch;
  const given = filtersFrom<ListBulkRowsQuery>(["state"]);
  const [params, wanted] = [{ batch_id }, { ...given, page: pageOf(), limit: 20 }];
  const saving = useSending();
  const key = JSON.stringify([batch_id, wanted, state, ready, sent, failed, skipped]);
  const loaded = useLoad(key, () => list("list_bulk_rows", { params, query: wanted }));
  return (
    <Card title={words.rows.title}>
      <search class="filters">
        <SelectField
          label={words.state}
          name="state"
          value={(query.value.get("state") ?? "") as BulkRowState | ""}
          choices={[["", words.anyState], ...bulkRowStates.map((one) => [one, words.rowStates[one]] as const)]}
          onChoice={(one) => setQuery({ state: one || null, page: null })}
        />
        {erased_at === null && (
          <ActionButton
            sending={saving}
            busyLabel={words.busy}
            onAction={() => saveFrom("get_bulk_rows_csv", `${batch_id}.csv`, { params, query: given })}
          >
            {words.rows.download}
          </ActionButton>
        )}
      </search>
      <ErrorNotice error={saving.error} />
      <PagedTable
        loaded={loaded}
        columns={columns}
        keyOf={({ row_no }) => String(row_no)}
        caption={words.rows.caption}
        empty={<Empty title={words.rows.empty}>{words.rows.emptyText}</Empty>}
      />
    </Card>
  );
}
