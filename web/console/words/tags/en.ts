/** Words of the fields in which tags are entered and chosen. A table of another language must have the same members. */
export const en = {
  remove: (tag: string) => `Remove tag ${tag}`,
  added: (tags: string) => `Added: ${tags}`,
  removed: (tag: string) => `Removed: ${tag}`,
  suggestions: "Suggestions",
  tag: "Tag",
  any: "Any tag",
  matches: (count: number, shown: string) => (count === 0 ? "No tag matches." : count === 1 ? "1 tag matches." : `${shown} tags match.`),
  more: (count: string) => `${count} more. Type to find a tag.`,
};
