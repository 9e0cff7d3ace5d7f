import type { CreateKeyRequest } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { SubmitButton } from "../parts/button.tsx";
import { TextField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { useSending } from "../sending.ts";
import { ScopesField } from "./scopes.tsx";

interface KeyFormProps {
  /** without `rate_limit_rpm`, a new key gets the default of the installation and an existing key keeps its limit */
  readonly from: CreateKeyRequest;
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
  const save = () => onSend({ partner_name: name, scopes, ...(limit.trim() !== "" && { rate_limit_rpm: Number(limit) }) });
  return (
    <Form sending={sending} onSend={save} shown={["partner_name", "scopes", "rate_limit_rpm"]}>
      <TextField
        label="Name"
        name="partner_name"
        autoFocus
        value={name}
        onText={setName}
        maxLength={200}
        autoComplete="off"
        hint="The program that uses this key, so that you know later which key to rotate or deactivate."
        sending={sending}
      />
      <ScopesField scopes={scopes} onScopes={setScopes} sending={sending} />
      <TextField
        label="Requests per minute"
        name="rate_limit_rpm"
        type="number"
        inputMode="numeric"
        min={1}
        max={100_000}
        value={limit}
        onText={setLimit}
        optional
        hint="Requests above this limit get 429 until the minute is over. Leave empty for the default of this installation."
        sending={sending}
      />
      <div class="buttons end">
        <button type="button" class="button" onClick={onClose}>
          Cancel
        </button>
        <SubmitButton sending={sending}>{button}</SubmitButton>
      </div>
    </Form>
  );
}
