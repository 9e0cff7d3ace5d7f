/** The words of the sessions and second factors of a member. A table of another language must have the same members. */
export const en = {
  title: (name: string) => `Sessions of ${name}`,
  lead: "In this organization. The member gets an e-mail when you end one.",
  caption: "Open sessions",
  none: "No open sessions.",
  browser: "Browser",
  ip: "IP address",
  used: "Last used",
  actions: "Actions",
  this: "This session",
  end: "End",
  endLabel: (browser: string, ip: string) => `End session in ${browser} from ${ip}`,
  endAll: "End all",
  ended: (count: number) => (count === 1 ? "1 session ended." : `${count} sessions ended.`),
  factors: "Lost second factor",
  factorsLead:
    "If the member lost their authenticator apps, passkeys and recovery codes, send them a link. With it and their password, they remove all of them. Make sure first who asks.",
  reason: "Reason",
  reasonHint: "Recorded in the audit trail.",
  send: "Send link",
  sent: (email: string) => `We have sent the link to ${email}. It works for 1 hour.`,
  close: "Close",
  everyone: "Sign everyone out",
  everyoneTitle: "Sign everyone out?",
  everyoneText: "All sessions in this organization end, except this one of yours. Everyone gets an e-mail and has to log in again.",
} as const;
export type Words = typeof en;
