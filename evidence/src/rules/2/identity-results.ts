// Codes that a signer was asked for: which of them count for the signature, and whether the facts say about them what the chain says.

import { canonicalize, type Json } from "../../canonical.ts";
import type { SessionFacts } from "../../facts.ts";
import type { CodeFacts, Facts2, IdentityResultFacts, SignerFacts2 } from "../../facts-2.ts";
import { entriesOf } from "../1/checks/wording.ts";
import { type Contradiction, mismatch } from "../1/facts-against-chain.ts";

// As for identity questions: long enough to read a contract.
const VALID_MINUTES = 60;

/**
 * The pass of a method on which the signature rests: the last result of the visit in which the person signed, at most an hour before the
 * first signature. Null if there is none.
 */
export function passOf({ signatures, identity = [] }: SignerFacts2, method: string): IdentityResultFacts | null {
  const sessions = new Set(signatures.map(({ session }) => session));
  const signed = signatures.map(({ signed_at }) => signed_at).sort();
  const [first, last] = [signed[0], signed.at(-1)];
  if (first === undefined || last === undefined || sessions.size !== 1) return null;
  const results = identity
    .filter((one) => one.method === method && sessions.has(one.session) && one.at <= last)
    .sort((a, b) => (a.at < b.at ? -1 : 1));
  const result = results.at(-1);
  if (result?.passed !== true || result.at > first) return null;
  return Date.parse(first) - Date.parse(result.at) <= VALID_MINUTES * 60_000 ? result : null;
}

/** What a person had to pass in one visit. The organization's minimum may leave out people whom its own application brings with a token. */
export function askedIn({ required_methods = [], required_of_links = [] }: CodeFacts, visit: Pick<SessionFacts, "credential">): string[] {
  return visit.credential === "embed_token" ? [...required_methods] : [...required_methods, ...required_of_links];
}

/** What a signer had to pass for their signature. Everything that was required, if no visit is recorded. */
export function askedOf(signer: SignerFacts2): string[] {
  const visit = signer.sessions.find(({ session }) => signer.signatures.some((signature) => signature.session === session));
  return askedIn(signer, visit ?? { credential: "" });
}

/** Each result has its entry and each entry its result; what is required is what the sender set last. */
export function resultContradiction(facts: Facts2): Contradiction | null {
  for (const signer of facts.signers) {
    const { slug, role, email, order } = signer;
    const contradiction = codeContradiction(facts, signer, { slug, who: email ?? `signer ${order}`, isOf: (said) => said.role === role });
    if (contradiction !== null) return contradiction;
  }
  for (const person of facts.recipients ?? []) {
    const { slug, recipient_id, email } = person;
    const contradiction = codeContradiction(facts, person, { slug, who: email, isOf: (said) => said.recipient_id === recipient_id });
    if (contradiction !== null) return contradiction;
  }
  return null;
}

interface Person {
  readonly slug: string | null;
  readonly who: string;
  /** whether an entry is about what is required of this person */
  readonly isOf: (said: Readonly<Record<string, Json>>) => boolean;
}

function codeContradiction(
  facts: Facts2,
  { required_methods, required_of_links, identity = [] }: CodeFacts,
  { slug, who, isOf }: Person,
): Contradiction | null {
  const sets = entriesOf(facts, "identity.set").filter(({ said }) => said === null || isOf(said));
  const isErased = sets.some(({ said }) => said === null);
  const set = sets.at(-1);
  const required = [required_methods, required_of_links].map((methods) => (methods === undefined ? null : [...methods]));
  if (!isErased && canonicalize([set?.said?.methods ?? null, set?.said?.link_methods ?? null]) !== canonicalize(required)) {
    return { what: `how ${who} had to be identified`, seq: set?.seq ?? null };
  }
  for (const [type, passed] of RESULTS) {
    const claimed = identity
      .filter((one) => one.passed === passed)
      .map(({ session, method, provider, message_id, at }) => ({ claims: { signing_session: session, method, provider, message_id }, at }));
    const told = entriesOf(facts, type).filter(({ actor }) => actor.id === slug);
    const contradiction = mismatch(`a code of ${who}`, claimed, told);
    if (contradiction !== null) return contradiction;
  }
  return null;
}

const RESULTS = [
  ["identity.passed", true],
  ["identity.failed", false],
] as const;
