/** The words of the mail outbox. A table of another language must have the same members. */
export const en = {
  title: "Mail outbox",
  configured:
    "A mail server is configured, so messages go to their recipients and are not shown here. Their links would let the reader act as a signer.",
  lead: "No mail server is configured, so these messages were not sent. Open a message and give its link to the person it is addressed to, and to no one else.",
  testLead: "Messages of a sandbox are never sent. They are kept here for 7 days. Open one to follow its link.",
  role: "read the outbox",
  /** between its parts stand the command and the setting */
  others: [
    "Invitations and password resets are never shown here, because they belong to a person who may also be in other organizations. The admin who sends an invitation sees its link. To get a password reset link, run ",
    ". To configure a mail server, the operator sets ",
    ".",
  ],
  columns: { subject: "Subject", to: "To", about: "About", status: "Status", when: "When" },
  caption: "Messages, newest first",
  none: "No messages yet",
  create: "New envelope",
  noneText:
    "Messages that Countersign would e-mail appear here: signature requests, reminders and copies of signed documents. Send an envelope to see the first one.",
  states: { sent: "Sent", withdrawn: "Withdrawn", expired: "Expired", failed: "Failed", waiting: "In outbox" },
  notNeeded: "The link is no longer needed",
  deleted: "The text has been deleted",
  message: "Message",
  facts: { to: "To", about: "About", created: "Created" },
  notSent: (to: string) =>
    `Not sent. This is the e-mail that ${to} would get. Give its link to them yourself. What it says about forwarding is meant for them.`,
};
export type Words = typeof en;
