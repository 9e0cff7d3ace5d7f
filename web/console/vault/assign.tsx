import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { SubmitButton } from "../parts/button.tsx";
import { AreaField, TextField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { useSending } from "../sending.ts";
import { noParty, PartyFields, partyOf } from "./party-fields.tsx";
import type { RecordProps } from "./record-props.ts";
import { useFocusOnChange } from "./use-focus-on-change.ts";

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
  const [given_at, setGivenAt] = useState(() => localMinute(new Date()));
  const place = useFocusOnChange<HTMLDivElement>(isOpen);
  const current = copy.secured_party?.name ?? "";
  const assign = async () => {
    const given_by = { name: by.name, ...(by.email.trim() !== "" && { email: by.email }) };
    const at = given_at === "" ? "" : new Date(given_at).toISOString();
    const consent = { method: "written" as const, given_by, given_at: at, ...(statement.trim() !== "" && { statement }) };
    await call("assign_record", { params: { envelope_id }, body: { secured_party: partyOf(party), consent, present_seq: seq } });
    setOpen(false);
    setParty(noParty);
    setStatement("");
    await done(`Record assigned to ${party.name.trim()}.`);
  };
  if (!isOpen) {
    return (
      <div class="buttons" ref={place}>
        <button type="button" class="button" onClick={() => setOpen(true)}>
          Assign record
        </button>
      </div>
    );
  }
  return (
    <div ref={place}>
      <Form sending={sending} onSend={assign}>
        <PartyFields value={party} onChange={setParty} sending={sending} at="secured_party." />
        <fieldset class="stack">
          <legend>Written consent of {current}</legend>
          <p class="quiet small">You attest that the current secured party agreed. This is kept in the register and the audit trail.</p>
          <div class="columns">
            <TextField
              label="Given by"
              name="consent.given_by.name"
              value={by.name}
              onText={(name) => setBy({ ...by, name })}
              sending={sending}
              hint={`Who signed for ${current}`}
            />
            <TextField
              label="Their e-mail address"
              name="consent.given_by.email"
              type="email"
              value={by.email}
              onText={(email) => setBy({ ...by, email })}
              sending={sending}
              optional
            />
          </div>
          <AreaField
            label="Statement"
            name="consent.statement"
            value={statement}
            onText={setStatement}
            maxLength={2_000}
            optional
            sending={sending}
          />
          <TextField
            label="Given on"
            name="consent.given_at"
            type="datetime-local"
            value={given_at}
            onText={setGivenAt}
            sending={sending}
          />
        </fieldset>
        <div class="buttons">
          <SubmitButton sending={sending}>Assign record</SubmitButton>
          <button type="button" class="button" onClick={() => setOpen(false)}>
            Cancel
          </button>
        </div>
      </Form>
    </div>
  );
}

/** The format of a `datetime-local` input: local time without a zone. */
function localMinute(at: Date): string {
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
