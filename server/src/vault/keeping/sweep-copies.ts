import { HOUR_MS } from "../../shared/durations.ts";
import type { EnvelopeId, OrgId } from "../../shared/ids.ts";
import { StoreUnavailable } from "../../storage/blob-store.ts";
import type { VaultDeps } from "../copy.ts";
import type { PipelineDeps } from "../vault.ts";
import { compareSigned } from "./compare-signed.ts";
import { reportLogFault } from "./report-log-fault.ts";
import { type CopyToVerify, findCopiesToVerify, markVerified, sampleCopies } from "./store.ts";
import { sweepChains } from "./sweep-chains.ts";
import { examineCopy, type Verdict } from "./verify-copy.ts";

// Copies per query.
const AT_ONCE = 200;
// The share of all copies that is verified at random each hour, so that a change may be found long before the copy is due, whatever
// interval the operator sets.
const SHARE = 0.01;
const MAX_SAMPLE = 10_000;
// Ends before the next hourly run would do the same work in parallel.
const STOP_AFTER_MS = 55 * 60_000;

// So many failures have one cause, which the other copies would meet too.
const MAX_FAILURES = 1_000;

type SweepDeps = VaultDeps & Pick<PipelineDeps, "provider" | "values">;

export interface SweptCopies {
  readonly sound: number;
  readonly tampered: number;
  /** copies that are sound, but the rows of what was signed differ from the audit trail */
  readonly mismatched: number;
  /** damaged chains of envelopes and organizations */
  readonly broken: number;
  /** why it stopped early; the next run continues */
  readonly away: StoreUnavailable | null;
  /** other errors that prevented a verification */
  readonly failures: readonly unknown[];
}

export interface SweepLimits {
  readonly atOnce?: number;
  readonly share?: number;
}

/**
 * Runs each hour: verifies due copies and what was signed, a random share of the others, and this hour's slice of the chains, and reports
 * faults of the log.
 */
export async function sweepCopies(deps: SweepDeps, limits: SweepLimits = {}): Promise<SweptCopies> {
  const stopAt = performance.now() + STOP_AFTER_MS;
  await reportLogFault(deps);
  const copies = await verifyCopies(deps, limits, stopAt);
  const { broken, failures } = await sweepChains(deps, { hour: Math.floor(Date.now() / HOUR_MS), stopAt });
  return { ...copies, broken, failures: [...copies.failures, ...failures] };
}

async function verifyCopies(
  deps: SweepDeps,
  { atOnce = AT_ONCE, share = SHARE }: SweepLimits,
  stopAt: number,
): Promise<Omit<SweptCopies, "broken">> {
  const counts: Record<Verdict | "mismatched", number> = { sound: 0, tampered: 0, gone: 0, mismatched: 0 };
  const countsNow = () => ({ sound: counts.sound, tampered: counts.tampered, mismatched: counts.mismatched });
  const failures: unknown[] = [];
  // Copies that failed in this run. They stay due, and the next run tries them again.
  const failed = new Set<string>();
  const verify = async (copies: readonly CopyToVerify[]): Promise<void> => {
    for (const { org_id, envelope_id } of copies) {
      if (performance.now() > stopAt) break;
      if (failed.has(envelope_id)) continue;
      try {
        const { verdict, matches } = await verifyWhole(deps, org_id, envelope_id);
        counts[verdict]++;
        if (!matches) counts.mismatched++;
      } catch (error) {
        if (error instanceof StoreUnavailable) throw error;
        // A failure does not stop the others.
        failures.push(error);
        failed.add(envelope_id);
      }
    }
  };
  try {
    await verify(await deps.db.system((tx) => sampleCopies(tx, share, MAX_SAMPLE)));
    for (let more = true; more; ) {
      const limit = atOnce + failed.size;
      const due = await deps.db.system((tx) => findCopiesToVerify(tx, dueAfterHours(deps), limit));
      await verify(due);
      // Verified copies are due no longer, and failed ones are passed over, so the next query finds others.
      more = due.length >= limit && failed.size < MAX_FAILURES && performance.now() <= stopAt;
    }
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    return { ...countsNow(), away: error, failures };
  }
  return { ...countsNow(), away: null, failures };
}

/** The copy, and what people signed. It counts as verified once both were compared. */
async function verifyWhole(
  deps: SweepDeps,
  org: OrgId,
  envelope_id: EnvelopeId,
): Promise<{ readonly verdict: Verdict; readonly matches: boolean }> {
  const { verdict, sound } = await examineCopy(deps, org, envelope_id, { marks: false });
  if (sound === null) return { verdict, matches: true };
  const matches = await compareSigned(deps, org, envelope_id);
  await deps.db.tx(org, (tx) => markVerified(tx, org, sound));
  return { verdict, matches };
}

/** The job runs once an hour, so copies that become due before the next run are due now. */
const dueAfterHours = ({ sweepHours }: VaultDeps): number => Math.max(0, sweepHours - 1);
