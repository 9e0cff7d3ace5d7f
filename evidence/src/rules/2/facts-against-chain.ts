import type { SessionFacts, SignerFacts } from "../../facts.ts";
import type { Facts2 } from "../../facts-2.ts";
import type { Link } from "../../verify-chain.ts";
import { entriesOf } from "../1/checks/wording.ts";
import { type Contradiction, chainContradiction, rowContradiction, says, toldUntil } from "../1/facts-against-chain.ts";
import { chainFacts } from "./chain-facts.ts";
import { seenByRules1 } from "./seen-by-rules-1.ts";

/** The first contradiction between facts and the whole chain that they were gathered from; null when there is none. */
export function firstContradiction(facts: Facts2, links: readonly Link[]): Contradiction | null {
  const chain = toldUntil(facts, links, chainFacts);
  const told = { ...facts, chain };
  return (
    chainContradiction(facts.chain, chain) ?? rowContradiction(seenByRules1(told)) ?? linkContradiction(told) ?? sourceContradiction(told)
  );
}

/** How a link reached its user, and where a signature was made, are what the entries say. */
function linkContradiction(facts: Facts2): Contradiction | null {
  for (const signer of facts.signers) {
    for (const session of signer.sessions) {
      const entry = entriesOf(facts, "signer.opened").find(
        ({ actor, said }) => actor.kind === "signer" && actor.id === signer.slug && said?.signing_session === session.session,
      );
      if (entry !== undefined && !says(entry, claimsOf(session))) return { what: `the link of ${whoIs(signer)}`, seq: entry.seq };
    }
  }
  return null;
}

// An entry from before links had secrets says nothing about its link, which the facts call shared.
function claimsOf({ credential, link_kind, message_id, mail_sent_at, issued_by, ip, user_agent }: SessionFacts): Record<string, unknown> {
  if (credential === "email_link" && link_kind === "shared" && message_id === undefined) return { ip, user_agent };
  return { link_kind, message_id, mail_sent_at, issued_by, ip, user_agent };
}

const whoIs = ({ email, order }: SignerFacts): string => email ?? `signer ${order}`;

/** What was signed here is compared with the audit trail; without that comparison it would pass as signed elsewhere. */
function sourceContradiction(facts: Facts2): Contradiction | null {
  const [stored] = entriesOf(facts, "vault.stored");
  if (stored !== undefined && !says(stored, { source: facts.source })) return { what: "where it was signed", seq: stored.seq };
  const isCompared = facts.source !== "signed_here" || facts.provider !== "builtin" || facts.signed !== null;
  return isCompared ? null : { what: "that it was signed here", seq: stored?.seq ?? null };
}
