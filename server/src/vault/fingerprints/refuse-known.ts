import type { Tx } from "../../db/sql.ts";
import { asPdfProblem } from "../../documents/pdf-problems.ts";
import { readStored } from "../../documents/read-stored.ts";
import type { EnvelopeDocument } from "../../envelopes/document-store.ts";
import type { EnvelopeId, OrgId } from "../../shared/ids.ts";
import { Problem } from "../../shared/problems.ts";
import type { VaultDeps } from "../copy.ts";
import { MARKS } from "./ensure-fingerprints.ts";
import { type Fingerprint, fingerprintsOf, type Marks, ownMarks } from "./fingerprint.ts";
import { insertFingerprints, listNamed, lockFingerprints, lookUpReceivedMarks, lookUpSameFile } from "./store.ts";

/** What an upload is recognized by: the file as it came, and the document that was kept of it, whose pages are read. */
async function readUpload(
  deps: Pick<VaultDeps, "db" | "pdf" | "storage">,
  org: OrgId,
  envelope_id: EnvelopeId,
  { pdf_sha256 }: EnvelopeDocument,
): Promise<Marks[]> {
  const bytes = await readStored(deps, org, pdf_sha256, "document_unavailable");
  const turn = { key: org, priority: "interactive", give_up_bytes: true } as const;
  const kept = await deps.pdf.fingerprint(bytes, { marks: MARKS }, turn).catch(asPdfProblem);
  const received = await deps.db.tx(org, (tx) => lookUpReceivedMarks(tx, org, envelope_id));
  return received === null ? [kept] : [received, kept];
}

/**
 * Refuses a deposit of what this vault already knows: a marked copy, a signed document of ours, or a file that it has, also with something
 * appended, and also if the copy left or ended. `left`: the record that this original was, whose receipt shows that it left. Records what the upload is recognized by, so that a second deposit is refused from now on.
 */
async function refuse(
  tx: Tx,
  org: OrgId,
  envelope_id: EnvelopeId,
  upload: readonly Marks[],
  left: EnvelopeId | null = null,
): Promise<void> {
  await lockFingerprints(tx, org);
  const own = upload.map(ownMarks);
  if (own.some(({ is_copy }) => is_copy)) throw new Problem("upload_is_a_copy");
  const named = await listNamed(
    tx,
    org,
    own.flatMap(({ envelope_ids }) => envelope_ids),
  );
  for (const { envelope_id: known, is_stored, is_completed } of named) {
    if (is_stored && known !== left) throw alreadyVaulted(known);
    if (is_completed) throw new Problem("use_vault_in_signed", known, { words: { envelope_id: known } });
  }
  const prints = upload.flatMap(fingerprintsOf);
  const same = await lookUpSameFile(tx, org, [envelope_id, ...(left === null ? [] : [left])], byKind(prints));
  if (same !== null) throw alreadyVaulted(same);
  await insertFingerprints(tx, org, envelope_id, prints);
}

const alreadyVaulted = (envelope_id: EnvelopeId): Problem =>
  new Problem("document_already_vaulted", envelope_id, { words: { envelope_id } });

function byKind(prints: readonly Fingerprint[]) {
  const of = (wanted: Fingerprint["kind"]) => prints.flatMap(({ kind, value }) => (kind === wanted ? [value] : []));
  return { file: of("file"), revisions: of("revision"), ours: of("ours") };
}

/** The steps of the operation: reading is slow and comes before the transaction. */
export const refuseKnown = { read: readUpload, refuse };
