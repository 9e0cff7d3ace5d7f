import type { EnvelopeField } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { Builder } from "../builder/builder.tsx";
import { isDraft } from "../envelopes/api.ts";
import { namesOf } from "../envelopes/names-of.ts";
import { en as words } from "../words/steps/en.ts";
import type { Draft } from "./api.ts";
import { nextOf, StepHead } from "./steps.tsx";
import { useUnsavedStep } from "./use-unsaved-step.ts";
import type { StepProps } from "./wizard.ts";

type PlacedField = Readonly<Pick<EnvelopeField, "type" | "role">>;
type Person = Pick<Draft["recipients"][number], "kind" | "name" | "role">;

// More names do not help in a sentence.
const NAMED = 3;

/** Where each signer fills in and signs. Signers without a signature field get one on a page that is added at the end. */
export function FieldsStep({ draft, base, reload, saveAndGo, unsaved, isBlocked, note }: StepProps) {
  const [people] = useState(() => peopleIn(draft));
  const roles = [...new Set([...people.flatMap(({ role }) => role || []), ...draft.document.roles])];
  const names = new Map(people.flatMap(({ role, name }) => (role && name ? [[role, name] as const] : [])));
  // What is on the screen counts, not what was saved last.
  const [fields, setFields] = useState<readonly PlacedField[]>(draft.document.fields);
  const without = withoutSignatureField(people, fields);
  const isMany = without.length > NAMED + 1;
  const named = isMany ? [...without.slice(0, NAMED), { name: words.more(without.length - NAMED) }] : without;
  // The builder saves the fields. The envelope may have been sent or discarded elsewhere.
  useUnsavedStep(unsaved, {
    isChanged: () => false,
    save: async () => {
      await reload();
      return isDraft(base.current.envelope.status);
    },
  });
  return (
    <div class="stack">
      <StepHead title={words.names.fields}>
        {without.length === 0 ? words.allHaveFields : words.withoutFields(namesOf(named), without.length)}
        {isMany && (
          <details>
            <summary>{words.all(without.length)}</summary>
            <ol class="details">
              {without.map(({ name }, index) => (
                <li key={index}>{name}</li>
              ))}
            </ol>
          </details>
        )}
      </StepHead>
      <Builder
        of={{ kind: "envelope", id: draft.envelope.envelope_id }}
        roles={roles}
        names={names}
        onSaved={() => void reload()}
        onFields={setFields}
      />
      {note}
      <div class="prepare-bar">
        <div class="buttons">
          <button type="button" class="button" disabled={isBlocked} onClick={() => saveAndGo("people")}>
            {words.back}
          </button>
          <button type="button" class="button primary" disabled={isBlocked} onClick={() => saveAndGo(nextOf("fields"))}>
            {fields.length === 0 ? words.skip : words.next}
          </button>
        </div>
      </div>
    </div>
  );
}

/** The saved recipients or, if there are none yet, the people whom the step before suggests. */
function peopleIn({ recipients, document, customer }: Draft): readonly Person[] {
  if (recipients.length > 0) return recipients;
  const [first = "Signer", ...others] = document.roles;
  return [first, ...others].map((role, index) => ({ kind: "signer", name: (index === 0 && customer?.name) || "", role }));
}

/** The signers without a signature field. A field without a role belongs to the first signer. */
function withoutSignatureField(people: readonly Person[], fields: readonly PlacedField[]): readonly { name: string }[] {
  const isTheirs = (role: string | null, of: string | null, index: number) => (role === null ? index === 0 : role === of);
  const hasSignatureField = ({ role }: Person, index: number) =>
    fields.some((one) => one.type === "signature" && isTheirs(one.role, role, index));
  return people
    .filter(({ kind }) => kind === "signer")
    .filter((person, index) => !hasSignatureField(person, index))
    .map(({ name, role }) => ({ name: name || (role ?? "") }));
}
