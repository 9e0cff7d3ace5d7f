import { HOUR_MS } from "../../shared/durations.ts";
import { StoreUnavailable } from "../../storage/blob-store.ts";
import type { VaultDeps } from "../copy.ts";
import { reportLogFault } from "./report-log-fault.ts";
import { type CopyToVerify, findCopiesToVerify, sampleCopies } from "./store.ts";
import { sweepChains } from "./sweep-chains.ts";
import { type Verdict, verifyCopy } from "./verify-copy.ts";

// Copies per query.
const AT_ONCE = 200;
// The share of all copies that is verified at random each hour, so that a change may be found long before the copy is due, whatever
// interval the operator sets.
const SHARE = 0.01;
const MAX_SAMPLE = 10_000;
// Ends before the next hourly run would do the same work in parallel.
const STOP_AFTER_MS = 55 * 60_000;

export interface SweptCopies {
  readonly sound: number;
  readonly tampered: number;
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
 * Runs each hour: verifies due copies, a random share of the others, and this hour's slice of the chains, and reports faults of the log.
 */
export async function sweepCopies(deps: VaultDeps, limits: SweepLimits = {}): Promise<SweptCopies> {
  const stopAt = performance.now() + STOP_AFTER_MS;
  await reportLogFault(deps);
  const copies = await verifyCopies(deps, limits, stopAt);
  const { broken, failures } = await sweepChains(deps, { hour: Math.floor(Date.now() / HOUR_MS), stopAt });
  return { ...copies, broken, failures: [...copies.failures, ...failures] };
}

async function verifyCopies(
  deps: VaultDeps,
  { atOnce = AT_ONCE, share = SHARE }: SweepLimits,
  stopAt: number,
): Promise<Omit<SweptCopies, "broken">> {
  const counts: Record<Verdict, number> = { sound: 0, tampered: 0, gone: 0 };
  const failures: unknown[] = [];
  const verify = async (copies: readonly CopyToVerify[]): Promise<number> => {
    let verified = 0;
    for (const { org_id, envelope_id } of copies) {
      if (performance.now() > stopAt) break;
      try {
        counts[await verifyCopy(deps, org_id, envelope_id)]++;
        verified++;
      } catch (error) {
        if (error instanceof StoreUnavailable) throw error;
        // A failure does not stop the others.
        failures.push(error);
      }
    }
    return verified;
  };
  try {
    await verify(await deps.db.system((tx) => sampleCopies(tx, share, MAX_SAMPLE)));
    for (let more = true; more; ) {
      const due = await deps.db.system((tx) => findCopiesToVerify(tx, dueAfterHours(deps), atOnce));
      more = (await verify(due)) > 0 && due.length >= atOnce;
    }
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    return { sound: counts.sound, tampered: counts.tampered, away: error, failures };
  }
  return { sound: counts.sound, tampered: counts.tampered, away: null, failures };
}

/** The job runs once an hour, so copies that become due before the next run are due now. */
const dueAfterHours = ({ sweepHours }: VaultDeps): number => Math.max(0, sweepHours - 1);
