import { appendAudit } from "../audit/append-audit.ts";
import { DatabaseAway, isRetryable } from "../db/errors.ts";
import type { Tx } from "../db/sql.ts";
import { takeFile } from "../documents/take-file.ts";
import { warningsOf } from "../documents/warnings.ts";
import type { ReceivedFile } from "../http/form.ts";
import type { Caller } from "../shared/caller.ts";
import { type EnvelopeId, newId, type TemplateId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import { rolesOf } from "../signing/field.ts";
import { valueFrom } from "../signing/provider-answer.ts";
import { refuseMissingRoles } from "../signing/refuse-missing-roles.ts";
import { keepBlob } from "../storage/store.ts";
import type { AskedField } from "./field-shapes.ts";
import { keyFields } from "./key-fields.ts";
import { asPlacementProblem } from "./placement-problems.ts";
import { anchorsOf, fieldsOfTags, IN_FORM, refuseMistakes, refuseUnknownDocuments, resolveFields } from "./resolve-fields.ts";
import { findTemplate, insertTemplate, type NewTemplate } from "./store.ts";
import type { Placed, TemplateDeps } from "./template.ts";

export interface TemplateForm {
  readonly name: string;
  readonly external_id?: string;
  /** if missing, the document's own tags are used */
  readonly fields_json?: readonly AskedField[];
  readonly maker_roles_json?: readonly string[];
}

/** Cleaned, stored and created at the provider, but not yet recorded. */
export interface PreparedTemplate extends Placed {
  readonly template: NewTemplate;
  /** where it comes from, for the audit trail */
  readonly origin: { readonly received_sha256: string } | { readonly copied_from: TemplateId } | { readonly envelope_id: EnvelopeId };
  /** what else is stored with it */
  readonly also?: (tx: Tx, template_id: TemplateId) => Promise<void>;
}

async function prepareTemplate(deps: TemplateDeps, caller: Caller, form: TemplateForm, file: ReceivedFile): Promise<PreparedTemplate> {
  const asked = form.fields_json;
  if (asked !== undefined) {
    refuseMistakes(asked, IN_FORM);
    refuseUnknownDocuments(asked, 1, IN_FORM);
  }
  const request = asked === undefined ? ({ tags: "template" } as const) : ({ tags: "discard", anchors: anchorsOf(asked) } as const);
  const {
    taken,
    judged: placed,
    pdf,
  } = await takeFile(deps, caller, file, request, asPlacementProblem(asked ?? [], IN_FORM), ({ fields, anchors, pages }) =>
    asked === undefined ? fieldsOfTags(fields) : resolveFields(asked, anchors, [pages.length], IN_FORM),
  );
  const maker_roles = form.maker_roles_json ?? [];
  refuseMissingRoles(maker_roles, rolesOf(placed.fields), { location: "form", field: "maker_roles_json" });
  const external_id = form.external_id ?? null;
  const { provider_template_id } = valueFrom(
    await deps.provider.createTemplate(caller.org, { name: form.name, external_id, document: pdf, fields: placed.fields }),
  );
  const template = {
    template_id: newId("template"),
    name: form.name,
    external_id,
    document_sha256: pdf.sha256,
    pages: taken.pages,
    maker_roles,
    role_rows: [],
    defaults: {},
    provider: deps.provider.name,
    provider_template_id,
    created_by: caller.actor.id,
  };
  return {
    template,
    origin: { received_sha256: file.sha256 },
    fields: keyFields(placed.fields, []),
    warnings: [...placed.warnings, ...warningsOf(taken)],
  };
}

async function saveTemplate(deps: TemplateDeps, caller: Caller, prepared: PreparedTemplate): Promise<PreparedTemplate> {
  const { template, fields, origin, also } = prepared;
  const { template_id, name, document_sha256 } = template;
  try {
    await deps.db.tx(caller.org, async (tx) => {
      for (const { pdf_sha256 } of template.documents ?? [{ pdf_sha256: document_sha256 }]) {
        if (pdf_sha256 !== null) await keepBlob(tx, caller.org, pdf_sha256);
      }
      await insertTemplate(tx, caller.org, template, fields);
      await also?.(tx, template_id);
      const data = { template_id, name, document_sha256, ...origin, fields: fields.length };
      await appendAudit(tx, caller.org, { type: "template.created", by: caller, data });
    });
  } catch (cause) {
    if (cause instanceof Problem || cause instanceof DatabaseAway || isRetryable(cause)) throw cause;
    throw new Problem("template_not_saved", "", { cause });
  }
  return prepared;
}

/**
 * Removes the provider's counterpart of a template that was not recorded. If that is uncertain, it stays: one too many is better than
 * one too few.
 */
async function discardTemplate(deps: TemplateDeps, caller: Caller, { template }: PreparedTemplate): Promise<void> {
  const { template_id, provider_template_id } = template;
  const recorded = await deps.db
    .tx(caller.org, (tx) => findTemplate(tx, caller.org, template_id))
    .then(
      () => true,
      (error) => !(error instanceof Problem),
    );
  if (!recorded && provider_template_id !== null) await deps.provider.removeTemplate(caller.org, provider_template_id);
}

/** The steps of the operation, in the order in which the endpoint runs them. */
export const createTemplate = { prepare: prepareTemplate, save: saveTemplate, discard: discardTemplate };
