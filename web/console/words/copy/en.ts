/** The words of buttons that copy, and of API calls that can be copied. A table of another language must have the same members. */
export const en = {
  copy: "Copy",
  copyOne: (what: string) => `Copy ${what}`,
  copied: "Copied",
  blocked: "The browser blocked copying. Select the text and copy it.",
  showCall: "Show as API call",
  /** completes “Copy …” for screen readers */
  call: "the API call",
};
