import type { ComplianceCheck, ComplianceCheckResult } from "@countersign/client/types";
import type { AttestedSource } from "./api.ts";
import type { AttestationForm, SignerForm } from "./attestation.ts";

/** What the answers so far mean for a check: answered, still open, or decided by the service when it stores the document. */
export interface Prediction {
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

const answered = (says: string): Prediction => ({ kind: "answered", says });
const open = (says: string): Prediction => ({ kind: "open", says });
const later = (says: string): Prediction => ({ kind: "later", says });

export function predictCheck(id: ComplianceCheck, answers: Answers): Prediction {
  const { attestation, party } = answers;
  const isAttested = attestation.by.name.trim() !== "";
  switch (id) {
    case "single_authoritative_copy":
      return isAttested ? originalOf(answers) : NO_ATTESTOR;
    case "tamper_evident_record":
      return recordOf(answers);
    case "signatures_complete":
      return isAttested ? signaturesOf(answers) : NO_ATTESTOR;
    case "consent_and_attribution":
      return isAttested ? attributionOf(answers) : NO_ATTESTOR;
    case "secured_party":
      return party.trim().length < 2 ? open("No secured party is named.") : answered(`${party.trim()} becomes the secured party.`);
    case "custodian":
      return later("A custodian is assigned when the document is stored.");
    case "audit_trail":
      return later("The audit trail is sealed into the log when the document is stored.");
    case "copies_and_retention":
      return later("Copies are marked and the retention is locked when the document is stored.");
  }
}

const NO_ATTESTOR = open("No attesting person is named.");

function originalOf({ source, attestation: { paper, external }, today }: Answers): Prediction {
  if (source === "electronic_signed") {
    const isOpen = external.prior_copy_status === "" || external.prior_copy_status === "unknown";
    return isOpen
      ? open("What happened to the copy at that service is not stated.")
      : answered("The copy at that service is accounted for.");
  }
  if (paper.original_disposition === "") return open("What happened to the paper is not stated.");
  if (paper.original_disposition === "retained") return open("As long as the paper is kept unchanged, there are two originals.");
  if (paper.disposition_by.trim() === "") return open("Who did it is not stated.");
  if (paper.disposition_on === "" || paper.disposition_on > today) return open("The date is missing or in the future.");
  return answered("The paper is accounted for.");
}

function recordOf({ source, attestation: { external } }: Answers): Prediction {
  if (source === "paper_upload") return later("The document is hashed and sealed when it is stored.");
  if (external.document_sha256.trim() !== "") return answered("Its hash is compared with the one that the service stated.");
  return later("Satisfied if the PDF has intact signatures. Otherwise state its hash.");
}

const isIncomplete = ({ name, signed_on }: SignerForm, today: string): boolean =>
  name.trim() === "" || signed_on === "" || signed_on > today;

function signaturesOf({ source, attestation: { signers, paper }, hasEvidence, today }: Answers): Prediction {
  if (signers.some((signer) => isIncomplete(signer, today))) return open("A signer has no name or no valid signing date.");
  if (source === "electronic_signed")
    return hasEvidence
      ? answered("The signers and the signing record are provided.")
      : later("Satisfied if the PDF has a signature for each signer. Otherwise attach the signing record.");
  if (!paper.ink_signed || !paper.all_signatures_present) return open("It is not stated that everyone signed in ink.");
  return Number(paper.page_count) > 0
    ? answered("Signers, signatures and pages are attested.")
    : open("The number of paper pages is missing.");
}

const isUnknown = ({ identified_by, auth_methods }: SignerForm, source: AttestedSource): boolean =>
  source === "paper_upload" ? identified_by === "" || identified_by === "unknown" : !auth_methods.some((method) => method !== "unknown");

function attributionOf({ source, attestation: { signers, paper, external } }: Answers): Prediction {
  if (source === "paper_upload" && !paper.ink_signed) return open("It is not stated that it was signed in ink.");
  if (source === "electronic_signed" && !external.consent_confirmed) return open("Consent is not confirmed.");
  return signers.some((signer) => isUnknown(signer, source))
    ? open("How a signer was identified is not stated.")
    : answered("Every signer is identified.");
}

/** The highest score that these answers allow. */
export const bestScore = (checks: readonly ComplianceCheckResult[], answers: Answers): number =>
  checks.reduce((sum, { id, weight }) => (predictCheck(id, answers).kind === "open" ? sum : sum + weight), 0);
