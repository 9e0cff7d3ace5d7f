import type { ComplianceCheck, ComplianceCheckResult } from "@countersign/client/types";
import type { AttestedSource } from "./api.ts";
import type { AttestationForm, SignerForm } from "./attestation.ts";

/** What the answers so far mean for a check: enough, something open, or up to the service when it stores the document. */
export interface Foreseen {
  readonly kind: "answered" | "open" | "later";
  readonly says: string;
}

export interface Answers {
  readonly source: AttestedSource;
  readonly attestation: AttestationForm;
  readonly party: string;
  readonly hasEvidence: boolean;
  /** YYYY-MM-DD */
  readonly today: string;
}

const answered = (says: string): Foreseen => ({ kind: "answered", says });
const open = (says: string): Foreseen => ({ kind: "open", says });
const later = (says: string): Foreseen => ({ kind: "later", says });

export function foresee(id: ComplianceCheck, answers: Answers): Foreseen {
  const { attestation, party } = answers;
  const isAttested = attestation.by.name.trim() !== "";
  switch (id) {
    case "single_authoritative_copy":
      return isAttested ? originalOf(answers) : NOBODY;
    case "tamper_evident_record":
      return recordOf(answers);
    case "signatures_complete":
      return isAttested ? signaturesOf(answers) : NOBODY;
    case "consent_and_attribution":
      return isAttested ? attributionOf(answers) : NOBODY;
    case "secured_party":
      return party.trim().length < 2 ? open("No secured party is named.") : answered(`${party.trim()} becomes assignee.`);
    case "custodian":
      return later("A custodian is assigned when it is stored.");
    case "audit_trail":
      return later("The trail is sealed into the log when it is stored.");
    case "copies_and_retention":
      return later("Copies are marked and the lock is set when it is stored.");
  }
}

const NOBODY = open("Nobody attests it yet.");

function originalOf({ source, attestation: { paper, external }, today }: Answers): Foreseen {
  if (source === "electronic_signed") {
    const isOpen = external.prior_copy_status === "" || external.prior_copy_status === "unknown";
    return isOpen ? open("It is not said what became of the copy there.") : answered("The copy there is accounted for.");
  }
  if (paper.original_disposition === "") return open("It is not said what became of the paper.");
  if (paper.original_disposition === "retained") return open("While the paper is kept as it is, there are two originals.");
  if (paper.disposition_by.trim() === "") return open("It is not said who did that.");
  if (paper.disposition_on === "" || paper.disposition_on > today) return open("It is not said when that was done.");
  return answered("The paper is accounted for.");
}

function recordOf({ source, attestation: { external } }: Answers): Foreseen {
  if (source === "paper_upload") return later("It is hashed and sealed when it is stored.");
  if (external.document_sha256.trim() !== "") return answered("Its hash is held against the one that the service stated.");
  return later("Satisfied if the PDF carries intact signatures; otherwise state its hash.");
}

const isIncomplete = ({ name, signed_on }: SignerForm, today: string): boolean =>
  name.trim() === "" || signed_on === "" || signed_on > today;

function signaturesOf({ source, attestation: { signers, paper }, hasEvidence, today }: Answers): Foreseen {
  if (signers.some((signer) => isIncomplete(signer, today))) return open("A signer has no name, or no day of signing.");
  if (source === "electronic_signed")
    return hasEvidence
      ? answered("Signers and the service's record are there.")
      : later("Satisfied if the PDF has a signature for each signer; otherwise attach the service's record.");
  if (!paper.ink_signed || !paper.all_signatures_present) return open("It is not said that all signed in ink.");
  return Number(paper.page_count) > 0
    ? answered("Signers, signatures and pages are attested.")
    : open("The pages of the paper are not counted.");
}

const isUnknown = ({ identified_by, auth_methods }: SignerForm, source: AttestedSource): boolean =>
  source === "paper_upload" ? identified_by === "" || identified_by === "unknown" : !auth_methods.some((method) => method !== "unknown");

function attributionOf({ source, attestation: { signers, paper, external } }: Answers): Foreseen {
  if (source === "paper_upload" && !paper.ink_signed) return open("It is not said that it was signed in ink.");
  if (source === "electronic_signed" && !external.consent_confirmed) return open("Consent there is not confirmed.");
  return signers.some((signer) => isUnknown(signer, source))
    ? open("It is not said how a signer was identified.")
    : answered("Every signer is identified.");
}

/** The most that can come of it. */
export const bestScore = (checks: readonly ComplianceCheckResult[], answers: Answers): number =>
  checks.reduce((sum, { id, weight }) => (foresee(id, answers).kind === "open" ? sum : sum + weight), 0);
