import type { AttestedSigner } from "../../../facts.ts";
import type { Facts2, RecipientFacts, UploadSignature2 } from "../../../facts-2.ts";
import { signaturesComplete as inRules1, isAttested } from "../../1/checks/04-signatures-complete.ts";
import { AGAIN, attestedNameOf, counted, failed, signedBy } from "../../1/checks/wording.ts";
import { seenByRules1 } from "../seen-by-rules-1.ts";
import { attested, type Graded, type GradedCheck, type GradedFinding, proven } from "./check.ts";
import { fromRules1 } from "./from-rules-1.ts";

const ATTEST = `Correct the attestation, ${AGAIN}.`;
const RESTORE_ROWS = "Restore the rows from a copy of the database with countersign vault repair-rows.";

const base = fromRules1(inRules1, gradeOf);

export const signaturesComplete: GradedCheck = {
  ...base,
  judge: (facts) => (signedBy(seenByRules1(facts)) === "electronic_signed" ? judgeSignedElsewhere(facts) : judgeCompared(facts)),
};

function judgeCompared(facts: Facts2): GradedFinding {
  const difference = facts.signed?.difference ?? null;
  if (difference === null) return judgeEveryone(facts);
  const whose = difference.signer === null ? "" : ` of ${difference.signer}`;
  return failed(`The stored ${difference.what.replaceAll("_", " ")}${whose} differ from the audit trail.`, RESTORE_ROWS);
}

const IN_NEW_ENVELOPE = "Collect the act in a new envelope; a completed one is never reopened.";

/** Signers as in rules 1; and every approver approved, and every viewer confirmed, what they saw, in the order of the steps. */
function judgeEveryone(facts: Facts2): GradedFinding {
  const finding = base.judge(facts);
  const others = (facts.recipients ?? []).filter(({ kind }) => kind !== "cc");
  if (!finding.satisfied || facts.source !== "signed_here") return finding;
  const fault = others.map(faultOf).find((one) => one !== null) ?? outOfStep(facts);
  if (fault != null) return failed(fault, IN_NEW_ENVELOPE);
  return others.length === 0 ? finding : { ...finding, detail: `${finding.detail.replace(/\.$/, "")}; ${actedWords(others)}.` };
}

function faultOf({ kind, email, status, state_sha256, found_state_sha256, required_fields }: RecipientFacts): string | null {
  if (kind === "approver" && status !== "approved") return `${email} has not approved.`;
  if (kind === "viewer" && status !== "confirmed") return `${email} has not confirmed that they have read it.`;
  const empty = required_fields.find(({ filled }) => !filled);
  if (empty !== undefined) return `${email}: required field "${empty.name}" is empty.`;
  const isSeen = state_sha256 !== null && state_sha256 === found_state_sha256;
  return isSeen ? null : `${email} ${status} another version of the document.`;
}

/** A person acted before someone of an earlier step had. */
function outOfStep({ signers, recipients = [] }: Facts2): string | null {
  const acts = [
    ...signers.map(({ email, step, signed_at }) => ({ who: email ?? "a signer", step: step ?? null, at: signed_at })),
    ...recipients.filter(({ kind }) => kind !== "cc").map(({ email, step, acted_at }) => ({ who: email, step, at: acted_at })),
  ];
  const early = acts.find((one) =>
    acts.some((other) => one.step !== null && other.step !== null && other.step < one.step && (one.at ?? "") < (other.at ?? "")),
  );
  return early === undefined ? null : `${early.who} acted before it was their turn.`;
}

function actedWords(others: readonly RecipientFacts[]): string {
  const of = (kind: string) => others.filter((one) => one.kind === kind).length;
  const [approvers, viewers] = [of("approver"), of("viewer")];
  return [
    ...(approvers > 0 ? [counted(approvers, "approver approved", "approvers approved")] : []),
    ...(viewers > 0 ? [counted(viewers, "viewer confirmed", "viewers confirmed")] : []),
  ].join(" and ");
}

function gradeOf({ source, signed }: Facts2): Graded {
  if (source === "paper_upload") return attested("The depositor states who signed on paper.");
  if (signed?.fields_recorded !== true)
    return attested("Places of fields and names of signers were not in the audit trail when this was signed.");
  return proven("Values, marks, fields and signers were hashed again and agree with the audit trail.");
}

function judgeSignedElsewhere(facts: Facts2): GradedFinding {
  const missing = isAttested(seenByRules1(facts));
  if (missing !== null) return missing;
  const signers = facts.attestation?.signers ?? [];
  const foreign = facts.upload_signatures.filter(({ intact, ours }) => intact && !ours);
  const detail = `${counted(signers.length, "signer is", "signers are")} attested; ${shownBy(facts, foreign)}.`;
  if (foreign.length > 0) return { satisfied: true, detail, ...gradeOfSignatures(signers, foreign) };
  return (
    judgeEvidenceFile(facts, signers) ?? {
      satisfied: true,
      detail,
      ...attested("An evidence file of the issuing system names every attested signer; its origin is the depositor's statement."),
    }
  );
}

const shownBy = ({ evidence_file }: Facts2, foreign: readonly UploadSignature2[]): string =>
  foreign.length > 0
    ? counted(foreign.length, "signature in the PDF", "signatures in the PDF")
    : `evidence file ${evidence_file?.sha256.slice(0, 8)}…`;

function gradeOfSignatures(signers: readonly AttestedSigner[], signatures: readonly UploadSignature2[]): Graded {
  const unsigned = signers.find(
    (signer) => !signatures.some((signature) => signature.trusted && isNamedIn(signature.subject ?? "", signer)),
  );
  return unsigned === undefined
    ? proven("Each attested signer's own certificate signed the PDF and chains to a trusted root.")
    : attested(`No trusted certificate in the PDF names ${attestedNameOf(unsigned)}; the signatures are the issuing system's.`);
}

// Whole words, so that "Ann" is not found in "Annex Ltd".
function isNamedIn(subject: string, { name, email }: AttestedSigner): boolean {
  const words = wordsOf(subject);
  return [name, email].some((each) => each !== null && each.trim() !== "" && words.includes(wordsOf(each)));
}

const wordsOf = (text: string): string =>
  ` ${text
    .normalize("NFKC")
    .toLowerCase()
    .split(/[^\p{L}\p{N}@.-]+/u)
    .filter(Boolean)
    .join(" ")} `;

function judgeEvidenceFile({ evidence_file, attestation, upload_signatures }: Facts2, signers: readonly AttestedSigner[]) {
  const external = attestation?.external ?? null;
  if (evidence_file === null || external?.evidence_sha256 !== evidence_file.sha256) {
    const found = upload_signatures.some(({ intact, ours }) => intact && ours) ? "only this installation's own seal" : "no signature";
    return failed(`The upload has ${found} and no evidence file.`, ATTEST);
  }
  if (isBlank(external.provider) || isBlank(external.transaction_id)) {
    return failed("The attestation does not say which provider and which transaction the evidence file is from.", ATTEST);
  }
  const unnamed = signers.find((signer) => !evidence_file.names.includes(attestedNameOf(signer)));
  return unnamed === undefined
    ? null
    : failed(`The evidence file does not name ${attestedNameOf(unnamed)}.`, `Deposit an evidence file that names every signer, ${AGAIN}.`);
}

const isBlank = (text: string | null): boolean => text === null || text.trim() === "";
