import type { SigningOrder } from "@countersign/client/types";

/** The words of an envelope's page. A table of another language must have the same members. */
export const en = {
  textView: "Text view",
  document: "Document",
  noDocument: "No document yet.",
  fromVault: "The pages are shown here once the document is stored in the vault.",
  /** fields of a role that no recipient has */
  staysEmpty: (names: readonly string[], more: number) =>
    names.length === 1 && more === 0
      ? `No recipient fills in the field ${names[0]}. It stays empty.`
      : `No recipient fills in these fields, and they stay empty: ${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}.`,
  willStayEmpty: (names: readonly string[], more: number) =>
    names.length === 1 && more === 0
      ? `Their field ${names[0]} stays on the page and stays empty.`
      : `Their fields stay on the page and stay empty: ${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}.`,

  tags: {
    change: "Change tags",
    add: "Add tags",
    title: "Tags of the envelope",
    label: "Tags",
    hint: (most: number) =>
      `Press Enter or comma after each tag. An envelope has at most ${most}. Members of your organization see them, recipients do not.`,
    saved: "Tags saved.",
  },
  owner: {
    fact: "Owner",
    none: "None",
    former: "A former member",
    change: "Change owner",
    title: "Change owner",
    label: "Owner",
    hint: "The owner looks after the envelope. It is listed under their own envelopes.",
    saved: (name: string) => `${name} is the owner now.`,
  },
  cancel: "Cancel",
  save: "Save",

  one: "Envelope",
  envelopes: "Envelopes",
  parts: "Parts of the envelope",
  tabs: { overview: "Overview", timeline: "Audit trail", compliance: "Compliance", api: "API" },
  sent: {
    title: "Sent.",
    queued: "E-mails to the people whose turn it is are queued.",
    inOutbox: <T>(link: (text: string) => T) => [
      "No mail server is configured. The messages are in the ",
      link("Mail outbox"),
      ", and you can copy links below.",
    ],
    byHand: (names: string) => `Copy the link for ${names} below and hand it over.`,
    yourTurn: "It is your turn. Your page opens.",
  },
  toWork: "prepare, send, remind or void envelopes",
  expires: (on: string, when: string) => `Expires ${on}, ${when}`,
  files: {
    button: "Download",
    label: "Download files of the envelope",
    document: "Document (PDF)",
    single: (no: number, name: string) => `${no}. ${name} (PDF)`,
    certificate: "Completion certificate (PDF)",
    trail: "Audit trail (CSV)",
    evidence: "Evidence (ZIP)",
  },
  edit: "Continue editing",
  remind: "Remind",
  remindAll: "Remind all",
  store: "Store in vault",
  openInVault: "Open in vault",
  details: {
    title: "Details",
    customer: "Customer",
    external: "External ID",
    template: "Template",
    none: "None",
    openTemplate: "Open template",
    created: "Created",
    sent: "Sent",
    notSent: "Not yet",
    neverSent: "Never",
    updated: "Updated",
    expires: "Expires",
    expired: "Expired",
    expiresLater: "Set when sent",
    order: "Order",
    orders: { sequential: "One after another", parallel: "All at the same time", steps: "In steps" } satisfies Record<SigningOrder, string>,
    questions: "Identity questions",
    asked: "Asked before the document is shown",
    vault: "Automatic vault storage",
    vaultOn: "On, after everyone has signed",
    vaultOff: "Off",
    party: "Secured party",
    metadata: "Metadata",
  },
};
