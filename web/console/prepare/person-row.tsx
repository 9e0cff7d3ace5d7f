import { useRef } from "preact/hooks";
import { QuestionsField } from "../envelopes/questions.tsx";
import { SelectField, TextField } from "../parts/field.tsx";
import { signerLanguages } from "../parts/languages.ts";
import type { Person } from "./people.ts";

interface PersonRowProps {
  readonly person: Person;
  readonly place: { readonly index: number; readonly count: number };
  /** the document's roles; if there are none, the sender types them */
  readonly roles: readonly string[];
  readonly errorOf: (field: string) => string | null;
  readonly onChange: (given: Partial<Person>) => void;
  readonly onMove: (by: 1 | -1) => void;
  readonly onRemove: () => void;
  /** whether signers answer identity questions before they see the document */
  readonly asks: boolean;
  readonly isChecked: boolean;
}

export function PersonRow(props: PersonRowProps) {
  const { person, place, errorOf, onChange, onRemove, asks, isChecked } = props;
  const { index, count } = place;
  const name = (field: string) => `signers[${index}].${field}`;
  const displayName = person.name || `signer ${index + 1}`;
  return (
    <li class="prepare-person">
      <fieldset class="prepare-person-box">
        <legend>Signer {index + 1}</legend>
        <div class="buttons end">
          <MoveButtons displayName={displayName} place={place} onMove={props.onMove} />
          {count > 1 && (
            <button type="button" class="button" aria-label={`Remove ${displayName}`} onClick={onRemove}>
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
            <summary>Questions for {displayName}</summary>
            <QuestionsField
              of={displayName}
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

/** A choice of the document's roles. The signer's own role is always listed, so that the field shows what is saved. */
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

interface MoveButtonsProps {
  readonly displayName: string;
  readonly place: PersonRowProps["place"];
  readonly onMove: (by: 1 | -1) => void;
}

function MoveButtons({ displayName, place: { index, count }, onMove }: MoveButtonsProps) {
  const buttons = useRef<HTMLSpanElement>(null);
  const move = (by: 1 | -1) => {
    onMove(by);
    // A moved row loses the focus. If its button is now disabled, the other one gets the focus.
    requestAnimationFrame(() => {
      const [up, down] = buttons.current?.querySelectorAll("button") ?? [];
      const pressed = by === -1 ? up : down;
      (pressed?.disabled ? (by === -1 ? down : up) : pressed)?.focus();
    });
  };
  if (count === 1) return null;
  return (
    <span class="buttons" ref={buttons}>
      <button type="button" class="button" aria-label={`Move ${displayName} up`} disabled={index === 0} onClick={() => move(-1)}>
        Up
      </button>
      <button type="button" class="button" aria-label={`Move ${displayName} down`} disabled={index === count - 1} onClick={() => move(1)}>
        Down
      </button>
    </span>
  );
}
