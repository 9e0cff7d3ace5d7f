/** The words of the search over everything and of the list of keys. A table of another language must have the same members. */
export const en = {
  search: "Search",
  button: "Search everything",
  placeholder: "Envelopes, people, templates, screens and actions",
  hint: "Arrow keys choose, Enter opens.",
  results: (count: number) => (count === 1 ? "1 result" : `${count} results`),
  none: (text: string) => `Nothing matches “${text}”.`,
  searching: "Searching…",
  failed: (group: string) => `${group} could not be searched.`,
  groups: {
    actions: "Actions",
    screens: "Screens",
    envelopes: "Envelopes",
    vault: "Vaulted documents",
    customers: "Customers",
    templates: "Templates",
    contacts: "Contacts",
  },
  allEnvelopes: (text: string) => `Show all envelopes for “${text}”`,
  envelopesOf: "Envelopes of this person",
  acts: {
    newEnvelope: "New envelope",
    uploadCustomers: "Upload customers",
    deposit: "Deposit document",
    mailTexts: "E-mail texts",
    account: "Your account",
    notifications: "Notifications",
    keys: "Keyboard shortcuts",
    signOut: "Sign out",
  },

  shortcuts: {
    title: "Keyboard shortcuts",
    everywhere: "On every screen",
    list: "In the list of envelopes",
    everywhereKeys: [
      ["Ctrl K", "Search everything"],
      ["?", "Show the keyboard shortcuts"],
    ],
    off: "Shortcuts of a single character are turned off in this browser. Turn them on in your account.",
    note: "Shortcuts of a single character never act while you type in a text field. You can turn them off in your account.",
  },
} as const;
export type Words = typeof en;
