import { Type } from "typebox";
import { acceptPdf } from "../documents/file-kind.ts";
import { PageTextView, presentText, WidthQuery } from "../documents/pages.ts";
import { pdfProblems } from "../documents/pdf-problems.ts";
import { readPageText, showPage } from "../documents/show-page.ts";
import { acting, type Endpoint, endpoint, listing, reading, serving, uploading } from "../http/endpoint.ts";
import { about, Name } from "../http/shapes.ts";
import { TagName, tagKey } from "../tags/tag.ts";
import { archiveTemplate } from "./archive-template.ts";
import { createTemplate } from "./create-template.ts";
import {
  archivedExample,
  createdExample,
  fieldsExample,
  formExample,
  keptExample,
  listedExample,
  placedExample,
  textExample,
  usageExample,
  wholeExample,
} from "./examples.ts";
import { AskedFields, DryRunQuery, GivenFields } from "./field-shapes.ts";
import { findShownTemplate } from "./find-shown-template.ts";
import { changingTemplates } from "./http-changes.ts";
import { documentEndpoints } from "./http-documents.ts";
import { asWanted } from "./keep-fields.ts";
import { type How, placeFields } from "./place-fields.ts";
import { presentCreated, presentFieldsPlaced, presentListed, presentTemplate } from "./present.ts";
import { IN_BODY } from "./resolve-fields.ts";
import { ArchivedView, CreatedView, ExternalId, ListedView, MakerRoles, PlacedView, TemplateView, UsageView } from "./shapes.ts";
import { findTemplate, findWholeTemplate, listTemplates } from "./store.ts";
import type { TemplateDeps } from "./template.ts";
import { countUsage } from "./usage-store.ts";

const mayRead = { anyScope: ["envelopes:read"] } as const;
const mayReadOrDraft = { anyScope: ["envelopes:read", "drafts:write"] } as const;
const mayWrite = { anyScope: ["envelopes:write"] } as const;
const oneTemplate = { params: { template_id: "template" }, missing: "template_not_found" } as const;

/** A page that is not a number gets the same 404 as a missing template. */
const onePage = { params: { template_id: "template", page: "number" }, missing: "template_not_found" } as const;

const anchorProblems = ["anchor_not_found", "occurrence_out_of_range", "area_outside_page", "page_out_of_range"] as const;
const providerProblems = ["provider_rejected", "provider_unreachable", "provider_not_configured"] as const;

const pageProblems = [
  "page_not_found",
  "template_without_document",
  "template_pdf_unavailable",
  "pdf_unreadable",
  "pdf_too_complex",
  "pdf_busy",
] as const;

export function templateEndpoints(deps: TemplateDeps): Endpoint[] {
  return [...keepingTemplates(deps), ...placingFields(deps), ...showingPages(deps), ...changingTemplates(deps), ...documentEndpoints(deps)];
}

function keepingTemplates(deps: TemplateDeps): Endpoint[] {
  return [
    uploading({
      name: "create_template",
      summary: "Create a template from a PDF",
      description:
        "Stores a PDF with its fields so that you can create any number of envelopes from it. Fields come from `fields_json` or, without it, from tags in the text such as {{Tenant signature;role=Tenant;type=signature}}. Tags are removed from the document in both cases. The PDF can have at most 50 MB and the template at most 2,000 fields.",
      resource: "Templates",
      sdk: "templates.create",
      path: "/partner/templates",
      access: mayWrite,
      form: {
        parts: Type.Object({
          name: Name,
          external_id: Type.Optional(ExternalId),
          fields_json: Type.Optional(AskedFields),
          maker_roles_json: Type.Optional(MakerRoles),
        }),
        json: { fields_json: "malformed", maker_roles_json: "malformed" },
        accept: acceptPdf,
      },
      answer: [200, CreatedView],
      problems: [
        "form_json_malformed",
        "not_a_pdf",
        "tags_invalid",
        "unknown_roles",
        ...pdfProblems,
        ...anchorProblems,
        ...providerProblems,
        "template_not_saved",
        "disk_full",
        "storage_away",
      ],
      examples: { request: formExample, answer: createdExample },
      prepare: (caller, { form, file }) => createTemplate.prepare(deps, caller, form, file),
      discard: (caller, prepared) => createTemplate.discard(deps, caller, prepared),
      run: async (caller, _input, prepared) => presentCreated(await createTemplate.save(deps, caller, prepared)),
    }),
    listing({
      name: "list_templates",
      summary: "List templates",
      description:
        "Lists the templates that are not archived, newest first, or with `archived=only` those that are. Use `q` to search by name, `external_id` to find a template by your own ID, and `tag` for those with a tag. Get a single template to see its pages and fields.",
      resource: "Templates",
      sdk: "templates.list",
      path: "/partner/templates",
      access: mayReadOrDraft,
      query: Type.Object({
        q: Type.Optional(
          Type.String({ minLength: 1, maxLength: 200, description: "Text in the name or the external_id. Case does not matter" }),
        ),
        external_id: Type.Optional(ExternalId),
        tag: Type.Optional(about(TagName, "The name of a tag, without regard to case")),
        archived: Type.Optional(Type.Enum(["exclude", "only"], { description: "Lists only archived templates", default: "exclude" })),
      }),
      item: ListedView,
      examples: { answer: listedExample },
      run: async (caller, { query, page, limit }, read) => {
        const tag = query.tag === undefined ? undefined : tagKey(query.tag);
        const { items, total } = await listTemplates(read, caller.org, { ...query, tag }, { page, limit });
        return { items: items.map(presentListed), total };
      },
    }),
    reading({
      name: "get_template",
      summary: "Get a template",
      description:
        "Returns a template with its pages, roles and fields in order. Archived templates can be read too. `roles` lists the signer roles that an envelope from this template needs.",
      resource: "Templates",
      sdk: "templates.get",
      path: "/partner/templates/:template_id",
      access: mayReadOrDraft,
      ...oneTemplate,
      answer: [200, TemplateView],
      examples: { answer: wholeExample },
      run: async (caller, { params }, read) => {
        return presentTemplate(await findWholeTemplate(read, caller.org, params.template_id));
      },
    }),
    reading({
      name: "get_template_usage",
      summary: "Get where a template is used",
      description:
        "Counts the envelopes that were created from a template, the drafts among them, its public forms and its bulk sends. `list_envelopes`, `list_forms` and `list_bulk_batches` list them with `template_id`. An envelope to which the documents of a template were added later does not count.",
      resource: "Templates",
      sdk: "templates.usage",
      path: "/partner/templates/:template_id/usage",
      access: mayRead,
      ...oneTemplate,
      answer: [200, UsageView],
      examples: { answer: usageExample },
      run: async (caller, { params }, read) => {
        const { template_id } = await findTemplate(read, caller.org, params.template_id);
        return { template_id, ...(await countUsage(read, caller.org, template_id)) };
      },
    }),
    endpoint({
      name: "archive_template",
      summary: "Archive a template",
      description:
        "Removes a template from the list and prevents new envelopes and field changes. Existing envelopes keep working, and the template can still be read. Use `restore_template` to undo it; archiving again returns the original time.",
      resource: "Templates",
      sdk: "templates.archive",
      method: "DELETE",
      path: "/partner/templates/:template_id",
      access: mayWrite,
      ...oneTemplate,
      answer: [200, ArchivedView],
      examples: { answer: archivedExample },
      run: async (caller, { params }) => {
        const archived_at = await archiveTemplate(deps, caller, params.template_id);
        return { template_id: params.template_id, status: "archived", archived_at: archived_at.toISOString() } as const;
      },
    }),
  ];
}

