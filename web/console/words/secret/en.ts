/** The words of a secret that is shown once. A table of another language must have the same members. */
export const en = {
  stored: "I have stored it",
  notStored: "It is not shown again. Store it and tick the box before you close this.",
  done: "Done",
};
