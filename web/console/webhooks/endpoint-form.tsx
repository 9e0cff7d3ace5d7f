import type { CreateEndpointRequest } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { SubmitButton } from "../parts/button.tsx";
import { TextField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { useSending } from "../sending.ts";
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
        label="URL"
        name="url"
        type="url"
        inputMode="url"
        autoComplete="off"
        placeholder="https://example.com/countersign"
        value={url}
        onText={setUrl}
        hint="The URL of your receiver. It must respond with 200 to 299 within 15 seconds."
        sending={sending}
      />
      <TextField
        label="Description"
        name="description"
        optional
        maxLength={200}
        value={description}
        onText={setDescription}
        sending={sending}
      />
      <EventTypesField
        legend="Events"
        wanted={wanted}
        onWanted={setWanted}
        hint="Test events are always sent."
        error={isNone ? "Choose at least one event." : null}
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
