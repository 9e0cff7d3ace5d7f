/** The words of messages that go away. A table of another language must have the same members. */
export const en = { dismiss: "Dismiss" };
