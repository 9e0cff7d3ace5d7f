import type { RecipientKind, SigningOrder } from "@countersign/client/types";
import type { RefObject } from "preact";
import { useMemo, useRef, useState } from "preact/hooks";
import { ApiError } from "../../http.ts";
import { MOST_RECIPIENTS } from "../envelopes/api.ts";
import { isComplete } from "../envelopes/fault-in.ts";
import { isBlank } from "../envelopes/question.ts";
import { choicesOf } from "../parts/choices.ts";
import { Checkbox, SelectField, TextField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { me } from "../session.ts";
import { en as words } from "../words/recipients/en.ts";
import type { Draft } from "./api.ts";
import { useAutosave } from "./autosave.ts";
import { lacksCode } from "./identity.ts";
import {
  beginsStep,
  canMoveStep,
  checksOf,
  freeRole,
  incompleteIn,
  isUnchecked,
  lastStep,
  moved,
  movedStep,
  ofKind,
  recipientsOf,
  withOpenRoles,
  withOrder,
} from "./order.ts";
import { acts, inSteps, keyOf, newPerson, orderOf, type Person, peopleOf } from "./people.ts";
import { PersonLine } from "./person-line.tsx";
import { PersonRow } from "./person-row.tsx";
import { saveStep } from "./save-step.ts";
import { StepButtons } from "./step-buttons.tsx";
import { StepLine } from "./step-line.tsx";
import { StepHead } from "./steps.tsx";
import { useUnsavedStep } from "./use-unsaved-step.ts";
import { type StepProps, useStepSending } from "./wizard.ts";

// From here on, people are lines of text that open: drawing the inputs of all of them takes long with every key.
const MANY = 20;

export function PeopleStep(props: StepProps) {
  const { draft, base, memory, remember, goTo, saveAndGo, isBlocked, unsaved, refusalOf } = props;
  const { document } = draft;
  const sending = useStepSending(props);
  const [first] = useState(() => {
    const known = peopleOf(draft, memory.checks);
    // Suggested people are not saved with the envelope yet.
    const inDraft = draft.recipients.length === 0 ? [] : known;
    return { people: withOpenRoles(known, document.roles), inDraft, order: orderOf(draft) };
  });
  const [people, setPeople] = useState(first.people);
  const [order, setOrder] = useState<SigningOrder>(first.order);
  const [asks, setAsks] = useState(draft.envelope.metadata.kba_required);
  const [isChecked, setChecked] = useState(false);
  const [announcement, setAnnouncement] = useState("");
  const rows = useRef<HTMLOListElement>(null);
  // Found when the text was typed: a person whose name is changed now stays on the screen.
  const [find, setFind] = useState<{ readonly text: string; readonly keys: ReadonlySet<number> | null }>({ text: "", keys: null });
  const isShown = ({ key }: Person) => find.keys?.has(key) ?? true;
  const findPeople = (text: string) => {
    const wanted = text.trim().toLowerCase();
    const found = people.filter(({ name, email, role }) => [name, email, role].some((one) => one.toLowerCase().includes(wanted)));
    setFind({ text, keys: wanted === "" ? null : new Set(found.map(({ key }) => key)) });
  };
  const foundText = () => words.found(people.filter(isShown).length, people.length);
  const isAnswered = (person: Person) => !asks || !acts(person) || isBlank(person.questions) || isComplete(person.questions);
  const isCodeMissing = (person: Person) => acts(person) && lacksCode(person.identity);
  const bodyOf = (given: readonly Person[]) => ({ recipients: recipientsOf(given, order), ...signingOrder(order), kba_required: asks });
  const asked = useRef("");
  asked.current ||= JSON.stringify(checksOf(first.people));
  // The last save, and each person as the draft has them.
  const saved = useRef({ text: "", people: first.inDraft });
  saved.current.text ||= JSON.stringify(bodyOf(people));
  const isPatched = () => JSON.stringify(bodyOf(people)) !== saved.current.text;
  const isAsked = () => JSON.stringify(checksOf(people)) !== asked.current;
  const savePeople = async (given: readonly Person[], isAutomatic: boolean) => {
    const body = bodyOf(given);
    const text = JSON.stringify(body);
    if (text === saved.current.text && (given.length === 0 || base.current.recipients.length > 0)) return;
    await saveStep(props, { body, stateOf, isIn: (one) => one.recipients.length > 0 && isSameText(stateOf(one), text) }, isAutomatic);
    saved.current = { text, people: given };
  };
  const save = async () => {
    await savePeople(people, false);
    remember({ checks: checksOf(people) });
    asked.current = JSON.stringify(checksOf(people));
    autosave.done();
  };
  const entries = useMemo(() => ({}), [people, order, asks]);
  const autosave = useAutosave(props, sending, entries, async () => {
    const incomplete = incompleteIn(people);
    // An incomplete person stays in the draft as saved before.
    const before = (key: number) => saved.current.people.filter((one) => one.key === key);
    const whole = arranged(people.flatMap((one) => (incomplete.includes(one) ? before(one.key) : [one])));
    const canSave = incompleteIn(whole).length === 0;
    if (canSave) await savePeople(whole, true);
    const left = canSave ? incomplete.map((one) => words.unnamed(people.indexOf(one) + 1)) : [words.all];
    return people.some((one) => acts(one) && !isUnchecked(asks ? one : { ...one, questions: [] })) ? [...left, words.secrets] : left;
  });
  /** Incomplete questions and codes must be finished, otherwise the envelope would be sent without them. */
  const check = (): boolean => {
    setChecked(true);
    // An error may be at a person who is not shown.
    findPeople("");
    return people.every((one) => isAnswered(one) && !isCodeMissing(one));
  };
  useUnsavedStep(unsaved, {
    isChanged: () => isPatched() || isAsked(),
    hasChecks: () => !people.every(isUnchecked),
    save: async () => check() && sending.run(save),
  });
  const arranged = (given: readonly Person[]) => (order === "steps" ? inSteps(given) : given);
  const change = (key: number, given: Partial<Person>) =>
    setPeople(arranged(people.map((one) => (one.key === key ? { ...one, ...given } : one))));
  const changeKind = ({ key }: Person, kind: RecipientKind) =>
    setPeople(arranged(people.map((one) => (one.key === key ? ofKind(one, kind, lastStep(people), document.roles) : one))));
  const displayName = (person: Person) => person.name || words.unnamed(people.indexOf(person) + 1);
  const move = (person: Person, by: 1 | -1) => {
    const after = order === "steps" ? movedStep(people, person.key, by) : moved(people, people.indexOf(person), by);
    const place = after.findIndex(({ key }) => key === person.key);
    const step = after[place]?.step ?? null;
    setPeople(after);
    setAnnouncement(
      order === "steps" && step !== null
        ? words.movedToStep(displayName(person), step)
        : words.movedTo(displayName(person), place + 1, after.length),
    );
  };
  const focusRow = (index: number) =>
    requestAnimationFrame(() => rows.current?.children[index]?.querySelector<HTMLElement>("input, button")?.focus());
  const remove = (person: Person) => {
    const shown = people.filter(isShown);
    const index = shown.indexOf(person);
    setPeople(arranged(people.filter((one) => one !== person)));
    setAnnouncement(words.removed(displayName(person)));
    // The button disappears with its row, so the focus moves to the next row. It goes to the first input, because a second press on a
    // button would remove another person.
    focusRow(Math.min(index, shown.length - 2));
  };
  const add = (given: Partial<Person>) => {
    const person = newPerson({ role: freeRole(people, document.roles), step: lastStep(people) + 1, ...given });
    const after = arranged([...people, person]);
    findPeople("");
    setPeople(after);
    focusRow(after.findIndex(({ key }) => key === person.key));
  };
  const does = useRef<Doing>({ change, changeKind, move, remove });
  does.current = { change, changeKind, move, remove };
  const steps = lastStep(people);
  const isMeThere = people.some(({ email }) => keyOf(email) === keyOf(me().user.email));
  return (
    <Form
      sending={sending}
      wide
      bar={<StepButtons step="people" sending={sending} isBlocked={isBlocked} onLeave={saveAndGo} state={autosave.state} />}
      onSend={async () => {
        if (!check()) return;
        await save();
        goTo("fields");
      }}
    >
      <section class="card stack">
        <StepHead title={words.title}>
          {words.lead} {document.roles.length > 0 && words.roles(document.roles)}
        </StepHead>
        <div class="columns">
          <SelectField
            label={words.order}
            name="signing_order"
            value={order}
            choices={choicesOf(words.orders)}
            hint={words.orderHint}
            onChoice={(wanted) => {
              setPeople(withOrder(people, order, wanted));
              setOrder(wanted);
            }}
            sending={sending}
          />
          {people.length > MANY && (
            <TextField
              label={words.find}
              name="find"
              type="search"
              autoComplete="off"
              hint={find.keys === null ? words.findHint : foundText()}
              value={find.text}
              onText={findPeople}
              onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
            />
          )}
        </div>
        {people.length > MANY && (
          <p class="hidden-visually" role="status">
            {find.keys !== null && foundText()}
          </p>
        )}
        <ol class={people.length > MANY ? "prepare-people many" : "prepare-people"} ref={rows}>
          {people.map(
            (person, index) =>
              isShown(person) && (
                <PersonItem
                  key={person.key}
                  person={person}
                  index={index}
                  count={people.length}
                  isLine={people.length > MANY}
                  begins={order === "steps" && beginsStep(people, index)}
                  steps={order === "steps" ? steps : null}
                  canUp={order === "steps" ? acts(person) && canMoveStep(people, person, -1) : index > 0}
                  canDown={order === "steps" ? acts(person) && canMoveStep(people, person, 1) : index < people.length - 1}
                  roles={document.roles}
                  error={sending.error ?? autosave.error}
                  errorOf={(field) => sending.errorOf(field) ?? autosave.errorOf(field) ?? refusalOf(field)}
                  does={does}
                  asks={asks}
                  isChecked={isChecked && !isAnswered(person)}
                  isCodeMissing={isChecked && isCodeMissing(person)}
                />
              ),
          )}
        </ol>
        {refusalOf("recipients") !== null && <p class="error">{words.notSent(refusalOf("recipients") ?? "")}</p>}
        <p class="hidden-visually" role="status">
          {announcement}
        </p>
        {people.length < MOST_RECIPIENTS ? (
          <div class="buttons">
            <button type="button" class="button" onClick={() => add({})}>
              {words.add}
            </button>
            {!isMeThere && (
              <button type="button" class="button" onClick={() => add({ name: me().user.name, email: me().user.email, delivery: "link" })}>
                {words.addMe}
              </button>
            )}
          </div>
        ) : (
          <p class="notice">{words.full(MOST_RECIPIENTS)}</p>
        )}
      </section>
      <section class="card stack">
        <Checkbox label={words.ask} hint={words.askHint} checked={asks} onCheck={setAsks} />
        {asks && <p class="notice">{words.askLost}</p>}
      </section>
      {props.note}
    </Form>
  );
}

type Row = Pick<Parameters<typeof PersonRow>[0], "person" | "steps" | "roles" | "asks" | "isChecked" | "isCodeMissing" | "errorOf">;

interface Doing {
  change(key: number, given: Partial<Person>): void;
  changeKind(person: Person, kind: RecipientKind): void;
  move(person: Person, by: 1 | -1): void;
  remove(person: Person): void;
}

interface PersonItemProps extends Row {
  readonly index: number;
  readonly count: number;
  /** the person is a line of text until the user opens it */
  readonly isLine: boolean;
  /** the person is the first of their step */
  readonly begins: boolean;
  readonly canUp: boolean;
  readonly canDown: boolean;
  /** the error of the last save */
  readonly error: unknown;
  readonly does: RefObject<Doing>;
}

/** A row that renders again only if something in it changes: with a hundred people, typing would be slow otherwise. */
function PersonItem({
  person,
  index,
  count,
  isLine,
  begins,
  steps,
  canUp,
  canDown,
  roles,
  error,
  errorOf,
  does,
  asks,
  isChecked,
  isCodeMissing,
}: PersonItemProps) {
  const item = useRef<HTMLLIElement>(null);
  // Decided once: a person must not close while the user types.
  const [isOpened, setOpened] = useState(() => !isLine || incompleteIn([person]).length > 0);
  const isRefused = refusable.some((field) => errorOf(`recipients[${index}].${field}`) !== null);
  const isOpen = isOpened || isChecked || isCodeMissing || isRefused || isAbout(error, index);
  const open = () => {
    setOpened(true);
    requestAnimationFrame(() => item.current?.querySelector("input")?.focus());
  };
  return useMemo(
    () =>
      !isOpen ? (
        <li class="prepare-person" ref={item}>
          {begins && <StepLine step={person.step} />}
          <PersonLine person={person} place={{ index, count }} onOpen={open} onRemove={() => does.current?.remove(person)} />
        </li>
      ) : (
        <li class="prepare-person" ref={item}>
          {begins && <StepLine step={person.step} />}
          <PersonRow
            person={person}
            place={{ index, count }}
            steps={steps}
            canMove={{ up: canUp, down: canDown }}
            roles={roles}
            errorOf={(field) => errorOf(`recipients[${index}].${field}`)}
            onChange={(given) => does.current?.change(person.key, given)}
            onKind={(kind) => does.current?.changeKind(person, kind)}
            onMove={(by) => does.current?.move(person, by)}
            onRemove={() => does.current?.remove(person)}
            asks={asks}
            isChecked={isChecked}
            isCodeMissing={isCodeMissing}
          />
        </li>
      ),
    [person, index, count, isOpen, begins, steps, canUp, canDown, roles, error, asks, isChecked, isCodeMissing],
  );
}

/** What only the act of sending refuses. */
const refusable = ["role", "delivery", "authentication", "authentication[0].method"];

const isAbout = (error: unknown, index: number): boolean =>
  error instanceof ApiError && error.details.some(({ field }) => field?.startsWith(`recipients[${index}].`));

/** The recipients as a draft has them, as the API expects them. */
function stateOf(draft: Draft): string {
  const order = orderOf(draft);
  const { kba_required } = draft.envelope.metadata;
  return JSON.stringify({ recipients: recipientsOf(peopleOf(draft, {}), order), ...signingOrder(order), kba_required });
}

/** The service may write an address in another case. */
const isSameText = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** With steps, the recipients say the order. */
const signingOrder = (order: SigningOrder) => (order === "steps" ? {} : { signing_order: order });
