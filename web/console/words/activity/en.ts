/** What an entry of the audit trail says, taken from its data. Names are those of the people now. */
export interface Said {
  /** who did it */
  readonly who: string;
  /** whom it concerns */
  readonly people: string;
  readonly reason: string | null;
  /** Countersign did it, as it was set */
  readonly isAutomatic: boolean;
  /** the envelope was never sent */
  readonly isDiscarded: boolean;
}

const because = (sentence: string, reason: string | null) => (reason === null ? sentence : `${sentence}: “${reason}”`);

/** The words of the activity of an envelope. A table of another language must have the same members. */
export const en = {
  title: "Activity",
  full: "Full audit trail",
  none: "No activity yet.",
  latest: (count: number) => `From the latest ${count} entries. The full audit trail has the others.`,
  filter: "Show",
  filters: { all: "All", signing: "Signing", mail: "E-mail", changes: "Changes", documents: "Documents" },
  noneOfKind: "Nothing of this kind yet.",
  technical: (count: number) => (count === 1 ? "Show 1 technical event" : `Show ${count} technical events`),
  hideTechnical: "Hide technical events",
  entry: "Technical entry",
  erased: "The details were erased. The entry and its hash are kept.",
  automatic: "automatic",
  byTest: "test operation",
  actors: {
    system: "Countersign",
    signer: "A signer",
    recipient: "A recipient",
    viewer: "A read-only viewer",
    person: "A person of a party",
    vault: "Another vault",
    key: "An API key",
    someone: "a recipient",
    aKey: "an API key",
  },
  /** the events that people care about; all others are technical */
  events: {
    "envelope.created": ({ who }: Said) => `${who} created the envelope`,
    "envelope.owner_changed": ({ who }: Said) => `${who} gave the envelope to another member`,
    "envelope.expiry_changed": ({ who }: Said) => `${who} changed the expiry`,
    "envelope.reminders_changed": ({ who }: Said) => `${who} changed the automatic reminders`,
    "envelope.tagged": ({ who }: Said) => `${who} changed the tags`,
    "envelope.sent": ({ who, people }: Said) => `${who} sent the envelope to ${people}`,
    "envelope.reminded": ({ who, people, isAutomatic }: Said) =>
      isAutomatic ? `Reminder queued for ${people}` : `${who} reminded ${people}`,
    "envelope.completed": () => "Everyone has finished",
    "envelope.declined": ({ who, reason }: Said) => because(`${who} declined`, reason),
    "envelope.voided": ({ who, reason, isDiscarded }: Said) =>
      because(isDiscarded ? `${who} discarded the draft` : `${who} voided the envelope`, reason),
    "envelope.expired": () => "The envelope expired",
    "recipient.added": ({ who, people }: Said) => `${who} added ${people}`,
    "recipient.removed": ({ who, people }: Said) => `${who} removed ${people}`,
    "recipient.replaced": ({ who, people }: Said) => `${who} changed a recipient: now ${people}`,
    "recipient.opened": ({ who }: Said) => `${who} opened the page of the document`,
    "recipient.approved": ({ who }: Said) => `${who} approved the document`,
    "recipient.confirmed": ({ who }: Said) => `${who} confirmed having read the document`,
    "recipient.notified": ({ people }: Said) => `E-mail with the document queued for ${people}`,
    "form.confirmed": () => "The visitor of the public form confirmed the e-mail address",
    "signer.corrected": ({ who, people }: Said) => `${who} corrected a signer: now ${people}`,
    "signer.link_handed_over": ({ who, people }: Said) => `${who} created a link to hand over to ${people}`,
    "signer.link_sent": ({ people }: Said) => `E-mail with a new link queued for ${people}`,
    "signer.opened": ({ who }: Said) => `${who} opened the page of the document`,
    "signer.paper_requested": ({ who }: Said) => `${who} asked to sign on paper`,
    "consent.withdrawn": ({ who }: Said) => `${who} withdrew the consent to sign electronically`,
    "identity.locked": ({ who }: Said) => `${who} entered too many wrong codes and was locked out`,
    "identity.reset": ({ who, people }: Said) => `${who} unlocked ${people}`,
    "kba.locked": ({ who }: Said) => `${who} gave too many wrong answers and was locked out`,
    "kba.reset": ({ who, people }: Said) => `${who} unlocked ${people}`,
    "mail.failed": ({ people }: Said) => `E-mail to ${people} could not be sent`,
    "mail.delivered": ({ people }: Said) => `E-mail to ${people} was reported as delivered`,
    "mail.bounced": ({ people }: Said) => `E-mail to ${people} bounced`,
    "mail.complained": ({ people }: Said) => `${people} marked the e-mail as spam`,
    "signature.applied": ({ who }: Said) => `${who} signed`,
    "document.received": ({ who }: Said) => `${who} uploaded a document`,
    "copy.issued": ({ people }: Said) => `A copy of the document was issued to ${people}`,
    "vault.stored": () => "Stored in the vault",
    "vault.document.tamper_detected": () => "Tampering was detected in the stored document",
  },
} as const;
export type Words = typeof en;
export type HumanEvent = keyof typeof en.events;
