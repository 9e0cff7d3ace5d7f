import type { RecipientKind, SigningOrder } from "@countersign/client/types";
import { useRef, useState } from "preact/hooks";
import { call } from "../api.ts";
import { isBlank, isComplete } from "../envelopes/questions.tsx";
import { choicesOf } from "../parts/choices.ts";
import { Checkbox, SelectField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { me } from "../session.ts";
import { en as words } from "../words/recipients/en.ts";
import {
  acts,
  beginsStep,
  canMoveStep,
  freeRole,
  inSteps,
  keyOf,
  lastStep,
  moved,
  movedStep,
  newPerson,
  ofKind,
  orderOf,
  type Person,
  peopleOf,
  questionsOf,
  recipientsOf,
  withOrder,
} from "./people.ts";
import { PersonRow } from "./person-row.tsx";
import { StepButtons } from "./step-buttons.tsx";
import { StepLine } from "./step-line.tsx";
import { StepHead } from "./steps.tsx";
import { type StepProps, useStepSending, useUnsavedStep } from "./wizard.ts";

export function PeopleStep({ draft, memory, remember, reload, goTo, saveAndGo, unsaved, refusalOf }: StepProps) {
  const { envelope, document, recipients } = draft;
  const { metadata } = envelope;
  const sending = useStepSending(reload);
  const [first] = useState(() => ({ people: peopleOf(draft, memory.questions), order: orderOf(draft) }));
  const [people, setPeople] = useState(first.people);
  const [order, setOrder] = useState<SigningOrder>(first.order);
  const [asks, setAsks] = useState(metadata.kba_required);
  const [isChecked, setChecked] = useState(false);
  const [announcement, setAnnouncement] = useState("");
  const rows = useRef<HTMLOListElement>(null);
  const isDone = (person: Person) => !acts(person) || isBlank(person.questions) || isComplete(person.questions);
  const saved = (given: typeof first) => ({ recipients: recipientsOf(given.people, given.order), ...signingOrder(given.order) });
  const isPatched = asks !== metadata.kba_required || JSON.stringify(saved({ people, order })) !== JSON.stringify(saved(first));
  const isAsked = JSON.stringify(questionsOf(people)) !== JSON.stringify(questionsOf(first.people));
  const save = async () => {
    // Suggested people are not saved with the envelope yet.
    if (isPatched || recipients.length === 0) {
      const body = { ...saved({ people, order }), kba_required: asks };
      await call("update_envelope", { params: { envelope_id: envelope.envelope_id }, body });
      await reload();
    }
    remember({ questions: questionsOf(people) });
  };
  /** Incomplete questions must be finished, otherwise the envelope would be sent without them. */
  const check = (): boolean => {
    setChecked(true);
    return !asks || people.every(isDone);
  };
  useUnsavedStep(unsaved, { isChanged: isPatched || isAsked, save: async () => check() && sending.run(save) });
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
  const focusRow = (index: number) => requestAnimationFrame(() => rows.current?.children[index]?.querySelector("input")?.focus());
  const remove = (person: Person) => {
    const index = people.indexOf(person);
    setPeople(arranged(people.filter((one) => one !== person)));
    setAnnouncement(words.removed(displayName(person)));
    // The button disappears with its row, so the focus moves to the next row. It goes to the first input, because a second press on a
    // button would remove another person.
    focusRow(Math.min(index, people.length - 2));
  };
  const add = (given: Partial<Person>) => {
    const person = newPerson({ role: freeRole(people, document.roles), step: lastStep(people) + 1, ...given });
    const after = arranged([...people, person]);
    setPeople(after);
    focusRow(after.findIndex(({ key }) => key === person.key));
  };
  const isMeThere = people.some(({ email }) => keyOf(email) === keyOf(me().user.email));
  return (
    <Form
      sending={sending}
      wide
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
        </div>
        <ol class="prepare-people" ref={rows}>
          {people.map((person, index) => (
            <li class="prepare-person" key={person.key}>
              {order === "steps" && beginsStep(people, index) && <StepLine step={person.step} />}
              <PersonRow
                person={person}
                place={{ index, count: people.length }}
                steps={order === "steps" ? lastStep(people) : null}
                canMove={
                  order === "steps"
                    ? { up: acts(person) && canMoveStep(people, person, -1), down: acts(person) && canMoveStep(people, person, 1) }
                    : { up: index > 0, down: index < people.length - 1 }
                }
                roles={document.roles}
                errorOf={(field) => sending.errorOf(`recipients[${index}].${field}`) ?? refusalOf(`recipients[${index}].${field}`)}
                onChange={(given) => change(person.key, given)}
                onKind={(kind) => changeKind(person, kind)}
                onMove={(by) => move(person, by)}
                onRemove={() => remove(person)}
                asks={asks}
                isChecked={isChecked && !isDone(person)}
              />
            </li>
          ))}
        </ol>
        {refusalOf("recipients") !== null && <p class="error">The envelope was not sent: {refusalOf("recipients")}.</p>}
        <p class="hidden-visually" role="status">
          {announcement}
        </p>
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
      </section>
      <section class="card stack">
        <Checkbox
          label="Ask everyone who acts identity questions before showing the document"
          hint="Two to five questions per person, with answers that only they know. A person without questions cannot open the document. You can also set questions after sending."
          checked={asks}
          onCheck={setAsks}
        />
        {asks && (
          <p class="notice">
            Questions and answers are not saved until the envelope is sent. They are lost if you leave or reload this page.
          </p>
        )}
      </section>
      <StepButtons step="people" sending={sending} onLeave={saveAndGo} />
    </Form>
  );
}

/** With steps, the recipients say the order. */
const signingOrder = (order: SigningOrder) => (order === "steps" ? {} : { signing_order: order });
