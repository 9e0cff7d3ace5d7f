import type { ApiKey, CreateKeyRequest } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { SubmitButton } from "../parts/button.tsx";
import { AreaField, TextField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { useSending } from "../sending.ts";
import { en as words } from "../words/keys/en.ts";
import { addressesOf, dayOf, endOf, withLines } from "./limits.ts";
import { ScopesField } from "./scopes.tsx";

interface KeyFormProps {
  /** without `rate_limit_rpm`, a new key gets the default of the installation and an existing key keeps its limit */
  readonly from: CreateKeyRequest & Partial<Pick<ApiKey, "expires_at" | "allowed_cidrs">>;
  readonly button: string;
  readonly onSend: (body: CreateKeyRequest) => Promise<unknown>;
  readonly onClose: () => void;
}

/** The form to create or edit a key. */
export function KeyForm({ from, button, onSend, onClose }: KeyFormProps) {
  const sending = useSending();
  const [name, setName] = useState(from.partner_name);
  const [scopes, setScopes] = useState(from.scopes);
  const [limit, setLimit] = useState(String(from.rate_limit_rpm ?? ""));
  const [before] = useState(() => dayOf(from.expires_at ?? null));
  const [day, setDay] = useState(before);
  const [addresses, setAddresses] = useState((from.allowed_cidrs ?? []).join("\n"));
  const save = () =>
    onSend({
      partner_name: name,
      scopes,
      ...(limit.trim() !== "" && { rate_limit_rpm: Number(limit) }),
      // The time of an end that was not changed stays exact.
      ...(day !== before && { expires_at: endOf(day) }),
      allowed_cidrs: addressesOf(addresses),
    });
  const lines = addressesOf(addresses).map((_, index) => `allowed_cidrs[${index}]`);
  return (
    <Form sending={sending} onSend={save} shown={["partner_name", "scopes", "rate_limit_rpm", "expires_at", "allowed_cidrs", ...lines]}>
      <TextField
        label={words.form.name}
        name="partner_name"
        required
        autoFocus
        value={name}
        onText={setName}
        maxLength={200}
        autoComplete="off"
        hint={words.form.nameHint}
        sending={sending}
      />
      <ScopesField scopes={scopes} onScopes={setScopes} sending={sending} />
      <TextField
        label={words.form.limit}
        name="rate_limit_rpm"
        type="number"
        inputMode="numeric"
        min={1}
        max={100_000}
        value={limit}
        onText={setLimit}
        optional
        hint={words.form.limitHint}
        sending={sending}
      />
      <TextField
        label={words.form.expires}
        name="expires_at"
        type="date"
        value={day}
        onText={setDay}
        optional
        hint={words.form.expiresHint}
        sending={sending}
      />
      <AreaField
        label={words.form.addresses}
        name="allowed_cidrs"
        value={addresses}
        onText={setAddresses}
        optional
        hint={words.form.addressesHint}
        sending={withLines(sending, addresses)}
      />
      <div class="buttons end">
        <button type="button" class="button" onClick={onClose}>
          {words.cancel}
        </button>
        <SubmitButton sending={sending}>{button}</SubmitButton>
      </div>
    </Form>
  );
}
