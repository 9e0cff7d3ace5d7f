import type { EnvelopeField } from "@countersign/client/types";
import type { MutableRef } from "preact/hooks";
import { ApiError } from "../../http.ts";
import { ChangedElsewhere } from "../changed-elsewhere.ts";
import { changeIfSame } from "../guards.ts";
import { type Draft, readDraft } from "./api.ts";
import type { StepSave } from "./wizard.ts";

/**
 * Saves a step, unless its values were changed elsewhere since the draft was read: then the error. It counts as saved if the draft
 * already has the values of the screen, because the answer to an earlier attempt may have been lost. Afterwards `base` has what was saved.
 */
export async function saveDraft(base: MutableRef<Draft>, save: StepSave): Promise<ChangedElsewhere | null> {
  const { body, stateOf, isIn } = save;
  const { envelope_id } = base.current.envelope;
  const change = async (from: Draft): Promise<boolean> => {
    try {
      const envelope = await changeIfSame("update_envelope", { params: { envelope_id }, body }, from.tag);
      // The tag is the one from before: with it, nothing that was changed since can be overwritten.
      base.current = {
        ...from,
        envelope,
        recipients: envelope.metadata.recipients,
        document: withValues(from.document, body.prefilled_data),
      };
      return true;
    } catch (error) {
      if (error instanceof ApiError && error.status === 412) return false;
      throw error;
    }
  };
  if (await change(base.current)) return null;
  const now = await readDraft(envelope_id);
  if (isIn(now)) {
    base.current = now;
    return null;
  }
  // Perhaps only other parts of the draft were changed.
  return stateOf(now) === stateOf(base.current) && (await change(now)) ? null : new ChangedElsewhere();
}

function withValues(document: Draft["document"], values: StepSave["body"]["prefilled_data"] = {}): Draft["document"] {
  const textOf = (value: unknown) => (value === null ? null : String(value));
  const fields = document.fields.map((field) => (field.name in values ? withPrefilled(field, textOf(values[field.name])) : field));
  return { ...document, fields };
}

export const withPrefilled = ({ prefilled: _, ...field }: EnvelopeField, value: string | null): EnvelopeField =>
  value === null ? field : { ...field, prefilled: value };
