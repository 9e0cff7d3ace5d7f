import type { PlacedAnchor } from "@countersign/pdf/pool";
import { appendAudit } from "../audit/append-audit.ts";
import { refuseOtherDocuments } from "../documents/document-list.ts";
import type { Caller } from "../shared/caller.ts";
import type { TemplateId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import type { Field } from "../signing/field.ts";
import { valueFrom } from "../signing/provider-answer.ts";
import { listDocuments, type TemplateDocument } from "./document-store.ts";
import type { WantedField } from "./field-shapes.ts";
import { type AnchorMatches, findAnchors, findMatches } from "./find-anchors.ts";
import { keepFields, refuseChanged } from "./keep-fields.ts";
import { keyFields } from "./key-fields.ts";
import { IN_BODY, refuseMistakes, refuseUnknownDocuments, resolveFields } from "./resolve-fields.ts";
import { deleteFields, findFields, findTemplate, insertFields, lockTemplate, nextPosition, touchTemplate } from "./store.ts";
import type { Placed, Template, TemplateDeps } from "./template.ts";

/** add: keeps the existing fields. replace: removes them, except those that the request keeps. */
export type How = "add" | "replace";

interface ResolvedFields extends Placed {
  readonly template_id: TemplateId;
  readonly wanted: readonly WantedField[];
  /** the fields before the change */
  readonly present: readonly Field[];
  readonly documents: readonly TemplateDocument[];
  readonly counterpart: number;
}

export interface PreparedFields extends ResolvedFields {
  /** null if the fields are to be stored; otherwise it is a dry run, which ends here */
  readonly matches: readonly AnchorMatches[] | null;
}

async function prepareFields(
  deps: TemplateDeps,
  caller: Caller,
  template_id: TemplateId,
  wanted: readonly WantedField[],
  how: How,
): Promise<PreparedFields> {
  const { resolved } = await resolvePlacement(deps, caller, template_id, wanted, how);
  valueFrom(await deps.provider.placeFields(caller.org, resolved.counterpart, resolved.fields, how));
  return { ...resolved, matches: null };
}

/** The same without calling the provider, and with every match of each anchor. */
async function tryFields(
  deps: TemplateDeps,
  caller: Caller,
  template_id: TemplateId,
  wanted: readonly WantedField[],
  how: How,
): Promise<PreparedFields> {
  const { resolved, anchors } = await resolvePlacement(deps, caller, template_id, wanted, how);
  const matches = await findMatches(deps, caller.org, storedIn(resolved.documents), wanted, anchors, "template_pdf_unavailable");
  return { ...resolved, matches };
}

async function resolvePlacement(
  deps: TemplateDeps,
  { org }: Caller,
  template_id: TemplateId,
  wanted: readonly WantedField[],
  how: How,
): Promise<{ resolved: ResolvedFields; anchors: readonly PlacedAnchor[] }> {
  refuseMistakes(wanted, IN_BODY);
  const { template, documents, present } = await deps.db.tx(org, async (tx) => ({
    template: await findTemplate(tx, org, template_id),
    documents: await listDocuments(tx, org, template_id),
    present: await findFields(tx, org, template_id),
  }));
  refuseUnusable(template);
  refuseUnknownDocuments(wanted, documents.length, IN_BODY);
  const kept = keepFields(wanted, present, IN_BODY);
  refuseMistakes(kept, IN_BODY, how === "add" ? present : []);
  if (deps.provider.name === "none") throw new Problem("provider_not_configured");
  const counterpart = counterpartOf(deps, template);
  const anchors = await findAnchors(deps, org, storedIn(documents), kept, IN_BODY, "template_pdf_unavailable");
  const counts = documents.map(({ pages }) => pages.length);
  const { fields, warnings } = resolveFields(kept, anchors, counts, IN_BODY);
  return { resolved: { template_id, wanted, present, documents, fields, warnings, counterpart }, anchors };
}

/** A template with an erased document was refused before. */
const storedIn = (documents: readonly TemplateDocument[]) => documents.map(({ pdf_sha256 }) => ({ pdf_sha256: pdf_sha256 ?? "" }));

async function saveFields(
  deps: TemplateDeps,
  caller: Caller,
  template_id: TemplateId,
  { wanted, present, documents, fields }: PreparedFields,
  how: How,
): Promise<void> {
  const { org } = caller;
  await deps.db.tx(org, async (tx) => {
    refuseUnusable(await lockTemplate(tx, org, template_id));
    refuseOtherDocuments(documents, await listDocuments(tx, org, template_id));
    const now = await findFields(tx, org, template_id);
    // Another request may have placed fields since they were read.
    if (how === "add") refuseMistakes(wanted, IN_BODY, now);
    else {
      refuseChanged(wanted, present, now);
      await deleteFields(tx, org, template_id);
    }
    const keyed = keyFields(fields, how === "add" ? now : []);
    await insertFields(tx, org, template_id, keyed, await nextPosition(tx, org, template_id));
    await touchTemplate(tx, org, template_id, caller.actor.id);
    const type = how === "add" ? "template.fields_placed" : "template.fields_replaced";
    await appendAudit(tx, org, { type, by: caller, data: { template_id, fields: fields.length } });
  });
}

/** Sends the recorded fields to the provider again, after it got fields that were not recorded. */
async function discardFields(deps: TemplateDeps, caller: Caller, { template_id, counterpart, matches }: PreparedFields): Promise<void> {
  if (matches !== null) return;
  const recorded = await deps.db.tx(caller.org, (tx) => findFields(tx, caller.org, template_id));
  await deps.provider.placeFields(caller.org, counterpart, recorded, "replace");
}

function refuseUnusable({ archived_at, document_sha256 }: Template): void {
  if (archived_at !== null) throw new Problem("template_archived");
  if (document_sha256 === null) throw new Problem("template_without_document");
}

/** A template that was created with another provider has no counterpart at this one. */
function counterpartOf({ provider }: TemplateDeps, template: Template): number {
  const { provider_template_id } = template;
  if (provider_template_id === null || template.provider !== provider.name) throw new Problem("template_without_counterpart");
  return provider_template_id;
}

/** The steps of the operation, in the order in which the endpoint runs them. */
export const placeFields = { prepare: prepareFields, try: tryFields, save: saveFields, discard: discardFields };
