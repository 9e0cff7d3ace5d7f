import type { ComplianceCheck, ComplianceCheckResult } from "@countersign/client/types";
import { en } from "../words/deposit/en.ts";
import type { AttestedSource } from "./api.ts";
import type { AttestationForm, SignerForm } from "./attestation.ts";

const w = en.predictCheck;

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
      return party.trim().length < 2 ? open(w.noSecuredParty) : answered(w.becomesTheSecured(party.trim()));
    case "custodian":
      return later(w.aCustodianIs);
    case "audit_trail":
      return later(w.theAuditTrail);
    case "copies_and_retention":
      return later(w.copiesAreMarked);
  }
}

const NO_ATTESTOR = open(w.noAttestingPerson);

function originalOf({ source, attestation: { paper, external }, today }: Answers): Prediction {
  if (source === "electronic_signed") {
    const isOpen = external.prior_copy_status === "" || external.prior_copy_status === "unknown";
    return isOpen ? open(w.whatHappenedTo) : answered(w.theCopyAt);
  }
  if (paper.original_disposition === "") return open(w.whatHappenedToThe);
  if (paper.original_disposition === "retained") return open(w.asLongAs);
  if (paper.disposition_by.trim() === "") return open(w.whoDidIt);
  if (paper.disposition_on === "" || paper.disposition_on > today) return open(w.theDateIs);
  return answered(w.thePaperIs);
}

function recordOf({ source, attestation: { external } }: Answers): Prediction {
  if (source === "paper_upload") return later(w.theDocumentIs);
  if (external.document_sha256.trim() !== "") return answered(w.itsHashIs);
  return later(w.satisfiedIfThe);
}

const isIncomplete = ({ name, signed_on }: SignerForm, today: string): boolean =>
  name.trim() === "" || signed_on === "" || signed_on > today;

function signaturesOf({ source, attestation: { signers, paper }, hasEvidence, today }: Answers): Prediction {
  if (signers.some((signer) => isIncomplete(signer, today))) return open(w.aSignerHas);
  if (source === "electronic_signed") return hasEvidence ? answered(w.theSignersAnd) : later(w.satisfiedIfThePdf);
  if (!paper.ink_signed || !paper.all_signatures_present) return open(w.itIsNot);
  return Number(paper.page_count) > 0 ? answered(w.signersSignaturesAnd) : open(w.theNumberOf);
}

const isUnknown = ({ identified_by, auth_methods }: SignerForm, source: AttestedSource): boolean =>
  source === "paper_upload" ? identified_by === "" || identified_by === "unknown" : !auth_methods.some((method) => method !== "unknown");

function attributionOf({ source, attestation: { signers, paper, external } }: Answers): Prediction {
  if (source === "paper_upload" && !paper.ink_signed) return open(w.itIsNotStated);
  if (source === "electronic_signed" && !external.consent_confirmed) return open(w.consentIsNot);
  return signers.some((signer) => isUnknown(signer, source)) ? open(w.howASigner) : answered(w.everySignerIs);
}

/** The highest score that these answers allow. */
export const bestScore = (checks: readonly ComplianceCheckResult[], answers: Answers): number =>
  checks.reduce((sum, { id, weight }) => (predictCheck(id, answers).kind === "open" ? sum : sum + weight), 0);
