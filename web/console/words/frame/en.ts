/** The words of the frame around every screen. They are loaded with the login page, so there are few. A table of another language must have the same members. */
export const en = {
  product: "Countersign",
  notLoaded: "This page could not be loaded",
  notLoadedLead: "The network may be down, or Countersign was upgraded.",
  notResponding: "Countersign is not responding",
  notRespondingLead: "Check your network connection.",
  notifications: "Notifications",
  /** after the number */
  unread: " unread",
  skip: "Skip to content",
  menu: "Menu",
  console: "Console",
  reference: "API reference",
  account: "Your account",
  signOut: "Sign out",
  sandboxes: "Sandboxes",
  testData: "Test data",
  testDataLead: " · Documents here are not legally binding, and e-mails are not sent.",
};
export type Words = typeof en;
