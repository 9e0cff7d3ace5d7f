import { addedDocumentExample, documentsExample, placedExample, wholeExample } from "../templates/examples.ts";

/** The examples in the API reference. A test checks each against its schema. */

const envelope_id = "env_01h2xcejqtf2nbrexx3vqjhp41";
const customer_id = "cust_01h2xcejqtf2nbrexx3vqjhp41";
const submission_id = "sub_01h2xcejqtf2nbrexx3vqjhp41";
const [created, later] = ["2026-01-05T09:30:00.000Z", "2026-01-05T09:31:00.000Z"];
const signers = [
  { email: "ann@example.com", name: "Ann", role: "Tenant" },
  { email: "sam@example.com", name: "Sam", role: "Landlord" },
];
const slug = "5f2b7c0e9d1a4f6b8c3e7d2a1b0f9e8d";
export const recipient = {
  recipient_id: "rcp_01h2xcejqtf2nbrexx3vqjhp41",
  kind: "approver",
  email: "lee@example.com",
  name: "Lee",
  role: null,
  step: 1,
  status: "pending",
  slug,
  delivery: "email",
  acted_at: null,
  locale: null,
  message: "Please check the price.",
};
export const addedRecipient = { kind: "approver", email: "lee@example.com", name: "Lee", step: 1, message: "Please check the price." };
/** As a draft shows them. */
const drafted = signers.map((signer, index) => ({
  ...{ recipient_id: null, kind: "signer", ...signer, step: index + 1, status: "pending", slug: null, delivery: "email" },
  ...{ acted_at: null, locale: null, message: null },
}));
const choices = {
  message: "Please sign by Friday.",
  mail_subject: "{{sender_name}} asks you to sign {{envelope_name}}",
  signing_order: "sequential",
  expires_in_days: 14,
  reminders: { every_days: 7 },
};

export const listed = {
  envelope_id,
  envelope_name: "Lease",
  status: "preparing",
  customer_id,
  external_id: "lease-2026-7",
  created_at: created,
  updated_at: created,
};

export const tag = { name: "Urgent", colour: "#d1242f" };
export const countedTag = { ...tag, envelopes: 12, envelopes_capped: false };
export const action = { action: "tag", envelope_ids: [envelope_id, "env_01h2xcejqtf2nbrexx3vqjhp42"], tags: ["Urgent"] };
export const actedOn = {
  done: [envelope_id],
  failed: [{ envelope_id: "env_01h2xcejqtf2nbrexx3vqjhp42", code: "envelope_not_found", error: "Envelope not found" }],
};

export const create = {
  envelope_name: "Lease",
  customer_email: "ann@example.com",
  customer_name: "Ann",
  template_id: "tmpl_01h2xcejqtf2nbrexx3vqjhp41",
  external_id: "lease-2026-7",
  prefilled_data: { "Tenant name": "Ann" },
  signers,
  ...choices,
};

export const envelope = {
  ...listed,
  template_id: "tmpl_01h2xcejqtf2nbrexx3vqjhp41",
  vaulted: false,
  compliant: false,
  metadata: {
    custom: null,
    is_upload: false,
    directory_id: null,
    auto_vault_enabled: false,
    kba_required: false,
    sent_at: null,
    expires_at: null,
    signer_count: 2,
    secured_party: null,
    record_type: "other",
    maker_roles: [],
    instrument: null,
    vault_file_path: null,
    ...choices,
    signers,
    recipients: drafted,
    tags: ["Urgent"],
    owner_user_id: "usr_01h2xcejqtf2nbrexx3vqjhp41",
    form_id: null,
    batch_id: null,
    prepared_by: { key_id: "lk_01h2xcejqtf2nbrexx3vqjhp41", partner_name: "Loan system" },
  },
};
export const change = { envelope_name: "Lease", ...choices };

export const status = { envelope_id, status: "sent", vaulted: false, compliant: false, signed_at: null, updated_at: later };

const file = "(the bytes of lease.pdf)";
export const attachForm = { file };
export const attached = { ...envelope, status: "uploaded", template_id: null };
export const uploadForm = { file, name: "Lease", signers: JSON.stringify(signers), auto_vault_enabled: "true" };
export const uploaded = {
  customer_id,
  envelope_id,
  name: "Lease",
  signers,
  path: `org_01h2xcejqtf2nbrexx3vqjhp41/documents/${envelope_id}/Lease`,
  hash: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  size: 48_213,
  contentType: "application/pdf",
  auto_vault_enabled: true,
  kba_required: false,
};

const { fields_added, fields } = placedExample;
export const placed = { envelope_id, fields_added, fields };
export const wholeFields = {
  envelope_id,
  roles: wholeExample.roles,
  pages: wholeExample.pages,
  documents: wholeExample.documents,
  fields: wholeExample.fields,
};

export const addTemplate = addedDocumentExample;
export const documents = { envelope_id, documents: documentsExample.documents };

export const send = { ...choices, expires_in_days: 30 };
const slugs = ["9f86d081884c7d659a2feaa0c55ad015", "60303ae22b998861bce3b28f33eec1be"];
export const sent = {
  envelope_id,
  status: "sent",
  submission_id,
  sent_at: later,
  expires_at: "2026-02-04T09:31:00.000Z",
  signers: signers.map((signer, index) => ({ ...signer, order: index + 1, slug: slugs[index], status: "pending" })),
  recipients: drafted.map((one, index) => ({ ...one, recipient_id: `rcp_01h2xcejqtf2nbrexx3vqjhp4${index + 1}`, slug: slugs[index] })),
  certification: null,
  warnings: [],
};
export const remind = { emails: ["ann@example.com"] };
export const correct = { email: "anna@example.com" };
export const corrected = { ...sent.signers[0], ...correct, slug: "fd61a03af4f77d870fc21e05e7e80678" };
export const voiding = { reason: "The flat was let to another tenant" };
export const reminded = { envelope_id, reminded: ["ann@example.com"], reminded_at: later };
export const voided = { envelope_id, status: "voided", voided_at: later, ...voiding };

export const trailItem = {
  seq: 9,
  type: "consent.accepted",
  at: "2026-01-15T09:01:00.000Z",
  actor: { kind: "signer", id: "5f2b7c0e9d1a4f6b8c3e7d2a1b0f9e8d" },
  data: { disclosure_version: "2026-11", ip: "203.0.113.7", user_agent: "Mozilla/5.0" },
  hash: "9f2c".padEnd(64, "0"),
};

export const terms = {
  terms_version: "2026-01",
  terms_sha256: "e3f75a4de32b0eaf018482128c34c61b15ca4a684a2f379bfac5ada11d18b699",
  text: "# Vault-in certification terms, version 2026-01\n\nBy accepting these terms the sender […]",
  effective_at: "2026-01-01T00:00:00.000Z",
};
