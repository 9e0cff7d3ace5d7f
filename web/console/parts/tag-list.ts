/** Tags are compared without regard to case, as the service does. */
const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** The tags with those in a text, which has commas between them. A tag that is there already is not added again. */
export function withTags(tags: readonly string[], text: string): readonly string[] {
  const added = text
    .split(",")
    .map((tag) => tag.trim())
    .filter((tag) => tag !== "");
  const isNew = (tag: string, index: number) => ![...tags, ...added.slice(0, index)].some((one) => isSame(one, tag));
  return [...tags, ...added.filter(isNew)];
}

// As many as fit under the field of a dialog.
export const MOST_SUGGESTED = 8;

/** The tags of the organization that contain the text, less those that are chosen. Those that begin with it come first. */
export function matchingTags(known: readonly string[], chosen: readonly string[], text: string): readonly string[] {
  const wanted = text.trim().toLowerCase();
  const found = known.filter((tag) => tag.toLowerCase().includes(wanted) && !chosen.some((one) => isSame(one, tag)));
  const begins = (tag: string) => tag.toLowerCase().startsWith(wanted);
  return [...found.filter(begins), ...found.filter((tag) => !begins(tag))];
}

/** The first of them. */
export const suggestedTags = (...given: Parameters<typeof matchingTags>): readonly string[] =>
  matchingTags(...given).slice(0, MOST_SUGGESTED);
