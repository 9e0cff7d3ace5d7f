import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { SubmitButton } from "../parts/button.tsx";
import { SelectField, TextField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { RequireRole } from "../parts/require-role.tsx";
import { useSending } from "../sending.ts";
import type { RecordProps } from "./record-props.ts";
import { useFocusOnChange } from "./use-focus-on-change.ts";

const DEFAULT_DAYS = "7";

/** Asks a member to take custody. Nothing changes until they accept. */
export function TransferCustody({ envelope_id, copy, people, done, onBegun }: RecordProps & { onBegun: () => Promise<void> }) {
  const sending = useSending();
  const [isOpen, setOpen] = useState(false);
  const [to, setTo] = useState("");
  const [reason, setReason] = useState("");
  const [days, setDays] = useState(DEFAULT_DAYS);
  const [isMissing, setMissing] = useState(false);
  const place = useFocusOnChange<HTMLDivElement>(isOpen);
  const others = people.all.filter(({ user_id, role }) => user_id !== copy.custodian?.user_id && role !== "viewer");
  const begin = async () => {
    setMissing(to === "");
    if (to === "") return void place.current?.querySelector("select")?.focus();
    const body = { to_user_id: to, expires_in_days: Number(days), ...(reason.trim() !== "" && { reason }) };
    await call("initiate_custody_transfer", { params: { envelope_id }, body });
    setOpen(false);
    await onBegun();
    await done(`Transfer requested. The custodian changes when ${people.nameOf(to)} accepts.`);
  };
  if (!isOpen) {
    return (
      <RequireRole least="member" orCustodian to="transfer custody">
        <div class="buttons" ref={place}>
          <button type="button" class="button" onClick={() => setOpen(true)}>
            Transfer custody
          </button>
        </div>
      </RequireRole>
    );
  }
  return (
    <div ref={place}>
      <Form sending={sending} onSend={begin}>
        <div>
          <SelectField
            label="New custodian"
            name="to_user_id"
            value={to}
            choices={[["", "Choose a member"], ...others.map(({ user_id, name, email }) => [user_id, `${name} (${email})`] as const)]}
            onChoice={(chosen) => {
              setTo(chosen);
              setMissing(false);
            }}
            sending={sending}
            hint="The person who starts a transfer cannot accept it. Viewers cannot take custody."
          />
          {isMissing && (
            <p class="error" role="alert">
              Choose a member.
            </p>
          )}
        </div>
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
          <SubmitButton sending={sending}>Request transfer</SubmitButton>
          <button type="button" class="button" onClick={() => setOpen(false)}>
            Cancel
          </button>
        </div>
      </Form>
    </div>
  );
}
