import type { Customer } from "@countersign/client/types";
import { useEffect, useState } from "preact/hooks";
import { call, list } from "../api.ts";
import { formatNumber } from "../format-number.ts";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { TextField } from "../parts/field.tsx";
import type { Sending } from "../sending.ts";
import { useLoad } from "../use-load.ts";
import { en } from "../words/deposit/en.ts";
import { useFocusOnChange } from "./use-focus-on-change.ts";

const w = en.customerChoice;

/** An existing customer, or a new one with name and e-mail address. */
export type CustomerChoice =
  | { readonly kind: "known"; readonly customer: Customer }
  | { readonly kind: "new"; readonly name: string; readonly email: string };

interface CustomerChoiceProps {
  readonly value: CustomerChoice | null;
  readonly onChange: (value: CustomerChoice | null) => void;
  readonly sending: Sending;
}

/** The existing customer, or the new one, which is created. Its address is required, so that it can be found again. */
export async function customerOf(choice: CustomerChoice): Promise<Customer> {
  if (choice.kind === "known") return choice.customer;
  return call("create_customer", { body: { name: choice.name.trim(), email: choice.email.trim() } });
}

export const customerWords = ({ name, email, customer_id }: Customer): string =>
  [name, email].filter((one) => one !== null && one !== "").join(", ") || customer_id;

export function CustomerField({ value, onChange, sending }: CustomerChoiceProps) {
  const isNew = value?.kind === "new";
  const place = useFocusOnChange<HTMLFieldSetElement>(value?.kind);
  return (
    <fieldset class="stack" ref={place}>
      <legend>{w.customer}</legend>
      {value === null && <LookUp onChange={onChange} />}
      {value?.kind === "known" && (
        <p class="chosen">
          <strong>{customerWords(value.customer)}</strong>
        </p>
      )}
      {isNew && (
        <div class="columns">
          <TextField
            label={w.customersName}
            name="name"
            value={value.name}
            onText={(name) => onChange({ ...value, name })}
            sending={sending}
            autoComplete="off"
          />
          <TextField
            label={w.customersEMail}
            name="email"
            type="email"
            value={value.email}
            onText={(email) => onChange({ ...value, email })}
            sending={sending}
            autoComplete="off"
          />
        </div>
      )}
      <div class="buttons">
        {value === null ? (
          <button type="button" class="button" onClick={() => onChange({ kind: "new", name: "", email: "" })}>
            {w.newCustomer}
          </button>
        ) : (
          <button type="button" class="button" onClick={() => onChange(null)}>
            {isNew ? w.findExistingCustomer : w.changeCustomer}
          </button>
        )}
      </div>
    </fieldset>
  );
}

// Shorter, and every typed letter would send a request.
const TYPING_MS = 300;
const SHOWN = 6;

function LookUp({ onChange }: Pick<CustomerChoiceProps, "onChange">) {
  const [text, setText] = useState("");
  const [q, setQ] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setQ(text.trim()), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const loaded = useLoad(q, () => list("list_customers", { query: { q, limit: SHOWN } }));
  const { data, meta } = loaded.data ?? { data: [], meta: { total: 0 } };
  return (
    <>
      <TextField label={w.findACustomer} name="customer_q" type="search" value={text} onText={setText} maxLength={200} hint={w.byNameE} />
      <ErrorNotice error={loaded.error} onRetry={loaded.reload} />
      <p class="quiet small" role="status">
        {loaded.data === null ? "" : meta.total === 0 ? w.noCustomersFound : w.of(Math.min(SHOWN, meta.total), formatNumber(meta.total))}
      </p>
      <ul class="found">
        {data.map((customer) => (
          <li key={customer.customer_id}>
            <button type="button" class="choice" onClick={() => onChange({ kind: "known", customer })}>
              {customerWords(customer)}
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
