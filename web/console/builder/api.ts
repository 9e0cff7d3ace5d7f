import type {
  EnvelopeFields,
  FieldInput,
  FieldReplacement,
  PageText,
  PlacedEnvelopeFields,
  PreviewEnvelopeRequest,
  SigningPreview,
} from "@countersign/client/types";
import { call, file } from "../api.ts";
import type { Area } from "./geometry.ts";
import { inWhole, type Part, partsOf } from "./parts.ts";

/** The document of a template or of an envelope. Both have the same calls under different paths. */

export type Of = { readonly kind: "template" | "envelope"; readonly id: string };

export type Prepared = Pick<EnvelopeFields, "roles" | "pages" | "documents" | "fields">;
export type Placed = Pick<PlacedEnvelopeFields, "fields" | "warnings" | "anchors">;

const ofTemplate = ({ id }: Of) => ({ params: { template_id: id } });
const ofEnvelope = ({ id }: Of) => ({ params: { envelope_id: id } });

/** The page numbers of fields count through all documents. */
export async function lookUp(of: Of): Promise<Prepared> {
  const prepared = await (of.kind === "template" ? call("get_template", ofTemplate(of)) : call("get_envelope_fields", ofEnvelope(of)));
  const parts = partsOf(prepared.documents);
  return { ...prepared, fields: prepared.fields.map((field) => throughAll(parts, field)) };
}

type PlacedField = Pick<Placed["fields"][number], "areas" | "anchor_match" | "document">;

function throughAll<F extends PlacedField>(parts: readonly Part[], field: F): F {
  const { document = 1, areas, anchor_match } = field;
  return {
    ...field,
    areas: areas.map((area) => inWhole(parts, document, area)),
    ...(anchor_match !== undefined && { anchor_match: inWhole(parts, document, anchor_match) }),
  };
}

const widths = { small: "204", plain: "1224", fine: "2448" } as const;

export async function pictureOf({ kind, id }: Of, page: number, size: keyof typeof widths): Promise<Blob> {
  const query = { w: widths[size] };
  const fetched =
    kind === "template"
      ? file("get_template_page", { params: { template_id: id, page }, query })
      : file("get_envelope_page", { params: { envelope_id: id, page }, query });
  return (await fetched).blob;
}

export const wordsOf = ({ kind, id }: Of, page: number): Promise<PageText> =>
  kind === "template"
    ? call("get_template_page_text", { params: { template_id: id, page } })
    : call("get_envelope_page_text", { params: { envelope_id: id, page } });

/** What a signer would see. Nothing is stored. */
export const previewOf = (of: Of, body: PreviewEnvelopeRequest): Promise<SigningPreview> =>
  of.kind === "template" ? call("preview_template", { ...ofTemplate(of), body }) : call("preview_envelope", { ...ofEnvelope(of), body });

export async function replaceFields(of: Of, fields: readonly FieldReplacement[], parts: readonly Part[]): Promise<Placed> {
  const body = { fields };
  const placed = await (of.kind === "template"
    ? call("replace_fields", { ...ofTemplate(of), body })
    : call("replace_envelope_fields", { ...ofEnvelope(of), body }));
  return { ...placed, fields: placed.fields.map((field) => throughAll(parts, field)) };
}

/** Finds anchor text in one document. A dry run: nothing is stored. */
export async function findAnchor(of: Of, given_field: FieldInput, parts: readonly Part[], { no }: Part): Promise<readonly Area[]> {
  const field = { ...given_field, ...(no > 1 && { document: no }) };
  const given = { query: { dry_run: "true" }, body: { fields: [field] } } as const;
  const { anchors = [] } = await (of.kind === "template"
    ? call("place_fields", { ...ofTemplate(of), ...given })
    : call("place_envelope_fields", { ...ofEnvelope(of), ...given }));
  return (anchors[0]?.matches ?? []).map((match) => inWhole(parts, no, match));
}
