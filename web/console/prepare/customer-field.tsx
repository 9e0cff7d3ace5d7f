import type { Customer } from "@countersign/client/types";
import { useEffect, useState } from "preact/hooks";
import { list } from "../api.ts";
import { TextField } from "../parts/field.tsx";
import type { Sending } from "../sending.ts";
import { en } from "../words/new-envelope/en.ts";

const words = en.customer;

export interface GivenCustomer {
  readonly name: string;
  readonly email: string;
}

interface CustomerFieldProps {
  readonly value: GivenCustomer;
  readonly onChange: (value: GivenCustomer) => void;
  readonly sending: Sending;
}

const TYPING_MS = 300;
const SHOWN = 5;

/** Existing customers are found by search. An unknown address creates a new customer together with the envelope. */
export function CustomerField({ value, onChange, sending }: CustomerFieldProps) {
  return (
    <fieldset class="stack">
      <legend>{words.title}</legend>
      <CustomerSearch onChoose={({ name, email }) => onChange({ name: name ?? email ?? "", email: email ?? "" })} />
      <div class="columns">
        <TextField
          label={words.name}
          name="customer_name"
          autoComplete="off"
          maxLength={200}
          value={value.name}
          onText={(name) => onChange({ ...value, name })}
          sending={sending}
        />
        <TextField
          label={words.email}
          name="customer_email"
          type="email"
          autoComplete="off"
          hint={words.emailHint}
          value={value.email}
          onText={(email) => onChange({ ...value, email })}
          sending={sending}
        />
      </div>
    </fieldset>
  );
}

type Found = { readonly kind: "none" } | { readonly kind: "failed" } | { readonly kind: "found"; readonly customers: readonly Customer[] };

function CustomerSearch({ onChoose }: { onChoose: (customer: Customer) => void }) {
  const [text, setText] = useState("");
  const [found, setFound] = useState<Found>({ kind: "none" });
  useEffect(() => {
    const q = text.trim();
    let isOld = false;
    const lookUp = async () => {
      const answer = await list("list_customers", { query: { q, limit: SHOWN } }).then(
        ({ data }): Found => ({ kind: "found", customers: data }),
        (): Found => ({ kind: "failed" }),
      );
      if (!isOld) setFound(answer);
    };
    if (q === "") setFound({ kind: "none" });
    const timer = q === "" ? undefined : setTimeout(() => void lookUp(), TYPING_MS);
    return () => {
      isOld = true;
      clearTimeout(timer);
    };
  }, [text]);
  const choose = (customer: Customer) => {
    onChoose(customer);
    setText("");
  };
  return (
    <div class="stack tight">
      <TextField
        label={words.find}
        name="customer_search"
        type="search"
        autoComplete="off"
        optional
        placeholder={words.findHint}
        maxLength={200}
        value={text}
        onText={setText}
      />
      <p class="hidden-visually" role="status">
        {found.kind === "found" ? words.found(found.customers.length) : ""}
      </p>
      {found.kind === "failed" && <p class="error">{words.failed}</p>}
      {found.kind === "found" && found.customers.length === 0 && <p class="quiet">{words.none}</p>}
      {found.kind === "found" && found.customers.length > 0 && (
        <ul class="prepare-found">
          {found.customers.map((customer) => (
            <li key={customer.customer_id}>
              <FoundCustomer customer={customer} onChoose={choose} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** An envelope identifies its customer by e-mail address, so a customer without one cannot be chosen. */
function FoundCustomer({ customer, onChoose }: { customer: Customer; onChoose: (customer: Customer) => void }) {
  const { name, email, company } = customer;
  const known = [name, company].filter((one) => one !== null && one !== undefined && one !== "").join(", ");
  return (
    <button type="button" class="prepare-found-one" disabled={email === null} onClick={() => onChoose(customer)}>
      <span>{known || email}</span>
      <span class="quiet">{email ?? words.noEmail}</span>
    </button>
  );
}
