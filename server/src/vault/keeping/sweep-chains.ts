import { appendAudit } from "../../audit/append-audit.ts";
import { readChain } from "../../audit/read-chain.ts";
import { lockHead } from "../../audit/read-head.ts";
import { enqueue } from "../../jobs/enqueue.ts";
import type { EnvelopeId, OrgId } from "../../shared/ids.ts";
import { findUnlogged } from "../../transparency/store.ts";
import { type VaultDeps, vaultJobCaller } from "../copy.ts";
import type { Damage } from "./difference.ts";
import { type Chain, findChains, isReported, SLICES } from "./store.ts";
import { CHAIN, chainDamage, verifyCopy } from "./verify-copy.ts";

// So few that a page is read in a moment, whatever the number of chains.
const CHAINS_AT_ONCE = 1_000;

export interface SweptChains {
  readonly broken: number;
  readonly failures: readonly unknown[];
}

export interface ChainSweep {
  /** hours since 1970; selects the slice to verify */
  readonly hour: number;
  /** on the clock of performance.now() */
  readonly stopAt: number;
}

/**
 * Verifies the slices of one hour, so that a round verifies each chain once. Each entry is hashed again, the chain must end at
 * its head, and every entry must be in the log or queued for it.
 */
export async function sweepChains(deps: VaultDeps, { hour, stopAt }: ChainSweep): Promise<SweptChains> {
  const failures: unknown[] = [];
  let broken = 0;
  const slices = slicesOf(hour % deps.sweepHours, deps.sweepHours);
  let after: Chain | null = null;
  for (;;) {
    const from: Chain | null = after;
    const chains: Chain[] = await deps.db.system((tx) => findChains(tx, slices, from, CHAINS_AT_ONCE));
    for (const [n, chain] of chains.entries()) {
      if (performance.now() > stopAt) {
        failures.push(new Error(`${chains.length - n} or more chains were not verified in their hour`));
        return { broken, failures };
      }
      try {
        if (await isBroken(deps, chain)) broken++;
      } catch (error) {
        // A failure does not stop the others.
        failures.push(error);
      }
    }
    after = chains.at(-1) ?? null;
    if (chains.length < CHAINS_AT_ONCE) return { broken, failures };
  }
}

/** The share of an hour in a round of so many hours: each slice belongs to one hour, and the hours have almost equally many. */
export const slicesOf = (hour: number, hours: number): { readonly from: number; readonly to: number } => ({
  from: Math.ceil((hour * SLICES) / hours),
  to: Math.ceil(((hour + 1) * SLICES) / hours),
});

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
        `The daily check of all audit trails found that ${what} of ${whose} has been changed since it was written.`,
        "Someone with access to the database changed it. Compare it with a backup.",
      ].join("\n\n"),
    });
  });
}
