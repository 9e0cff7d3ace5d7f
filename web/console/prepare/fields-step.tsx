import { useState } from "preact/hooks";
import { Builder } from "../builder/builder.tsx";
import { namesOf } from "../envelopes/progress.ts";
import type { Draft } from "./api.ts";
import { type Person, peopleOf } from "./people.ts";
import { nextOf, StepHead } from "./steps.tsx";
import type { StepProps } from "./wizard.ts";

/** Where each signer fills in and signs. Signers without a signature field get one on a page that is added at the end. */
export function FieldsStep({ draft, reload, saveAndGo }: StepProps) {
  const [people] = useState(() => peopleOf(draft, {}));
  const roles = [...new Set([...people.filter(({ role }) => role !== "").map(({ role }) => role), ...draft.document.roles])];
  const names = new Map(people.filter(({ role, name }) => role !== "" && name !== "").map(({ role, name }) => [role, name]));
  const without = withoutSignatureField(people, draft.document);
  return (
    <div class="stack">
      <StepHead title="Fields">
        {without.length === 0
          ? "Every signer has a signature field."
          : `You can skip this step. A signature page is added at the end for ${namesOf(without)}, who ${without.length === 1 ? "has" : "have"} no signature field yet.`}
      </StepHead>
      <Builder of={{ kind: "envelope", id: draft.envelope.envelope_id }} roles={roles} names={names} onSaved={() => void reload()} />
      <div class="buttons">
        <button type="button" class="button" onClick={() => saveAndGo("people")}>
          Back
        </button>
        <button type="button" class="button primary" onClick={() => saveAndGo(nextOf("fields"))}>
          {draft.document.fields.length === 0 ? "Continue without fields" : "Continue"}
        </button>
      </div>
    </div>
  );
}

/** The signers without a signature field. A field without a role belongs to the first signer. */
function withoutSignatureField(people: readonly Person[], document: Draft["document"]): readonly { name: string }[] {
  const isTheirs = (role: string | null, of: string, index: number) => (role === null ? index === 0 : role === of);
  const hasSignatureField = ({ role }: Person, index: number) =>
    document.fields.some((one) => one.type === "signature" && isTheirs(one.role, role, index));
  return people
    .filter(({ kind }) => kind === "signer")
    .filter((person, index) => !hasSignatureField(person, index))
    .map(({ name, role }) => ({ name: name || role }));
}
