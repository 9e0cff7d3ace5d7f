import type { IdentityFacts } from "@countersign/evidence";
import type { Read } from "../../db/sql.ts";
import type { Envelope } from "../../envelopes/envelope.ts";
import type { OrgId } from "../../shared/ids.ts";
import { listDuplicates, listFingerprints } from "./store.ts";

/** What identifies a stored document, and the records of the organization that are alike. `isStored`: false for a preview. */
export async function identityFacts(read: Read, org: OrgId, envelope: Envelope, isStored: boolean): Promise<IdentityFacts> {
  const { envelope_id, record_type, instrument } = envelope;
  if (!isStored) return { record_type, instrument, fingerprints: [], duplicates: [] };
  const rows = await listDuplicates(read, org, envelope_id);
  const duplicates = rows.map(({ at, entry_seq, used_at, used_seq, ...row }) => ({
    ...row,
    ...(used_at !== null && used_seq !== null && { returned: { at: used_at.toISOString(), entry_seq: used_seq } }),
    review: at === null || entry_seq === null ? null : { at: at.toISOString(), entry_seq },
  }));
  // One form that many fill in gives them all its identifier; the oldest is enough for a warning.
  const isOnlyAlike = ({ kinds }: (typeof duplicates)[number]) => kinds.every((kind) => kind === "pdf_id");
  const oldest = duplicates.find(isOnlyAlike);
  return {
    record_type,
    instrument,
    fingerprints: await listFingerprints(read, org, envelope_id),
    duplicates: duplicates.filter((each) => !isOnlyAlike(each) || each === oldest),
  };
}
