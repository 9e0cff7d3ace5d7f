/** The words of the security settings. A table of another language must have the same members. */
export const en = {
  lead: "What your organization demands of log-ins, sessions, passwords, API keys and recipients.",
  factor: "Second factor",
  factorHint:
    "If it is required, a member without one can only add one once the days of grace are over. You need one yourself to require it.",
  factors: [
    ["off", "Optional"],
    ["required", "Required"],
  ],
  fields: {
    grace_days: "Days of grace",
    remember_device_days: "Remember browsers, in days",
    idle_minutes: "Sign out after minutes without use",
    max_hours: "Sign out after hours",
    min_password: "Minimum length of new passwords",
    max_key_days: "Maximum life of API keys, in days",
  },
  hints: {
    grace_days: "0 to 30. Counted from the day a second factor became required, or the member joined.",
    remember_device_days:
      "0 to 90. In a browser that the member asks to remember, the password alone logs in for this time. 0 turns this off.",
    idle_minutes: "5 to 1440. An open page that refreshes itself counts as use while it is visible.",
    max_hours: "1 to 168, counted from the log-in. Open sessions that are older end with their next request.",
    min_password: "12 to 64 characters. Existing passwords keep working.",
    max_key_days: "1 to 1825, for keys that are created or changed from now on. Leave it empty for no limit.",
  },
  addresses: "Allowed addresses of members",
  addressesHint:
    "One address or range in each line, such as 203.0.113.0/24, with your own among them. From other addresses members cannot log in, and their sessions do not work. API keys have lists of their own. Leave empty to allow all.",
  identity: "Minimum identity of recipients",
  identityHint:
    "For everyone who acts on an envelope, from the next one that is sent. Level 1 asks people for a code by e-mail if the sender asks for nothing. Level 2 asks for a code by e-mail, and for an access code or identity questions, which the sender must set: without them an envelope cannot be sent, and public forms and bulk sends are refused. These are levels of this service, not of eIDAS.",
  identities: [
    ["0", "None: the link is enough"],
    ["1", "Level 1: a code by e-mail"],
    ["2", "Level 2: a code by e-mail, and an access code or questions"],
  ],
  embed: "People whom your own application brings",
  embedHint:
    "For signing pages that your application embeds with a token. What a sender asks of a person is always asked, and level 2 is too.",
  embeds: [
    ["partner", "Trust the application for level 1"],
    ["same", "Ask them for the minimum too"],
  ],
  notNumber: "must be a whole number",
} as const;
export type Words = typeof en;
