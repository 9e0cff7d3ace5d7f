import { appendAudit } from "../../audit/append-audit.ts";
import { readChain } from "../../audit/read-chain.ts";
import { lockHead } from "../../audit/read-head.ts";
import { enqueue } from "../../jobs/enqueue.ts";
import type { EnvelopeId, OrgId } from "../../shared/ids.ts";
import { findUnlogged } from "../../transparency/store.ts";
import { keeper, type VaultDeps } from "../copy.ts";
import type { Damage } from "./difference.ts";
import { type Chain, findChains, isTold } from "./store.ts";
import { CHAIN, chainDamage, verifyCopy } from "./verify-copy.ts";

// Names only, a few megabytes: each look for them reads the index of all chains.
const CHAINS_AT_ONCE = 50_000;

export interface SweptChains {
  readonly broken: number;
  readonly failures: readonly unknown[];
}

export interface ChainSweep {
  /** since 1970: which slice of all chains it is that has its turn */
  readonly hour: number;
  /** of performance.now() */
  readonly stopAt: number;
}

/**
 * Chains are looked at in as many slices as there are hours in a round, one slice an hour: each entry is recomputed, the chain ends where
 * its head says, and every entry is in the log or about to be.
 */
export async function sweepChains(deps: VaultDeps, { hour, stopAt }: ChainSweep): Promise<SweptChains> {
  const failures: unknown[] = [];
  let broken = 0;
  let after: Chain | null = null;
  for (;;) {
    const from: Chain | null = after;
    const chains: Chain[] = await deps.db.system((tx) => findChains(tx, hour % deps.sweepHours, deps.sweepHours, from, CHAINS_AT_ONCE));
    for (const [n, chain] of chains.entries()) {
      if (performance.now() > stopAt) {
        failures.push(new Error(`${chains.length - n} chains or more were not looked at in their hour`));
        return { broken, failures };
      }
      try {
        if (await isBroken(deps, chain)) broken++;
      } catch (error) {
        // One that fails must not keep the rest from being looked at.
        failures.push(error);
      }
    }
    after = chains.at(-1) ?? null;
    if (chains.length < CHAINS_AT_ONCE) return { broken, failures };
  }
}

async function isBroken(deps: VaultDeps, { org_id: org, subject }: Chain): Promise<boolean> {
  const damage = await damageOf(deps, org, subject as EnvelopeId | OrgId);
  if (damage === null) return false;
  // A vaulted document whose trail is damaged is itself under suspicion, and marked as such.
  const isMarked = subject !== org && (await verifyCopy(deps, org, subject as EnvelopeId)) === "tampered";
  if (!isMarked) await tell(deps, org, subject, damage);
  return true;
}

/** Nothing is appended to the chain while it is looked at; what others append elsewhere does not matter. */
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
 * On record in the org's own chain, and by mail, once. When that chain is the damaged one it takes no more evidence: then there is the
 * mail alone, with each round.
 */
async function tell(deps: VaultDeps, org: OrgId, subject: string, { what, expected, found }: Damage): Promise<void> {
  await deps.db.tx(org, async (tx) => {
    if (subject !== org) {
      if (await isTold(tx, org, subject, what)) return;
      const data = { envelope_id: subject, what, expected, found };
      await appendAudit(tx, org, { type: "vault.document.tamper_detected", by: keeper(org), data });
    }
    const whose = subject === org ? "your organization" : subject;
    await enqueue(tx, "orgs.notify-admins", {
      org_id: org,
      kind: "trail_tampered",
      subject: "An audit trail has been changed",
      text: [
        `The daily check of all audit trails found that ${what} of ${whose} has been changed since it was written.`,
        "Someone with access to the database changed it. Compare it with a backup.",
      ].join("\n\n"),
    });
  });
}
