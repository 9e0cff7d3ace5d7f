// The condition of each check, by the source of the record, in words for readers of a certificate. These sentences only describe the
// checks; the decision is made in the checks.

import type { Source } from "../facts.ts";
import type { Facts2 as Facts } from "../facts-2.ts";
import type { CheckId } from "../rules/1/checks/check.ts";
import { signedBy } from "../rules/1/checks/wording.ts";

type Conditions = { readonly all: string } & Readonly<Record<Source, string>>;

const conditions: Readonly<Record<CheckId, Conditions>> = {
  single_authoritative_copy: {
    all: "The copy is live, its seal names this copy and this envelope, no older live copy in the organization has the same content, and every other record of the organization that has the same file, words (of a document from elsewhere) or declared instrument, also one that left or ended, was compared by someone other than the depositor.",
    signed_here: "The content is what was stamped after the envelope was completed.",
    electronic_signed: "The issuing system holds no other authoritative copy, by the attestation.",
    paper_upload: "The paper original was destroyed or marked as a copy, with who did so and when, by the attestation.",
  },
  tamper_evident_record: {
    all: "The stored bytes were read during this evaluation; their size and SHA-256 are those recorded; the seal verifies, and its certificate was valid when it was sealed; each version names the one before it.",
    signed_here: "The stamped version was made from the prepared version, and both have their recorded hashes.",
    electronic_signed: "Every signature in the uploaded PDF verifies, or the issuing system's hash of the document is attested and equal.",
    paper_upload: "The stored file has its recorded hash, and the PDF opens.",
  },
  custodian: {
    all: "Exactly one custodian is active and an active member of the organization; the audit trail gives the same register, without gap or overlap.",
    signed_here: "The custodian was recorded together with the storing of the copy.",
    electronic_signed: "The certification that designates the custodian was accepted before that.",
    paper_upload: "The certification that designates the custodian was accepted before that.",
  },
  signatures_complete: {
    all: "Every required signer signed.",
    signed_here:
      "Every required field of the people who signed or approved has a value; each signature has its method, a published statement of intent and the version that the signer saw; the order of signing held; what is stored of the signing agrees with the audit trail.",
    electronic_signed:
      "Each signer is attested with name and date. The PDF has an intact signature that is not this installation's own seal, or an evidence file names every attested signer, and its provider and transaction are attested.",
    paper_upload:
      "Ink signatures and their completeness are attested, each signer with name and date, and the attested number of pages is the document's.",
  },
  consent_and_attribution: {
    all: "Each signer consented to electronic records where that applies, and each signature is tied to its signer.",
    signed_here:
      "Consent to a published disclosure came after the document was rendered and before the first signature, and was not withdrawn; all signatures of a signer belong to one session of that signer's link or token, with the identity questions passed in it where they are required.",
    electronic_signed:
      "Consent at the issuing system is attested, and how each signer was authenticated; the evidence file has its recorded hash.",
    paper_upload: "Signatures in ink stand in place of electronic consent; how each signer was identified is attested.",
  },
  audit_trail: {
    all: "The trail recomputes from its beginning without gap, its milestones are there in order, it is in a signed checkpoint with a time, and the sealed PDF has no revision but the seal, its validation data and a time stamp.",
    signed_here:
      "Milestones: creation, preparation, sending; per signer opening, rendering, consent, signature; completion, stamping, storing, custody.",
    electronic_signed: "Milestones: creation, receipt of the document, certification, attestation, completion, storing, custody.",
    paper_upload: "Milestones: creation, receipt of the document, certification, attestation, completion, storing, custody.",
  },
  copies_and_retention: {
    all: "Every copy that was issued is marked on all its pages; the record is retained and locked for at least the organization's minimum; a marked copy could be made now.",
    signed_here: "Each required signer can still retrieve a copy.",
    electronic_signed: "The evidence file, where one is named, can be retrieved.",
    paper_upload: "The stored file can be retrieved, with as many pages as its copy.",
  },
  secured_party: {
    all: "The envelope names a secured party, no placeholder; the register of assignees agrees with it and with the audit trail; every later change has the consent of the party before it.",
    signed_here: "The party was first named on the envelope.",
    electronic_signed: "The party was first named on the envelope or when the record was deposited.",
    paper_upload: "The party was first named on the envelope or when the record was deposited.",
  },
};

// A ceremony at another provider is judged by the attestation, like a document signed elsewhere.
const ABOUT_SIGNING: readonly CheckId[] = ["signatures_complete", "consent_and_attribution"];

const AT_THE_FIRST = "Judged on what the vault that sealed the record had found, which is part of these facts.";

/** Of a record that another vault released to this one. */
const imported: Readonly<Record<CheckId, string>> = {
  single_authoritative_copy:
    "The copy is live, its seal names the copy and the envelope of the vault that sealed it, the vault before released it to this one, and no older live copy in the organization has the same content. Beyond that, judged on what the first vault had found.",
  tamper_evident_record:
    "The stored bytes were read during this evaluation; their size and SHA-256 are those that the first vault recorded; the seal verifies under the root of that vault.",
  custodian:
    "Exactly one custodian is active and an active member of the organization; the audit trail gives the same register, without gap or overlap. The custodian was recorded together with the storing of the copy.",
  signatures_complete: AT_THE_FIRST,
  consent_and_attribution: AT_THE_FIRST,
  audit_trail:
    "This vault's trail begins with the import, recomputes without gap and is in a signed checkpoint with a time; the trail of the vault before met its own condition.",
  copies_and_retention:
    "Every copy that was issued here is marked on all its pages; the record is retained and locked for at least the organization's minimum; a marked copy could be made now.",
  secured_party: `${conditions.secured_party.all} The register continues that of the vault before.`,
};

/** The condition for every source, followed by the one for the source that the check uses for this record. */
export function conditionOf(id: CheckId, facts: Facts): string {
  if (facts.origin !== undefined) return imported[id];
  const source = ABOUT_SIGNING.includes(id) ? signedBy(facts) : facts.source;
  return `${conditions[id].all} ${conditions[id][source]}`;
}
