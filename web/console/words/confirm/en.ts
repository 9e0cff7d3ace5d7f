/** The words of a question before an action. A table of another language must have the same members. */
export const en = {
  type: (name: string) => `Type “${name}” to confirm`,
  different: "The name does not match",
  cancel: "Cancel",
};
