import { appendAudit } from "../audit/append-audit.ts";
import type { Caller } from "../shared/caller.ts";
import type { EnvelopeId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import type { AskedField } from "../templates/field-shapes.ts";
import { findAnchors } from "../templates/find-anchors.ts";
import { IN_BODY, refuseMistakes, resolveFields } from "../templates/resolve-fields.ts";
import type { Placed } from "../templates/template.ts";
import { deleteFields, type EnvelopeField, findDocument, findFields, insertFields } from "./document-store.ts";
import { type EnvelopeDeps, moves } from "./envelope.ts";
import { findEnvelope, lockRow, moveEnvelope, wrongStatus } from "./store.ts";

/** add: besides the fields that are there. replace: instead of them. */
export type How = "add" | "replace";

export interface PreparedFields extends Placed {
  readonly asked: readonly AskedField[];
  /** what the areas were found in */
  readonly pdf_sha256: string;
}

export async function prepareFields(
  deps: EnvelopeDeps,
  caller: Caller,
  envelope_id: EnvelopeId,
  asked: readonly AskedField[],
  how: How,
): Promise<PreparedFields> {
  const { org } = caller;
  refuseMistakes(asked, IN_BODY);
  const { status, document, present } = await deps.db.tx(org, async (tx) => ({
    ...(await findEnvelope(tx, org, envelope_id)),
    document: await findDocument(tx, org, envelope_id),
    present: await findFields(tx, org, envelope_id),
  }));
  if (document === null) throw new Problem("envelope_without_document");
  if (!(moves.place.from as readonly string[]).includes(status)) throw wrongStatus("place", status);
  if (how === "add") refuseMistakes(asked, IN_BODY, withRoles(present));
  const { pdf_sha256, pages } = document;
  const anchors = await findAnchors(deps, org, pdf_sha256, asked, IN_BODY, "document_unavailable");
  return { asked, pdf_sha256, ...resolveFields(asked, anchors, pages.length, IN_BODY) };
}

export async function saveFields(
  deps: EnvelopeDeps,
  caller: Caller,
  envelope_id: EnvelopeId,
  { asked, fields }: PreparedFields,
  how: How,
): Promise<void> {
  const { org } = caller;
  await deps.db.tx(org, async (tx) => {
    await lockRow(tx, org, envelope_id);
    await moveEnvelope(tx, org, envelope_id, "place");
    if (how === "replace") await deleteFields(tx, org, envelope_id);
    // Somebody else may have placed fields since they were looked at.
    else refuseMistakes(asked, IN_BODY, withRoles(await findFields(tx, org, envelope_id)));
    await insertFields(
      tx,
      org,
      envelope_id,
      fields.map((field) => ({ ...field, prefilled: null })),
    );
    await appendAudit(tx, org, { type: "envelope.fields_placed", by: caller, envelope_id, data: { how, fields: fields.length } });
  });
}

const withRoles = (fields: readonly EnvelopeField[]): { role: string }[] =>
  fields.filter((field) => field.role !== null) as { role: string }[];
