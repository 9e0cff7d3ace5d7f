import { envelopeSorts, envelopeStatuses } from "@countersign/client/lists";
import type { EnvelopeCounts, EnvelopeSort, EnvelopeStatus } from "@countersign/client/types";
import { call } from "../api.ts";
import { query, setQuery } from "../navigation.ts";
import { statusLabel } from "../parts/chip.tsx";
import { SelectField, TextField } from "../parts/field.tsx";
import { useSearchText } from "../parts/search-text.ts";
import { useLoad } from "../use-load.ts";
import { en as words } from "../words/bulk/en.ts";

interface StatusChoicesProps {
  readonly chosen: EnvelopeStatus | null;
  /** null: not loaded (yet) */
  readonly counts: EnvelopeCounts | null;
}

/** A button for each status that occurs, and one for all. */
export function StatusChoices({ chosen, counts }: StatusChoicesProps) {
  const shown = envelopeStatuses.filter((status) => counts === null || status === chosen || counts[status] > 0);
  const all = counts === null ? null : envelopeStatuses.reduce((sum, status) => sum + counts[status], 0);
  return (
    <fieldset class="choices">
      <legend class="hidden-visually">Status</legend>
      <Choice name="All" count={all} isChosen={chosen === null} onChoose={() => setQuery({ status: null })} />
      {shown.map((status) => (
        <Choice
          key={status}
          name={statusLabel(status)}
          count={counts === null ? null : counts[status]}
          isChosen={status === chosen}
          onChoose={() => setQuery({ status })}
        />
      ))}
    </fieldset>
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly count: number | null;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function Choice({ name, count, isChosen, onChoose }: ChoiceProps) {
  return (
    <button type="button" class="choice" aria-pressed={isChosen} onClick={onChoose}>
      {name}
      {count !== null && <span class="envelope-choice-count">{count.toLocaleString()}</span>}
    </button>
  );
}

export function Filters({ tags }: { tags: readonly string[] }) {
  const given = query.value;
  const customer_id = given.get("customer_id");
  const batch_id = query.value.get("batch_id");
  return (
    <div class="filters">
      <TextFilter />
      <div class="envelope-dates">
        <TextField label="Created from" name="from" type="date" value={given.get("from") ?? ""} onText={(from) => setQuery({ from })} />
        <TextField label="Created until" name="to" type="date" value={given.get("to") ?? ""} onText={(to) => setQuery({ to })} />
      </div>
      <TagFilter tags={tags} />
      <SelectField
        label="Sort by"
        name="sort"
        value={sortOf(given) ?? "-created_at"}
        choices={envelopeSorts.map((sort) => [sort, sortWords[sort]] as const)}
        onChoice={(sort) => setQuery({ sort: sort === "-created_at" ? null : sort })}
      />
      {customer_id !== null && <CustomerFilter customer_id={customer_id} />}
      {batch_id !== null && <BulkFilter batch_id={batch_id} />}
    </div>
  );
}

const sortWords: Readonly<Record<EnvelopeSort, string>> = {
  "-created_at": "Newest",
  "-updated_at": "Last change",
  expires_at: "Expiry",
  envelope_name: "Name",
};

/** The order in the address, if there is such an order. */
export const sortOf = (from: URLSearchParams): EnvelopeSort | null => envelopeSorts.find((sort) => sort === from.get("sort")) ?? null;

/** Offered once the organization has tags. */
function TagFilter({ tags }: { tags: readonly string[] }) {
  const chosen = query.value.get("tag") ?? "";
  if (tags.length === 0 && chosen === "") return null;
  const choices = [...new Set([...tags, ...(chosen === "" ? [] : [chosen])])].map((name) => [name, name] as const);
  return (
    <SelectField
      label="Tag"
      name="tag"
      value={chosen}
      choices={[["", "Any tag"], ...choices]}
      onChoice={(tag) => setQuery({ tag: tag || null })}
    />
  );
}

function TextFilter() {
  const [text, type] = useSearchText();
  return (
    <div class="grow">
      <TextField
        label="Search"
        name="q"
        type="search"
        inputMode="search"
        autoComplete="off"
        placeholder="Name, person, tag or external ID"
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
      <span>Customer: {name}</span>
      <button
        type="button"
        class="button quiet"
        aria-label={`Remove customer filter: ${name}`}
        onClick={() => setQuery({ customer_id: null })}
      >
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
      <span>{words.filter(name)}</span>
      <button type="button" class="button quiet" aria-label={words.removeFilter(name)} onClick={() => setQuery({ batch_id: null })}>
        ×
      </button>
    </p>
  );
}
