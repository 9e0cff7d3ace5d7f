// Approvers, viewers and people who get a copy: what the facts say about them is what the chain says.

import { canonicalize, type Json } from "../../canonical.ts";
import type { Facts2, RecipientFacts } from "../../facts-2.ts";
import type { Milestone } from "../../milestones.ts";
import { entriesOf } from "../1/checks/wording.ts";
import { type Contradiction, says } from "../1/facts-against-chain.ts";
import { claimsOf } from "./link-claims.ts";

type Named = Readonly<Record<string, Json>>;

/** Everyone whom the envelope was for in the end, by the entries that name them; null if it is not known, as before there were kinds. */
export function recipientsTold(milestones: readonly Milestone[]): Named[] | null {
  let people: Named[] | null = null;
  for (const { type, said } of milestones) {
    if (said === null && TYPES.includes(type)) return null;
    if (said === null) continue;
    if (type === "envelope.sent") people = Array.isArray(said.recipients) ? said.recipients.map((one) => Object(one) as Named) : [];
    if (people === null) continue;
    if (type === "recipient.added") people = [...people, said];
    if (type === "recipient.removed") people = people.filter(({ recipient_id }) => recipient_id !== said.recipient_id);
    if (type === "recipient.replaced")
      people = people.map((one) => (one.recipient_id === said.recipient_id ? (Object(said.to) as Named) : one));
  }
  return people;
}

const TYPES = ["envelope.sent", "recipient.added", "recipient.removed", "recipient.replaced"];

export function recipientContradiction(facts: Facts2): Contradiction | null {
  const told = recipientsTold(facts.chain.milestones);
  const { recipients = [] } = facts;
  if (told === null) return null;
  const others = told.filter(({ kind }) => kind !== "signer");
  if (others.length !== recipients.length) return { what: "the recipients who do not sign", seq: null };
  for (const one of recipients) {
    const named = others.find(({ recipient_id }) => recipient_id === one.recipient_id);
    if (named === undefined || !MEMBERS.every((member) => isEqual(named[member], one[member]))) {
      return { what: `the ${one.kind} ${one.email}`, seq: null };
    }
    const contradiction = actContradiction(facts, one) ?? visitContradiction(facts, one);
    if (contradiction !== null) return contradiction;
  }
  const moved = facts.signers.find(
    ({ role, step }) => step !== undefined && !told.some((one) => one.kind === "signer" && one.role === role && one.step === step),
  );
  return moved === undefined ? null : { what: `the step of ${moved.email ?? "a signer"}`, seq: null };
}

const MEMBERS = ["kind", "step", "email", "name", "role"] as const satisfies readonly (keyof RecipientFacts)[];
const isEqual = (told: Json | undefined, claimed: Json | undefined): boolean =>
  canonicalize(told ?? null) === canonicalize(claimed ?? null);

const FINISHING = { approver: ["recipient.approved", "approved"], viewer: ["recipient.confirmed", "confirmed"] } as const;

const own = (facts: Facts2, type: string, { slug }: RecipientFacts): Milestone[] =>
  entriesOf(facts, type).filter(({ actor }) => actor.kind === "recipient" && actor.id === slug);

function actContradiction(facts: Facts2, one: RecipientFacts): Contradiction | null {
  if (one.kind === "cc") return null;
  const [type, finished] = FINISHING[one.kind];
  const [entry, second] = own(facts, type, one);
  const what = `that the ${one.kind} ${one.email} ${finished}`;
  if (second !== undefined) return { what, seq: second.seq };
  if (entry === undefined) return one.status === finished || one.acted_at !== null ? { what, seq: null } : null;
  const { recipient_id, email: user_email, acted_at, state_sha256 } = one;
  const isTold = one.status === finished && says(entry, { recipient_id, user_email, acted_at, state_sha256 });
  return isTold ? null : { what, seq: entry.seq };
}

/** Each visit has its entry and each entry its visit. */
function visitContradiction(facts: Facts2, one: RecipientFacts): Contradiction | null {
  const entries = own(facts, "recipient.opened", one);
  const what = `a visit of the ${one.kind} ${one.email}`;
  for (const session of one.sessions) {
    const { session: signing_session, credential, email: user_email } = session;
    const entry = entries.find(({ said }) => said === null || said.signing_session === signing_session);
    if (entry === undefined || !says(entry, { signing_session, credential, user_email, ...claimsOf(session) })) {
      return { what, seq: entry?.seq ?? null };
    }
  }
  const silent = entries.find(({ said }) => said !== null && !one.sessions.some(({ session }) => session === said.signing_session));
  return silent === undefined ? null : { what, seq: silent.seq };
}
