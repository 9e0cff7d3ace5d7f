import type { SigningOrder } from "@countersign/client/types";
import { useRef, useState } from "preact/hooks";
import { call } from "../api.ts";
import { isBlank, isComplete } from "../envelopes/questions.tsx";
import { choicesOf } from "../parts/choices.ts";
import { SelectField, Tick } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { freeRole, isSame, moved, newPerson, type Person, peopleOf, questionsOf, signersOf } from "./people.ts";
import { PersonRow } from "./person-row.tsx";
import { StepButtons } from "./step-buttons.tsx";
import { StepHead } from "./steps.tsx";
import { type StepProps, useHeld, useStepSending } from "./wizard.ts";

const orders: Record<SigningOrder, string> = { sequential: "One after the other, in this order", parallel: "All at once" };

export function PeopleStep({ draft, memory, remember, reload, travel, leave, held, refusalOf }: StepProps) {
  const { envelope, document, signers } = draft;
  const { metadata } = envelope;
  const sending = useStepSending(reload);
  const [first] = useState(() => peopleOf(draft, memory.questions));
  const [people, setPeople] = useState(first);
  const [order, setOrder] = useState(metadata.signing_order);
  const [asks, setAsks] = useState(metadata.kba_required);
  const [isChecked, setChecked] = useState(false);
  const [said, setSaid] = useState("");
  const rows = useRef<HTMLOListElement>(null);
  const isDone = ({ questions }: Person) => isBlank(questions) || isComplete(questions);
  const isPatched = !isSame(people, first) || asks !== metadata.kba_required || order !== metadata.signing_order;
  const isAsked = JSON.stringify(questionsOf(people)) !== JSON.stringify(questionsOf(first));
  const save = async () => {
    // Those who are only proposed are not with the envelope yet.
    if (isPatched || signers.length === 0) {
      const body = { signers: signersOf(people), kba_required: asks, signing_order: order };
      await call("update_envelope", { params: { envelope_id: envelope.envelope_id }, body });
      await reload();
    }
    remember({ questions: questionsOf(people) });
  };
  /** Questions that are begun are finished, or the envelope would be sent without them. */
  const check = (): boolean => {
    setChecked(true);
    return !asks || people.every(isDone);
  };
  useHeld(held, { isChanged: isPatched || isAsked, save: async () => check() && sending.run(save) });
  const change = (index: number, given: Partial<Person>) => setPeople(people.map((one, at) => (at === index ? { ...one, ...given } : one)));
  const move = (index: number, by: 1 | -1) => {
    const person = people[index];
    setPeople(moved(people, index, by));
    setSaid(`${person?.name || "Signer"} is now ${index + by + 1} of ${people.length}`);
  };
  const remove = (index: number) => {
    setPeople(people.filter((_, at) => at !== index));
    setSaid(`${people[index]?.name || "Signer"} is removed`);
    // The button goes with its row; the next row has the focus, or the last. Not its button: pressed twice it would remove two.
    requestAnimationFrame(() => {
      const left = rows.current?.children;
      left?.[Math.min(index, left.length - 1)]?.querySelector("input")?.focus();
    });
  };
  return (
    <Form
      sending={sending}
      wide
      onSend={async () => {
        if (!check()) return;
        await save();
        travel("fields");
      }}
    >
      <section class="card stack">
        <StepHead title="People">
          Who signs. Each has a role of their own
          {document.roles.length > 0
            ? `; the document names ${document.roles.join(", ")}.`
            : ", which says where in the document they sign."}
        </StepHead>
        <ol class="prepare-people" ref={rows}>
          {people.map((person, index) => (
            <PersonRow
              key={person.key}
              person={person}
              place={{ index, count: people.length }}
              roles={document.roles}
              errorOf={(field) => sending.errorOf(`signers[${index}].${field}`) ?? refusalOf(`signers[${index}].${field}`)}
              onChange={(given) => change(index, given)}
              onMove={(by) => move(index, by)}
              onRemove={() => remove(index)}
              asks={asks}
              isChecked={isChecked && !isDone(person)}
            />
          ))}
        </ol>
        {refusalOf("signers") !== null && <p class="error">When it was to be sent: {refusalOf("signers")}.</p>}
        <p class="hidden-visually" role="status">
          {said}
        </p>
        <div class="buttons">
          <button
            type="button"
            class="button"
            onClick={() => setPeople([...people, newPerson({ role: freeRole(people, document.roles) })])}
          >
            Add a signer
          </button>
        </div>
      </section>
      <section class="card stack">
        <div class="columns">
          <SelectField label="Order" name="signing_order" value={order} choices={choicesOf(orders)} onChoice={setOrder} sending={sending} />
        </div>
        <Tick
          label="Ask each signer questions before the document is shown"
          hint="Two to five, with answers that only they should know. Without questions a signer cannot open it; they can also be set after sending."
          checked={asks}
          onTick={setAsks}
        />
        {asks && (
          <p class="notice">
            Questions and answers are kept nowhere until the envelope is sent: they are lost when you leave or reload this screen.
          </p>
        )}
      </section>
      <StepButtons step="people" sending={sending} onLeave={leave} />
    </Form>
  );
}
