import type { EnvelopeFields, FieldInput, FieldReplacement, PageText, PlacedEnvelopeFields } from "@countersign/client/types";
import { call, file } from "../api.ts";
import type { Area } from "./geometry.ts";

/** The document of a template or of an envelope. Both have the same calls under different paths. */

export type Of = { readonly kind: "template" | "envelope"; readonly id: string };

export type Prepared = Pick<EnvelopeFields, "roles" | "pages" | "fields">;
export type Placed = Pick<PlacedEnvelopeFields, "fields" | "warnings" | "anchors">;

const ofTemplate = ({ id }: Of) => ({ params: { template_id: id } });
const ofEnvelope = ({ id }: Of) => ({ params: { envelope_id: id } });

export const lookUp = (of: Of): Promise<Prepared> =>
  of.kind === "template" ? call("get_template", ofTemplate(of)) : call("get_envelope_fields", ofEnvelope(of));

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

export function replaceFields(of: Of, fields: readonly FieldReplacement[]): Promise<Placed> {
  const body = { fields };
  return of.kind === "template"
    ? call("replace_fields", { ...ofTemplate(of), body })
    : call("replace_envelope_fields", { ...ofEnvelope(of), body });
}

/** Finds anchor text. A dry run: nothing is stored. */
export async function findAnchor(of: Of, field: FieldInput): Promise<readonly Area[]> {
  const given = { query: { dry_run: "true" }, body: { fields: [field] } } as const;
  const { anchors = [] } = await (of.kind === "template"
    ? call("place_fields", { ...ofTemplate(of), ...given })
    : call("place_envelope_fields", { ...ofEnvelope(of), ...given }));
  return anchors[0]?.matches ?? [];
}
