import { copyOf, elsewhere, externalOf, here, other, paper, paperOf, sealOf, testCases } from "../../../../fixtures/changes.ts";

testCases("single_authoritative_copy", [
  {
    says: "The authoritative copy left this vault on 2026-02-01T00:00:00.000Z.",
    change: (facts) => Object.assign(copyOf(facts), { state: "exported", state_since: "2026-02-01T00:00:00.000Z" }),
  },
  {
    says: "The authoritative copy is marked as tampered since 2026-02-01T00:00:00.000Z.",
    change: (facts) => Object.assign(copyOf(facts), { state: "tampered", state_since: "2026-02-01T00:00:00.000Z" }),
  },
  {
    says: "The authoritative copy was destroyed on 2036-02-01T00:00:00.000Z.",
    change: (facts) => Object.assign(copyOf(facts), { state: "destroyed", state_since: "2036-02-01T00:00:00.000Z" }),
  },
  {
    says: "The same document is already vaulted as env_b.",
    change: (facts) => {
      facts.older_copy = { envelope_id: "env_b", copy_id: "ac_b" };
    },
  },
  {
    says: "The seal does not name ac_a and env_a.",
    change: (facts) => {
      sealOf(facts).reason = "Authoritative copy ac_aa of env_a";
    },
  },
  {
    says: `The stored content ${other.slice(0, 8)}… is not the document that was stamped after completion.`,
    sources: here,
    change: (facts) => {
      copyOf(facts).content_sha256 = other;
    },
  },
  {
    says: "The issuing system may still hold an authoritative copy (no status recorded).",
    sources: elsewhere,
    change: (facts) => {
      externalOf(facts).prior_copy_status = null;
    },
  },
  {
    says: "The issuing system may still hold an authoritative copy (unknown).",
    sources: elsewhere,
    change: (facts) => {
      externalOf(facts).prior_copy_status = "unknown";
    },
  },
  {
    says: "The paper original is still outstanding (retained).",
    sources: paper,
    change: (facts) => {
      paperOf(facts).original_disposition = "retained";
    },
  },
  {
    says: "The paper original is still outstanding (no disposition recorded).",
    sources: paper,
    change: (facts) => {
      paperOf(facts).original_disposition = null;
    },
  },
  {
    says: "The paper original is still outstanding (nobody is named who disposed of it).",
    sources: paper,
    change: (facts) => {
      paperOf(facts).disposition_by = " ";
    },
  },
  {
    says: "The paper original is still outstanding (not before 2026-03-06).",
    sources: paper,
    change: (facts) => {
      paperOf(facts).disposition_on = "2026-03-06";
    },
  },
]);
