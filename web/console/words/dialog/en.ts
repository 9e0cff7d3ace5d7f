/** The words that all dialogs share. A table of another language must have the same members. */
export const en = {
  unsaved: "You have unsaved changes. Close again to discard them.",
};
