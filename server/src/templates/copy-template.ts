import type { Caller } from "../shared/caller.ts";
import { newId, type TemplateId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import { valueFrom } from "../signing/provider-answer.ts";
import { createTemplate, type PreparedTemplate } from "./create-template.ts";
import { findWholeTemplate } from "./store.ts";
import { copyTags } from "./tag-store.ts";
import type { TemplateDeps } from "./template.ts";

const MAX_NAME = 200;

/** A copy with the document, fields, people, choices and tags of the template, and without its external id. */
async function prepareCopy(
  deps: TemplateDeps,
  caller: Caller,
  template_id: TemplateId,
  name: string | undefined,
): Promise<PreparedTemplate> {
  const { org } = caller;
  const { template, documents, fields } = await deps.db.tx(org, (tx) => findWholeTemplate(tx, org, template_id));
  if (template.archived_at !== null) throw new Problem("template_archived");
  if (template.document_sha256 === null) throw new Problem("template_without_document");
  const copied = { ...template, external_id: null, name: name ?? nameOfCopy(template.name) };
  const document = { sha256: template.document_sha256 };
  const { provider_template_id } = valueFrom(
    await deps.provider.createTemplate(org, { name: copied.name, external_id: null, document, fields }),
  );
  return {
    template: {
      ...copied,
      template_id: newId("template"),
      provider: deps.provider.name,
      provider_template_id,
      created_by: caller.actor.id,
      documents: documents.map(({ document_no, name: ofDocument, pdf_sha256, pages }) => {
        // The only document is called as the template is.
        return { document_no, name: documents.length === 1 ? copied.name : ofDocument, pdf_sha256, pages };
      }),
    },
    fields,
    warnings: [],
    origin: { copied_from: template_id },
    also: (tx, made) => copyTags(tx, org, template_id, made),
  };
}

const nameOfCopy = (name: string): string => `${[...name].slice(0, MAX_NAME - " (copy)".length).join("")} (copy)`;

/** The steps of the operation, in the order in which the endpoint runs them. */
export const copyTemplate = { prepare: prepareCopy, save: createTemplate.save, discard: createTemplate.discard };
