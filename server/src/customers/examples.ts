export const known = {
  name: "Ann",
  email: "ann@example.com",
  phone: "+49 30 1234567",
  company: "Acme",
  job_title: "Owner",
  entity_type: "company",
  client_id: "C-1007",
  category: "retail",
  industry: "furniture",
  address_line1: "12 Harbour Road",
  address_line2: null,
  city: "Hamburg",
  state: null,
  postal_code: "20457",
  country: "DE",
  website_url: "https://acme.example",
  primary_contact_name: "Sam",
};

export const customer = {
  customer_id: "cust_01h2xcejqtf2nbrexx3vqjhp41",
  ...known,
  created_at: "2026-01-05T09:30:00.000Z",
  updated_at: "2026-01-05T09:30:00.000Z",
};

export const contact = {
  name: "Ann",
  email: "ann@example.com",
  customer_id: "cust_01h2xcejqtf2nbrexx3vqjhp41",
  last_used_at: "2026-01-05T09:30:00.000Z",
};

export const changed = { phone: "+49 40 7654321", address_line2: null };

export const duplicate = { duplicate_customer_id: "cust_01h2xcejqtf2nbrexx3vqjhp42" };

export const merged = { customer, merged_customer_id: "cust_01h2xcejqtf2nbrexx3vqjhp42", envelopes_moved: 3 };

export const former = {
  customer_id: "cust_01h2xcejqtf2nbrexx3vqjhp42",
  name: "Ann",
  email: "ann@work.example",
  client_id: "C-1011",
  merged_at: "2026-02-02T11:05:00.000Z",
};

export const deleted = { customer_id: "cust_01h2xcejqtf2nbrexx3vqjhp41", deleted: true };

export const file = { file: "client_id,name,email\nC-1008,Sam,sam@example.com\nC-1009,Kim,kim(at)example.com\n" };

export const upload = {
  rows: 2,
  created: 1,
  updated: 0,
  failed: 1,
  errors: [{ row: 3, column: "email", message: "must be an e-mail address, for example ann@example.com" }],
};
