import type { Envelope } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { ApiCall } from "../parts/api-call.tsx";
import { SubmitButton } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Checkbox, TextField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { useSending } from "../sending.ts";
import { en } from "../words/repeat/en.ts";
import { inputTime, momentOf } from "../zone-inputs.ts";
import type { EnvelopeDialogProps } from "./void-dialog.tsx";

const words = en.dates;
type Reminders = Envelope["metadata"]["reminders"];

const numberIn = (text: string): number | undefined => (text === "" ? undefined : Number(text));

/** Changes when an envelope that was sent expires, and when people are reminded. */
export function DatesDialog({ envelope, onDone, onClose }: EnvelopeDialogProps & { readonly envelope: Envelope }) {
  const { envelope_id, metadata } = envelope;
  const sending = useSending();
  const before = metadata.expires_at === null ? "" : inputTime(metadata.expires_at);
  const [expires, setExpires] = useState(before);
  const [isOn, setOn] = useState(metadata.reminders !== null);
  const [every, setEvery] = useState(String(metadata.reminders?.every_days ?? 3));
  const [first, setFirst] = useState(String(metadata.reminders?.first_after_days ?? ""));
  const [last, setLast] = useState(String(metadata.reminders?.last_days_before ?? ""));
  const [first_after_days, last_days_before] = [numberIn(first), numberIn(last)];
  const reminders: Reminders = !isOn
    ? null
    : {
        every_days: Number(every),
        ...(first_after_days !== undefined && { first_after_days }),
        ...(last_days_before !== undefined && { last_days_before }),
      };
  const isSame = JSON.stringify(reminders) === JSON.stringify(metadata.reminders);
  // An empty or half-typed date is sent as it is, so that the service says what is wrong with it.
  const expires_at = Number.isNaN(Date.parse(expires)) ? expires : momentOf(expires);
  const body = { ...(expires !== before && { expires_at }), ...(!isSame && { reminders }) };
  const save = async () => {
    if (Object.keys(body).length > 0) await call("update_envelope", { params: { envelope_id }, body });
    onClose();
    await onDone(words.saved);
  };
  const days = { type: "number", inputMode: "numeric", min: 1, sending } as const;
  return (
    <Dialog title={words.title} onClose={onClose}>
      <Form
        sending={sending}
        onSend={save}
        shown={["expires_at", "reminders.every_days", "reminders.first_after_days", "reminders.last_days_before"]}
      >
        <TextField
          label={words.expires}
          name="expires_at"
          required
          type="datetime-local"
          hint={words.expiresHint}
          value={expires}
          onText={setExpires}
          sending={sending}
        />
        <Checkbox label={words.remind} checked={isOn} onCheck={setOn} />
        {isOn && (
          <div class="envelope-days">
            <TextField {...days} label={words.every} name="reminders.every_days" required max={30} value={every} onText={setEvery} />
            <TextField
              {...days}
              label={words.first}
              name="reminders.first_after_days"
              hint={words.firstHint}
              max={90}
              optional
              value={first}
              onText={setFirst}
            />
            <TextField {...days} label={words.last} name="reminders.last_days_before" max={30} optional value={last} onText={setLast} />
          </div>
        )}
        <div class="buttons end">
          <button type="button" class="button" onClick={onClose}>
            {en.cancel}
          </button>
          <SubmitButton sending={sending}>{en.save}</SubmitButton>
        </div>
      </Form>
      <ApiCall operation="update_envelope" given={{ params: { envelope_id }, body }} />
    </Dialog>
  );
}
