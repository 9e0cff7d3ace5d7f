// The pages of the site and their order in the navigation. A guide or a tag of openapi.json that is missing here fails the build, and so
// does a line here without its file or tag.

/**
 * Files of the repository, by group. Those of docs/guides/ must all be here. Of a group that is folded, readers see the title only, until
 * they open it or read one of its pages.
 */
export const guides = [
  { title: "Start", files: ["docs/guides/quick-start.md", "docs/guides/authentication.md", "docs/guides/testing.md"] },
  {
    title: "Send and sign",
    files: [
      "docs/guides/documents-and-tags.md",
      "docs/guides/templates-and-fields.md",
      "docs/guides/prefilled-data.md",
      "docs/guides/envelopes.md",
      "docs/guides/signers.md",
      "docs/guides/customers.md",
      "docs/guides/embedding.md",
      "docs/guides/webhooks.md",
    ],
  },
  { title: "Vault", files: ["docs/guides/vault-and-evidence.md", "docs/guides/custody-and-exports.md"] },
  {
    title: "How the API works",
    files: [
      "docs/guides/errors.md",
      "docs/guides/idempotency-and-retries.md",
      "docs/guides/concurrency.md",
      "docs/guides/pagination.md",
      "docs/guides/rate-limits.md",
      "docs/guides/versions.md",
    ],
  },
  {
    title: "Tools",
    files: [
      "docs/guides/client-typescript.md",
      "docs/guides/client-python.md",
      "docs/guides/other-languages.md",
      "docs/guides/command-line.md",
      "docs/guides/mcp.md",
      "docs/guides/postman.md",
    ],
  },
  {
    title: "In depth",
    isFolded: true,
    files: [
      "docs/glossary.md",
      "docs/signing.md",
      "docs/documents.md",
      "docs/fields.md",
      "docs/forms.md",
      "docs/bulk.md",
      "docs/embedding.md",
      "docs/webhooks.md",
      "docs/sandboxes.md",
      "docs/vault.md",
      "docs/vault-api.md",
      "docs/transfer.md",
      "docs/parties.md",
      "docs/versions.md",
      "client/README.md",
      "clients/python/README.md",
      "cli/README.md",
      "mcp/README.md",
    ],
  },
  {
    title: "Run an instance",
    isFolded: true,
    files: [
      "docs/first-steps.md",
      "docs/console.md",
      "docs/operations.md",
      "docs/security.md",
      "docs/keys.md",
      "docs/database.md",
      "docs/upgrading.md",
      "docs/scaling.md",
      "docs/platforms.md",
    ],
  },
];

/** What the service has below /docs/downloads/ beside the site, with the files that the build makes of them. */
export const downloads = {
  "countersign-client.tgz": "client/dist/countersign-client.tgz",
  "countersign.py": "clients/python/countersign.py",
  "countersign-dev.mjs": "cli/dist/countersign-dev.mjs",
  "countersign-mcp.mjs": "mcp/dist/countersign-mcp.mjs",
  "countersign-verify.mjs": "verify/dist/package/countersign-verify.js",
  "lease.pdf": "docs/samples/lease.pdf",
};

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
      Sandbox: "Organizations for tests: sign, let days pass and send events by request; read captured e-mails.",
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
