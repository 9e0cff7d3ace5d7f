import { envelopeSorts, envelopeStatuses } from "@countersign/client/lists";
import type { EnvelopeCounts, EnvelopeSort, EnvelopeStatus } from "@countersign/client/types";
import { useEffect, useRef } from "preact/hooks";
import { call } from "../api.ts";
import { formatDay } from "../format.ts";
import { formatNumber } from "../format-number.ts";
import { query, setQuery } from "../navigation.ts";
import { statusLabel } from "../parts/chip.tsx";
import { SelectField, TextField } from "../parts/field.tsx";
import { Glyph } from "../parts/glyph.tsx";
import { useSearchText } from "../parts/search-text.ts";
import type { Sorting } from "../parts/table.tsx";
import { TagFilter } from "../parts/tag-filter.tsx";
import { TemplateFilter } from "../templates/template-filter.tsx";
import { useLoad } from "../use-load.ts";
import { en as bulkWords } from "../words/bulk/en.ts";
import { en } from "../words/list/en.ts";
import { filterDay, LAST_DAY, midnight } from "../zone-inputs.ts";
import { isDraft } from "./api.ts";

const words = en.filters;

/** The browser's Back button undoes a choice. What is typed replaces the address instead, or Back would go through every pause. */
const choose = (changes: Parameters<typeof setQuery>[0]): void => setQuery(changes, { replace: false });

interface FiltersProps {
  readonly tags: readonly string[];
  readonly status: EnvelopeStatus | null;
  /** null: not loaded (yet) */
  readonly counts: EnvelopeCounts | null;
}

/** The search and the filters. All are in the address, so that a link, the browser's Back button and a saved view have them. */
export function Filters({ tags, status, counts }: FiltersProps) {
  const given = query.value;
  const customer_id = given.get("customer_id");
  const batch_id = given.get("batch_id");
  return (
    <div class="envelope-bar">
      <TextFilter />
      <StatusFilter chosen={status} counts={counts} />
      <TagFilter tags={tags} chosen={given.get("tag") ?? ""} onChoice={(tag) => choose({ tag: tag || null })} />
      <DateFilter from={given.get("from") ?? ""} to={given.get("to") ?? ""} />
      <SelectField
        label={words.sort}
        name="sort"
        value={sortOf(given) ?? "-created_at"}
        choices={envelopeSorts.map((sort) => [sort, words.sorts[sort]] as const)}
        onChoice={sortBy}
      />
      {customer_id !== null && <CustomerFilter customer_id={customer_id} />}
      {batch_id !== null && <BulkFilter batch_id={batch_id} />}
      <TemplateFilter />
    </div>
  );
}

/** Offers the statuses that occur, each with how many envelopes have it. */
const DRAFTS = "draft";
const OPEN = "open";

/** The three statuses of a draft are one choice here. */
function StatusFilter({ chosen, counts }: { chosen: EnvelopeStatus | null; counts: EnvelopeCounts | null }) {
  const stage = query.value.get("stage");
  const drafts = counts === null ? null : envelopeStatuses.filter(isDraft).reduce((sum, status) => sum + counts[status], 0);
  const offered = envelopeStatuses.filter((status) => !isDraft(status) && (counts === null || status === chosen || counts[status] > 0));
  const counted = (name: string, count: number | null) => (count === null ? name : words.counted(name, formatNumber(count)));
  return (
    <SelectField
      label={words.status}
      name="status"
      value={stage === DRAFTS || (chosen !== null && isDraft(chosen)) ? DRAFTS : stage === OPEN ? OPEN : (chosen ?? "")}
      choices={[
        ["", words.anyStatus],
        ...(drafts === 0 && stage !== DRAFTS ? [] : [[DRAFTS, counted(statusLabel("uploaded"), drafts)] as const]),
        [OPEN, words.open],
        ...offered.map((status) => [status, counted(statusLabel(status), counts === null ? null : counts[status])] as const),
      ]}
      onChoice={(value) =>
        choose(value === DRAFTS || value === OPEN ? { status: null, stage: value } : { status: value || null, stage: null })
      }
    />
  );
}

function DateFilter({ from, to }: { from: string; to: string }) {
  const box = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = (event: Event) => {
      const { current } = box;
      const isOutside = event.target instanceof Node && current?.contains(event.target) === false;
      if (current !== null && (isOutside || (event instanceof KeyboardEvent && event.key === "Escape"))) current.open = false;
    };
    addEventListener("pointerdown", close);
    addEventListener("keydown", close);
    return () => {
      removeEventListener("pointerdown", close);
      removeEventListener("keydown", close);
    };
  }, []);
  return (
    <details class="envelope-when" ref={box}>
      <summary class="button">
        <Glyph name="calendar" />
        {datesText(filterDay(from), filterDay(to))}
      </summary>
      <div class="envelope-dates">
        <TextField label={words.from} name="from" type="date" max={LAST_DAY} value={from} onText={(day) => setQuery({ from: day })} />
        <TextField label={words.to} name="to" type="date" max={LAST_DAY} value={to} onText={(day) => setQuery({ to: day })} />
        {(from !== "" || to !== "") && (
          <button type="button" class="button quiet" onClick={() => choose({ from: null, to: null })}>
            {words.clearDates}
          </button>
        )}
      </div>
    </details>
  );
}

/** The days by which the list is filtered. */
function datesText(from: string | null, to: string | null): string {
  const shown = (day: string) => formatDay(midnight(day) ?? day);
  if (from === null) return to === null ? words.anyDate : words.until(shown(to));
  return to === null ? words.since(shown(from)) : words.between(shown(from), shown(to));
}

/** The order in the address, if there is such an order. */
export const sortOf = (from: URLSearchParams): EnvelopeSort | null => envelopeSorts.find((sort) => sort === from.get("sort")) ?? null;

const sortBy = (sort: EnvelopeSort | null): void => choose({ sort: sort === "-created_at" ? null : sort });

/** The head of a column sorts by it, and pressed again returns to the newest first. */
export const sortedBy = (sort: EnvelopeSort): Sorting => {
  const isOn = () => sortOf(query.value) === sort;
  return { direction: sort.startsWith("-") ? "descending" : "ascending", isOn, toggle: () => sortBy(isOn() ? null : sort) };
};

function TextFilter() {
  const [text, type] = useSearchText();
  return (
    <div class="envelope-search">
      <Glyph name="search" />
      <TextField
        label={words.search}
        name="q"
        type="search"
        inputMode="search"
        autoComplete="off"
        placeholder={words.searchHint}
        maxLength={200}
        value={text}
        onText={type}
      />
    </div>
  );
}

function CustomerFilter({ customer_id }: { customer_id: string }) {
  const { data } = useLoad(customer_id, () => call("get_customer", { params: { customer_id } }));
  const name = data?.name ?? data?.email ?? customer_id;
  return (
    <p class="envelope-filter-chip">
      <span>{words.customer(name)}</span>
      <button type="button" class="button quiet" aria-label={words.removeCustomer(name)} onClick={() => choose({ customer_id: null })}>
        ×
      </button>
    </p>
  );
}

function BulkFilter({ batch_id }: { batch_id: string }) {
  const { data } = useLoad(batch_id, () => call("get_bulk_batch", { params: { batch_id } }));
  const name = data?.name ?? batch_id;
  return (
    <p class="envelope-filter-chip">
      <span>{bulkWords.filter(name)}</span>
      <button type="button" class="button quiet" aria-label={bulkWords.removeFilter(name)} onClick={() => choose({ batch_id: null })}>
        ×
      </button>
    </p>
  );
}
