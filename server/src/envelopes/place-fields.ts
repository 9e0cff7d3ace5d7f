import type { PlacedAnchor } from "@countersign/pdf/pool";
import { appendAudit } from "../audit/append-audit.ts";
import type { Caller } from "../shared/caller.ts";
import type { EnvelopeId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import type { WantedField } from "../templates/field-shapes.ts";
import { type AnchorMatches, findAnchors, findMatches } from "../templates/find-anchors.ts";
import { keepFields, refuseChanged } from "../templates/keep-fields.ts";
import { keyFields } from "../templates/key-fields.ts";
import { IN_BODY, refuseMistakes, resolveFields } from "../templates/resolve-fields.ts";
import type { Placed } from "../templates/template.ts";
import { deleteFields, type EnvelopeField, findFields, insertFields, lookUpDocument, withRoles } from "./document-store.ts";
import { type EnvelopeDeps, moves } from "./envelope.ts";
import { findEnvelope, lockRow, moveEnvelope, wrongStatus } from "./store.ts";

/** add: keeps the existing fields. replace: removes them, except those that the request keeps. */
export type How = "add" | "replace";

interface ResolvedFields extends Placed<EnvelopeField> {
  readonly wanted: readonly WantedField[];
  /** the fields before the change */
  readonly present: readonly EnvelopeField[];
}

export interface PreparedFields extends ResolvedFields {
  /** null if the fields are to be stored; otherwise it is a dry run, which ends here */
  readonly matches: readonly AnchorMatches[] | null;
}

async function prepareFields(
  deps: EnvelopeDeps,
  caller: Caller,
  envelope_id: EnvelopeId,
  wanted: readonly WantedField[],
  how: How,
): Promise<PreparedFields> {
  const { resolved } = await resolvePlacement(deps, caller, envelope_id, wanted, how);
  return { ...resolved, matches: null };
}

/** The same without storing anything, and with every match of each anchor. */
async function tryFields(
  deps: EnvelopeDeps,
  caller: Caller,
  envelope_id: EnvelopeId,
  wanted: readonly WantedField[],
  how: How,
): Promise<PreparedFields> {
  const { resolved, pdf_sha256, anchors } = await resolvePlacement(deps, caller, envelope_id, wanted, how);
  return { ...resolved, matches: await findMatches(deps, caller.org, pdf_sha256, wanted, anchors, "document_unavailable") };
}

async function resolvePlacement(
  deps: EnvelopeDeps,
  { org }: Caller,
  envelope_id: EnvelopeId,
  wanted: readonly WantedField[],
  how: How,
): Promise<{ resolved: ResolvedFields; pdf_sha256: string; anchors: readonly PlacedAnchor[] }> {
  refuseMistakes(wanted, IN_BODY);
  const { status, document, present } = await deps.db.tx(org, async (tx) => ({
    ...(await findEnvelope(tx, org, envelope_id)),
    document: await lookUpDocument(tx, org, envelope_id),
    present: await findFields(tx, org, envelope_id),
  }));
  if (document === null) throw new Problem("envelope_without_document");
  if (!(moves.place.from as readonly string[]).includes(status)) throw wrongStatus("place", status);
  const kept = keepFields(wanted, present, IN_BODY);
  refuseMistakes(kept, IN_BODY, how === "add" ? withRoles(present) : []);
  const { pdf_sha256, pages } = document;
  const anchors = await findAnchors(deps, org, pdf_sha256, kept, IN_BODY, "document_unavailable");
  const { fields, warnings } = resolveFields(kept, anchors, pages.length, IN_BODY);
  // A kept field also keeps the sender's value.
  const resolved = { wanted, present, fields: fields.map((field) => ({ prefilled: null, ...field })), warnings };
  return { resolved, pdf_sha256, anchors };
}

async function saveFields(
  deps: EnvelopeDeps,
  caller: Caller,
  envelope_id: EnvelopeId,
  { wanted, present, fields }: PreparedFields,
  how: How,
): Promise<void> {
  const { org } = caller;
  await deps.db.tx(org, async (tx) => {
    await lockRow(tx, org, envelope_id);
    await moveEnvelope(tx, org, envelope_id, "place");
    const now = await findFields(tx, org, envelope_id);
    // Another request may have placed fields since they were read.
    if (how === "add") refuseMistakes(wanted, IN_BODY, withRoles(now));
    else {
      refuseChanged(wanted, present, now);
      await deleteFields(tx, org, envelope_id);
    }
    await insertFields(tx, org, envelope_id, keyFields(fields, how === "add" ? now : []));
    await appendAudit(tx, org, { type: "envelope.fields_placed", by: caller, envelope_id, data: { how, fields: fields.length } });
  });
}

/** The steps of the operation, in the order in which the endpoint runs them. */
export const placeFields = { prepare: prepareFields, try: tryFields, save: saveFields };
