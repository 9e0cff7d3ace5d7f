import type { SigningOrder } from "@countersign/client/types";
import { useRef, useState } from "preact/hooks";
import { call } from "../api.ts";
import { isBlank, isComplete } from "../envelopes/questions.tsx";
import { choicesOf } from "../parts/choices.ts";
import { Checkbox, SelectField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { freeRole, isSame, moved, newPerson, type Person, peopleOf, questionsOf, signersOf } from "./people.ts";
import { PersonRow } from "./person-row.tsx";
import { StepButtons } from "./step-buttons.tsx";
import { StepHead } from "./steps.tsx";
import { type StepProps, useStepSending, useUnsavedStep } from "./wizard.ts";

const orders: Record<Exclude<SigningOrder, "steps">, string> = {
  sequential: "One after another, in this order",
  parallel: "All at the same time",
};

export function PeopleStep({ draft, memory, remember, reload, goTo, saveAndGo, unsaved, refusalOf }: StepProps) {
  const { envelope, document, signers } = draft;
  const { metadata } = envelope;
  const sending = useStepSending(reload);
  const [first] = useState(() => peopleOf(draft, memory.questions));
  const [people, setPeople] = useState(first);
  const [order, setOrder] = useState<keyof typeof orders>(metadata.signing_order === "parallel" ? "parallel" : "sequential");
  const [asks, setAsks] = useState(metadata.kba_required);
  const [isChecked, setChecked] = useState(false);
  const [announcement, setAnnouncement] = useState("");
  const rows = useRef<HTMLOListElement>(null);
  const isDone = ({ questions }: Person) => isBlank(questions) || isComplete(questions);
  const isPatched = !isSame(people, first) || asks !== metadata.kba_required || order !== metadata.signing_order;
  const isAsked = JSON.stringify(questionsOf(people)) !== JSON.stringify(questionsOf(first));
  const save = async () => {
    // Suggested signers are not saved with the envelope yet.
    if (isPatched || signers.length === 0) {
      const body = { signers: signersOf(people), kba_required: asks, signing_order: order };
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
  const change = (index: number, given: Partial<Person>) => setPeople(people.map((one, at) => (at === index ? { ...one, ...given } : one)));
  const move = (index: number, by: 1 | -1) => {
    const person = people[index];
    setPeople(moved(people, index, by));
    setAnnouncement(`${person?.name || "Signer"} moved to position ${index + by + 1} of ${people.length}`);
  };
  const remove = (index: number) => {
    setPeople(people.filter((_, at) => at !== index));
    setAnnouncement(`${people[index]?.name || "Signer"} removed`);
    // The button disappears with its row, so the focus moves to the next row. It goes to the first input, because a second press on a
    // button would remove another signer.
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
        goTo("fields");
      }}
    >
      <section class="card stack">
        <StepHead title="Signers">
          Add everyone who signs. Each signer has a different role, which determines the fields they fill in.
          {document.roles.length > 0 && ` Roles in the document: ${document.roles.join(", ")}.`}
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
        {refusalOf("signers") !== null && <p class="error">The envelope was not sent: {refusalOf("signers")}.</p>}
        <p class="hidden-visually" role="status">
          {announcement}
        </p>
        <div class="buttons">
          <button
            type="button"
            class="button"
            onClick={() => setPeople([...people, newPerson({ role: freeRole(people, document.roles) })])}
          >
            Add signer
          </button>
        </div>
      </section>
      <section class="card stack">
        <div class="columns">
          <SelectField
            label="Signing order"
            name="signing_order"
            value={order}
            choices={choicesOf(orders)}
            onChoice={setOrder}
            sending={sending}
          />
        </div>
        <Checkbox
          label="Ask each signer identity questions before showing the document"
          hint="Two to five questions per signer, with answers that only they know. A signer without questions cannot open the document. You can also set questions after sending."
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