function showingPages(deps: TemplateDeps): Endpoint[] {
  return [
    serving({
      name: "get_template_page",
      summary: "Get a template page as an image",
      description:
        "Returns one page of the template's document as a PNG or WebP image, without its fields. Use it with `get_template` to show where fields are. Page numbers start at 1.",
      resource: "Templates",
      sdk: "templates.pages.get",
      path: "/partner/templates/:template_id/pages/:page",
      access: mayRead,
      ...onePage,
      query: WidthQuery,
      types: ["image/png", "image/webp"],
      problems: pageProblems,
      run: async (caller, { params, query }) =>
        showPage(deps, caller.org, await findShownTemplate(deps, caller, params.template_id), Number(params.page), query),
    }),
    acting({
      name: "get_template_page_text",
      summary: "Get the text of a template page",
      description:
        "Returns the text of one page in reading order. Use it to choose anchor texts for fields. `has_text` is false for a scan without a text layer.",
      resource: "Templates",
      sdk: "templates.pages.getText",
      path: "/partner/templates/:template_id/pages/:page/text",
      access: mayRead,
      ...onePage,
      answer: [200, PageTextView],
      problems: pageProblems,
      examples: { answer: textExample },
      run: async (caller, { params }) =>
        presentText(await readPageText(deps, caller.org, await findShownTemplate(deps, caller, params.template_id), Number(params.page))),
    }),
  ];
}

function placingFields(deps: TemplateDeps): Endpoint[] {
  return [
    placing(deps, {
      name: "place_fields",
      summary: "Add fields to a template",
      description:
        "Adds fields to a template and keeps the existing ones. Place each field by coordinates or next to a text of the document. Existing envelopes do not change. A template has at most 2,000 fields, and a request at most 500 fields with an anchor.",
      sdk: "templates.fields.create",
      method: "POST",
      how: "add",
      fields: AskedFields,
      example: fieldsExample,
    }),
    placing(deps, {
      name: "replace_fields",
      summary: "Replace the fields of a template",
      description:
        "Replaces all fields of a template, except those that the request keeps with `keep`. Existing fields that the request does not name are removed. Returns 409 if a kept field is no longer at the given position. Get the template and try again. Existing envelopes do not change.",
      sdk: "templates.fields.replace",
      method: "PUT",
      how: "replace",
      fields: GivenFields,
      example: keptExample,
    }),
  ];
}

interface Placing {
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  readonly sdk: string;
  readonly method: "POST" | "PUT";
  readonly how: How;
  readonly fields: typeof AskedFields | typeof GivenFields;
  readonly example: Readonly<Record<string, unknown>>;
}

function placing(deps: TemplateDeps, { how, fields, example, ...declared }: Placing): Endpoint {
  return endpoint({
    ...declared,
    resource: "Fields",
    stability: "beta",
    path: "/partner/templates/:template_id/fields",
    access: mayWrite,
    ...oneTemplate,
    query: DryRunQuery,
    body: Type.Object({ fields }),
    answer: [200, PlacedView],
    problems: [
      "template_archived",
      "template_without_document",
      "template_without_counterpart",
      "fields_changed",
      "template_pdf_unavailable",
      ...pdfProblems,
      ...anchorProblems,
      ...providerProblems,
    ],
    examples: { request: example, answer: placedExample },
    prepare: (caller, { params, query, body }) =>
      (query.dry_run === "true" ? placeFields.try : placeFields.prepare)(
        deps,
        caller,
        params.template_id,
        asWanted(body.fields, IN_BODY),
        how,
      ),
    discard: (caller, prepared) => placeFields.discard(deps, caller, prepared),
    run: async (caller, { params }, prepared) => {
      if (prepared.matches === null) await placeFields.save(deps, caller, params.template_id, prepared, how);
      return presentFieldsPlaced(prepared);
    },
  });
}
