import type { DifferenceKind } from "@countersign/evidence";
import { appendAudit } from "../audit/append-audit.ts";
import { isRecorded } from "../audit/entries.ts";
import { lockHead } from "../audit/read-head.ts";
import { enqueue } from "../jobs/enqueue.ts";
import { asSystem, systemOrigin } from "../shared/caller.ts";
import type { EnvelopeId, OrgId } from "../shared/ids.ts";
import { type RecordDeps, RecordMismatch } from "./proven-record.ts";

const BY = asSystem(systemOrigin("countersign", "record-mismatch"));

type NotingDeps = Pick<RecordDeps, "db" | "findEnvelope">;

/** If `run` finds that rows and chain differ, records the difference, notifies the admins and throws the problem. */
export async function notingMismatch<T>(deps: NotingDeps, org: OrgId, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    await noteMismatch(deps, org, error);
    throw error;
  }
}

/** The same after the transaction was rolled back, if `error` is such a difference. */
export async function noteMismatch(deps: NotingDeps, org: OrgId, error: unknown): Promise<void> {
  if (error instanceof RecordMismatch) await recordMismatch(deps, org, error);
}

/**
 * Recorded once per difference until the rows are repaired, no matter how often it is found. If the envelope's own audit trail was
 * changed, it can take no more evidence, so the entry goes to the organization's.
 */
async function recordMismatch(deps: NotingDeps, org: OrgId, { envelope_id, difference }: RecordMismatch): Promise<void> {
  const { what, signer, expected, found } = difference;
  await deps.db.tx(org, async (tx) => {
    const { envelope_name } = await deps.findEnvelope(tx, org, envelope_id);
    const isOrgs = what === "audit_trail";
    const data = { ...(isOrgs && { envelope_id }), what, signer, expected, found };
    // Of two that find it at once, the second finds the entry of the first.
    await lockHead(tx, org, isOrgs ? org : envelope_id);
    const entry = { type: "document.record_mismatch", data, since: "document.rows_repaired" } as const;
    if (await isRecorded(tx, org, isOrgs ? org : envelope_id, entry)) return;
    const type = "document.record_mismatch";
    const { hash } = await appendAudit(tx, org, { type, by: BY, ...(!isOrgs && { envelope_id }), data });
    // Does nothing unless the document is vaulted: only then is there a certificate that says something else.
    await enqueue(tx, "vault.evaluate", { org_id: org, envelope_id, cause: { type, hash } });
    await enqueue(tx, "orgs.notify-admins", {
      org_id: org,
      kind: "record_mismatch",
      ...wordsFor(envelope_id, envelope_name, what, signer),
    });
  });
}

const names: Record<DifferenceKind, string> = {
  audit_trail: "The audit trail itself",
  document: "The document",
  documents: "The documents of the envelope, their order or their pages",
  parts: "The sealed PDF of a single document",
  fields: "The fields",
  signers: "The names, addresses or roles of the signers",
  status: "Who has signed",
  signature: "The time, IP address or session of a signature",
  mark: "The appearance of a signature",
  values: "What a signer entered",
  stamped_document: "The document with the signed values",
  sealed_document: "The sealed document",
  identity_questions: "Whether signers must answer identity questions",
  appearances: "The drawn signatures",
};

function wordsFor(envelope_id: EnvelopeId, envelope_name: string, what: DifferenceKind, signer: string | null) {
  return {
    subject: `A document's record does not match its audit trail: ${envelope_name}`,
    text: [
      `${names[what]}${signer === null ? "" : ` (${signer})`}: the database does not match the audit trail of ${envelope_id} ("${envelope_name}").`,
      "The data was changed directly in the database, not by this service. Until it is repaired, the document cannot be signed, stamped, sealed or vaulted.",
      "Your operator can restore the rows from a backup with `countersign vault repair-rows`. Only rows that match the audit trail are accepted.",
    ].join("\n\n"),
  };
}
