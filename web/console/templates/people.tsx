import type { RecipientKind, Template, TemplateRecipient } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { SubmitButton } from "../parts/button.tsx";
import { Card } from "../parts/card.tsx";
import { choicesOf } from "../parts/choices.ts";
import { Dialog } from "../parts/dialog.tsx";
import { AreaField, SelectField, TextField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { type Sending, useSending } from "../sending.ts";
import { en } from "../words/repeat/en.ts";
import type { TemplateDialogProps } from "./name-dialog.tsx";
import { saveTemplate } from "./save-template.ts";

const words = en.people;

/** The people and choices that new envelopes from the template start with. */
export function PeopleCard({ template, onEdit }: { readonly template: Template; readonly onEdit: (() => void) | null }) {
  const { recipients, defaults } = template;
  return (
    <Card
      title={words.card}
      actions={
        onEdit !== null && (
          <button type="button" class="button" onClick={onEdit}>
            {words.edit}
          </button>
        )
      }
    >
      <p class="quiet">{words.lead}</p>
      {recipients.length === 0 ? (
        <p>{words.none}</p>
      ) : (
        <ul class="template-people">
          {recipients.map((person, index) => (
            <li key={index}>
              <strong>{person.role ?? words.kinds[person.kind]}</strong>{" "}
              <span class="quiet">
                {[
                  person.role === null ? null : words.kinds[person.kind],
                  person.step === null ? null : words.step(person.step),
                  person.email === null ? words.open : `${person.name} (${person.email})`,
                ]
                  .filter((one) => one !== null)
                  .join(" · ")}
              </span>
            </li>
          ))}
        </ul>
      )}
      {defaults.message !== undefined && <p class="template-message">{defaults.message}</p>}
    </Card>
  );
}

interface Person {
  readonly id: number;
  readonly kept: TemplateRecipient | null;
  readonly kind: RecipientKind;
  readonly role: string;
  readonly step: string;
  readonly name: string;
  readonly email: string;
}

const personOf = (kept: TemplateRecipient, id: number): Person => ({
  id,
  kept,
  kind: kept.kind,
  role: kept.role ?? "",
  step: kept.step === null ? "" : String(kept.step),
  name: kept.name ?? "",
  email: kept.email ?? "",
});

const hasRole = (kind: RecipientKind): boolean => kind === "signer" || kind === "approver";

/** What the form does not show stays as it was. */
const roleOf = ({ kept, kind, role, step, name, email }: Person) => ({
  ...(kept !== null && { locale: kept.locale, message: kept.message, delivery: kept.delivery }),
  kind,
  role: hasRole(kind) && role !== "" ? role : null,
  step: step === "" ? null : Number(step),
  name: name.trim() === "" ? null : name,
  email: email.trim() === "" ? null : email.trim(),
});

export function PeopleDialog({ loaded, onSaved, onClose }: TemplateDialogProps) {
  const { data: template } = loaded;
  const sending = useSending();
  const [people, setPeople] = useState(() => template.recipients.map(personOf));
  const [message, setMessage] = useState(template.defaults.message ?? "");
  const [days, setDays] = useState(String(template.defaults.expires_in_days ?? ""));
  const [every, setEvery] = useState(String(template.defaults.reminders?.every_days ?? ""));
  const save = async () => {
    const { message: _, expires_in_days: _days, reminders, ...kept } = template.defaults;
    const saved = await saveTemplate(loaded, {
      roles: people.map(roleOf),
      defaults: {
        ...kept,
        ...(message.trim() !== "" && { message }),
        ...(days !== "" && { expires_in_days: Number(days) }),
        ...(every !== "" && { reminders: { ...reminders, every_days: Number(every) } }),
      },
    });
    onClose();
    await onSaved(saved);
  };
  const change = (id: number, to: Partial<Person>) => setPeople(people.map((one) => (one.id === id ? { ...one, ...to } : one)));
  const add = () => {
    const id = Math.max(-1, ...people.map((one) => one.id)) + 1;
    setPeople([...people, { id, kept: null, kind: "cc", role: "", step: "", name: "", email: "" }]);
  };
  const shown = people.flatMap((_, index) => ["kind", "role", "step", "name", "email"].map((part) => `roles[${index}].${part}`));
  return (
    <Dialog title={words.card} onClose={onClose}>
      <Form
        sending={sending}
        onSend={save}
        shown={[...shown, "defaults.message", "defaults.expires_in_days", "defaults.reminders.every_days"]}
      >
        {people.map((person, index) => (
          <PersonFields
            key={person.id}
            person={person}
            index={index}
            roles={template.roles}
            sending={sending}
            onChange={(to) => change(person.id, to)}
            onRemove={() => setPeople(people.filter(({ id }) => id !== person.id))}
          />
        ))}
        <div class="buttons">
          <button type="button" class="button" onClick={add}>
            {words.add}
          </button>
        </div>
        <AreaField
          label={words.message}
          name="defaults.message"
          optional
          maxLength={2_000}
          value={message}
          onText={setMessage}
          sending={sending}
        />
        <div class="template-person">
          <TextField
            label={words.days}
            name="defaults.expires_in_days"
            type="number"
            inputMode="numeric"
            min={1}
            max={365}
            optional
            value={days}
            onText={setDays}
            sending={sending}
          />
          <TextField
            label={words.every}
            name="defaults.reminders.every_days"
            type="number"
            inputMode="numeric"
            min={1}
            max={30}
            optional
            value={every}
            onText={setEvery}
            sending={sending}
          />
        </div>
        <div class="buttons end">
          <button type="button" class="button" onClick={onClose}>
            {en.cancel}
          </button>
          <SubmitButton sending={sending}>{en.save}</SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}

interface PersonFieldsProps {
  readonly person: Person;
  readonly index: number;
  readonly roles: readonly string[];
  readonly sending: Sending;
  readonly onChange: (to: Partial<Person>) => void;
  readonly onRemove: () => void;
}

function PersonFields({ person, index, roles, sending, onChange, onRemove }: PersonFieldsProps) {
  const at = (part: string) => `roles[${index}].${part}`;
  return (
    <fieldset class="template-person">
      <legend>{words.legend(index + 1)}</legend>
      <SelectField
        label={words.kind}
        name={at("kind")}
        value={person.kind}
        choices={choicesOf(words.kinds)}
        onChoice={(kind) => onChange({ kind })}
        sending={sending}
      />
      {hasRole(person.kind) && (
        <TextField
          label={words.role}
          name={at("role")}
          list={`roles-${index}`}
          maxLength={100}
          value={person.role}
          onText={(role) => onChange({ role })}
          sending={sending}
        />
      )}
      {hasRole(person.kind) && (
        <datalist id={`roles-${index}`}>
          {roles.map((role) => (
            <option key={role} value={role} />
          ))}
        </datalist>
      )}
      <TextField
        label={words.stepField}
        name={at("step")}
        type="number"
        inputMode="numeric"
        min={1}
        max={100}
        optional
        value={person.step}
        onText={(step) => onChange({ step })}
        sending={sending}
      />
      <TextField
        label={words.name}
        name={at("name")}
        optional
        autoComplete="off"
        maxLength={200}
        value={person.name}
        onText={(name) => onChange({ name })}
        sending={sending}
      />
      <TextField
        label={words.email}
        name={at("email")}
        type="email"
        optional
        autoComplete="off"
        maxLength={254}
        value={person.email}
        onText={(email) => onChange({ email })}
        sending={sending}
      />
      <div class="buttons">
        <button type="button" class="button quiet" aria-label={words.remove(index + 1)} onClick={onRemove}>
          {words.removeShort}
        </button>
      </div>
    </fieldset>
  );
}
