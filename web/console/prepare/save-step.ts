import type { Draft } from "./api.ts";
import { saveDraft, withPrefilled } from "./save-draft.ts";
import type { StepProps, StepSave } from "./wizard.ts";

/** Saves a step and reloads the draft. Throws if another window has changed the same values. */
export async function saveStep(
  { base, onConflict, reload }: Pick<StepProps, "base" | "onConflict" | "reload">,
  save: StepSave,
  isAutomatic = false,
): Promise<void> {
  const conflict = await saveDraft(base, save);
  onConflict(conflict === null ? null : isAutomatic ? "found" : "asked");
  if (conflict !== null) throw conflict;
  const saved = base.current;
  await reload();
  // Changed elsewhere since it was saved: the next save must find out.
  if (save.stateOf(base.current) !== save.stateOf(asRead(saved, base.current, save))) base.current = saved;
}

/** The service writes some values in a form of its own, so those that were sent count as they were read. */
function asRead(saved: Draft, read: Draft, { body: { prefilled_data = {} } }: StepSave): Draft {
  const written = new Map(read.document.fields.map(({ name, prefilled }) => [name, prefilled]));
  const fields = saved.document.fields.map((field) =>
    field.name in prefilled_data ? withPrefilled(field, written.get(field.name) ?? null) : field,
  );
  return { ...saved, document: { ...saved.document, fields } };
}
