/** What a select offers, in the order of its words. */
export const choicesOf = <T extends string>(words: Readonly<Record<T, string>>): readonly (readonly [T, string])[] =>
  Object.entries(words) as [T, string][];
