import type { Jobs } from "../../jobs/catalogue.ts";
import { enqueue } from "../../jobs/enqueue.ts";
import type { EnvelopeId, OrgId } from "../../shared/ids.ts";
import { StoreUnavailable } from "../../storage/blob-store.ts";
import type { VaultDeps } from "../copy.ts";
import type { PipelineDeps } from "../vault.ts";
import { compareSigned } from "./compare-signed.ts";
import { type CopyToVerify, findDueCopies, markVerified, SWEEP_SLICES, sampleCopies } from "./store.ts";
import { verifyChains } from "./verify-chains.ts";
import { examineCopy, type Verdict } from "./verify-copy.ts";

// Copies per query.
const AT_ONCE = 200;
// The share of all copies that is verified at random each hour, so that a change may be found long before the copy is due, whatever
// interval the operator sets.
const SHARE = 0.01;
const MAX_SAMPLE = 10_000;
// Other slices and other jobs get their turn in between, and a worker that stops waits for the end of a run. Half of it is for copies and half
// for audit trails, so that neither keeps the other waiting.
const RUN_MS = 10_000;

// So many failures have one cause, which the other copies would meet too.
const MAX_FAILURES = 1_000;

type Deps = VaultDeps & Pick<PipelineDeps, "provider" | "values">;

export interface VerifiedSlice {
  readonly sound: number;
  readonly tampered: number;
  /** copies that are sound, but the rows of what was signed differ from the audit trail */
  readonly mismatched: number;
  /** damaged chains of envelopes and organizations */
  readonly broken: number;
  /** why it stopped early; the next sweep continues */
  readonly away: StoreUnavailable | null;
  /** other errors that prevented a verification */
  readonly failures: readonly unknown[];
  /** time was over before everything was verified */
  readonly isUnfinished: boolean;
}

export interface SliceLimits {
  readonly atOnce?: number;
  readonly share?: number;
  readonly run_ms?: number;
}

/**
 * One of 64 parts of the sweep: verifies its due audit trails, its due copies with what was signed, and a random share of the others. What was
 * verified is recorded at once, so a run after a crash goes on where the one before stopped. The queue runs one job of a slice at a time.
 */
export async function verifySlice(deps: Deps, sweep: Jobs["vault.verify-slice"], limits: SliceLimits = {}): Promise<VerifiedSlice> {
  const { run_ms = RUN_MS } = limits;
  const copies = await verifyCopies(deps, sweep, limits, performance.now() + run_ms / 2);
  const chains = await verifyChains(deps, sweep.slice, { stopAt: performance.now() + run_ms / 2 });
  return {
    ...copies,
    broken: chains.broken,
    failures: [...copies.failures, ...chains.failures],
    isUnfinished: copies.isUnfinished || chains.isUnfinished,
  };
}

/** Another job goes on with the slice. One that failed is repeated by the queue instead. */
export async function continueSlice({ db }: Pick<VaultDeps, "db">, sweep: Jobs["vault.verify-slice"]): Promise<void> {
  await db.system((tx) => enqueue(tx, "vault.verify-slice", sweep, keyOfSlice(sweep.slice)));
}

export const keyOfSlice = (slice: number): string => `vault.verify-slice ${slice}`;

async function verifyCopies(
  deps: Deps,
  { slice, seed, began_at }: Jobs["vault.verify-slice"],
  { atOnce = AT_ONCE, share = SHARE }: SliceLimits,
  stopAt: number,
): Promise<Omit<VerifiedSlice, "broken">> {
  const counts: Record<Verdict | "mismatched", number> = { sound: 0, tampered: 0, gone: 0, mismatched: 0 };
  const failures: unknown[] = [];
  const result = (away: StoreUnavailable | null, isUnfinished: boolean) => {
    const { sound, tampered, mismatched } = counts;
    return { sound, tampered, mismatched, away, failures, isUnfinished };
  };
  // Copies that stay due: those that failed, which the next run tries again, and those that have left in the meantime.
  const passed = new Set<string>();
  const paced = withPace(deps);
  let tried = 0;
  /** False if time was over before the last one. The first one is always tried, so that each run comes further. */
  const verify = async (copies: readonly CopyToVerify[]): Promise<boolean> => {
    for (const { org_id, envelope_id } of copies) {
      if (passed.has(envelope_id)) continue;
      if (tried++ > 0 && performance.now() > stopAt) return false;
      try {
        const { verdict, matches } = await verifyWhole(paced, org_id, envelope_id);
        counts[verdict]++;
        if (!matches) counts.mismatched++;
        if (verdict === "gone") passed.add(envelope_id);
      } catch (error) {
        if (error instanceof StoreUnavailable) throw error;
        // A failure does not stop the others.
        failures.push(error);
        passed.add(envelope_id);
      }
    }
    return true;
  };
  const sample = { seed, share, most: Math.ceil(MAX_SAMPLE / SWEEP_SLICES), since: new Date(began_at) };
  const queries = [
    (limit: number) => deps.db.system((tx) => findDueCopies(tx, slice, dueAfterHours(deps), limit)),
    (limit: number) => deps.db.system((tx) => sampleCopies(tx, slice, sample, limit)),
  ];
  try {
    for (const find of queries) {
      for (let more = true; more; ) {
        const limit = atOnce + passed.size;
        const found = await find(limit);
        if (!(await verify(found))) return result(null, true);
        // Verified copies are not found again and others are passed over, so the next query finds more.
        more = found.length >= limit && failures.length < MAX_FAILURES;
      }
    }
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    return result(error, false);
  }
  return result(null, false);
}

/** Reads of all slices in this process wait for each other as SWEEP_MBPS demands. */
function withPace(deps: Deps): Deps {
  const { blobs } = deps.storage;
  const read: typeof blobs.read = async (org, sha256) => {
    await deps.sweepPace.wait();
    const bytes = await blobs.read(org, sha256);
    deps.sweepPace.took(bytes.length);
    return bytes;
  };
  return { ...deps, storage: { ...deps.storage, blobs: { ...blobs, read } } };
}

/** The copy, and what people signed. It counts as verified once both were compared. */
async function verifyWhole(
  deps: Deps,
  org: OrgId,
  envelope_id: EnvelopeId,
): Promise<{ readonly verdict: Verdict; readonly matches: boolean }> {
  const { verdict, sound } = await examineCopy(deps, org, envelope_id, { marks: false });
  if (sound === null) return { verdict, matches: true };
  const matches = await compareSigned(deps, org, envelope_id);
  await deps.db.tx(org, (tx) => markVerified(tx, org, sound));
  return { verdict, matches };
}

/** The sweep begins once an hour, so copies that become due before the next one are due now. */
const dueAfterHours = ({ sweepHours }: VaultDeps): number => Math.max(0, sweepHours - 1);
