/** Words of the components that all screens share. They are loaded with the login page, so there are few. A table of another language must have the same members. */
export const en = {
  loading: "Loading",
  busy: "One moment…",
  optional: " (optional)",
  stepper: { label: "Steps", done: "done" },
  leave: "Leave anyway",
  stay: "Stay here",
  pageTitle: (title: string) => `${title} · Countersign`,
  error: {
    reload: "Reload",
    again: "Try again",
    reference: (id: string) => `Reference ${id}`,
    unreachable: "Countersign is not responding. Check your network connection. Nothing you entered is lost.",
    broken: "Something went wrong on this page. Reload it.",
    incomplete: "Fill in the required fields.",
    required: "is required",
  },
};
