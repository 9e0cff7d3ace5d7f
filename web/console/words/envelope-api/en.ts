/** The words of the tab with an envelope's ids and API calls. A table of another language must have the same members. */
export const en = {
  ids: "IDs",
  envelope: "Envelope",
  customer: "Customer",
  template: "Template",
  external: "External ID",
  /** complete “Copy …” for screen readers */
  what: { envelope: "the envelope ID", customer: "the customer ID", template: "the template ID", external: "the external ID" },
  calls: "API calls",
  status: "Status, for frequent polling",
  signers: "Signers",
  document: "Document",
  trail: "Audit trail",
  links: "Signing links (created by each call, valid for 15 minutes, recorded in the audit trail)",
};
