// How a record is judged that another vault released to this one. Who signed, and what they consented to, is what the first vault recorded:
// its facts are part of these facts, and a verifier finds the chain that they rest on in the bundle. Where the record is now, who keeps it and
// to whom it is assigned is what this vault records.

import type { Facts2, OriginFacts } from "../../facts-2.ts";
import { isChained, isInCheckpoint } from "../1/checks/06-audit-trail.ts";
import type { CheckId } from "../1/checks/check.ts";
import { entriesOf, type Failed, failed } from "../1/checks/wording.ts";
import { isOnlyOne, reviewGrade, singleAuthoritativeCopy, withRecoveries } from "./checks/01-single-authoritative-copy.ts";
import { tamperEvidentRecord } from "./checks/02-tamper-evident-record.ts";
import { custodian } from "./checks/03-custodian.ts";
import { signaturesComplete } from "./checks/04-signatures-complete.ts";
import { consentAndAttribution } from "./checks/05-consent-and-attribution.ts";
import { auditTrail, hasKnownRevisions, isTimed, trailDetail, trailGrade } from "./checks/06-audit-trail.ts";
import { copiesAndRetention } from "./checks/07-copies-and-retention.ts";
import { securedParty } from "./checks/08-secured-party.ts";
import { attested, type GradedFinding, proven } from "./checks/check.ts";
import { seenByRules1 } from "./seen-by-rules-1.ts";

export type Imported = Facts2 & { readonly origin: OriginFacts };

export const isImported = (facts: Facts2): facts is Imported => facts.origin !== undefined;

/** Of the vault that sealed the record. */
export const firstFacts = (facts: Facts2): Facts2 => (isImported(facts) ? firstFacts(facts.origin.facts) : facts);

/** The first vault's facts, with the copy and the seal as they were found here. */
function asFirst(facts: Imported): Facts2 {
  const { copy, seal, older_copy, evaluated_at, certificate } = facts;
  const { envelope_id, copy_id } = facts.origin.first;
  const first = firstFacts(facts);
  return {
    ...first,
    envelope: { ...first.envelope, envelope_id },
    copy: copy === null ? null : { ...copy, copy_id },
    seal,
    older_copy,
    evaluated_at,
    certificate,
  };
}

const fromVault = ({ origin }: Imported): string => `vault ${origin.vault.root_sha256.slice(0, 16)}…`;

const checks: Record<CheckId, (facts: Imported) => GradedFinding> = {
  single_authoritative_copy: judgeCopy,
  tamper_evident_record: (facts) => tamperEvidentRecord.judge(asFirst(facts)),
  // The acceptance of the transfer names the custodian; no terms are accepted a second time.
  custodian: (facts) => custodian.judge({ ...facts, source: "signed_here" }),
  signatures_complete: (facts) => signaturesComplete.judge(firstFacts(facts)),
  consent_and_attribution: (facts) => consentAndAttribution.judge(firstFacts(facts)),
  audit_trail: judgeTrails,
  copies_and_retention: (facts) => copiesAndRetention.judge({ ...facts, source: "electronic_signed" }),
  secured_party: (facts) => securedParty.judge(facts),
};

/** Never throws, whatever the facts are. */
export const judgeImported = (id: CheckId, facts: Imported): GradedFinding => checks[id](facts);

/**
 * The verified release shows that the sender kept none. Whether there was only one before is what the vault that sealed the record found, and
 * each vault on the way compares the record with its own. So moving a record makes nothing of this stronger.
 */
function judgeCopy(facts: Imported): GradedFinding {
  const finding = singleAuthoritativeCopy.judge(asFirst(facts));
  if (!finding.satisfied) return finding;
  const later = laterFacts(facts);
  const same = later.map(isOnlyOne).find((fault) => fault !== null) ?? null;
  if (same !== null) return same;
  const { transfer_id, released } = facts.origin;
  const detail = `Authoritative copy ${facts.copy?.copy_id} received ${facts.copy?.stored_at} from ${fromVault(facts)} by release ${transfer_id}.`;
  const compared = later.map(reviewGrade).find((grade) => grade !== null) ?? null;
  const kept = `The release of ${released.at} is verified: the vault before keeps no live copy.`;
  const grade =
    compared ??
    (finding.grade === "proven"
      ? proven(`${kept} ${AT_FIRST} Signed there, with no match and no unmarked PDF handed out before.`)
      : attested(`${kept} ${AT_FIRST} ${finding.reason}`));
  return withRecoveries(facts, { satisfied: true, detail, ...grade });
}

const AT_FIRST = "At the vault that sealed it:";

/** Of this vault and of each one before, except the vault that sealed the record. */
const laterFacts = (facts: Facts2): Facts2[] => (isImported(facts) ? [facts, ...laterFacts(facts.origin.facts)] : []);

/** This vault's own trail, and that of the vault before. */
function judgeTrails(facts: Imported): GradedFinding {
  const seen = seenByRules1(facts);
  const fault = isChained(seen) ?? isBegunByImport(facts) ?? isInCheckpoint(seen) ?? isTimed(facts) ?? hasKnownRevisions(facts);
  if (fault !== null) return fault;
  const { facts: before } = facts.origin;
  const earlier = isImported(before) ? judgeTrails(before) : auditTrail.judge(before);
  if (!earlier.satisfied) return failed(`At the vault before: ${earlier.detail}`, earlier.remedy);
  const grade = trailGrade(facts);
  const weaker = grade.grade === "proven" && earlier.grade === "attested" ? attested(`At the vault before: ${earlier.reason}`) : grade;
  return { satisfied: true, detail: trailDetail(facts), ...weaker };
}

const MILESTONES = ["chain.imported", "envelope.created", "vault.stored", "custody.assigned"];

function isBegunByImport(facts: Imported): Failed | null {
  const entries = MILESTONES.map((type) => entriesOf(facts, type)[0]);
  const missing = entries.findIndex((entry, index) => entry === undefined || entry.seq !== index + 1);
  if (missing >= 0)
    return failed(`${MILESTONES[missing]} is missing or out of order.`, "A broken chain cannot be repaired, only reported.");
  return null;
}
