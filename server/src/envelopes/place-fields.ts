import type { PlacedAnchor } from "@countersign/pdf/pool";
import { appendAudit } from "../audit/append-audit.ts";
import { refuseOtherDocuments } from "../documents/document-list.ts";
import type { Caller } from "../shared/caller.ts";
import type { EnvelopeId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import type { WantedField } from "../templates/field-shapes.ts";
import { type AnchorMatches, findAnchors, findMatches } from "../templates/find-anchors.ts";
import { keepFields, refuseChanged } from "../templates/keep-fields.ts";
import { keyFields } from "../templates/key-fields.ts";
import { IN_BODY, refuseMistakes, refuseUnknownDocuments, resolveFields } from "../templates/resolve-fields.ts";
import type { Placed } from "../templates/template.ts";
import {
  deleteFields,
  type EnvelopeDocument,
  type EnvelopeField,
  findFields,
  insertFields,
  listDocuments,
  withRoles,
} from "./document-store.ts";
import { type EnvelopeDeps, moves } from "./envelope.ts";
import { findEnvelope, lockRow, moveEnvelope, wrongStatus } from "./store.ts";

/** add: keeps the existing fields. replace: removes them, except those that the request keeps. */
export type How = "add" | "replace";

interface ResolvedFields extends Placed<EnvelopeField> {
  readonly wanted: readonly WantedField[];
  /** the fields before the change */
  readonly present: readonly EnvelopeField[];
  readonly documents: readonly EnvelopeDocument[];
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
  const { resolved, anchors } = await resolvePlacement(deps, caller, envelope_id, wanted, how);
  return { ...resolved, matches: await findMatches(deps, caller.org, resolved.documents, wanted, anchors, "document_unavailable") };
}

async function resolvePlacement(
  deps: EnvelopeDeps,
  { org }: Caller,
  envelope_id: EnvelopeId,
  wanted: readonly WantedField[],
  how: How,
): Promise<{ resolved: ResolvedFields; anchors: readonly PlacedAnchor[] }> {
  refuseMistakes(wanted, IN_BODY);
  const { status, documents, present } = await deps.db.tx(org, async (tx) => ({
    ...(await findEnvelope(tx, org, envelope_id)),
    documents: await listDocuments(tx, org, envelope_id),
    present: await findFields(tx, org, envelope_id),
  }));
  if (documents.length === 0) throw new Problem("envelope_without_document");
  if (!(moves.place.from as readonly string[]).includes(status)) throw wrongStatus("place", status);
  refuseUnknownDocuments(wanted, documents.length, IN_BODY);
  const kept = keepFields(wanted, present, IN_BODY);
  refuseMistakes(kept, IN_BODY, how === "add" ? withRoles(present) : []);
  const anchors = await findAnchors(deps, org, documents, kept, IN_BODY, "document_unavailable");
  const counts = documents.map(({ pages }) => pages.length);
  const { fields, warnings } = resolveFields(kept, anchors, counts, IN_BODY);
  // A kept field also keeps the sender's value.
  const resolved = { wanted, present, documents, fields: fields.map((field) => ({ prefilled: null, ...field })), warnings };
  return { resolved, anchors };
}

async function saveFields(
  deps: EnvelopeDeps,
  caller: Caller,
  envelope_id: EnvelopeId,
  { wanted, present, documents, fields }: PreparedFields,
  how: How,
): Promise<void> {
  const { org } = caller;
  await deps.db.tx(org, async (tx) => {
    await lockRow(tx, org, envelope_id);
    await moveEnvelope(tx, org, envelope_id, "place");
    refuseOtherDocuments(documents, await listDocuments(tx, org, envelope_id));
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
