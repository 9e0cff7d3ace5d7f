import { ann, attested, consent, elsewhere, externalOf, here, other, paper, signature, testCases } from "../../../../fixtures/changes.ts";
import { minute } from "../../../../fixtures/record.ts";

testCases("consent_and_attribution", [
  {
    says: "No consent to electronic records before signing for ann@example.com.",
    sources: here,
    change: (facts) => {
      ann(facts).consents = [];
    },
  },
  {
    says: "No consent to electronic records before signing for ann@example.com.",
    sources: here,
    change: (facts) => {
      consent(facts).accepted_at = signature(facts).applied_at;
    },
  },
  {
    says: "ann@example.com consented before the document was rendered.",
    sources: here,
    change: (facts) => {
      consent(facts).rendered_at = minute(30);
    },
  },
  {
    says: "ann@example.com withdrew consent before signing.",
    sources: here,
    change: (facts) => {
      consent(facts).withdrawn_at = signature(facts).signed_at;
    },
  },
  {
    says: "The disclosure that ann@example.com accepted is not a published one.",
    sources: here,
    change: (facts) => {
      consent(facts).disclosure_sha256 = other;
    },
  },
  {
    says: "The disclosure that ann@example.com accepted does not declare paper_copy.",
    sources: here,
    change: (facts) => {
      facts.texts = facts.texts.map((text) => ({ ...text, elements: text.elements.filter((each) => each !== "paper_copy") }));
    },
  },
  {
    says: "ann@example.com signed without passing the required identity questions.",
    sources: here,
    wish: { kba: true },
    change: (facts) => {
      ann(facts).kba = [];
    },
  },
  {
    says: "ann@example.com signed without passing the required identity questions.",
    sources: here,
    wish: { kba: true },
    change: (facts) => {
      ann(facts).kba = ann(facts).kba.map((each) => ({ ...each, session: "another" }));
    },
  },
  {
    says: "ann@example.com signed without passing the required identity questions.",
    sources: here,
    wish: { kba: true },
    change: (facts) => {
      ann(facts).kba = ann(facts).kba.map((each) => ({ ...each, at: minute(-60) }));
    },
  },
  {
    says: "ann@example.com signed without passing the required identity questions.",
    sources: here,
    wish: { kba: true },
    change: (facts) => {
      ann(facts).kba.push({
        session: signature(facts).session,
        provider: "partner_questions",
        passed: false,
        at: signature(facts).applied_at,
      });
    },
  },
  {
    says: "No link or token ties the signature to ann@example.com.",
    sources: here,
    change: (facts) => {
      ann(facts).sessions = ann(facts).sessions.map((each) => ({ ...each, email: "sam@example.com" }));
    },
  },
  {
    says: "No link or token ties the signature to ann@example.com.",
    sources: here,
    change: (facts) => {
      signature(facts).session = "another";
    },
  },
  {
    says: "No link or token ties the signature to ann@example.com.",
    sources: here,
    change: (facts) => {
      ann(facts).sessions = ann(facts).sessions.map((each) => ({ ...each, user_agent: "" }));
    },
  },
  {
    says: "Consent at the issuing system is not confirmed.",
    sources: elsewhere,
    change: (facts) => {
      externalOf(facts).consent_confirmed = null;
    },
  },
  {
    says: "No identification is recorded for Ann Example.",
    sources: elsewhere,
    change: (facts) => {
      attested(facts).auth_methods = ["unknown"];
    },
  },
  {
    says: "No identification is recorded for Ann Example.",
    sources: elsewhere,
    wish: { kba: true },
    change: (facts) => {
      attested(facts).auth_methods = ["email_link"];
    },
  },
  {
    says: "The evidence file does not match its recorded hash.",
    sources: elsewhere,
    also: ["copies_and_retention"],
    change: (facts) => Object.assign(facts.evidence_file ?? {}, { found_sha256: other }),
  },
  {
    says: "No identification is recorded for Ann Example.",
    sources: paper,
    change: (facts) => {
      attested(facts).identified_by = null;
    },
  },
  {
    says: "No identification is recorded for Ann Example.",
    sources: paper,
    wish: { kba: true },
    change: (facts) => {
      attested(facts).identified_by = "witness";
    },
  },
]);
