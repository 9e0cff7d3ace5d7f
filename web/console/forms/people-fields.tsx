import { useRef } from "preact/hooks";
import { choicesOf } from "../parts/choices.ts";
import { SelectField, TextField } from "../parts/field.tsx";
import type { Sending } from "../sending.ts";
import { en as w } from "../words/forms/en.ts";
import { type EditedPerson, hasRole, newPerson } from "./people.ts";

interface PeopleFieldsProps {
  readonly people: readonly EditedPerson[];
  /** the roles that other people than the visitor can have */
  readonly roles: readonly string[];
  readonly onChange: (people: readonly EditedPerson[]) => void;
  readonly sending: Sending;
}

/** The other people of every envelope of a form. */
export function PeopleFields({ people, roles, onChange, sending }: PeopleFieldsProps) {
  const adding = useRef<HTMLButtonElement>(null);
  const change = (index: number, changed: Partial<EditedPerson>) =>
    onChange(people.map((one, place) => (place === index ? { ...one, ...changed } : one)));
  const remove = (index: number) => {
    onChange(people.filter((_, place) => place !== index));
    adding.current?.focus();
  };
  return (
    <fieldset class="stack form-people">
      <legend>{w.people}</legend>
      <p class="quiet small">{w.peopleText}</p>
      {people.length === 0 && <p>{w.noPeople}</p>}
      {people.map((person, index) => (
        <PersonFields
          key={person.key}
          person={person}
          index={index}
          roles={roles}
          onChange={(changed) => change(index, changed)}
          onRemove={() => remove(index)}
          sending={sending}
        />
      ))}
      <div class="buttons">
        <button ref={adding} type="button" class="button" onClick={() => onChange([...people, newPerson("cc")])}>
          {w.addPerson}
        </button>
      </div>
    </fieldset>
  );
}

interface PersonFieldsProps {
  readonly person: EditedPerson;
  readonly index: number;
  readonly roles: readonly string[];
  readonly onChange: (changed: Partial<EditedPerson>) => void;
  readonly onRemove: () => void;
  readonly sending: Sending;
}

function PersonFields({ person, index, roles, onChange, onRemove, sending }: PersonFieldsProps) {
  const { kind, name, email, role, step } = person;
  const at = (part: string) => `settings.recipients[${index}].${part}`;
  const called = name.trim() === "" ? w.person(index + 1) : name.trim();
  const choices: (readonly [string, string])[] = [["", w.noRole], ...roles.map((one) => [one, one] as const)];
  return (
    <fieldset class="form-person">
      <legend>{called}</legend>
      <div class="form-person-fields">
        <SelectField
          label={w.personFields.kind}
          name={at("kind")}
          value={kind}
          choices={choicesOf(w.kinds)}
          onChoice={(chosen) => onChange({ kind: chosen })}
          sending={sending}
        />
        <TextField
          label={w.personFields.name}
          name={at("name")}
          value={name}
          onText={(text) => onChange({ name: text })}
          sending={sending}
          autoComplete="off"
        />
        <TextField
          label={w.personFields.email}
          name={at("email")}
          type="email"
          value={email}
          onText={(text) => onChange({ email: text })}
          sending={sending}
          autoComplete="off"
        />
        {hasRole(kind) && (
          <SelectField
            label={w.personFields.role}
            name={at("role")}
            value={role}
            choices={choices}
            onChoice={(chosen) => onChange({ role: chosen })}
            sending={sending}
          />
        )}
        <TextField
          label={w.personFields.step}
          name={at("step")}
          type="number"
          min={1}
          max={100}
          value={step}
          onText={(text) => onChange({ step: text })}
          sending={sending}
          optional
        />
      </div>
      <button type="button" class="button" aria-label={w.remove(called)} onClick={onRemove}>
        {w.removeShort}
      </button>
    </fieldset>
  );
}
