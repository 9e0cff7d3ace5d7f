import { useRef } from "preact/hooks";
import { QuestionsField } from "../envelopes/questions.tsx";
import { SelectField, TextField } from "../parts/field.tsx";
import { signerLanguages } from "../parts/languages.ts";
import type { Person } from "./people.ts";

interface PersonRowProps {
  readonly person: Person;
  readonly place: { readonly index: number; readonly count: number };
  /** of the document; without any they are made up */
  readonly roles: readonly string[];
  readonly errorOf: (field: string) => string | null;
  readonly onChange: (given: Partial<Person>) => void;
  readonly onMove: (by: 1 | -1) => void;
  readonly onRemove: () => void;
  /** questions, before the document is shown */
  readonly asks: boolean;
  readonly isChecked: boolean;
}

export function PersonRow(props: PersonRowProps) {
  const { person, place, errorOf, onChange, onRemove, asks, isChecked } = props;
  const { index, count } = place;
  const name = (field: string) => `signers[${index}].${field}`;
  const called = person.name || `signer ${index + 1}`;
  return (
    <li class="prepare-person">
      <fieldset class="prepare-person-box">
        <legend>Signer {index + 1}</legend>
        <div class="buttons end">
          <Moves called={called} place={place} onMove={props.onMove} />
          {count > 1 && (
            <button type="button" class="button" aria-label={`Remove ${called}`} onClick={onRemove}>
              Remove
            </button>
          )}
        </div>
        <div class="prepare-person-fields">
          <TextField
            label="Name"
            name={name("name")}
            autoComplete="off"
            maxLength={200}
            value={person.name}
            onText={(value) => onChange({ name: value })}
            error={errorOf("name")}
          />
          <TextField
            label="E-mail address"
            name={name("email")}
            type="email"
            autoComplete="off"
            value={person.email}
            onText={(email) => onChange({ email })}
            error={errorOf("email")}
          />
          <RoleField {...props} />
          <SelectField
            label="Language"
            name={name("locale")}
            value={person.locale}
            choices={signerLanguages}
            onChoice={(locale) => onChange({ locale })}
          />
        </div>
        {asks && (
          <details class="prepare-person-questions" open={isChecked || undefined}>
            <summary>Questions for {called}</summary>
            <QuestionsField
              of={called}
              value={person.questions}
              onChange={(questions) => onChange({ questions })}
              isChecked={isChecked}
              errorOf={(at) => errorOf(`kba.questions${at}`)}
            />
          </details>
        )}
      </fieldset>
    </li>
  );
}

/** Of the document's roles one is chosen; the row's own stays on offer, so that what is saved is what is shown. */
function RoleField({ person, place, roles, errorOf, onChange }: PersonRowProps) {
  const name = `signers[${place.index}].role`;
  const error = errorOf("role");
  if (roles.length === 0) {
    return (
      <TextField
        label="Role"
        name={name}
        autoComplete="off"
        maxLength={100}
        value={person.role}
        onText={(role) => onChange({ role })}
        error={error}
      />
    );
  }
  const offered = roles.includes(person.role) ? roles : [person.role, ...roles];
  return (
    <div>
      <SelectField
        label="Role"
        name={name}
        value={person.role}
        choices={offered.map((role) => [role, role === "" ? "Choose a role" : role] as const)}
        onChoice={(role) => onChange({ role })}
      />
      {error !== null && <p class="error">Role {error}</p>}
    </div>
  );
}

interface MovesProps {
  readonly called: string;
  readonly place: PersonRowProps["place"];
  readonly onMove: (by: 1 | -1) => void;
}

function Moves({ called, place: { index, count }, onMove }: MovesProps) {
  const buttons = useRef<HTMLSpanElement>(null);
  const move = (by: 1 | -1) => {
    onMove(by);
    // A row that moves in the page loses the focus; at an end the other button takes it.
    requestAnimationFrame(() => {
      const [up, down] = buttons.current?.querySelectorAll("button") ?? [];
      const pressed = by === -1 ? up : down;
      (pressed?.disabled ? (by === -1 ? down : up) : pressed)?.focus();
    });
  };
  if (count === 1) return null;
  return (
    <span class="buttons" ref={buttons}>
      <button type="button" class="button" aria-label={`Move ${called} up`} disabled={index === 0} onClick={() => move(-1)}>
        Up
      </button>
      <button type="button" class="button" aria-label={`Move ${called} down`} disabled={index === count - 1} onClick={() => move(1)}>
        Down
      </button>
    </span>
  );
}
