import { fingerprintOf, sealOf, sealValidity } from "@countersign/evidence";
import { NotAPdf, type SealReport, UnreadablePdf, verifySeals } from "@countersign/pdf/verify";
import { BundleRejected } from "./step.ts";
import type { Trust } from "./steps/03-trust.ts";

/** `says`: what the reader should know about a seal that counts although its certificate was revoked. */
export type CheckedSeal = SealReport & { readonly says: string | null };

/** The seal itself verifies, and it is not shown to be older than the moment at which its certificate became invalid. */
export class SealedTooLate extends BundleRejected {}

/**
 * Checks that a seal covers the whole document, made with a certificate that the root lists, that was valid at the time of sealing. Throws
 * BundleRejected with the file's name otherwise. `at` is the time of the audit entry that records the sealing; `proofs` are times of others
 * at which a checkpoint with that entry existed.
 */
export async function checkSeal(
  name: string,
  bytes: Uint8Array,
  at: string,
  { keys, root, seals, tsa_roots }: Trust,
  proofs: readonly string[] = [],
): Promise<CheckedSeal> {
  // A purchased certificate chains to a root of its own, the last certificate in its file, and a certificate of an earlier root to that one;
  // they count because our root lists the certificate. A certificate without a chain must have been issued by our root.
  const roots = [root, ...seals.flatMap((chain) => chain.slice(1).slice(-1))].map(({ raw }) => raw);
  const reports = await verifySeals(bytes, { roots, timestamp_roots: tsa_roots, at: new Date(at) }).catch((error: unknown) => {
    if (error instanceof UnreadablePdf || error instanceof NotAPdf)
      throw new BundleRejected(name, `is not a readable PDF: ${error.message}`);
    throw error;
  });
  const report = reports.find((each) => each.covers_whole_file);
  if (report === undefined) throw new BundleRejected(name, reports.length === 0 ? "has no seal" : "has no seal that covers the whole file");
  if (!report.intact || !report.trusted) throw new BundleRejected(name, `the seal does not verify: ${report.fault ?? "broken"}`);
  const listed = sealOf(keys, report.certificate?.sha256 ?? "");
  if (listed === null || !seals.flat().some((each) => fingerprintOf(each) === listed.certificate_sha256)) {
    throw new BundleRejected(name, "is sealed with a certificate that trust/keys.json and the files of trust/ do not list");
  }
  // That list cannot say from when it is invalid.
  if (keys.type === "countersign/keys/1" && listed.revoked_at !== null)
    throw new BundleRejected(name, `the seal certificate was revoked on ${listed.revoked_at}`);
  const stamped =
    report.timestamp?.intact === true && report.timestamp.trusted && report.timestamp.at !== null ? [report.timestamp.at] : [];
  const { valid, says } = sealValidity(listed, { entry: at, proofs: [...proofs, ...stamped] });
  if (!valid) throw new SealedTooLate(name, `the seal is not valid. ${says}`);
  return { ...report, says };
}
