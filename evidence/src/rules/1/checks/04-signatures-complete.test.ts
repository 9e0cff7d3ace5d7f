import {
  ann,
  attestationOf,
  attested,
  elsewhere,
  externalOf,
  here,
  other,
  paper,
  paperOf,
  saying,
  signature,
  testCases,
  uploads,
} from "../../../../fixtures/changes.ts";
import { hashed, minute } from "../../../../fixtures/record.ts";

testCases("signatures_complete", [
  {
    says: "ann@example.com has not signed.",
    sources: here,
    change: (facts) => {
      ann(facts).status = "viewed";
    },
  },
  {
    says: 'ann@example.com: required field "Initials" is empty.',
    sources: here,
    change: (facts) => {
      ann(facts).required_fields = [{ name: "Initials", filled: false }];
    },
  },
  {
    says: "ann@example.com signed another version of the document.",
    sources: here,
    change: (facts) => {
      signature(facts).prepared_sha256 = other;
    },
  },
  {
    says: "ann@example.com signed another version of the document.",
    sources: here,
    change: (facts) => {
      signature(facts).found_state_sha256 = other;
    },
  },
  {
    says: "No intent statement is recorded for ann@example.com.",
    sources: here,
    change: (facts) => {
      signature(facts).intent_sha256 = null;
    },
  },
  {
    says: "No intent statement is recorded for ann@example.com.",
    sources: here,
    change: (facts) => {
      facts.texts = facts.texts.map((text) => ({ ...text, published: text.kind !== "intent" }));
    },
  },
  {
    says: "No method of signature is recorded for ann@example.com.",
    sources: here,
    change: (facts) => {
      signature(facts).method = null;
    },
  },
  {
    says: "sam@example.com signed before it was their turn.",
    sources: here,
    change: (facts) => {
      ann(facts).signed_at = minute(58);
    },
  },
  {
    says: "ann@example.com: signature slug-ann-1 is not on the page with name and time.",
    sources: here,
    wish: { acts: saying("document.stamped", { appearances: [] }) },
  },
  {
    says: "No signer is named.",
    sources: here,
    also: ["consent_and_attribution"],
    change: (facts) => {
      facts.signers = [];
    },
  },
  {
    says: "No signer is attested.",
    sources: uploads,
    also: ["consent_and_attribution"],
    change: (facts) => {
      attestationOf(facts).signers = [];
    },
  },
  {
    says: "Signer bob@example.com of the upload is not attested.",
    sources: uploads,
    change: (facts) => {
      facts.signers.push({ ...ann(facts), email: "bob@example.com" });
    },
  },
  {
    says: "Signer Guarantor of the upload is not attested.",
    sources: uploads,
    change: (facts) => {
      facts.signers.push({ ...ann(facts), email: null, name: null, role: "Guarantor" });
    },
  },
  {
    says: "No name, or no date of signing before the upload, is attested for Ann Example.",
    sources: uploads,
    change: (facts) => {
      attested(facts).signed_on = "2026-03-06";
    },
  },
  {
    says: "Attested page count is 4, the document has 2.",
    sources: paper,
    change: (facts) => {
      paperOf(facts).page_count = 4;
    },
  },
  {
    says: "It is not attested that all signatures are present.",
    sources: paper,
    change: (facts) => {
      paperOf(facts).all_signatures_present = null;
    },
  },
  {
    says: "It is not attested that the document was signed in ink.",
    sources: paper,
    also: ["consent_and_attribution"],
    change: (facts) => {
      paperOf(facts).ink_signed = false;
    },
  },
  {
    says: "The upload has 1 signature for 2 signers and no evidence file.",
    sources: elsewhere,
    change: (facts) => {
      facts.upload_signatures = facts.upload_signatures.slice(0, 1);
      facts.evidence_file = null;
      externalOf(facts).evidence_sha256 = null;
    },
  },
  {
    says: "The upload has no signature and no evidence file.",
    sources: elsewhere,
    wish: { signed_pdf: false },
    change: (facts) => {
      facts.evidence_file = null;
      Object.assign(externalOf(facts), { evidence_sha256: null, document_sha256: hashed("received") });
    },
  },
]);
