import type { Facts2 } from "../../../facts-2.ts";
import { auditTrail as inRules1, isChained, isComplete, isInCheckpoint } from "../../1/checks/06-audit-trail.ts";
import { AGAIN, type Failed, failed } from "../../1/checks/wording.ts";
import { externalTime } from "../external-time.ts";
import { seenByRules1 } from "../seen-by-rules-1.ts";
import { attested, type Graded, type GradedCheck, proven } from "./check.ts";

export const auditTrail: GradedCheck = {
  ...inRules1,
  judge: (facts) => {
    const seen = seenByRules1(facts);
    const fault = isChained(seen) ?? isComplete(seen) ?? isInCheckpoint(seen) ?? isTimed(facts) ?? hasKnownRevisions(facts);
    return fault ?? { satisfied: true, detail: trailDetail(facts), ...trailGrade(facts) };
  },
};

export function isTimed(facts: Facts2): Failed | null {
  if (!facts.org.require_external_time || externalTime(facts) !== null) return null;
  return failed(
    "This organization requires a time from outside, and there is neither a valid time stamp nor enough witnesses yet.",
    `Restore or configure the time-stamp authority or the witnesses, ${AGAIN}.`,
  );
}

// The seal, its validation data and a document time stamp are one revision each.
const MOST_REVISIONS = 3;

export function hasKnownRevisions({ seal }: Facts2): Failed | null {
  const own = seal === null ? 0 : seal.revisions - seal.sealed_revisions;
  if (own >= 1 && own <= MOST_REVISIONS) return null;
  return failed("The stored PDF has a revision that the trail does not name.", "This cannot be repaired, only reported.");
}

export function trailDetail(facts: Facts2): string {
  const { chain, checkpoint } = facts;
  const time = externalTime(facts);
  const clock = time === null ? "self-operated clock" : `${time.words}`;
  return `${chain.head?.seq} entries verify; checkpoint ${checkpoint?.tree_size} at ${checkpoint?.at} (${clock}).`;
}

export function trailGrade(facts: Facts2): Graded {
  const time = externalTime(facts);
  if (time === null) return attested("The time is that of this installation's own clock.");
  return time.isPrompt
    ? proven(`Seen from outside within 24 hours: ${time.words}.`)
    : attested(`It existed no later than ${time.at}, more than 24 hours after the storing: ${time.words}.`);
}
