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
