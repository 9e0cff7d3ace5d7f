// The pages of the site and their order in the navigation. A guide or a tag of openapi.json that is missing here fails the build, and so
// does a line here without its file or tag.

/** Files of docs/, by group. Those of docs/guides/ must all be here. */
export const guides = [
  { title: "Build", files: ["docs/webhooks.md", "docs/embedding.md", "docs/sandboxes.md"] },
  { title: "Plan", files: ["docs/versions.md"] },
];

/** Tags of openapi.json: one reference page each. `about` is read in lists of pages, so it says what the operations are for. */
export const tags = [
  {
    title: "Sending",
    tags: {
      Envelopes: "Create, send, follow and end envelopes; download signed documents.",
      Signers: "The people who sign: their status, reminders, corrections and proof of identity.",
      Recipients: "Everyone who acts on an envelope or gets a copy, with their roles and steps.",
      Documents: "The files of envelopes and templates: add, replace, order and download.",
      Fields: "Place fields on a document, list them, and preview the signing page.",
      Templates: "PDFs with fields from which you create any number of envelopes.",
      Customers: "The customers to whom envelopes belong: look up, create, import.",
      Forms: "Public forms on which visitors start envelopes themselves.",
      "Bulk send": "One envelope for each row of a CSV file.",
    },
  },
  {
    title: "Vault",
    tags: {
      Vault: "Deposit records, read them with their evidence, hold and verify them.",
      Compliance: "The eight checks of a record, its score and its certificate.",
      Custody: "Who is custodian of a record, and moving custody to another person.",
      Control: "Secured parties, pledges and other acts that people confirm.",
      "Vault exports": "Hand the original out of the vault, in two steps.",
      "Vault transfers": "Move records to the vault of another organization.",
    },
  },
  {
    title: "Integration",
    tags: {
      "Webhook endpoints": "Where events are sent, which ones, and the secrets that sign them.",
      "Events and deliveries": "The events as they were sent, each delivery with its attempts, and replays.",
      Embedding: "Tokens and links for the signing page and the vault page inside your own pages.",
      Sandbox: "Organizations for tests, and the e-mails that are captured there.",
      "API keys": "Create, rotate, limit and deactivate API keys.",
    },
  },
  {
    title: "Organization",
    tags: {
      Organization: "Settings, security, single sign-on, domains, audit trail, e-mails and statistics.",
      Members: "The people of the organization, their roles and invitations.",
      Notifications: "What members are notified of, and what they have read.",
      Sessions: "Log in, refresh, second factors and passkeys. Programs use API keys instead.",
    },
  },
];
