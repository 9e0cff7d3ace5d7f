import type { FieldType } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { Builder } from "../builder/builder.tsx";
import { namesOf } from "../envelopes/progress.ts";
import { type Person, peopleOf } from "./people.ts";
import { nextOf, StepHead } from "./steps.tsx";
import type { StepProps } from "./wizard.ts";

interface PlacedField {
  readonly type: FieldType;
  readonly role: string | null;
}

/** Where each signer fills in and signs. Signers without a signature field get one on a page that is added at the end. */
export function FieldsStep({ draft, reload, saveAndGo }: StepProps) {
  const [people] = useState(() => peopleOf(draft, {}));
  const roles = [...new Set([...people.filter(({ role }) => role !== "").map(({ role }) => role), ...draft.document.roles])];
  const names = new Map(people.filter(({ role, name }) => role !== "" && name !== "").map(({ role, name }) => [role, name]));
  // What is on the screen counts, not what was saved last.
  const [fields, setFields] = useState<readonly PlacedField[]>(draft.document.fields);
  const without = withoutSignatureField(people, fields);
  return (
    <div class="stack">
      <StepHead title="Fields">
        {without.length === 0
          ? "Every signer has a signature field."
          : `You can skip this step. A signature page is added at the end for ${namesOf(without)}, who ${without.length === 1 ? "has" : "have"} no signature field yet.`}
      </StepHead>
      <Builder
        of={{ kind: "envelope", id: draft.envelope.envelope_id }}
        roles={roles}
        names={names}
        onSaved={() => void reload()}
        onFields={setFields}
      />
      <div class="buttons">
        <button type="button" class="button" onClick={() => saveAndGo("people")}>
          Back
        </button>
        <button type="button" class="button primary" onClick={() => saveAndGo(nextOf("fields"))}>
          {fields.length === 0 ? "Skip fields" : "Continue"}
        </button>
      </div>
    </div>
  );
}

/** The signers without a signature field. A field without a role belongs to the first signer. */
function withoutSignatureField(people: readonly Person[], fields: readonly PlacedField[]): readonly { name: string }[] {
  const isTheirs = (role: string | null, of: string, index: number) => (role === null ? index === 0 : role === of);
  const hasSignatureField = ({ role }: Person, index: number) =>
    fields.some((one) => one.type === "signature" && isTheirs(one.role, role, index));
  return people
    .filter(({ kind }) => kind === "signer")
    .filter((person, index) => !hasSignatureField(person, index))
    .map(({ name, role }) => ({ name: name || role }));
}
