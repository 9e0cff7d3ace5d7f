/** The options of a select, in the order of the record. */
export const choicesOf = <T extends string>(words: Readonly<Record<T, string>>): readonly (readonly [T, string])[] =>
  Object.entries(words) as [T, string][];
