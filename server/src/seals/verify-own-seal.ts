import { NotAPdf, type SealReport, UnreadablePdf } from "@countersign/pdf/pool";
import type { OrgId, SealId } from "../shared/ids.ts";
import type { SealDeps, SealKey } from "./seal.ts";
import { listSeals, lookUpInstanceKey, lookUpSeal } from "./store.ts";

/** The roots to trust when an organization's documents are verified, DER. */
export interface SealRoots {
  readonly roots: readonly Uint8Array[];
  readonly timestamp_roots: readonly Uint8Array[];
}

/**
 * The installation's root, and the root of every bought certificate that the organization's documents were sealed with. Needs no
 * APP_SECRET.
 */
export async function sealRoots(deps: Pick<SealDeps, "db" | "timeStamps">, org: OrgId): Promise<SealRoots> {
  return deps.db.tx(org, async (tx) => {
    const root = await lookUpInstanceKey(tx, "root");
    return { roots: rootsOf(root?.certificate ?? null, await listSeals(tx, org)), timestamp_roots: deps.timeStamps.roots };
  });
}

function rootsOf(root: Buffer | null, seals: readonly SealKey[]): Buffer[] {
  const tops = [root, ...seals.map(({ issuers }) => issuers.at(-1) ?? null)].filter((one) => one !== null);
  return [...new Map(tops.map((one) => [one.toString("hex"), one])).values()];
}

export type OwnSeal = { readonly valid: true; readonly report: SealReport } | { readonly valid: false; readonly reason: string };

/**
 * Whether the document is a result of `sealDocument`: sealed as a whole with the certificate on record, which was valid at the time of
 * sealing and has not been revoked since. An unreadable document is a reason too; busy threads are not.
 */
export async function verifyOwnSeal(
  deps: Pick<SealDeps, "db" | "pdf" | "timeStamps">,
  org: OrgId,
  document: Uint8Array,
  { seal_id, at }: { readonly seal_id: SealId; readonly at: Date },
): Promise<OwnSeal> {
  const recorded = await deps.db.tx(org, (tx) => lookUpSeal(tx, org, seal_id));
  if (recorded === null) return invalid("the seal is not on record");
  const trust = { roots: rootsOf(null, [recorded]), timestamp_roots: deps.timeStamps.roots, at };
  const reports = await deps.pdf.verify(document, trust, { key: org, priority: "background" }).catch(unreadable);
  return reports === null ? invalid("the PDF cannot be read") : judge(reports, recorded);
}

function unreadable(error: unknown): null {
  if (error instanceof UnreadablePdf || error instanceof NotAPdf) return null;
  throw error;
}

function judge(reports: readonly SealReport[], { certificate_sha256, revoked_at }: SealKey): OwnSeal {
  const report = reports.find((one) => one.covers_whole_file);
  if (report === undefined) return invalid(reports.length === 0 ? "there is no seal" : "no seal covers the whole file");
  if (!report.intact || !report.trusted) return invalid(report.fault ?? "the seal is broken");
  if (report.certificate?.sha256 !== certificate_sha256) return invalid("sealed with another certificate than the one on record");
  return revoked_at === null ? { valid: true, report } : invalid("the seal certificate was revoked");
}

const invalid = (reason: string): OwnSeal => ({ valid: false, reason });
