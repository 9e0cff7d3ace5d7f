import { useState } from "preact/hooks";
import { send } from "../api.ts";
import { Submit } from "../parts/button.tsx";
import { SelectField, TextField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { Only } from "../parts/only.tsx";
import { useSending } from "../sending.ts";
import type { Recorded } from "./recorded.ts";

const DEFAULT_DAYS = "7";

/** Asks a member to keep the original. Nothing changes until that person has accepted. */
export function TransferCustody({ envelope_id, copy, people, done, onBegun }: Recorded & { onBegun: () => Promise<void> }) {
  const sending = useSending();
  const [isOpen, setOpen] = useState(false);
  const [to, setTo] = useState("");
  const [reason, setReason] = useState("");
  const [days, setDays] = useState(DEFAULT_DAYS);
  const others = people.all.filter(({ user_id }) => user_id !== copy.custodian?.user_id);
  const begin = async () => {
    const body = { to_user_id: to, expires_in_days: Number(days), ...(reason.trim() !== "" && { reason }) };
    await send("POST", `/partner/envelopes/${envelope_id}/custody-transfers`, { body });
    setOpen(false);
    await Promise.all([onBegun(), done(`${people.nameOf(to)} is asked to take custody. Until then it stays where it is.`)]);
  };
  if (!isOpen) {
    return (
      <Only least="member" to="transfer custody">
        <div class="buttons">
          <button type="button" class="button" onClick={() => setOpen(true)}>
            Transfer custody
          </button>
        </div>
      </Only>
    );
  }
  return (
    <Form sending={sending} onSend={begin}>
      <SelectField
        label="New custodian"
        name="to_user_id"
        value={to}
        choices={[["", "Choose a member"], ...others.map(({ user_id, name, email }) => [user_id, `${name} (${email})`] as const)]}
        onChoice={setTo}
        sending={sending}
        hint="Whoever begins the transfer cannot accept it: it takes two."
      />
      <TextField label="Reason" name="reason" value={reason} onText={setReason} maxLength={500} optional sending={sending} />
      <TextField
        label="Days to answer"
        name="expires_in_days"
        type="number"
        min={1}
        max={90}
        value={days}
        onText={setDays}
        sending={sending}
      />
      <div class="buttons">
        <Submit sending={sending}>Ask them to take custody</Submit>
        <button type="button" class="button" onClick={() => setOpen(false)}>
          Not now
        </button>
      </div>
    </Form>
  );
}
