import { first, here, sealOf, testCases, token, uploads, without } from "../../../../fixtures/changes.ts";
import { minute } from "../../../../fixtures/record.ts";

testCases("audit_trail", [
  {
    says: "Entry 7 is missing or altered.",
    change: (facts) => {
      facts.chain.fault = { kind: "wrong_hash", seq: 7 };
    },
  },
  { says: "consent.accepted is missing.", sources: here, wish: { acts: without("consent.accepted") } },
  { says: "kba.passed is missing.", sources: here, wish: { kba: true, acts: without("kba.passed") } },
  { says: "certification.accepted is missing.", sources: here, wish: { acts: without("certification.accepted") } },
  { says: "attestation.recorded is missing.", sources: uploads, wish: { acts: without("attestation.recorded") } },
  { says: "signature.applied is out of order.", sources: here, wish: { acts: first("signature.applied") } },
  { says: "document.received is out of order.", sources: uploads, wish: { acts: first("document.received") } },
  {
    says: "The trail is not in a signed checkpoint.",
    change: (facts) => {
      facts.checkpoint = null;
    },
  },
  {
    says: "The trail is not in a signed checkpoint.",
    change: (facts) => Object.assign(facts.checkpoint ?? {}, { signed: false }),
  },
  {
    says: "The trail is not in a signed checkpoint.",
    change: (facts) => Object.assign(facts.checkpoint ?? {}, { covers_seq: (facts.chain.head?.seq ?? 0) - 1 }),
  },
  {
    says: "No time stamp from the configured authority (timeout).",
    change: (facts) => {
      facts.time = { configured: true, token: null, failure: "timeout" };
    },
  },
  {
    says: "No time stamp from the configured authority (imprint_mismatch).",
    change: token(minute(50), { valid: false, fault: "imprint_mismatch" }),
  },
  {
    says: "No time stamp from the configured authority (it is about an earlier checkpoint).",
    change: token(minute(50), { tree_size: 5011 }),
  },
  {
    says: "No time stamp from the configured authority (its time 2026-03-06T05:00:00.000Z is not that of the storing).",
    change: token(minute(26 * 60)),
  },
  {
    says: "This organization requires an external time stamp and none is configured.",
    change: (facts) => {
      facts.org.require_external_time = true;
    },
  },
  {
    says: "The stored PDF has a revision that the trail does not name.",
    change: (facts) => {
      sealOf(facts).revisions = 3;
    },
  },
]);
