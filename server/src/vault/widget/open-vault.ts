import type { Tx } from "../../db/sql.ts";
import { type EnvelopeDocument, lookUpDocument } from "../../envelopes/document-store.ts";
import { findSigningEnvelope, type SigningEnvelope } from "../../envelopes/signing-envelope-store.ts";
import type { WidgetCaller } from "../../shared/caller.ts";
import type { Assignment } from "../assignments/assignment.ts";
import { listAssignments } from "../assignments/store.ts";
import { type Compliance, readCompliance } from "../compliance.ts";
import { readRecord, type VaultRecord } from "../read-record.ts";
import { type CustodyStep, listCustody } from "./store.ts";
import { ensureVisit, findVaulted, isParty, type WidgetDeps } from "./visit.ts";

/** Everything that the page shows next to the document. */
export interface OpenedVault {
  readonly envelope: SigningEnvelope;
  readonly record: VaultRecord;
  readonly compliance: Compliance;
  readonly document: EnvelopeDocument | null;
  readonly custody: readonly CustodyStep[];
  readonly assignments: readonly Assignment[];
  readonly is_party: boolean;
  readonly logo: Uint8Array | null;
  readonly server_time: Date;
}

// As for custody: a longer list would not be read on a page.
const MAX_ASSIGNMENTS = 100;

/** Records the visit, once per token, before anything is shown. */
export async function openVault(deps: WidgetDeps, who: WidgetCaller): Promise<OpenedVault> {
  const rows = await deps.db.tx(who.org, (tx) => readRows(deps, tx, who));
  return { ...rows, compliance: await readCompliance(deps, who, who.holder.envelope_id) };
}

async function readRows(deps: WidgetDeps, tx: Tx, who: WidgetCaller): Promise<Omit<OpenedVault, "compliance">> {
  const { org, holder } = who;
  const { envelope_id } = holder;
  const copy = await findVaulted(tx, org, envelope_id);
  await ensureVisit(tx, who);
  return {
    envelope: await findSigningEnvelope(tx, org, envelope_id),
    record: await readRecord(tx, org, envelope_id),
    document: await lookUpDocument(tx, org, envelope_id),
    custody: await listCustody(tx, org, copy),
    assignments: (await listAssignments(tx, org, envelope_id, { page: 1, limit: MAX_ASSIGNMENTS })).items,
    is_party: await isParty(tx, who),
    logo: await deps.lookUpLogo(tx, org),
    server_time: tx.now,
  };
}
