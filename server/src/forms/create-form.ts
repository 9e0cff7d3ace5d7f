import { appendAudit } from "../audit/append-audit.ts";
import type { Read } from "../db/sql.ts";
import type { Caller } from "../shared/caller.ts";
import { newId, type OrgId, type TemplateId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import { newSlug } from "../shared/slugs.ts";
import { findFields, findTemplate } from "../templates/store.ts";
import { type Fitting, fitSettings, type WantedSettings } from "./fit-settings.ts";
import type { Form, FormDeps } from "./form.ts";
import { findForm, insertForm, orgOfForm } from "./store.ts";

export interface WantedForm {
  readonly template_id: TemplateId;
  readonly name?: string | undefined;
  readonly settings?: WantedSettings | undefined;
}

/** Open at once. Without a name it has the template's. */
export function createForm({ db }: Pick<FormDeps, "db">, caller: Caller, { template_id, name, settings = {} }: WantedForm): Promise<Form> {
  const { org } = caller;
  return db.tx(org, async (tx) => {
    const fitting = await fittingFor(tx, org, template_id);
    const form = {
      form_id: newId("form", tx.now.getTime()),
      slug: newSlug(),
      name: name ?? fitting.template.name,
      template_id,
      settings: fitSettings(settings, fitting),
      created_by: caller.actor.id,
    };
    await insertForm(tx, org, form);
    const { visitor_role, verify_email } = form.settings;
    const data = { form_id: form.form_id, name: form.name, template_id, visitor_role, verify_email };
    await appendAudit(tx, org, { type: "form.created", by: caller, data });
    return findForm(tx, org, form.form_id);
  });
}

/** What the settings are checked against. Throws for a template that no envelope can be made from. */
export async function fittingFor(read: Read, org: OrgId, template_id: TemplateId): Promise<Fitting> {
  const template = await findTemplate(read, org, template_id);
  if (template.archived_at !== null) throw new Problem("template_archived");
  if (template.document_sha256 === null) throw new Problem("template_without_document");
  const { require_mailed_link, min_identity_level } = await orgOfForm(read, org);
  return { template, fields: await findFields(read, org, template_id), require_mailed_link, min_identity_level };
}
