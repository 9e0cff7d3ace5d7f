import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { SubmitButton } from "../parts/button.tsx";
import { SelectField, TextField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { RequirePermission } from "../parts/require-permission.tsx";
import { useSending } from "../sending.ts";
import { en } from "../words/vault/en.ts";
import type { RecordProps } from "./record-props.ts";
import { useFocusOnChange } from "./use-focus-on-change.ts";

const w = en.transferCustody;

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
    await done(w.transferRequestedThe(people.nameOf(to)));
  };
  if (!isOpen) {
    return (
      <RequirePermission needs="custody:write" to={w.transferCustody}>
        <div class="buttons" ref={place}>
          <button type="button" class="button" onClick={() => setOpen(true)}>
            {w.transferCustodyWord}
          </button>
        </div>
      </RequirePermission>
    );
  }
  return (
    <div ref={place}>
      <Form sending={sending} onSend={begin}>
        <div>
          <SelectField
            label={w.newCustodian}
            name="to_user_id"
            value={to}
            choices={[["", w.chooseAMember], ...others.map(({ user_id, name, email }) => [user_id, `${name} (${email})`] as const)]}
            onChoice={(chosen) => {
              setTo(chosen);
              setMissing(false);
            }}
            sending={sending}
            hint={w.thePersonWho}
          />
          {isMissing && (
            <p class="error" role="alert">
              {w.chooseAMemberWord}
            </p>
          )}
        </div>
        <TextField label={w.reason} name="reason" value={reason} onText={setReason} maxLength={500} optional sending={sending} />
        <TextField
          label={w.daysToAnswer}
          name="expires_in_days"
          required
          type="number"
          min={1}
          max={90}
          value={days}
          onText={setDays}
          sending={sending}
        />
        <div class="buttons">
          <SubmitButton sending={sending}>{w.requestTransfer}</SubmitButton>
          <button type="button" class="button" onClick={() => setOpen(false)}>
            {w.cancel}
          </button>
        </div>
      </Form>
    </div>
  );
}
