import type { EnvelopeReminders, SecuredParty, UpdateEnvelopeRequest } from "@countersign/client/types";
import { useMemo, useRef, useState } from "preact/hooks";
import { AcceptanceField, faultOf, focusFault } from "../envelopes/acceptance.tsx";
import { Card } from "../parts/card.tsx";
import { AreaField, Checkbox, TextField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { en as checkWords } from "../words/checks/en.ts";
import { en as words } from "../words/options/en.ts";
import type { Draft } from "./api.ts";
import { useAutosave } from "./autosave.ts";
import { type GivenParty, PartyField, partyOf } from "./party-field.tsx";
import { saveStep } from "./save-step.ts";
import { StepButtons } from "./step-buttons.tsx";
import { StepHead } from "./steps.tsx";
import { useUnsavedStep } from "./use-unsaved-step.ts";
import { changedValues, type SenderValues, ValuesCard, valuesOf } from "./values-card.tsx";
import { type StepProps, useStepSending } from "./wizard.ts";

const MAX_DAYS = 365;
const MAX_EVERY_DAYS = 30;

export function OptionsStep(props: StepProps) {
  const { draft, base, memory, remember, goTo, saveAndGo, isBlocked, unsaved, refusalOf } = props;
  const { metadata } = draft.envelope;
  const sending = useStepSending(props);
  const [days, setDays] = useState(String(metadata.expires_in_days));
  const [every, setEvery] = useState(everyOf(metadata.reminders));
  const [message, setMessage] = useState(metadata.message ?? "");
  const [party, setParty] = useState<GivenParty>(() => givenOf(metadata.secured_party));
  const [isVaulted, setVaulted] = useState(metadata.auto_vault_enabled);
  const [subject, setSubject] = useState(metadata.mail_subject ?? "");
  const { fields } = draft.document;
  const [values, setValues] = useState(() => valuesOf(fields));
  const text = message.trim();
  // Sent values, as they were typed.
  const taken = useRef<SenderValues>({});
  /** What is on the screen and not in this draft. */
  const changesTo = ({ envelope: { metadata }, document }: Draft): UpdateEnvelopeRequest => {
    const prefilled_data = changedValues(document.fields, values, taken.current);
    return {
      ...(text !== (metadata.message ?? "").trim() && { message: text === "" ? null : text }),
      ...(subject.trim() !== (metadata.mail_subject ?? "") && { mail_subject: subject.trim() === "" ? null : subject.trim() }),
      ...(Number(days) !== metadata.expires_in_days && { expires_in_days: Number(days) }),
      ...(remindersIn(every)?.every_days !== metadata.reminders?.every_days && { reminders: remindersIn(every) }),
      ...(isVaulted !== metadata.auto_vault_enabled && { auto_vault_enabled: isVaulted }),
      ...(JSON.stringify(partyOf(party)) !== JSON.stringify(partyOf(givenOf(metadata.secured_party))) && { secured_party: partyOf(party) }),
      ...(Object.keys(prefilled_data).length > 0 && { prefilled_data }),
    };
  };
  const saveChanges = async (body: UpdateEnvelopeRequest, isAutomatic: boolean) => {
    if (Object.keys(body).length === 0) return;
    const isIn = (one: Draft) => Object.keys(changesTo(one)).every((name) => !(name in body));
    await saveStep(props, { body, stateOf, isIn }, isAutomatic);
    const sent = Object.keys(body.prefilled_data ?? {});
    taken.current = { ...taken.current, ...Object.fromEntries(sent.map((name) => [name, values[name] ?? ""])) };
  };
  const terms = useRef<HTMLDivElement>(null);
  const [isContinued, setContinued] = useState(false);
  const termsFault = isVaulted ? faultOf(memory.acceptance) : null;
  const isRefused = refusalOf("certification") !== null || refusalOf("certification.accepted_by.name") !== null;
  const save = async () => {
    await saveChanges(changesTo(base.current), false);
    autosave.done();
  };
  const isChanged = () => Object.keys(changesTo(base.current)).length > 0;
  useUnsavedStep(unsaved, { isChanged, save: () => sending.run(save) });
  const entries = useMemo(() => ({}), [message, subject, days, every, isVaulted, party, values]);
  const autosave = useAutosave(props, sending, entries, async () => {
    const body = changesTo(base.current);
    const wrong = wrongIn(body);
    await saveChanges(Object.fromEntries(Object.entries(body).filter(([name]) => !(name in wrong))), true);
    return Object.values(wrong);
  });
  const errorOf = (field: string) => sending.errorOf(field) ?? autosave.errorOf(field) ?? refusalOf(field);
  return (
    <Form
      sending={sending}
      wide
      bar={<StepButtons step="options" sending={sending} isBlocked={isBlocked} onLeave={saveAndGo} state={autosave.state} />}
      onSend={async () => {
        setContinued(true);
        // The terms are far above the button.
        if (termsFault !== null) return focusFault(terms.current, termsFault);
        await save();
        goTo("review");
      }}
    >
      <section class="card stack">
        <StepHead title={words.title}>{words.lead}</StepHead>
        <AreaField
          label={words.message}
          name="message"
          optional
          hint={words.messageHint}
          maxLength={2000}
          value={message}
          onText={setMessage}
          sending={sending}
        />
        <TextField
          label={words.subject}
          name="mail_subject"
          optional
          maxLength={200}
          hint={words.subjectHint}
          value={subject}
          onText={setSubject}
          error={errorOf("mail_subject")}
        />
        <div class="columns">
          <TextField
            label={words.expires}
            name="expires_in_days"
            type="number"
            inputMode="numeric"
            min={1}
            max={MAX_DAYS}
            hint={words.expiresHint}
            value={days}
            onText={setDays}
            error={errorOf("expires_in_days")}
          />
          <TextField
            label={words.reminders}
            name="reminders.every_days"
            type="number"
            inputMode="numeric"
            min={1}
            max={MAX_EVERY_DAYS}
            optional
            hint={words.remindersHint}
            value={every}
            onText={setEvery}
            error={errorOf("reminders.every_days")}
          />
        </div>
      </section>
      <ValuesCard fields={fields} values={values} onChange={setValues} errorOf={errorOf} />
      <Card title={words.vault}>
        <Checkbox
          label={words.store}
          hint={words.storeHint}
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
      {props.note}
    </Form>
  );
}

const stateOf = ({ envelope: { metadata }, document }: Draft): string => {
  const { message, mail_subject, expires_in_days, reminders, auto_vault_enabled, secured_party } = metadata;
  return JSON.stringify([
    [message, mail_subject, expires_in_days, reminders, auto_vault_enabled],
    givenOf(secured_party),
    valuesOf(document.fields),
  ]);
};

const remindersIn = (text: string): EnvelopeReminders | null => (text.trim() === "" ? null : { every_days: Number(text) });

const isWithin = (given: number, most: number): boolean => Number.isInteger(given) && given >= 1 && given <= most;

/** The entries that the service would refuse, for example because the user is still typing, with their labels. */
function wrongIn({ expires_in_days = 1, reminders = null, secured_party = null }: UpdateEnvelopeRequest): Readonly<Record<string, string>> {
  return {
    ...(!isWithin(expires_in_days, MAX_DAYS) && { expires_in_days: words.expires }),
    ...(reminders !== null && !isWithin(reminders.every_days, MAX_EVERY_DAYS) && { reminders: words.reminders }),
    ...(secured_party?.name === "" && { secured_party: words.party.title }),
  };
}

const everyOf = (reminders: EnvelopeReminders | null): string => (reminders === null ? "" : String(reminders.every_days));

const givenOf = (party: SecuredParty | null): GivenParty => ({
  name: party?.name ?? "",
  role: party?.role ?? "",
  address: party?.address ?? "",
  email: party?.email ?? "",
  identifier: party?.identifier ?? "",
});
