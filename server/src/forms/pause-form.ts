import { appendAudit } from "../audit/append-audit.ts";
import type { Caller } from "../shared/caller.ts";
import type { FormId } from "../shared/ids.ts";
import { findShownForm } from "./find-shown-form.ts";
import type { Form, FormDeps } from "./form.ts";
import { lockForm, updateForm } from "./store.ts";

/** No envelope can be started until it is resumed. A form that is paused already stays as it is. */
export function pauseForm({ db }: Pick<FormDeps, "db">, caller: Caller, form_id: FormId): Promise<Form> {
  const { org } = caller;
  return db.tx(org, async (tx) => {
    const { is_paused, name, settings } = await lockForm(tx, org, form_id);
    if (!is_paused) {
      await updateForm(tx, org, form_id, { name, settings, is_paused: true });
      await appendAudit(tx, org, { type: "form.paused", by: caller, data: { form_id, name } });
    }
    return findShownForm(tx, org, form_id);
  });
}
