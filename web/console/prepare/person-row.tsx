import type { RecipientKind } from "@countersign/client/types";
import { useId, useRef, useState } from "preact/hooks";
import { QuestionsField } from "../envelopes/questions.tsx";
import { choicesOf } from "../parts/choices.ts";
import { AreaField, SelectField, TextField } from "../parts/field.tsx";
import { Glyph } from "../parts/glyph.tsx";
import { signerLanguages } from "../parts/languages.ts";
import { lazy } from "../parts/lazy.tsx";
import { en as words } from "../words/recipients/en.ts";
import { ContactField } from "./contact-field.tsx";
import { acts, hasFields, type Person } from "./people.ts";

interface PersonRowProps {
  readonly person: Person;
  readonly place: { readonly index: number; readonly count: number };
  /** the number of steps; null if people do not act in steps */
  readonly steps: number | null;
  readonly canMove: { readonly up: boolean; readonly down: boolean };
  /** the document's roles; if there are none, the sender types them */
  readonly roles: readonly string[];
  readonly errorOf: (field: string) => string | null;
  readonly onChange: (given: Partial<Person>) => void;
  readonly onKind: (kind: RecipientKind) => void;
  readonly onMove: (by: 1 | -1) => void;
  readonly onRemove: () => void;
  /** whether people answer identity questions before they see the document */
  readonly asks: boolean;
  readonly isChecked: boolean;
  /** an access code is required and not entered */
  readonly isCodeMissing: boolean;
}

// Few people are identified by more than their link.
const IdentityField = lazy(async () => (await import("./identity-field.tsx")).IdentityField);

