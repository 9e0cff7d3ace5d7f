import { appendAudit } from "../../audit/append-audit.ts";
import { readChain } from "../../audit/read-chain.ts";
import { lockHead } from "../../audit/read-head.ts";
import { enqueue } from "../../jobs/enqueue.ts";
import { HOUR_MS } from "../../shared/durations.ts";
import type { EnvelopeId, OrgId } from "../../shared/ids.ts";
import { findUnlogged } from "../../transparency/store.ts";
import { type VaultDeps, vaultJobCaller } from "../copy.ts";
import type { Damage } from "./difference.ts";
import { type Chain, type ChainRound, findChains, isReported, lookUpRound, noteRound, SLICES, SWEEP_SLICES } from "./store.ts";
import { CHAIN, chainDamage, verifyCopy } from "./verify-copy.ts";

// So few that a page is read in a moment, whatever the number of chains. A crash repeats at most one page.
const CHAINS_AT_ONCE = 200;
/** The slices of chains that a slice of the sweep has. */
const PER_SLICE = SLICES / SWEEP_SLICES;
// More would have one cause, which the other chains would meet too.
const MAX_FAILED = 1_000;

export interface VerifiedChains {
  readonly broken: number;
  readonly failures: readonly unknown[];
  /** time was over before those that are due now were verified */
  readonly isUnfinished: boolean;
}

export interface ChainLimits {
  /** on the clock of performance.now() */
  readonly stopAt: number;
  readonly atOnce?: number;
  readonly now?: Date;
}

/**
 * Verifies the chains of a slice, spread over the hours of a round, so that a round verifies each chain once. Each entry is hashed again, the
 * chain must end at its head, and every entry must be in the log or queued for it. How far it came is recorded, so nothing is left out after
 * a crash or a pause of the worker.
 */
export async function verifyChains(
  deps: VaultDeps,
  slice: number,
  { stopAt, atOnce = CHAINS_AT_ONCE, now = new Date() }: ChainLimits,
): Promise<VerifiedChains> {
  const failures: unknown[] = [];
  let broken = 0;
  let round = await roundNow(deps, slice, now);
  const first = slice * PER_SLICE;
  const to = first + dueSlices((now.getTime() - round.began_at.getTime()) / HOUR_MS, deps.sweepHours);
  /** `failed` could not be verified; `left` were not tried, because time was over. */
  const verifyAll = async (chains: readonly Chain[]): Promise<{ readonly failed: Chain[]; readonly left: readonly Chain[] }> => {
    const failed: Chain[] = [];
    for (const [n, chain] of chains.entries()) {
      if (performance.now() > stopAt) return { failed, left: chains.slice(n) };
      try {
        if (await isBroken(deps, chain)) broken++;
      } catch (error) {
        // A failure does not stop the others.
        failures.push(error);
        failed.push(chain);
      }
    }
    return { failed, left: [] };
  };
  const note = async (next: ChainRound): Promise<void> => {
    round = next;
    await deps.db.system((tx) => noteRound(tx, slice, next));
  };

  if (round.failed.length > 0) {
    const { failed, left } = await verifyAll(round.failed);
    await note({ ...round, failed: [...failed, ...left] });
  }
  while (!round.is_done && round.failed.length < MAX_FAILED) {
    const chains = await deps.db.system((tx) => findChains(tx, { from: first, to }, round.reached, atOnce));
    const { failed, left } = await verifyAll(chains);
    const reached = chains[chains.length - left.length - 1] ?? round.reached;
    const isLast = left.length === 0 && chains.length < atOnce;
    await note({ ...round, reached, failed: [...round.failed, ...failed], is_done: isLast && to === first + PER_SLICE });
    if (left.length > 0) return { broken, failures, isUnfinished: true };
    if (isLast) break;
  }
  return { broken, failures, isUnfinished: false };
}

// The next sweep begins in an hour, give or take how long a job waits.
const EARLY_HOURS = 0.5;

async function roundNow(deps: VaultDeps, slice: number, now: Date): Promise<ChainRound> {
  const round = await deps.db.system((tx) => lookUpRound(tx, slice));
  const isOver = round?.is_done && (now.getTime() - round.began_at.getTime()) / HOUR_MS >= deps.sweepHours - EARLY_HOURS;
  if (round !== null && !isOver) return round;
  return { began_at: now, reached: null, failed: round?.failed ?? [], is_done: false };
}

/** How many of a slice's slices of chains are due so many hours after its round began, so that the last hour of the round has the last ones. */
export const dueSlices = (hours: number, roundHours: number): number =>
  Math.min(PER_SLICE, Math.ceil((PER_SLICE * (Math.max(0, hours) + 1)) / roundHours));

async function isBroken(deps: VaultDeps, { org_id: org, subject }: Chain): Promise<boolean> {
  const damage = await damageOf(deps, org, subject as EnvelopeId | OrgId);
  if (damage === null) return false;
  // If the trail of a vaulted document is damaged, the document is marked too.
  const isMarked = subject !== org && (await verifyCopy(deps, org, subject as EnvelopeId)) === "tampered";
  if (!isMarked) await reportDamage(deps, org, subject, damage);
  return true;
}

/** Locks the chain against appends during verification; other chains are not affected. */
function damageOf(deps: VaultDeps, org: OrgId, subject: EnvelopeId | OrgId): Promise<Damage | null> {
  return deps.db.tx(org, async (tx) => {
    const head = await lockHead(tx, org, subject);
    const links = await readChain(tx, org, subject);
    const damage = chainDamage(links, org, subject, head);
    if (damage !== null) return damage;
    const hashes = links.map(({ entry }) => entry.hash);
    const [unlogged] = await findUnlogged(tx, hashes);
    if (unlogged === undefined) return null;
    return { what: `${CHAIN} at entry ${hashes.indexOf(unlogged) + 1} (not in the log)`, expected: unlogged, found: null };
  });
}

/**
 * Records the damage in the organization's own chain and sends an e-mail, once. If that chain is the damaged one, nothing is appended to
 * it, and each round sends the e-mail only.
 */
async function reportDamage(deps: VaultDeps, org: OrgId, subject: string, { what, expected, found }: Damage): Promise<void> {
  await deps.db.tx(org, async (tx) => {
    if (subject !== org) {
      if (await isReported(tx, org, subject, what)) return;
      const data = { envelope_id: subject, what, expected, found };
      await appendAudit(tx, org, { type: "vault.document.tamper_detected", by: vaultJobCaller(org), data });
    }
    const whose = subject === org ? "your organization" : subject;
    await enqueue(tx, "orgs.notify-admins", {
      org_id: org,
      kind: "trail_tampered",
      subject: "An audit trail has been changed",
      text: [
        `The regular check of all audit trails found that ${what} of ${whose} has been changed since it was written.`,
        "Someone with access to the database changed it. Compare it with a backup.",
      ].join("\n\n"),
    });
  });
}
