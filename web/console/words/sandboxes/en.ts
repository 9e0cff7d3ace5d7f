/** The words of the sandboxes. A table of another language must have the same members. */
export const en = {
  title: "Sandboxes",
  lead: "Organizations for tests, with the members and security settings of yours. Every page of their documents says that it is a test, and their e-mails are not sent.",
  inTest: "You are in a sandbox. To create another one, switch to your organization.",
  create: "New sandbox",
  caption: "Sandboxes, oldest first",
  columns: { name: "Name", id: "ID", created: "Created", actions: "Actions" },
  open: "Open",
  here: "You are here",
  resetting: "Resetting…",
  reset: {
    title: (name: string) => `Reset ${name}`,
    text: [
      "Everything in this sandbox is removed: envelopes, templates, customers, API keys, webhook endpoints, e-mails and settings. This cannot be undone.",
      "Its API keys stop working at once, and everyone who works in it is logged out of it. The sandbox and its members stay.",
    ],
    button: "Reset",
    done: (name: string) => `${name} is being reset`,
  },
  delete: {
    title: (name: string) => `Delete ${name}`,
    text: [
      "This sandbox is deleted with everything in it. This cannot be undone.",
      "Its API keys stop working at once, and everyone who works in it is logged out of it.",
    ],
    button: "Delete",
    done: (name: string) => `${name} deleted`,
  },
  none: "No sandboxes yet",
  noneText: "In a sandbox you create API keys and try your integration without touching real documents.",
  dialog: {
    name: "Name",
    hint: "The sandbox's e-mails and documents show it as the sender.",
    suggestion: (org: string) => `${org} – Test`,
    button: "Create",
    cancel: "Cancel",
  },
  created: (name: string) => `Sandbox ${name} created`,
};
export type Words = typeof en;
