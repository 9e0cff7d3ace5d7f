import { Type } from "typebox";
import { PageTextView, PageWidth, presentText, widthOf } from "../documents/pages.ts";
import { pdfProblems } from "../documents/pdf-problems.ts";
import { readPageText, showPage } from "../documents/show-page.ts";
import { acting, type Endpoint, endpoint, reading, serving } from "../http/endpoint.ts";
import { fieldsExample, keptExample, textExample } from "../templates/examples.ts";
import { AskedFields, DryRunQuery, GivenFields } from "../templates/field-shapes.ts";
import { asWanted } from "../templates/keep-fields.ts";
import { IN_BODY } from "../templates/resolve-fields.ts";
import { findFields, listDocuments } from "./document-store.ts";
import type { EnvelopeDeps } from "./envelope.ts";
import * as examples from "./examples.ts";
import { findShownEnvelope } from "./find-shown-envelope.ts";
import { type How, placeFields } from "./place-fields.ts";
import { presentFields, presentFieldsPlaced } from "./present.ts";
import { FieldsView, PlacedView } from "./shapes.ts";
import { showCurrent } from "./show-current.ts";
import { findStatus } from "./store.ts";

const mayRead = { anyScope: ["envelopes:read"] } as const;
const mayReadDraft = { anyScope: ["envelopes:read", "drafts:write"], ownDraft: true } as const;
const oneEnvelope = { params: { envelope_id: "envelope" }, missing: "envelope_not_found" } as const;
/** A page that is not a number gets the same 404 as a missing envelope. */
const onePage = { params: { envelope_id: "envelope", page: "number" }, missing: "envelope_not_found" } as const;

const storedPdfProblems = [...pdfProblems, "storage_away"] as const;
const anchorProblems = ["anchor_not_found", "occurrence_out_of_range", "area_outside_page", "page_out_of_range"] as const;
const pageProblems = [
  "page_not_found",
  "envelope_without_document",
  "envelope_wrong_status",
  "document_unavailable",
  "copy_wrong_state",
  "record_mismatch",
  "disk_full",
  "storage_away",
  "pdf_unreadable",
  "pdf_too_complex",
  "pdf_busy",
] as const;

const version = Type.Optional(
  Type.Enum(["prepared", "current"], {
    description:
      "prepared: as it was sent. current: with everything that was filled in and signed so far; once it is vaulted, as a marked copy made for you",
    default: "prepared",
  }),
);

/** The endpoints of an envelope's document while its sender prepares it: its pages and the fields on them. */
export function fieldEndpoints(deps: EnvelopeDeps): Endpoint[] {
  return [
    reading({
      name: "get_envelope_fields",
      summary: "Get the fields of an envelope",
      description:
        "Returns the fields of an envelope in order, with their roles and the pages of the document. Use it before you replace fields, because kept fields are named by their position in this list. Everything is empty until the envelope has a document.",
      resource: "Fields",
      sdk: "envelopes.fields.get",
      path: "/partner/envelopes/:envelope_id/fields",
      access: mayReadDraft,
      ...oneEnvelope,
      answer: [200, FieldsView],
      examples: { answer: examples.wholeFields },
      run: async (caller, { params: { envelope_id } }, read) => {
        await findStatus(read, caller.org, envelope_id);
        const documents = await listDocuments(read, caller.org, envelope_id);
        return presentFields(envelope_id, documents, await findFields(read, caller.org, envelope_id));
      },
    }),
    placing(deps, {
      name: "place_envelope_fields",
      summary: "Add fields to an envelope",
      description:
        "Adds fields to the document of a draft and keeps the existing ones. Place each field by coordinates or next to a text of the document. The envelope moves to `preparing` and can be sent. An envelope has at most 2,000 fields, and a request at most 500 fields with an anchor.",
      sdk: "envelopes.fields.create",
      method: "POST",
      how: "add",
      fields: AskedFields,
      example: fieldsExample,
    }),
    placing(deps, {
      name: "replace_envelope_fields",
      summary: "Replace the fields of an envelope",
      description:
        "Replaces all fields of a draft, except those that the request keeps with `keep`. Existing fields that the request does not name are removed, and kept fields keep their prefilled values. Returns 409 if a kept field is no longer at the given position. Read the fields and try again.",
      sdk: "envelopes.fields.replace",
      method: "PUT",
      how: "replace",
      fields: GivenFields,
      example: keptExample,
    }),
    serving({
      name: "get_envelope_page",
      summary: "Get an envelope page as an image",
      description:
        "Returns one page of the document as a PNG or WebP image. The prepared version shows no signatures, and reading it adds nothing to the audit trail; for signed originals that were deposited in the vault it is 409. `version=current` shows what was filled in and signed so far. Of a vaulted document it shows a marked copy; the first page of a visit is recorded in the access log.",
      resource: "Envelopes",
      sdk: "envelopes.pages.get",
      path: "/partner/envelopes/:envelope_id/pages/:page",
      access: mayRead,
      ...onePage,
      query: Type.Object({ w: PageWidth, version }),
      types: ["image/png", "image/webp"],
      problems: pageProblems,
      run: async (caller, { params: { envelope_id, page }, query }) =>
        query.version === "current"
          ? showCurrent.page(deps, caller, { envelope_id, nth: Number(page), width_px: widthOf(query.w) })
          : showPage(deps, caller.org, await findShownEnvelope(deps, caller, envelope_id), Number(page), query),
    }),
    acting({
      name: "get_envelope_page_text",
      summary: "Get the text of an envelope page",
      description:
        "Returns the text of one page of the document, in reading order. Use it to choose anchor texts for fields. `has_text` is false for a scan without a text layer. `version=current` has the rules of the page image.",
      resource: "Envelopes",
      sdk: "envelopes.pages.getText",
      path: "/partner/envelopes/:envelope_id/pages/:page/text",
      access: mayReadDraft,
      ...onePage,
      query: Type.Object({ version }),
      answer: [200, PageTextView],
      problems: pageProblems,
      examples: { answer: textExample },
      run: async (caller, { params: { envelope_id, page }, query }) =>
        presentText(
          query.version === "current"
            ? await showCurrent.text(deps, caller, { envelope_id, nth: Number(page) })
            : await readPageText(deps, caller.org, await findShownEnvelope(deps, caller, envelope_id), Number(page)),
        ),
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

function placing(deps: EnvelopeDeps, { how, fields, example, ...declared }: Placing): Endpoint {
  return endpoint({
    ...declared,
    resource: "Fields",
    stability: "beta",
    path: "/partner/envelopes/:envelope_id/fields",
    access: { anyScope: ["envelopes:write", "drafts:write"], ownDraft: true },
    ...oneEnvelope,
    query: DryRunQuery,
    body: Type.Object({ fields }),
    answer: [200, PlacedView],
    problems: [
      "envelope_wrong_status",
      "envelope_without_document",
      "fields_changed",
      "document_unavailable",
      ...storedPdfProblems,
      ...anchorProblems,
    ],
    examples: { request: example, answer: examples.placed },
    prepare: (caller, { params, query, body }) =>
      (query.dry_run === "true" ? placeFields.try : placeFields.prepare)(
        deps,
        caller,
        params.envelope_id,
        asWanted(body.fields, IN_BODY),
        how,
      ),
    run: async (caller, { params }, prepared) => {
      if (prepared.matches === null) await placeFields.save(deps, caller, params.envelope_id, prepared, how);
      return presentFieldsPlaced(params.envelope_id, prepared);
    },
  });
}
