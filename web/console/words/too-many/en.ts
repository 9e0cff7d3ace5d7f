/** The words for too many failed attempts to log in. A table of another language must have the same members. */
export const en = {
  asked: (email: string) =>
    `If ${email} has an account, we have sent it a link. At most one is sent per hour. Open it in this browser, then log in with your password.`,
  newBrowser: "Too many failed attempts. Log in with a browser that you have used before, or confirm this one with a link by e-mail.",
  wait: (time: string) => `Too many failed attempts. Try again in ${time}, or`,
  reset: "reset your password",
  send: "Send link",
  seconds: (count: number) => `${count} seconds`,
  minutes: (count: number) => `${count} minutes`,
  noMail: (command: string) => `This installation has no mail server. The operator can help with: npx countersign ${command}`,
  reference: (id: string) => `Reference ${id}`,
} as const;
export type Words = typeof en;
