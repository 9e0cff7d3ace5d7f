const envelope_id = "env_01h2xcejqtf2nbrexx3vqjhp41";
const org = "org_01h2xcejqtf2nbrexx3vqjhp40";
const hash = "9f2c51b0a6d1e7f4c3b2a19087654321fedcba98765432100123456789abcdef";
const certification = { accepted: true, terms_version: "2026-01", accepted_by: { name: "Ann", email: "ann@example.com" } };
const party = { name: "First Example Bank, N.A.", address: "1 Example Square" };

export const signedDeposit = { certification, secured_party: party };

export const uploadDeposit = {
  source: "paper_upload",
  certification,
  secured_party: party,
  attestation: {
    attested_by: { name: "Ann", title: "Records manager" },
    signers: [{ name: "Sam", role: "Tenant", signed_on: "2026-01-02", identified_by: "government_id" }],
    paper: {
      ink_signed: true,
      all_signatures_present: true,
      page_count: 4,
      original_disposition: "destroyed",
      disposition_on: "2026-01-03",
      disposition_by: "Ann",
    },
  },
  record_type: "chattel_paper",
  instrument: { type: "Lease", number: "2026-0117", date: "2026-01-02" },
};

export const vaulted = {
  envelope_id,
  status: "vaulted",
  vaulted: true,
  compliant: true,
  source: "electronic_signed",
  signed_here: false,
  path: `${org}/vault/${envelope_id}/lease.pdf`,
  hash,
  size: 48213,
  stored_at: "2026-01-15T09:05:00.000Z",
  score: 100,
  passed: true,
  missing_requirements: [],
  warnings: [],
  certificate_path: `${org}/vault/${envelope_id}/certificate-r1.pdf`,
};
export const vaultedUpload = { ...vaulted, source: "paper_upload" };

const check = (number: number, id: string, weight: number, legal_reference: string, requirement: string, detail: string) => ({
  number,
  id,
  requirement,
  legal_reference,
  weight,
  satisfied: true,
  detail,
  remedy: null,
  grade: "attested",
  grade_reason: "The depositor names the secured party; it did not confirm with a credential of its own.",
});

export const compliance = {
  envelope_id,
  envelope_name: "Lease",
  customer_id: null,
  envelope_status: "vaulted",
  vaulted: true,
  compliant: true,
  passed: true,
  score: 100,
  rules: 2,
  proven_score: 38,
  standing: "attested",
  evaluated_at: "2026-01-15T09:05:02.000Z",
  certificate_path: vaulted.certificate_path,
  missing_requirements: [],
  warnings: [{ code: "time_self_operated", message: "Time source: self-operated (the clock of this installation)." }],
  checks: [
    check(1, "single_authoritative_copy", 13, "UCC 9-105(b)(1)", "One authoritative copy of the signed record exists.", "Stored."),
    check(2, "tamper_evident_record", 13, "UCC 9-105(b)(1); UETA 12", "The stored record cannot be altered without detection.", "Sealed."),
    check(3, "custodian", 12, "UCC 9-105(b)(3)", "The record is maintained by an identified custodian.", "Assigned."),
    check(4, "signatures_complete", 12, "ESIGN 15 USC 7006(5)", "Every required signer signed.", "2 of 2 required signers signed."),
    check(5, "consent_and_attribution", 12, "ESIGN 15 USC 7001(c); UETA 9", "Each signer consented.", "2 of 2 signers consented."),
    check(6, "audit_trail", 13, "UCC 9-105(b)(6)", "A complete audit trail.", "31 entries verify."),
    check(7, "copies_and_retention", 12, "UCC 9-105(b)(5); UETA 12", "Every copy is marked.", "No copies issued."),
    check(
      8,
      "secured_party",
      13,
      "UCC 9-105(b)(2), (b)(4)",
      "The record identifies the secured party.",
      "First Example Bank, N.A. is assignee.",
    ),
  ],
  annexes: [
    {
      id: "ucc_9_105_b",
      title: "UCC 9-105(b)",
      clauses: [
        {
          clause: "9-105(b)(4)",
          fact: "No change of the assignee is recorded.",
          grade: "proven",
          reason: "The audit trail verifies and has no entry that changes the assignee.",
          entries: [31],
        },
      ],
    },
  ],
};

export const record = {
  envelope_id,
  state: "active",
  source: null,
  signed_here: true,
  path: vaulted.path,
  hash,
  size: vaulted.size,
  stored_at: vaulted.stored_at,
  retention_until: "2033-01-15T09:05:00.000Z",
  legal_hold: false,
  custodian: {
    permission_id: "cp_01h2xcejqtf2nbrexx3vqjhp4a",
    user_id: "usr_01h2xcejqtf2nbrexx3vqjhp4b",
    since: vaulted.stored_at,
  },
  record_type: "other",
  instrument: null,
  secured_party: party,
  control_version: 2,
  registry_reference: null,
  control: {
    policy: "attested",
    controller: { party_id: null, name: party.name, confirmation: "unconfirmed" },
    pledges: [],
    participations: [],
  },
  certificate: { path: vaulted.certificate_path, revision: 1, score: 100, passed: true, rules: 2, proven_score: 38, standing: "attested" },
  verified_at: compliance.evaluated_at,
  status_url: "https://sign.example.com/v/9f2c41d003aaf0ff1f2c41d003aaf0ff",
};

export const certificate = {
  type: "countersign/compliance/2",
  certificate_id: `${envelope_id}-r1`,
  revision: 1,
  source: "signed_here",
  ...compliance,
  document_sha256: hash,
  facts_sha256: hash,
  chain_head: hash,
  checkpoint: { tree_size: 42, root: hash, at: compliance.evaluated_at, key_id: hash },
  time_source: "Time source: self-operated (the clock of this installation).",
  as_of: { at: compliance.evaluated_at, chain_seq: 31, chain_hash: hash, tree_size: 42 },
};

export const attested = { envelope_id, attestation_no: 2, attestation_sha256: hash, recorded_at: "2026-01-16T10:00:00.000Z" };

const noStanding = { proven: 0, attested: 0, not_passed: 0, left: 0, destroyed: 0, not_assessed: 0 };
export const figures = {
  by_standing: { ...noStanding, proven: 40, attested: 75, not_passed: 3 },
  tampered: { ...noStanding, not_passed: 1 },
};

export const listed = {
  envelope_id,
  envelope_name: "Lease",
  customer_id: null,
  external_id: "lease-17",
  state: "active",
  source: null,
  signed_here: true,
  score: 100,
  passed: true,
  rules: 2,
  proven_score: 38,
  standing: "attested",
  stored_at: vaulted.stored_at,
  retention_until: record.retention_until,
  verified_at: compliance.evaluated_at,
};

export const access = {
  seq: 32,
  type: "vault.document.accessed",
  at: "2026-01-16T11:00:00.000Z",
  actor: { kind: "user", id: record.custodian.user_id },
  data: { what: "copy", by: record.custodian.user_id, ip: "203.0.113.7", user_agent: "Mozilla/5.0" },
  hash,
};
