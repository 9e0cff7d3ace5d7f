const done = (isSigned: boolean): string => (isSigned ? "signed" : "acted");
const because = (reason: string | null): string => (reason === null ? "" : ` Reason: ${reason}`);
const help = (locked: string): string =>
  locked === "" ? "" : ` ${locked} gave too many wrong answers in the identity check and must be unlocked.`;

/** What the envelope's page says about its state and its messages. A table of another language must have the same members. */
export const en = {
  noDocument: "Not sent yet. It has no document.",
  notSent: "Not sent yet.",
  /** `isSigned`: all were asked to sign, none to approve or to read */
  storing: (isSigned: boolean) => `Everyone has ${done(isSigned)}. The document is being stored in the vault.`,
  canStore: (isSigned: boolean) => `Everyone has ${done(isSigned)}. You can store the document in the vault.`,
  vaulted: (isSigned: boolean) => `Everyone has ${done(isSigned)}. The vault keeps the authoritative copy.`,
  rejected: (names: string, reason: string | null) => `${names || "A recipient"} rejected the document.${because(reason)}`,
  declined: (names: string, reason: string | null) => `${names || "A recipient"} declined to sign.${because(reason)}`,
  discarded: "This draft was discarded. It was never sent.",
  voided: (reason: string | null) => `This envelope was voided and can no longer be signed.${because(reason)}`,
  expired: (on: string | null, isSigned: boolean) =>
    `This envelope expired${on === null ? "" : ` on ${on}`} before everyone ${done(isSigned)}.`,
  waitingForAny: "Waiting for recipients.",
  /** `others`: the names of the others whose turn it is */
  yourTurn: (others: string, locked: string) => `Your turn.${others === "" ? "" : ` Also waiting for ${others}.`}${help(locked)}`,
  /** `locked`: the names of those who must be unlocked */
  waiting: (names: string, locked: string) => `Waiting for ${names}.${help(locked)}`,
  waitingMailed: (name: string, mailed: string, locked: string) =>
    `Waiting for ${name}. ${mailed.charAt(0).toUpperCase()}${mailed.slice(1)}.${help(locked)}`,

  /** what a mail server said, by the type of its audit entry */
  replies: {
    "mail.accepted": "e-mail accepted by the mail server",
    "mail.failed": "e-mail could not be sent",
    "mail.delivered": "e-mail delivered",
    "mail.bounced": "e-mail bounced",
    "mail.complained": "e-mail marked as spam",
  } as Readonly<Record<string, string>>,
  quoted: (reply: string, said: string) => `${reply} (“${said}”)`,
  replied: (reply: string, when: string) => `${reply} ${when}`,
  inOutbox: (when: string) => `message added to the outbox ${when}`,
  queued: (when: string) => `e-mail queued ${when}`,
};
