import { pluralRules } from "./plural-rules.ts";

const plural = pluralRules("en");

/** What the sentences of a message name. All of it is one line of plain text. */
export interface Named {
  /** the signer */
  readonly name: string;
  /** the member who sends, otherwise the organization */
  readonly sender: string;
  /** the sender and, if that is a member, the organization in brackets */
  readonly from: string;
  readonly org: string;
  readonly document: string;
}

/** The words of every message to signers. The other languages have the same members, or they do not compile. */
export const en = {
  invitation: {
    subject: ({ sender, document }: Named) => `${sender} asks you to sign: ${document}`,
    heading: ({ name }: Named) => `Hello ${name}, please review and sign`,
    intro: ({ from }: Named) => `${from} has sent you a document to read and sign.`,
  },
  turn: {
    subject: ({ document }: Named) => `Your turn to sign: ${document}`,
    heading: ({ name }: Named) => `Hello ${name}, it is your turn to sign`,
    intro: ({ from }: Named) => `The people before you have signed. ${from} now asks for your signature.`,
    afterOthers: ({ from }: Named) => `The people before you have finished. ${from} now asks for your signature.`,
  },
  reminder: {
    subject: ({ document }: Named) => `Reminder to sign: ${document}`,
    heading: ({ name }: Named) => `Hello ${name}, please remember to sign`,
    intro: ({ from }: Named) => `${from} is still waiting for your signature.`,
    decline: "If you do not want to sign, you can decline on the same page. You will then get no more reminders.",
  },
  corrected: {
    subject: ({ document }: Named) => `New signing link: ${document}`,
    heading: ({ name }: Named) => `Hello ${name}, here is your new link`,
    intro: ({ org }: Named) => `${org} has corrected your details on a document that is waiting for your signature.`,
    earlier: "Your earlier link no longer works. Use this one instead.",
  },
  link: {
    subject: ({ document }: Named) => `Your signing link: ${document}`,
    heading: ({ name }: Named) => `Hello ${name}, here is your new link`,
    intro: ({ from }: Named) => `You requested a new link. ${from} sent you this document to sign.`,
  },
  copy: {
    subject: ({ document }: Named) => `Your document link: ${document}`,
    heading: ({ name }: Named) => `Hello ${name}, here is your document`,
    intro: ({ from }: Named) => `You requested a new link to a document from ${from} that you signed.`,
    others: ({ from }: Named) => `You requested a new link to a document from ${from}.`,
  },
  completed: {
    subject: ({ document }: Named) => `Everyone has signed: ${document}`,
    heading: ({ name }: Named) => `Hello ${name}, everyone has signed`,
    intro: ({ from }: Named) => `The document from ${from} is complete.`,
    keep: "Please keep a copy for your records.",
    attached: "The signed document is attached to this message. Please keep it for your records.",
  },
  voided: {
    subject: ({ document }: Named) => `Voided: ${document}`,
    heading: ({ name }: Named) => `Hello ${name}, this document was voided`,
    intro: ({ org }: Named) => `${org} has voided a document that was sent to you.`,
  },
  declined: {
    subject: ({ document }: Named) => `Declined: ${document}`,
    heading: ({ name }: Named) => `Hello ${name}, this document was declined`,
    intro: ({ from }: Named) => `A signer has declined a document that ${from} sent you.`,
    rejected: ({ from }: Named) => `An approver has rejected a document that ${from} sent you.`,
  },
  expired: {
    subject: ({ document }: Named) => `Expired: ${document}`,
    heading: ({ name }: Named) => `Hello ${name}, this document has expired`,
    intro: ({ from }: Named) => `Not everyone signed the document from ${from} in time. It can no longer be signed.`,
    again: ({ sender }: Named) => `If you still want to sign it, ask ${sender} to send it again.`,
    incomplete: ({ from }: Named) => `The document from ${from} was not completed in time. It can no longer be completed.`,
    needed: ({ sender }: Named) => `If it is still needed, ask ${sender} to send it again.`,
  },
  approver: {
    invitation: {
      subject: ({ sender, document }: Named) => `${sender} asks for your approval: ${document}`,
      heading: ({ name }: Named) => `Hello ${name}, please review this document`,
      intro: ({ from }: Named) => `${from} asks you to read a document and to approve or reject it.`,
    },
    reminder: {
      subject: ({ document }: Named) => `Reminder to approve or reject: ${document}`,
      heading: ({ name }: Named) => `Hello ${name}, please remember to review this document`,
      intro: ({ from }: Named) => `${from} is still waiting for your decision.`,
    },
  },
  viewer: {
    invitation: {
      subject: ({ sender, document }: Named) => `${sender} asks you to read: ${document}`,
      heading: ({ name }: Named) => `Hello ${name}, please read this document`,
      intro: ({ from }: Named) => `${from} asks you to read a document and to confirm that you have read it.`,
    },
    reminder: {
      subject: ({ document }: Named) => `Reminder to read: ${document}`,
      heading: ({ name }: Named) => `Hello ${name}, please remember to read this document`,
      intro: ({ from }: Named) => `${from} is still waiting for you to confirm that you have read it.`,
    },
  },
  cc: {
    subject: ({ sender, document }: Named) => `${sender} sends you a document to read: ${document}`,
    heading: ({ name }: Named) => `Hello ${name}, here is a document for your information`,
    intro: ({ from }: Named) =>
      `${from} has sent this document to others to sign and wants you to have it too. You do not need to do anything.`,
    later: "If it is completed, you get the signed document by e-mail.",
  },
  code: {
    subject: ({ document }: Named) => `Your code: ${document}`,
    heading: ({ name }: Named) => `Hello ${name}, here is your code`,
    intro: ({ from }: Named) => `Enter this code on the page with the document from ${from}.`,
    label: "Code",
    validFor: "The code is valid for 10 minutes.",
    keep: "Do not pass the code on. If you did not request it, ignore this message.",
  },
  form: {
    subject: ({ document }: Named) => `Your link: ${document}`,
    heading: "Open your document",
    intro: ({ org }: Named) => `This e-mail address was entered on a form of ${org}. With this link you open the document.`,
    validFor: "The link is valid for 30 minutes. You can get another one on the same form.",
    notYou: "If you did not enter your address, ignore this message. Nothing is created unless the link is used.",
  },
  nothingToDo: "It can no longer be signed. You do not need to do anything.",
  wrote: (name: string) => `${name} wrote:`,
  gaveReason: (name: string) => `${name} gave this reason:`,
  facts: {
    document: "Document",
    yourPart: "Your part",
    signBy: "Sign by",
    answerBy: "Answer by",
    completedAt: "Completed",
    expiredAt: "Expired",
  },
  pages: (n: number) => plural(n, { one: "1 page", other: `${n} pages` }),
  fields: (n: number) => plural(n, { one: "1 field", other: `${n} fields` }),
  initials: "initials",
  signatures: (n: number) => plural(n, { one: "1 signature", other: `${n} signatures` }),
  reviewAndSign: "Review and sign",
  reviewDocument: "Review document",
  readDocument: "Read document",
  openDocument: "Open document",
  openCopy: "Open your copy",
  buttonFails: "The button does not work? Open",
  questions: (name: string) => `Questions? Reply to this message. Your answer goes to ${name}.`,
  personal: "This link is personal. Anyone who has it can act in your name, so please do not forward this message.",
  personalCopy: "This link is personal. Anyone who has it can open your copy, so please do not forward this message.",
  personalReader: "This link is personal. Anyone who has it can read the document, so please do not forward this message.",
  unexpected: (sender: string) => `If you did not expect this message, ignore it, or ask ${sender} before you open the link.`,
  notRequested: "If you did not request a new link, you can ignore this message.",
  sentWith: "Sent with Countersign.",
};

export type MailWords = typeof en;
