import { Type } from "typebox";
import { type Endpoint, endpoint, listing, reading, uploading } from "../http/endpoint.ts";
import { idOf, Name, nullable, OptionalTimestamp, Timestamp } from "../http/shapes.ts";
import { acceptPdf } from "./accept-file.ts";
import { archiveTemplate } from "./archive-template.ts";
import { discardTemplate, prepareTemplate, saveTemplate } from "./create-template.ts";
import { createdExample, fieldsExample, formExample, listedExample, placedExample, wholeExample } from "./examples.ts";
import { AskedFields, FieldView, Warnings, WholeFieldView } from "./field-shapes.ts";
import { discardFields, type How, prepareFields, saveFields } from "./place-fields.ts";
import { presentCreated, presentFieldsPlaced, presentListed, presentTemplate } from "./present.ts";
import { findFields, findTemplate, listTemplates } from "./store.ts";
import type { TemplateDeps } from "./template.ts";

const ExternalId = Type.String({ minLength: 1, maxLength: 200 });

const identity = {
  template_id: idOf("template"),
  provider_template_id: nullable(Type.Integer()),
  name: Type.String(),
};
const placed = { fields_added: Type.Integer(), fields: Type.Array(FieldView), warnings: Warnings };

const ListedView = Type.Object({
  ...identity,
  external_id: nullable(Type.String()),
  page_count: Type.Integer(),
  field_count: Type.Integer(),
  roles: Type.Array(Type.String()),
  created_at: Timestamp,
  updated_at: Timestamp,
});

const PageView = Type.Object({
  w_pt: Type.Number(),
  h_pt: Type.Number(),
  rotate: Type.Integer(),
  has_text: Type.Boolean(),
  scan_dpi: nullable(Type.Number()),
});

const TemplateView = Type.Object({
  ...identity,
  external_id: nullable(Type.String()),
  pages: Type.Array(PageView),
  roles: Type.Array(Type.String()),
  fields: Type.Array(WholeFieldView),
  created_at: Timestamp,
  updated_at: Timestamp,
  archived_at: OptionalTimestamp,
});

const mayRead = { anyScope: ["envelopes:read"] } as const;
const mayWrite = { anyScope: ["envelopes:write"] } as const;
const oneTemplate = { params: { template_id: "template" }, missing: "template_not_found" } as const;

const pdfProblems = ["pdf_unreadable", "pdf_encrypted", "pdf_too_complex", "pdf_dynamic_xfa", "pdf_busy"] as const;
const anchorProblems = ["anchor_not_found", "occurrence_out_of_range", "area_outside_page", "page_out_of_range"] as const;
const providerProblems = ["provider_rejected", "provider_unreachable", "provider_not_configured"] as const;

export function templateEndpoints(deps: TemplateDeps): Endpoint[] {
  return [
    uploading({
      name: "create_template",
      summary: "Make a template from a PDF: with fields_json, from the tags in it, or without fields",
      path: "/partner/templates",
      access: mayWrite,
      form: {
        parts: Type.Object({ name: Name, external_id: Type.Optional(ExternalId), fields_json: Type.Optional(AskedFields) }),
        json: { fields_json: "malformed" },
        accept: acceptPdf,
      },
      answer: [200, Type.Object({ ...identity, ...placed })],
      problems: [
        "form_json_malformed",
        "not_a_pdf",
        "tags_invalid",
        ...pdfProblems,
        ...anchorProblems,
        ...providerProblems,
        "template_not_saved",
        "storage_away",
      ],
      examples: { request: formExample, answer: createdExample },
      prepare: (caller, { form, file }) => prepareTemplate(deps, caller, form, file),
      discard: (caller, prepared) => discardTemplate(deps, caller, prepared),
      run: async (caller, _input, prepared) => presentCreated(await saveTemplate(deps, caller, prepared)),
    }),
    listing({
      name: "list_templates",
      summary: "Templates that are not archived, newest first",
      path: "/partner/templates",
      access: mayRead,
      query: Type.Object({ external_id: Type.Optional(ExternalId) }),
      item: ListedView,
      examples: { answer: listedExample },
      run: async (caller, { query, page, limit }, read) => {
        const { items, total } = await listTemplates(read, caller.org, query, { page, limit });
        return { items: items.map(presentListed), total };
      },
    }),
    reading({
      name: "get_template",
      summary: "A template with its pages, roles and fields; an archived one, too",
      path: "/partner/templates/:template_id",
      access: mayRead,
      ...oneTemplate,
      answer: [200, TemplateView],
      examples: { answer: wholeExample },
      run: async (caller, { params }, read) => {
        const template = await findTemplate(read, caller.org, params.template_id);
        return presentTemplate(template, await findFields(read, caller.org, params.template_id));
      },
    }),
    endpoint({
      name: "archive_template",
      summary: "Nothing new is made from it; envelopes that were keep working",
      method: "DELETE",
      path: "/partner/templates/:template_id",
      access: mayWrite,
      ...oneTemplate,
      answer: [200, Type.Object({ template_id: idOf("template"), status: Type.Literal("archived"), archived_at: Timestamp })],
      run: async (caller, { params }) => {
        const archived_at = await archiveTemplate(deps, caller, params.template_id);
        return { template_id: params.template_id, status: "archived", archived_at: archived_at.toISOString() } as const;
      },
    }),
    placing(deps, { name: "place_fields", summary: "Place fields besides those that are there", method: "POST", how: "add" }),
    placing(deps, { name: "replace_fields", summary: "Place fields instead of those that are there", method: "PUT", how: "replace" }),
  ];
}

interface Placing {
  readonly name: string;
  readonly summary: string;
  readonly method: "POST" | "PUT";
  readonly how: How;
}

function placing(deps: TemplateDeps, { how, ...declared }: Placing): Endpoint {
  return endpoint({
    ...declared,
    path: "/partner/templates/:template_id/fields",
    access: mayWrite,
    ...oneTemplate,
    body: Type.Object({ fields: AskedFields }),
    answer: [200, Type.Object({ template_id: idOf("template"), ...placed })],
    problems: [
      "template_archived",
      "template_without_document",
      "template_without_counterpart",
      "template_pdf_unavailable",
      ...pdfProblems,
      ...anchorProblems,
      ...providerProblems,
    ],
    examples: { request: fieldsExample, answer: placedExample },
    prepare: (caller, { params, body }) => prepareFields(deps, caller, params.template_id, body.fields, how),
    discard: (caller, { template_id, counterpart }) => discardFields(deps, caller, template_id, counterpart),
    run: async (caller, { params }, prepared) => {
      await saveFields(deps, caller, params.template_id, prepared, how);
      return presentFieldsPlaced(params.template_id, prepared);
    },
  });
}
