// How findings are put into words. The sentences are read by people who were not there, years later.

import type { AttestedSigner, Facts, SignerFacts } from "../../../facts.ts";
import type { Milestone } from "../chain-facts.ts";
import type { Finding } from "./check.ts";

/** One condition of a check: what is wrong, or null. */
export type Condition = (facts: Facts) => Failed | null;
export type Failed = Extract<Finding, { satisfied: false }>;

/** The first condition that fails decides what is said. */
export function judgeBy(facts: Facts, conditions: readonly Condition[], ok: (facts: Facts) => string): Finding {
  for (const condition of conditions) {
    const failed = condition(facts);
    if (failed !== null) return failed;
  }
  return { satisfied: true, detail: ok(facts) };
}

export const failed = (detail: string, remedy: string): Failed => ({ satisfied: false, detail, remedy });

export const AGAIN = "then evaluate again (POST …/compliance)";
export const NOT_STORED = failed("No authoritative copy is stored.", "Vault the envelope.");

// Enough to find a hash among those of one record; the certificate prints all 64.
const SHORT_HEX = 8;

export const short = (hash: string | null): string => (hash === null ? "nothing" : `${hash.slice(0, SHORT_HEX)}…`);
export const dateOf = (time: string): string => time.slice(0, 10);
export const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

export const nameOf = ({ email, name, role, order }: SignerFacts): string => email ?? name ?? role ?? `Signer ${order}`;
export const attestedNameOf = ({ name, email, role }: AttestedSigner): string => name ?? email ?? role ?? "a signer";

export const requiredSigners = ({ signers }: Facts): SignerFacts[] => signers.filter(({ required }) => required);

/** How signing is judged: a ceremony at another provider is judged as one elsewhere, whose audit document is the evidence file. */
export function signedBy({ source, provider }: Pick<Facts, "source" | "provider">): Facts["source"] {
  return source === "signed_here" && provider !== null && provider !== "builtin" ? "electronic_signed" : source;
}

/** Entries of one type, in the order of the chain. */
export const entriesOf = ({ chain }: { readonly chain: Pick<Facts["chain"], "milestones"> }, type: string): Milestone[] =>
  chain.milestones.filter((entry) => entry.type === type);

/** What the first entry of a type says under a name; null where there is no such entry or it says nothing. */
export const saidFirst = (facts: Facts, type: string, name: string): unknown => entriesOf(facts, type)[0]?.said?.[name] ?? null;

/** A list that an entry holds, whatever else may stand there. */
export const listOf = (value: unknown): readonly Record<string, unknown>[] =>
  Array.isArray(value) ? value.map((each) => Object(each)) : [];

/** The last entry of the transaction that stored the copy; null where nothing was stored. */
export function lastStoring(facts: { readonly chain: Pick<Facts["chain"], "milestones"> }): Milestone | null {
  const stored = entriesOf(facts, "vault.stored")[0];
  if (stored === undefined) return null;
  const next = (after: Milestone, type: string) =>
    facts.chain.milestones.find((entry) => entry.seq === after.seq + 1 && entry.type === type);
  const custody = next(stored, "custody.assigned") ?? stored;
  return next(custody, "assignment.recorded") ?? custody;
}
