/** The words of the notifications. A table of another language must have the same members. */
export const en = {
  title: "Notifications",
  lead: "About envelopes that you sent, look after or act on in the console, and bulk sends that you started. They are kept for 90 days.",
  onlyNew: "Only new",
  markRead: "Mark as read",
  caption: "Notifications, newest first",
  none: "Nothing new.",
  noneText: "You are notified here when something happens to an envelope that you sent.",
  columns: { what: "What happened", state: "State", when: "When" },
  new: "New",
  read: "Read",
  settings: {
    title: "What you are notified of",
    caption: "How you are notified of each kind",
    when: "When",
    ways: { console: "Here", mail: "By e-mail" },
    box: (kind: string, way: string) => `${kind}: ${way.toLowerCase()}`,
    kinds: {
      completed: "Everyone has signed",
      declined: "A person declined",
      expires_soon: "An envelope expires within two days",
      expired: "An envelope has expired",
      mail_failed: "A message could not be delivered",
      action_needed: "It is your turn, a person is locked out or asks to sign on paper, or a bulk send is paused",
      batch_ended: "A bulk send has ended",
    },
  },
} as const;
export type Words = typeof en;
