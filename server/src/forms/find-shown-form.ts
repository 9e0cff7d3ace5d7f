import type { Read } from "../db/sql.ts";
import type { FormId, OrgId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import { fittingFor } from "./create-form.ts";
import { fitSettings } from "./fit-settings.ts";
import type { Form } from "./form.ts";
import { closedIfRefused } from "./make-copy.ts";
import { findForm } from "./store.ts";

/** The form with the state that visitors find. */
export const findShownForm = async (read: Read, org: OrgId, form_id: FormId): Promise<Form> =>
  withState(read, org, await findForm(read, org, form_id));

/** An open form is closed as long as its template has changed so that no envelope could be sent. */
export async function withState(read: Read, org: OrgId, form: Form): Promise<Form> {
  if (form.state !== "open") return form;
  try {
    await closedIfRefused(async () => fitSettings(form.settings, await fittingFor(read, org, form.template_id)));
    return form;
  } catch (error) {
    if (error instanceof Problem && error.code === "form_closed") return { ...form, state: "closed" };
    throw error;
  }
}
