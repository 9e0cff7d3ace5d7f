/** The examples in the API reference. A test checks each against its schema. */

export const view = {
  view_id: "view_01h2xcejqtf2nbrexx3vqjhp41",
  name: "Urgent leases",
  query: { q: "lease", tag: "Urgent", sort: "expires_at" },
  shared: false,
  position: 1,
};

export const create = { name: view.name, query: view.query };
export const change = { shared: true };
