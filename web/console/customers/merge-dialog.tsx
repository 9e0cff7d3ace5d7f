import type { Customer, MergedCustomers } from "@countersign/client/types";
import { useEffect, useState } from "preact/hooks";
import { call, list } from "../api.ts";
import { SubmitButton } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { TextField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { useSending } from "../sending.ts";
import { useLoad } from "../use-load.ts";
import { en } from "../words/customers/en.ts";
import { nameOf } from "./api.ts";
import { customerFields, labels } from "./fields.ts";

const words = en.merge;

interface MergeDialogProps {
  readonly customer: Customer;
  readonly onMerged: (merged: MergedCustomers, duplicate: Customer) => void;
  readonly onClose: () => void;
}

// Long enough to finish typing a word.
const PAUSE_MS = 250;
const SHOWN = 6;

/** Chooses the duplicate, and shows what becomes of its values before anything is merged. */
export function MergeDialog({ customer, onMerged, onClose }: MergeDialogProps) {
  const sending = useSending();
  const [text, setText] = useState("");
  const [duplicate, setDuplicate] = useState<Customer | null>(null);
  const [isAsked, setAsked] = useState(false);
  const merge = async () => {
    if (duplicate === null) return setAsked(true);
    const { customer_id } = customer;
    const body = { duplicate_customer_id: duplicate.customer_id };
    onMerged(await call("merge_customers", { params: { customer_id }, body }), duplicate);
    onClose();
  };
  const type = (typed: string) => {
    setText(typed);
    setDuplicate(null);
    sending.clear();
  };
  return (
    <Dialog title={words.title} onClose={onClose}>
      <Form sending={sending} onSend={merge}>
        <p>{words.lead(nameOf(customer))}</p>
        <TextField
          label={words.search}
          name="duplicate_customer_id"
          type="search"
          autoComplete="off"
          maxLength={200}
          placeholder={en.searchHint}
          value={text}
          onText={type}
          sending={sending}
          error={isAsked && duplicate === null ? words.required : null}
          isWholeSentence
        />
        <Matches q={text} without={customer.customer_id} chosen={duplicate} onChoose={setDuplicate} />
        {duplicate !== null && <Outcome customer={customer} duplicate={duplicate} />}
        <div class="buttons end">
          <button type="button" class="button" onClick={onClose}>
            {en.cancel}
          </button>
          <SubmitButton sending={sending} kind="danger">
            {words.button}
          </SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}

interface MatchesProps {
  readonly q: string;
  readonly without: string;
  readonly chosen: Customer | null;
  readonly onChoose: (customer: Customer) => void;
}

function Matches({ q, without, chosen, onChoose }: MatchesProps) {
  const wanted = usePaused(q.trim());
  const found = useLoad(wanted, () => list("list_customers", { query: { limit: SHOWN + 1, ...(wanted !== "" && { q: wanted }) } }));
  if (found.error !== null) return <ErrorNotice error={found.error} onRetry={found.reload} />;
  if (found.data === null || wanted === "") return null;
  const others = found.data.data.filter(({ customer_id }) => customer_id !== without).slice(0, SHOWN);
  if (others.length === 0) return <p class="quiet">{words.none}</p>;
  return (
    <fieldset class="customer-matches">
      <legend class="hidden-visually">{words.found}</legend>
      {others.map((one) => (
        <label key={one.customer_id} class="customer-match">
          <input type="radio" name="match" checked={chosen?.customer_id === one.customer_id} onChange={() => onChoose(one)} />
          <span>
            <strong>{nameOf(one)}</strong>
            <span class="quiet small">{[one.email, one.company, one.client_id].filter((value) => value !== null).join(" · ")}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

function usePaused(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
}

/** As the service does it: an empty value is filled, any other stays. */
function Outcome({ customer, duplicate }: { customer: Customer; duplicate: Customer }) {
  const given = customerFields.filter((field) => duplicate[field] !== null);
  const taken = given.filter((field) => customer[field] === null);
  const dropped = given.filter((field) => customer[field] !== null && customer[field] !== duplicate[field]);
  const namesOf = (fields: typeof given) => fields.map((field) => labels[field]).join(", ");
  return (
    <div class="notice stack tight" role="status">
      <p>{taken.length === 0 ? words.takesNothing : words.takes(namesOf(taken))}</p>
      {dropped.length > 0 && <p>{words.drops(namesOf(dropped))}</p>}
      <p>{words.evidence}</p>
    </div>
  );
}
