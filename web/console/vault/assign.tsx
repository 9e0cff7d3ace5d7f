import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { SubmitButton } from "../parts/button.tsx";
import { AreaField, TextField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { useSending } from "../sending.ts";
import { serverNow } from "../server-now.ts";
import { en } from "../words/vault/en.ts";
import { inputTime, momentOf } from "../zone-inputs.ts";
import { noParty, PartyFields, partyOf } from "./party-fields.tsx";
import type { RecordProps } from "./record-props.ts";
import { useFocusOnChange } from "./use-focus-on-change.ts";

const w = en.assign;

interface AssignProps extends RecordProps {
  /** of the current party in the register: the request fails if the party has changed, because the consent is not theirs */
  readonly seq: number | undefined;
}

/** Assigns the record to another party. The user attests that the current party agreed. */
export function Assign({ envelope_id, copy, done, seq }: AssignProps) {
  const sending = useSending();
  const [isOpen, setOpen] = useState(false);
  const [party, setParty] = useState(noParty);
  const [by, setBy] = useState({ name: "", email: "" });
  const [statement, setStatement] = useState("");
  const [given_at, setGivenAt] = useState(() => inputTime(new Date(serverNow()).toISOString()));
  const place = useFocusOnChange<HTMLDivElement>(isOpen);
  const current = copy.secured_party?.name ?? "";
  const assign = async () => {
    const given_by = { name: by.name, ...(by.email.trim() !== "" && { email: by.email }) };
    const at = given_at === "" ? "" : momentOf(given_at);
    const consent = { method: "written" as const, given_by, given_at: at, ...(statement.trim() !== "" && { statement }) };
    await call("assign_record", { params: { envelope_id }, body: { secured_party: partyOf(party), consent, present_seq: seq } });
    setOpen(false);
    setParty(noParty);
    setStatement("");
    await done(w.recordAssignedTo(party.name.trim()));
  };
  if (!isOpen) {
    return (
      <div class="buttons" ref={place}>
        <button type="button" class="button" onClick={() => setOpen(true)}>
          {w.assignRecord}
        </button>
      </div>
    );
  }
  return (
    <div ref={place}>
      <Form sending={sending} onSend={assign}>
        <PartyFields value={party} onChange={setParty} sending={sending} at="secured_party." />
        <fieldset class="stack">
          <legend>{w.writtenConsentOf(current)}</legend>
          <p class="quiet small">{w.youAttestThat}</p>
          <div class="columns">
            <TextField
              label={w.givenBy}
              name="consent.given_by.name"
              required
              value={by.name}
              onText={(name) => setBy({ ...by, name })}
              sending={sending}
              hint={w.whoSignedFor(current)}
            />
            <TextField
              label={w.theirEMail}
              name="consent.given_by.email"
              type="email"
              value={by.email}
              onText={(email) => setBy({ ...by, email })}
              sending={sending}
              optional
            />
          </div>
          <AreaField
            label={w.statement}
            name="consent.statement"
            value={statement}
            onText={setStatement}
            maxLength={2_000}
            optional
            sending={sending}
          />
          <TextField
            label={w.givenOn}
            name="consent.given_at"
            required
            type="datetime-local"
            value={given_at}
            onText={setGivenAt}
            sending={sending}
          />
        </fieldset>
        <div class="buttons">
          <SubmitButton sending={sending}>{w.assignRecord}</SubmitButton>
          <button type="button" class="button" onClick={() => setOpen(false)}>
            {w.cancel}
          </button>
        </div>
      </Form>
    </div>
  );
}
