import type { AssignmentFacts, Facts } from "../../facts.ts";
import type { Facts2 } from "../../facts-2.ts";

/**
 * The same facts for a check of rules 1. A browser that sends no User-Agent is no fault any more, and a time stamp is not asked for: rules
 * 2 have a condition of their own about time.
 */
export function seenByRules1(facts: Facts2): Facts {
  const { signed: _signed, times: _times, log: _log, acts: _acts, identity: _identity, assignments, ...rest } = facts;
  return {
    ...rest,
    type: "countersign/facts/1",
    // Rules 1 only ask whether there was consent, whatever it consists of.
    assignments: assignments.map(({ party_id: _party, consent, ...row }) => ({ ...row, consent: consent as AssignmentFacts["consent"] })),
    signers: facts.signers.map((signer) => ({
      ...signer,
      sessions: signer.sessions.map((session) => ({
        ...session,
        user_agent: session.user_agent === "" ? "none sent" : session.user_agent,
      })),
    })),
  };
}