export function PersonRow(props: PersonRowProps) {
  const { person, place, canMove, errorOf, onChange, onKind, onMove, onRemove, asks, isChecked, isCodeMissing } = props;
  const { index, count } = place;
  const name = (field: string) => `recipients[${index}].${field}`;
  const displayName = person.name || words.unnamed(index + 1);
  const isIdentified = person.identity.check !== "none";
  const [isOpened, setOpen] = useState(person.message !== "" || person.delivery === "link" || person.locale !== "" || isIdentified);
  const isOpen =
    isOpened || isCodeMissing || ["", "[0].method", "[0].code", "[1].code"].some((at) => errorOf(`authentication${at}`) !== null);
  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : null;
    if (!event.altKey || by === null || !(by === -1 ? canMove.up : canMove.down)) return;
    event.preventDefault();
    // The row moves with its field; a browser takes the focus from an element that moves.
    const focused = document.activeElement;
    onMove(by);
    requestAnimationFrame(() => focused instanceof HTMLElement && focused.focus());
  };
  const panel = useId();
  return (
    <fieldset class="prepare-person-box" onKeyDown={onKeyDown}>
      <legend class="hidden-visually">{words.numbered(index + 1)}</legend>
      <span class="prepare-person-no" aria-hidden="true">
        {index + 1}
      </span>
      <div class="prepare-person-fields main">
        <ContactField
          label={words.name}
          name={name("name")}
          value={person.name}
          onText={(value) => onChange({ name: value })}
          onContact={(contact) => onChange({ name: contact.name ?? person.name, email: contact.email })}
          error={errorOf("name")}
        />
        <ContactField
          label={words.email}
          name={name("email")}
          type="email"
          value={person.email}
          onText={(email) => onChange({ email })}
          onContact={(contact) => onChange({ name: contact.name ?? person.name, email: contact.email })}
          error={errorOf("email")}
        />
        <SelectField
          label={words.kind}
          name={name("kind")}
          value={person.kind}
          choices={choicesOf(words.kinds)}
          onChoice={onKind}
          {...(words.kindHints[person.kind] !== "" && { hint: words.kindHints[person.kind] })}
        />
        {hasFields(person) && <RoleField {...props} />}
        <WhenField {...props} />
      </div>
      <div class="buttons end">
        <MoveButtons displayName={displayName} count={count} canMove={canMove} onMove={onMove} />
        <button
          type="button"
          class="button quiet"
          title={words.moreShort}
          aria-label={words.more(displayName)}
          aria-expanded={isOpen}
          aria-controls={panel}
          onClick={() => setOpen(!isOpen)}
        >
          <Glyph name="more" />
        </button>
        {count > 1 && (
          <button type="button" class="button quiet" title={words.remove} aria-label={words.removeOne(displayName)} onClick={onRemove}>
            <Glyph name="cross" />
          </button>
        )}
      </div>
      <div id={panel} class="prepare-person-fields prepare-person-panel" hidden={!isOpen}>
        {isOpen && <MoreFields {...props} />}
      </div>
      {asks && acts(person) && (
        <details class="prepare-person-panel prepare-person-questions" open={isChecked || undefined}>
          <summary>{words.questions(displayName)}</summary>
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
  );
}

/** What few people need. */
function MoreFields({ person, place, onChange, isCodeMissing, errorOf }: PersonRowProps) {
  const name = (field: string) => `recipients[${place.index}].${field}`;
  return (
    <>
      <SelectField
        label={words.language}
        name={name("locale")}
        value={person.locale}
        choices={signerLanguages}
        onChoice={(locale) => onChange({ locale })}
      />
      <AreaField
        label={words.message}
        name={name("message")}
        optional
        hint={words.messageHint}
        maxLength={2000}
        rows={2}
        value={person.message}
        onText={(message) => onChange({ message })}
      />
      {acts(person) && (
        <SelectField
          label={words.delivery}
          name={name("delivery")}
          value={person.delivery}
          choices={choicesOf(words.deliveries)}
          hint={words.deliveryHint}
          onChoice={(delivery) => onChange({ delivery })}
        />
      )}
      {acts(person) && (
        <IdentityField
          name={name("authentication")}
          value={person.identity}
          isDraft
          onChange={(identity) => onChange({ identity })}
          isChecked={isCodeMissing}
          errorOf={(at) => errorOf(`authentication${at}`)}
        />
      )}
    </>
  );
}

/** From which step on a person who gets a copy can read the document. */
function WhenField({ person, place, steps, onChange }: PersonRowProps) {
  if (person.kind !== "cc" || steps === null) return null;
  const numbers = Array.from({ length: steps }, (_, index) => String(index + 1));
  return (
    <SelectField
      label={words.when}
      name={`recipients[${place.index}].step`}
      value={person.step === null ? "" : String(person.step)}
      choices={[["", words.whenResult], ...numbers.map((n) => [n, words.whenStep(Number(n))] as const)]}
      onChoice={(step) => onChange({ step: step === "" ? null : Number(step) })}
    />
  );
}

/** A choice of the document's roles. The person's own role is always listed, so that the field shows what is saved. */
function RoleField({ person, place, roles, errorOf, onChange }: PersonRowProps) {
  const name = `recipients[${place.index}].role`;
  const error = errorOf("role");
  const isOptional = person.kind !== "signer";
  if (roles.length === 0) {
    return (
      <TextField
        label={words.role}
        name={name}
        optional={isOptional}
        autoComplete="off"
        maxLength={100}
        value={person.role}
        onText={(role) => onChange({ role })}
        error={error}
      />
    );
  }
  const offered = [...new Set([...(isOptional ? [""] : []), person.role, ...roles])];
  const empty = isOptional ? words.noRole : words.chooseRole;
  return (
    <div>
      <SelectField
        label={words.role}
        name={name}
        value={person.role}
        choices={offered.map((role) => [role, role === "" ? empty : role] as const)}
        onChoice={(role) => onChange({ role })}
      />
      {error !== null && (
        <p class="error">
          {words.role} {error}
        </p>
      )}
    </div>
  );
}

interface MoveButtonsProps {
  readonly displayName: string;
  readonly count: number;
  readonly canMove: PersonRowProps["canMove"];
  readonly onMove: (by: 1 | -1) => void;
}

function MoveButtons({ displayName, count, canMove, onMove }: MoveButtonsProps) {
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
      <button
        type="button"
        class="button quiet"
        title={words.up}
        aria-label={words.moveUp(displayName)}
        disabled={!canMove.up}
        onClick={() => move(-1)}
      >
        <Glyph name="up" />
      </button>
      <button
        type="button"
        class="button quiet"
        title={words.down}
        aria-label={words.moveDown(displayName)}
        disabled={!canMove.down}
        onClick={() => move(1)}
      >
        <Glyph name="down" />
      </button>
    </span>
  );
}
