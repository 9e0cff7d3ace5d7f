/** The words of the second step of a log-in and of confirming who the user is. A table of another language must have the same members. */
export const en = {
  second: {
    title: "Enter your code",
    titlePasskey: "Use your passkey",
    lead: "Open your authenticator app and enter the code that it shows for Countersign.",
    leadRecovery:
      "Enter one of your recovery codes. If you no longer have your phone, remove it in Your account afterwards, and add another one.",
    noApp: "If you do not have it here, enter one of your recovery codes.",
    button: "Log in",
    remember: (days: number) => `Do not ask again in this browser for ${days === 1 ? "a day" : `${days} days`}`,
  },
  confirm: {
    title: "Confirm that it is you",
    lead: "You logged in a while ago. Confirm who you are to continue. Everything you entered is still here.",
    password: (email: string) => `Password for ${email}`,
    button: "Confirm",
  },
  code: "Code",
  codeHint: "6 digits. Each code works once.",
  recovery: "Recovery code",
  recoveryHint: "One of the codes that you kept when you added your first factor. Each works once.",
  useRecovery: "Use a recovery code",
  useCode: "Use the authenticator app",
  cancel: "Cancel",
} as const;
export type Words = typeof en;
