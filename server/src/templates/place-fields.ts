import { appendAudit } from "../audit/append-audit.ts";
import type { Caller } from "../shared/caller.ts";
import type { TemplateId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import { valueFrom } from "./ask-provider.ts";
import type { AskedField } from "./field-shapes.ts";
import { findAnchors } from "./find-anchors.ts";
import { IN_BODY, refuseMistakes, resolveFields } from "./resolve-fields.ts";
import { deleteFields, findFields, findTemplate, insertFields, lockTemplate, nextPosition, touchTemplate } from "./store.ts";
import type { Placed, Template, TemplateDeps } from "./template.ts";

/** add: besides the fields that are there. replace: instead of them. */
export type How = "add" | "replace";

export interface PreparedFields extends Placed {
  readonly template_id: TemplateId;
  readonly asked: readonly AskedField[];
  readonly counterpart: number;
}

export async function prepareFields(
  deps: TemplateDeps,
  caller: Caller,
  template_id: TemplateId,
  asked: readonly AskedField[],
  how: How,
): Promise<PreparedFields> {
  refuseMistakes(asked, IN_BODY);
  const { template, present } = await deps.db.tx(caller.org, async (tx) => ({
    template: await findTemplate(tx, caller.org, template_id),
    present: await findFields(tx, caller.org, template_id),
  }));
  refuseUnusable(template);
  if (how === "add") refuseMistakes(asked, IN_BODY, present);
  if (deps.provider.name === "none") throw new Problem("provider_not_configured");
  const counterpart = counterpartOf(deps, template);
  const anchors = await findAnchors(deps, caller.org, template.document_sha256 ?? "", asked, IN_BODY, "template_pdf_unavailable");
  const { fields, warnings } = resolveFields(asked, anchors, template.pages.length, IN_BODY);
  valueFrom(await deps.provider.placeFields(caller.org, counterpart, fields, how));
  return { template_id, asked, fields, warnings, counterpart };
}

export async function saveFields(
  deps: TemplateDeps,
  caller: Caller,
  template_id: TemplateId,
  { asked, fields }: PreparedFields,
  how: How,
): Promise<void> {
  const { org } = caller;
  await deps.db.tx(org, async (tx) => {
    refuseUnusable(await lockTemplate(tx, org, template_id));
    if (how === "replace") await deleteFields(tx, org, template_id);
    // Somebody else may have placed fields since they were looked at.
    else refuseMistakes(asked, IN_BODY, await findFields(tx, org, template_id));
    await insertFields(tx, org, template_id, fields, await nextPosition(tx, org, template_id));
    await touchTemplate(tx, org, template_id);
    const type = how === "add" ? "template.fields_placed" : "template.fields_replaced";
    await appendAudit(tx, org, { type, by: caller, data: { template_id, fields: fields.length } });
  });
}

/** The provider heard of fields that we did not record: it is told again what there is. */
export async function discardFields(deps: TemplateDeps, caller: Caller, template_id: TemplateId, counterpart: number): Promise<void> {
  const recorded = await deps.db.tx(caller.org, (tx) => findFields(tx, caller.org, template_id));
  await deps.provider.placeFields(caller.org, counterpart, recorded, "replace");
}

function refuseUnusable({ archived_at, document_sha256 }: Template): void {
  if (archived_at !== null) throw new Problem("template_archived");
  if (document_sha256 === null) throw new Problem("template_without_document");
}

/** A template that was made while another provider was configured has no counterpart with this one. */
function counterpartOf({ provider }: TemplateDeps, template: Template): number {
  const { provider_template_id } = template;
  if (provider_template_id === null || template.provider !== provider.name) throw new Problem("template_without_counterpart");
  return provider_template_id;
}
