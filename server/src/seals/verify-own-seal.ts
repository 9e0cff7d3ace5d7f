import { type JudgedSeal, type SealTimes, sealValidity } from "@countersign/evidence";
import { NotAPdf, type SealReport, UnreadablePdf } from "@countersign/pdf/pool";
import type { OrgId, SealId } from "../shared/ids.ts";
import { listAuthorities } from "./authority-store.ts";
import type { SealDeps, SealKey } from "./seal.ts";
import { listRootsOf, listSeals, lookUpSeal } from "./store.ts";

/** The roots to trust when an organization's documents are verified, DER. */
export interface SealRoots {
  readonly roots: readonly Uint8Array[];
  readonly timestamp_roots: readonly Uint8Array[];
}

/**
 * The installation's roots, and the root of every bought certificate that the organization's documents were sealed with. Needs no
 * APP_SECRET.
 */
export async function sealRoots(deps: Pick<SealDeps, "db" | "timeStamps">, org: OrgId): Promise<SealRoots> {
  return deps.db.tx(org, async (tx) => ({
    roots: rootsOf(await listRootsOf(tx, org), await listSeals(tx, org)),
    timestamp_roots: deps.timeStamps.roots,
  }));
}

function rootsOf(roots: readonly Buffer[], seals: readonly SealKey[]): Buffer[] {
  const tops = [...roots, ...seals.map(({ issuers }) => issuers.at(-1) ?? null)].filter((one) => one !== null);
  return [...new Map(tops.map((one) => [one.toString("hex"), one])).values()];
}

/** `report` of an invalid seal: null unless it is intact and made with the certificate on record, and only its time does not count. */
export type OwnSeal =
  | { readonly valid: true; readonly report: SealReport }
  | { readonly valid: false; readonly reason: string; readonly report: SealReport | null };

/**
 * Whether the document is a result of `sealDocument`: sealed as a whole with the certificate on record, which was valid at the time of
 * sealing and is not invalid from before then on. `at` is the time of the entry that records the sealing; `proofs` are times of others at
 * which a checkpoint with that entry existed. An unreadable document is a reason too; busy threads are not.
 */
export async function verifyOwnSeal(
  deps: Pick<SealDeps, "db" | "pdf" | "timeStamps">,
  org: OrgId,
  document: Uint8Array,
  { seal_id, at, proofs = [] }: { readonly seal_id: SealId; readonly at: Date; readonly proofs?: readonly string[] },
): Promise<OwnSeal> {
  const { recorded, authorities } = await deps.db.tx(org, async (tx) => ({
    recorded: await lookUpSeal(tx, org, seal_id),
    authorities: await listAuthorities(tx, "tsa"),
  }));
  if (recorded === null) return invalid("the seal is not on record");
  const trust = { roots: rootsOf([], [recorded]), timestamp_roots: [...deps.timeStamps.roots, ...authorities], at };
  const reports = await deps.pdf.verify(document, trust, { key: org, priority: "background" }).catch(unreadable);
  return reports === null ? invalid("the PDF cannot be read") : judge(reports, recorded, { entry: at.toISOString(), proofs });
}

function unreadable(error: unknown): null {
  if (error instanceof UnreadablePdf || error instanceof NotAPdf) return null;
  throw error;
}

function judge(reports: readonly SealReport[], recorded: SealKey, times: SealTimes): OwnSeal {
  const { certificate_sha256 } = recorded;
  const report = reports.find((one) => one.covers_whole_file);
  if (report === undefined) return invalid(reports.length === 0 ? "there is no seal" : "no seal covers the whole file");
  if (!report.intact || !report.trusted) return invalid(report.fault ?? "the seal is broken");
  if (report.certificate?.sha256 !== certificate_sha256) return invalid("sealed with another certificate than the one on record");
  const { timestamp } = report;
  const stamped = timestamp?.intact === true && timestamp.trusted && timestamp.at !== null ? [timestamp.at] : [];
  const { valid, says } = sealValidity(judgedSeal(recorded), { ...times, proofs: [...times.proofs, ...stamped] });
  return valid ? { valid, report } : invalid(says ?? "the seal certificate was not valid", report);
}

const judgedSeal = ({ not_before, not_after, revoked_at, invalid_from, revoked_reason }: SealKey): JudgedSeal => ({
  not_before: not_before.toISOString(),
  not_after: not_after.toISOString(),
  revoked_at: revoked_at?.toISOString() ?? null,
  invalid_from: invalid_from?.toISOString() ?? null,
  reason: revoked_reason,
});

const invalid = (reason: string, report: SealReport | null = null): OwnSeal => ({ valid: false, reason, report });
