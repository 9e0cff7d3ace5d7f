/** The words of the dialogs about one envelope. A table of another language must have the same members. */
export const en = {
  cancel: "Cancel",
  discard: {
    title: "Discard draft",
    text: (name: string) => `“${name}” can no longer be edited or sent. Its audit trail is kept.`,
    button: "Discard",
    done: "Draft discarded.",
  },
  void: {
    title: "Void envelope",
    text: (name: string) => `“${name}” can no longer be signed, and everyone who was asked to sign is notified. You cannot undo this.`,
    reason: "Reason",
    reasonHint: "Shown to signers and in the audit trail.",
    button: "Void envelope",
    done: "Envelope voided.",
  },
  vault: {
    title: "Store document in vault",
    text: (name: string) => `The vault keeps “${name}” as the only authoritative copy. From then on, every download is marked as a copy.`,
    button: "Store document",
    busy: "Storing…",
    done: "Document stored in the vault.",
    started: "The document is being stored. This page will tell you when it is in the vault.",
  },
  link: {
    title: (name: string) => `Link for ${name}`,
    copied: "Link copied.",
    notCopied: "The link was created. The browser did not allow copying it, so copy it below.",
    /** completes “Copy …” for screen readers */
    what: "the link",
    again: "Try again",
    text: (name: string) =>
      `Anyone with this link can act as ${name} until the envelope expires. It is shown once. The audit trail records that you created it, and the compliance certificate says that you handed it over.`,
    readerText: (name: string) =>
      `Anyone with this link can read the document as ${name}, from the step of ${name} on or when everyone has finished. The link ends when the envelope would expire. It is shown once, and the audit trail records that you created it.`,
    open: "Open in a new tab",
  },
};
