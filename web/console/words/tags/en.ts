/** Words of the field in which tags are entered. A table of another language must have the same members. */
export const en = {
  remove: (tag: string) => `Remove tag ${tag}`,
  added: (tags: string) => `Added: ${tags}`,
  removed: (tag: string) => `Removed: ${tag}`,
  suggestions: "Suggestions",
};
