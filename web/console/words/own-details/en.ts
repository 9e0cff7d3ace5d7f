/** The words of the user's own name, language, address and browsers. A table of another language must have the same members. */
export const en = {
  title: "Name and language",
  name: "Name",
  language: "Language of documents to sign",
  languageHint: "For documents that your organizations send you, if the sender chooses no language. The console is in English.",
  organization: "Organization default",
  save: "Save",
  saved: "Your details are saved.",
  email: {
    title: "Change e-mail address",
    label: "New e-mail address",
    hint: "We mail a link to it. Your address changes when you open the link, within 1 hour.",
    button: "Send link",
    asked: (address: string, email: string) =>
      `If ${address} can be used, we have sent it a link. Until you open the link, your address stays ${email}.`,
    noMail: "No mail server is set up, so a new address cannot be confirmed. Ask the operator of this service.",
  },
  browsers: {
    title: "Browsers",
    lead: "Browsers in which you logged in during the last 180 days. Failed attempts by others do not block them.",
    caption: "Browsers that your account knows",
    none: "No browsers yet. A browser appears here after its next log-in.",
    columns: { browser: "Browser", ip: "IP address", used: "Last log-in", second: "Second factor", actions: "Actions" },
    this: "This browser",
    remembered: "Not asked since",
    asked: "Asked",
    forget: "Forget",
    forgetLabel: (browser: string, ip: string) => `Forget ${browser}, ${ip}`,
    forgetTitle: "Forget browser?",
    forgetText: (browser: string, ip: string) =>
      `${browser}, ${ip}. At its next log-in it is a new browser: you get an e-mail, and it needs your second factor. A session that is open there goes on.`,
    forgotten: (browser: string) => `${browser} is forgotten.`,
  },
  password: {
    none: "You log in with a passkey. Your account has no password.",
    set: "Set password",
    setHint: "You will be signed out everywhere, including here. Then your passkeys are a second factor, and still log in alone.",
    remove: "Remove password",
    removeTitle: "Remove your password?",
    removeText: "From now on, only your passkeys log in. You need two passkeys and an unused recovery code, in case you lose a device.",
    removed: "Your password is removed.",
  },
} as const;
export type Words = typeof en;
