import { fingerprintOf } from "@countersign/evidence";
import { NotAPdf, type SealReport, UnreadablePdf, verifySeals } from "@countersign/pdf";
import { BundleRejected } from "./step.ts";
import type { Trust } from "./steps/03-trust.ts";

/**
 * Checks that a seal covers the whole document, made with a certificate that the root lists, that was valid at that time and is not
 * revoked. Throws BundleRejected with the file's name otherwise. `at` is the time of the audit entry that records the sealing.
 */
export async function checkSeal(name: string, bytes: Uint8Array, at: string, { keys, root, seal }: Trust): Promise<SealReport> {
  // A purchased certificate chains to a root of its own, the last certificate in the file; it counts because our root lists it. A
  // certificate without a chain must have been issued by our root.
  const roots = [root, ...seal.slice(1).slice(-1)].map(({ raw }) => raw);
  const reports = await verifySeals(bytes, { roots, at: new Date(at) }).catch((error: unknown) => {
    if (error instanceof UnreadablePdf || error instanceof NotAPdf)
      throw new BundleRejected(name, `is not a readable PDF: ${error.message}`);
    throw error;
  });
  const report = reports.find((each) => each.covers_whole_file);
  if (report === undefined) throw new BundleRejected(name, reports.length === 0 ? "has no seal" : "has no seal that covers the whole file");
  if (!report.intact || !report.trusted) throw new BundleRejected(name, `the seal does not verify: ${report.fault ?? "broken"}`);
  const listed = keys.seals.find(({ certificate_sha256 }) => certificate_sha256 === report.certificate?.sha256);
  if (listed === undefined || !seal.some((each) => fingerprintOf(each) === listed.certificate_sha256)) {
    throw new BundleRejected(name, "is sealed with a certificate that trust/keys.json and trust/seal.pem do not list");
  }
  if (listed.revoked_at !== null) throw new BundleRejected(name, `the seal certificate was revoked on ${listed.revoked_at}`);
  return report;
}
