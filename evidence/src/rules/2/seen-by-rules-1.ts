import type { AssignmentFacts, Facts } from "../../facts.ts";
import type { CopyFacts2, Facts2 } from "../../facts-2.ts";
import { withOneDocument } from "./documents.ts";
import { withTransfersSettled } from "./settled-transfers.ts";

/**
 * The same facts for a check of rules 1. A browser that sends no User-Agent is no fault any more, and a time stamp is not asked for: rules
 * 2 have a condition of their own about time.
 */
export function seenByRules1(facts: Facts2): Facts {
  const { signed: _signed, times: _times, log: _log, acts: _acts, identity: _identity, origin: _origin, assignments, ...others } = facts;
  const { recipients: _recipients, documents, ...rest } = others;
  const milestones = withOneDocument(facts.chain.milestones, documents !== undefined);
  return {
    ...rest,
    type: "countersign/facts/1",
    // Rules 1 know no steps; rules 2 have a condition of their own about them.
    envelope: { ...facts.envelope, signing_order: isOneByOne(facts) ? "sequential" : "parallel" },
    copy: facts.copy === null ? null : copySeen(facts.copy),
    chain: { ...facts.chain, milestones: withTransfersSettled(milestones) },
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

/** The order is that of sending. Signers who were moved into one step since then act at the same time. */
function isOneByOne({ envelope, signers }: Facts2): boolean {
  const steps = signers.map(({ step }) => step);
  return envelope.signing_order === "sequential" && (steps.includes(undefined) || new Set(steps).size === steps.length);
}

type CopySeen = NonNullable<Facts["copy"]>;

const states: Partial<Record<CopyFacts2["state"], CopySeen["state"]>> = {
  transferred: "exported",
  papered: "exported",
  papering: "escrowed",
  destroying: "destroyed",
};

const copySeen = (copy: CopyFacts2): CopySeen => ({ ...copy, state: states[copy.state] ?? (copy.state as CopySeen["state"]) });
