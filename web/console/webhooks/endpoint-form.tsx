import type { CreateEndpointRequest } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { SubmitButton } from "../parts/button.tsx";
import { TextField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { useSending } from "../sending.ts";
import { en as words } from "../words/webhooks/en.ts";
import { EventTypesField, wantedOf } from "./event-types.tsx";

interface EndpointFormProps {
  readonly from: CreateEndpointRequest;
  readonly button: string;
  readonly onSend: (body: CreateEndpointRequest) => Promise<unknown>;
  readonly onClose: () => void;
}

/** The form to add or edit an endpoint. */
export function EndpointForm({ from, button, onSend, onClose }: EndpointFormProps) {
  const sending = useSending();
  const [url, setUrl] = useState(from.url);
  const [description, setDescription] = useState(from.description ?? "");
  const [wanted, setWanted] = useState(wantedOf(from.event_types ?? []));
  const [isNone, setNone] = useState(false);
  const save = async () => {
    setNone(wanted?.length === 0);
    if (wanted?.length === 0) return;
    await onSend({ url: url.trim(), description: description.trim() === "" ? null : description, event_types: wanted ?? ["*"] });
  };
  return (
    <Form sending={sending} onSend={save}>
      <TextField
        label={words.form.url}
        name="url"
        required
        type="url"
        inputMode="url"
        autoComplete="off"
        placeholder="https://example.com/countersign"
        value={url}
        onText={setUrl}
        hint={words.form.urlHint}
        sending={sending}
      />
      <TextField
        label={words.form.description}
        name="description"
        optional
        maxLength={200}
        value={description}
        onText={setDescription}
        sending={sending}
      />
      <EventTypesField
        legend={words.form.events}
        wanted={wanted}
        onWanted={setWanted}
        hint={words.form.eventsHint}
        error={isNone ? words.form.noEvents : null}
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
