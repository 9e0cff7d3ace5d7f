import type { Facts } from "../../../facts.ts";
import type { DuplicateFacts, Facts2, FingerprintKind } from "../../../facts-2.ts";
import { singleAuthoritativeCopy as inRules1 } from "../../1/checks/01-single-authoritative-copy.ts";
import { AGAIN, counted, type Failed, failed } from "../../1/checks/wording.ts";
import { contradictionWords, recoveriesOf, recoveryWords } from "../recoveries.ts";
import { seenByRules1 } from "../seen-by-rules-1.ts";
import { attested, type Graded, type GradedCheck, type GradedFinding, proven } from "./check.ts";

/** An identifier of a PDF also stays in documents that were made from one form, so it is only worth a warning. */
const COUNTING: readonly FingerprintKind[] = ["file", "revision", "ours", "text", "instrument"];

const REVIEW = "Have someone other than the depositor compare both and record it (POST …/duplicate-review).";

const STATEMENTS = {
  electronic_signed: "The depositor states what became of the copy at the issuing system.",
  paper_upload: "The depositor states what became of the paper original.",
} as const;

/** Records that have more than the identifier of the PDF in common with this one. */
const matches = ({ identity }: Facts2): DuplicateFacts[] =>
  identity.duplicates.filter(({ kinds }) => kinds.some((kind) => COUNTING.includes(kind)));

export const singleAuthoritativeCopy: GradedCheck = {
  ...inRules1,
  judge: (facts) => {
    const paper = onPaper(facts);
    if (paper !== null) return paper;
    const finding = inRules1.judge(withReceipt(facts, seenByRules1(facts)));
    if (!finding.satisfied) return { ...finding, remedy: remedyOf(facts) ?? finding.remedy };
    return isOnlyOne(facts) ?? withRecoveries(facts, { ...finding, ...gradeOf(facts) });
  },
};

/** The signed receipt says what the depositor need not: that the copy at the vault before ended. */
function withReceipt({ identity, chain }: Facts2, seen: Facts): Facts {
  const isBack =
    identity.duplicates.some(({ returned }) => returned !== undefined) ||
    chain.milestones.some(({ type }) => type === "vault.receipt_used");
  const { attestation } = seen;
  if (!isBack || attestation === null || attestation.external === null) return seen;
  return {
    ...seen,
    attestation: { ...attestation, external: { ...attestation.external, prior_copy_status: "exported_with_acknowledgment" } },
  };
}

/** From the moment that each page of the paper names, the electronic record is no original any more, whether or not it is printed. */
function onPaper(facts: Facts2): Failed | null {
  const { copy } = facts;
  if (copy?.state !== "papering" && copy?.state !== "papered") return null;
  const since = copy.state_since ?? "an unknown date";
  const words =
    copy.state === "papering"
      ? `ended on ${since} and is being replaced by paper`
      : `was replaced by paper, which was confirmed on ${since}`;
  return failed(`The electronic record ${words}.`, remedyOf(facts) ?? "The paper is the original now.");
}

/** That no one has compared it with another record that looks the same; null if there is no such record. */
export function isOnlyOne(facts: Facts2): Failed | null {
  const open = matches(facts).find(({ review, returned }) => review === null && returned === undefined);
  return open === undefined ? null : isTheSame(open);
}

/**
 * A record that was released and then recovered without the receiver's answer is attested for ever, because no one here knows what the receiver
 * has. If the receiver says afterwards that it has the original, there is more than one.
 */
export function withRecoveries(facts: Facts2, finding: GradedFinding): GradedFinding {
  const recoveries = recoveriesOf(facts);
  const contradicted = recoveries.find(({ contradicted_at }) => contradicted_at !== null);
  if (!finding.satisfied || recoveries[0] === undefined) return finding;
  if (contradicted === undefined) return { ...finding, ...attested(recoveryWords(recoveries[0])) };
  return failed(contradictionWords(contradicted), "Agree with that vault which of the two copies ends, and end it there.");
}

function isTheSame({ envelope_id, state, kinds }: DuplicateFacts): Failed {
  return failed(`${likeness(kinds)} ${envelope_id}, ${wordsOf[state]}, and no one has compared the two.`, REVIEW);
}

function likeness(kinds: readonly FingerprintKind[]): string {
  if (kinds.includes("file")) return "The file is the same as that of";
  if (kinds.includes("revision")) return "The file is another state of that of";
  if (kinds.includes("ours")) return "The document was made from the same record as";
  if (kinds.includes("instrument")) return "The same instrument is declared for";
  return "The words are the same as those of";
}

const wordsOf: Readonly<Record<DuplicateFacts["state"], string>> = {
  active: "which is in this vault",
  escrowed: "which is in this vault",
  tampered: "which was found altered",
  exported: "which left this vault",
  destroyed: "which was destroyed",
  transferred: "which moved to another vault",
  papering: "which is being replaced by paper",
  papered: "which was replaced by paper",
  destroying: "which is being destroyed",
};

/** Rules 1 say to vault again what came back. Such a file is recognized now and refused. */
function remedyOf({ copy, older_copy }: Facts2): string | null {
  if (copy?.state === "exported") return "The copy that left is the authoritative one now, wherever it is kept.";
  if (copy?.state === "papered") return "The paper is the original now.";
  if (copy?.state === "papering") return "Wait until the recipient confirms that the paper is printed.";
  if (copy?.state === "destroyed" || copy?.state === "destroying")
    return "This record has ended; its audit trail and its certificates stay.";
  if (copy !== null && older_copy !== null) return `Release the duplicate. ${REVIEW.replace(/\.$/, "")}, ${AGAIN}.`;
  return null;
}

/** Attested if another record looked the same and someone compared them, or if it came back from outside; null if there is none. */
export function reviewGrade(facts: Facts2): Graded | null {
  const back = matches(facts).find(({ returned }) => returned !== undefined);
  if (back !== undefined) return attested(`It left this vault as ${back.envelope_id} and came back with the signed receipt of its export.`);
  const reviewed = matches(facts).map(({ envelope_id }) => envelope_id);
  if (reviewed.length === 0) return null;
  return attested(`Someone other than the depositor compared it with ${reviewed.join(", ")}; what they state is in the audit trail.`);
}

function gradeOf(facts: Facts2): Graded {
  const reviewed = reviewGrade(facts);
  if (reviewed !== null) return reviewed;
  if (facts.source !== "signed_here") return attested(STATEMENTS[facts.source]);
  if (facts.issued_before > 0) {
    return attested(
      `${counted(facts.issued_before, "signed PDF without a mark was", "signed PDFs without a mark were")} handed out before it was vaulted.`,
    );
  }
  return proven(
    "Signed here. No other record of the organization is the same file or declares the same instrument, and none from elsewhere has the same words. No unmarked PDF was handed out before.",
  );
}
