import { appendAudit } from "../audit/append-audit.ts";
import type { Caller } from "../shared/caller.ts";
import type { FormId } from "../shared/ids.ts";
import { fittingFor } from "./create-form.ts";
import { findShownForm, withState } from "./find-shown-form.ts";
import { fitSettings, type WantedSettings } from "./fit-settings.ts";
import type { Form, FormDeps } from "./form.ts";
import { lockForm, updateForm } from "./store.ts";

export interface FormChange {
  readonly name?: string | undefined;
  readonly settings?: WantedSettings | undefined;
}

/** Members that the request leaves out stay unchanged, also within `settings`. Envelopes that were started stay as they are. */
export function changeForm(
  { db }: Pick<FormDeps, "db">,
  caller: Caller,
  form_id: FormId,
  change: FormChange,
  unchanged: (now: Form) => void,
): Promise<Form> {
  const { org } = caller;
  return db.tx(org, async (tx) => {
    const before = await lockForm(tx, org, form_id);
    unchanged(await withState(tx, org, before));
    const { name = before.name } = change;
    const wanted = { ...before.settings, ...change.settings };
    const settings = change.settings === undefined ? before.settings : fitSettings(wanted, await fittingFor(tx, org, before.template_id));
    await updateForm(tx, org, form_id, { name, settings, is_paused: before.is_paused });
    const changed = [...(change.name === undefined ? [] : ["name"]), ...Object.keys(change.settings ?? {})];
    await appendAudit(tx, org, { type: "form.changed", by: caller, data: { form_id, name, changed } });
    return findShownForm(tx, org, form_id);
  });
}
