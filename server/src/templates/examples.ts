/**
 * The examples in the API reference. A test checks each against its schema. The document is the one that `examples/make-lease.mjs`
 * writes.
 */

const nameField = {
  name: "Tenant name",
  type: "text",
  role: "Tenant",
  required: true,
  placement: { mode: "anchor", anchor_text: "Tenant's name:", offset_x: 0.14, offset_y: -0.005, w: 0.3, h: 0.025 },
};
const tenantSignature = {
  name: "Tenant signature",
  type: "signature",
  role: "Tenant",
  required: true,
  placement: { mode: "anchor", anchor_text: "Signed by the tenant:", offset_x: 0.19, offset_y: -0.03, w: 0.3, h: 0.05 },
};
const landlordSignature = {
  name: "Landlord signature",
  type: "signature",
  role: "Landlord",
  required: true,
  placement: { mode: "absolute", areas: [{ page: 1, x: 0.32, y: 0.42, w: 0.3, h: 0.05 }] },
};

const template_id = "tmpl_01h2xcejqtf2nbrexx3vqjhp41";
const identity = { template_id, provider_template_id: 7, name: "Lease" };
const times = { created_at: "2026-01-05T09:30:00.000Z", updated_at: "2026-01-05T09:30:00.000Z" };
const roles = ["Tenant", "Landlord"];
const placedFields = [
  {
    name: "Tenant name",
    type: "text",
    role: "Tenant",
    required: true,
    anchor_match: { page: 1, x: 0.117647, y: 0.207199, w: 0.123319, h: 0.012848 },
    areas: [{ page: 1, x: 0.257647, y: 0.202199, w: 0.3, h: 0.025 }],
  },
  {
    name: "Tenant signature",
    type: "signature",
    role: "Tenant",
    required: true,
    anchor_match: { page: 1, x: 0.117647, y: 0.320836, w: 0.169871, h: 0.012847 },
    areas: [{ page: 1, x: 0.307647, y: 0.290836, w: 0.3, h: 0.05 }],
  },
  { name: "Landlord signature", type: "signature", role: "Landlord", required: true, areas: landlordSignature.placement.areas },
];

export const formExample = {
  file: "(the bytes of lease.pdf)",
  name: "Lease",
  external_id: "lease-2026",
  fields_json: JSON.stringify([nameField, tenantSignature, landlordSignature]),
};
export const createdExample = { ...identity, fields_added: 3, fields: placedFields };
export const fieldsExample = { fields: [nameField, tenantSignature, landlordSignature] };
export const keptExample = { fields: [{ keep: { position: 0, name: "Tenant name" } }, tenantSignature, landlordSignature] };
export const textExample = {
  page: 1,
  blocks: ["Lease", "Tenant's name:", "Signed by the tenant:", "Signed by the landlord:"],
  places: [0.09, 0.3, 0.6, 0.8].map((top, index) => ({ top, is_heading: index === 0 })),
  has_text: true,
};
export const placedExample = { template_id, fields_added: 3, fields: placedFields };
export const listedExample = {
  ...identity,
  external_id: "lease-2026",
  page_count: 1,
  field_count: 3,
  roles,
  tags: ["Leases"],
  ...times,
  archived_at: null,
};
const place = { step: null, name: null, email: null, locale: null, message: null, delivery: "email" };
const tenantRole = { ...place, kind: "signer", role: "Tenant" };
const landlordRole = { ...place, kind: "signer", role: "Landlord", name: "Ben Ito", email: "ben@example.com" };
export const changeExample = {
  name: "Lease",
  roles: [
    { kind: "signer", role: "Tenant" },
    { kind: "signer", role: "Landlord", name: "Ben Ito", email: "ben@example.com" },
  ],
  defaults: { expires_in_days: 14, reminders: { every_days: 3 } },
  tags: ["Leases"],
};
const wholePage = { w_pt: 612, h_pt: 792, rotate: 0, has_text: true, scan_dpi: null };
export const wholeExample = {
  ...identity,
  external_id: "lease-2026",
  pages: [wholePage],
  documents: [{ document_id: "doc_01h2xcejqtf2nbrexx3vqjhp42", document_no: 1, name: "Lease", pages: [wholePage] }],
  roles,
  maker_roles: [],
  recipients: [tenantRole, landlordRole],
  defaults: { expires_in_days: 14, reminders: { every_days: 3 } },
  tags: ["Leases"],
  revision: 2,
  fields: placedFields.map((field) => ({ ...field, readonly: false, default_value: null, options: null })),
  ...times,
  archived_at: null,
};
export const addedDocumentExample = { template_id: "tmpl_01h2xcejqtf2nbrexx3vqjhp43" };
const document = { hash: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", size: 48_213, contentType: "application/pdf" };
export const documentsExample = {
  template_id,
  documents: [
    { document_id: "doc_01h2xcejqtf2nbrexx3vqjhp42", document_no: 1, name: "Lease", pages: 1, ...document, first_page: null },
    { document_id: "doc_01h2xcejqtf2nbrexx3vqjhp44", document_no: 2, name: "House rules", pages: 3, ...document, first_page: null },
  ],
};
export const archivedExample = { template_id, status: "archived", archived_at: "2026-02-05T09:30:00.000Z" };

export const usageExample = { template_id: identity.template_id, envelopes: 42, drafts: 3, forms: 1, bulk_batches: 2 };
