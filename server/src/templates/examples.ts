/** What the API reference shows. A test holds each to its schema. */

const anchored = {
  name: "Buyer's signature",
  type: "signature",
  role: "Buyer",
  required: true,
  placement: { mode: "anchor", anchor_text: "Sign here", offset_y: 0.01, w: 0.3, h: 0.05 },
};
const absolute = {
  name: "Place",
  type: "text",
  role: "Buyer",
  default_value: "Berlin",
  placement: { mode: "absolute", areas: [{ page: 1, x: 0.12, y: 0.82, w: 0.25, h: 0.03 }] },
};

const template_id = "tmpl_01h2xcejqtf2nbrexx3vqjhp41";
const identity = { template_id, provider_template_id: 7, name: "Lease" };
const times = { created_at: "2026-01-05T09:30:00.000Z", updated_at: "2026-01-05T09:30:00.000Z" };
const placedFields = [
  {
    name: "Buyer's signature",
    type: "signature",
    role: "Buyer",
    required: true,
    anchor_match: { page: 1, x: 0.117647, y: 0.7, w: 0.081, h: 0.0152 },
    areas: [{ page: 1, x: 0.117647, y: 0.71, w: 0.3, h: 0.05 }],
  },
  { name: "Place", type: "text", role: "Buyer", required: false, areas: [{ page: 1, x: 0.12, y: 0.82, w: 0.25, h: 0.03 }] },
];

export const formExample = {
  file: "(the bytes of lease.pdf)",
  name: "Lease",
  external_id: "lease-2026",
  fields_json: JSON.stringify([anchored, absolute]),
};
export const createdExample = { ...identity, fields_added: 2, fields: placedFields };
export const fieldsExample = { fields: [anchored, absolute] };
export const keptExample = { fields: [{ keep: { position: 0, name: "Buyer's signature" }, role: "Buyer" }, absolute] };
export const textExample = { page: 1, blocks: ["Lease", "between the landlord and the tenant"], has_text: true };
export const placedExample = { template_id, fields_added: 2, fields: placedFields };
export const listedExample = { ...identity, external_id: "lease-2026", page_count: 1, field_count: 2, roles: ["Buyer"], ...times };
export const wholeExample = {
  ...identity,
  external_id: "lease-2026",
  pages: [{ w_pt: 612, h_pt: 792, rotate: 0, has_text: true, scan_dpi: null }],
  roles: ["Buyer"],
  fields: placedFields.map((field) => ({
    ...field,
    readonly: false,
    default_value: field.type === "text" ? "Berlin" : null,
    options: null,
  })),
  ...times,
  archived_at: null,
};
