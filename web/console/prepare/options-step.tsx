import type { EnvelopeReminders, SecuredParty } from "@countersign/client/types";
import { useRef, useState } from "preact/hooks";
import { call } from "../api.ts";
import { AcceptanceField, faultOf } from "../envelopes/acceptance.tsx";
import { Card } from "../parts/card.tsx";
import { AreaField, Checkbox, TextField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { en as checkWords } from "../words/checks/en.ts";
import { type GivenParty, PartyField, partyOf } from "./party-field.tsx";
import { StepButtons } from "./step-buttons.tsx";
import { StepHead } from "./steps.tsx";
import { changedValues, ValuesCard, valuesOf } from "./values-card.tsx";
import { type StepProps, useStepSending, useUnsavedStep } from "./wizard.ts";

export function OptionsStep({ draft, memory, remember, reload, goTo, saveAndGo, unsaved, refusalOf }: StepProps) {
  const { envelope_id, metadata } = draft.envelope;
  const sending = useStepSending(reload);
  const [days, setDays] = useState(String(metadata.expires_in_days));
  const [every, setEvery] = useState(everyOf(metadata.reminders));
  const [message, setMessage] = useState(metadata.message ?? "");
  const [party, setParty] = useState<GivenParty>(() => givenOf(metadata.secured_party));
  const [isVaulted, setVaulted] = useState(metadata.auto_vault_enabled);
  const [subject, setSubject] = useState(metadata.mail_subject ?? "");
  const { fields } = draft.document;
  const [values, setValues] = useState(() => valuesOf(fields));
  const prefilled_data = changedValues(fields, values);
  const text = message.trim();
  const changes = {
    ...(text !== (metadata.message ?? "").trim() && { message: text === "" ? null : text }),
    ...(subject.trim() !== (metadata.mail_subject ?? "") && { mail_subject: subject.trim() === "" ? null : subject.trim() }),
    ...(days.trim() !== String(metadata.expires_in_days) && { expires_in_days: Number(days) }),
    ...(every.trim() !== everyOf(metadata.reminders) && { reminders: every.trim() === "" ? null : { every_days: Number(every) } }),
    ...(isVaulted !== metadata.auto_vault_enabled && { auto_vault_enabled: isVaulted }),
    ...(JSON.stringify(party) !== JSON.stringify(givenOf(metadata.secured_party)) && { secured_party: partyOf(party) }),
    ...(Object.keys(prefilled_data).length > 0 && { prefilled_data }),
  };
  const isChanged = Object.keys(changes).length > 0;
  const terms = useRef<HTMLDivElement>(null);
  const [isContinued, setContinued] = useState(false);
  const termsFault = isVaulted ? faultOf(memory.acceptance) : null;
  const isRefused = refusalOf("certification") !== null || refusalOf("certification.accepted_by.name") !== null;
  const save = async () => {
    if (!isChanged) return;
    await call("update_envelope", { params: { envelope_id }, body: changes });
    await reload();
  };
  useUnsavedStep(unsaved, { isChanged, save: () => sending.run(save) });
  const errorOf = (field: string) => sending.errorOf(field) ?? refusalOf(field);
  return (
    <Form
      sending={sending}
      wide
      onSend={async () => {
        setContinued(true);
        // The terms are far above the button.
        if (termsFault !== null) return void terms.current?.querySelector<HTMLElement>(inputOf[termsFault])?.focus();
        await save();
        goTo("review");
      }}
    >
      <section class="card stack">
        <StepHead title="Options">All options are optional.</StepHead>
        <AreaField
          label="Message"
          name="message"
          optional
          hint="Included in the e-mail to each signer and shown on their signing page."
          maxLength={2000}
          value={message}
          onText={setMessage}
          sending={sending}
        />
        <TextField
          label="E-mail subject"
          name="mail_subject"
          optional
          maxLength={200}
          hint="Of the e-mail that asks for the signature. It can contain {{recipient_name}}, {{sender_name}}, {{organization}} and {{envelope_name}}."
          value={subject}
          onText={setSubject}
          error={errorOf("mail_subject")}
        />
        <div class="columns">
          <TextField
            label="Expires after (days)"
            name="expires_in_days"
            type="number"
            inputMode="numeric"
            min={1}
            max={365}
            hint="1 to 365 days after sending."
            value={days}
            onText={setDays}
            error={errorOf("expires_in_days")}
          />
          <TextField
            label="Automatic reminders every … days"
            name="reminders.every_days"
            type="number"
            inputMode="numeric"
            min={1}
            max={30}
            optional
            hint="1 to 30. Leave empty to turn automatic reminders off."
            value={every}
            onText={setEvery}
            error={errorOf("reminders.every_days")}
          />
        </div>
      </section>
      <ValuesCard fields={fields} values={values} onChange={setValues} errorOf={errorOf} />
      <Card title="Vault">
        <Checkbox
          label="Store in vault automatically after everyone has signed"
          hint="The vault keeps the only authoritative copy and evaluates its compliance. From then on, every download is marked as a copy."
          checked={isVaulted}
          onCheck={(isOn) => {
            setVaulted(isOn);
            setContinued(false);
          }}
        />
        {isVaulted && (
          <div class="stack" ref={terms}>
            <AcceptanceField
              value={memory.acceptance}
              onChange={(acceptance) => remember({ acceptance })}
              fault={isContinued || isRefused ? termsFault : null}
            />
          </div>
        )}
        <PartyField value={party} onChange={setParty} errorOf={errorOf} />
        <p class="quiet">
          {party.name.trim() === "" ? checkWords.noParty : checkWords.partyIs(party.name.trim())} {checkWords.later}
        </p>
      </Card>
      <StepButtons step="options" sending={sending} onLeave={saveAndGo} />
    </Form>
  );
}

const inputOf = { box: "input[type=checkbox]", name: "input[name=accepted_by]" } as const;

const everyOf = (reminders: EnvelopeReminders | null): string => (reminders === null ? "" : String(reminders.every_days));

const givenOf = (party: SecuredParty | null): GivenParty => ({
  name: party?.name ?? "",
  role: party?.role ?? "",
  address: party?.address ?? "",
  email: party?.email ?? "",
  identifier: party?.identifier ?? "",
});
