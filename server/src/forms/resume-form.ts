import { appendAudit } from "../audit/append-audit.ts";
import type { Caller } from "../shared/caller.ts";
import type { FormId } from "../shared/ids.ts";
import { fittingFor } from "./create-form.ts";
import { findShownForm } from "./find-shown-form.ts";
import { fitSettings } from "./fit-settings.ts";
import type { Form, FormDeps } from "./form.ts";
import { lockForm, updateForm } from "./store.ts";

/** Checks the settings again, because the template may have changed. A form that is not paused stays as it is. */
export function resumeForm({ db }: Pick<FormDeps, "db">, caller: Caller, form_id: FormId): Promise<Form> {
  const { org } = caller;
  return db.tx(org, async (tx) => {
    const form = await lockForm(tx, org, form_id);
    if (form.is_paused) {
      const settings = fitSettings(form.settings, await fittingFor(tx, org, form.template_id));
      await updateForm(tx, org, form_id, { name: form.name, settings, is_paused: false });
      await appendAudit(tx, org, { type: "form.resumed", by: caller, data: { form_id, name: form.name } });
    }
    return findShownForm(tx, org, form_id);
  });
}
