/** What the name of a tag may be. */

export const MAX_TAG_NAME = 50;

/** One line with a visible character, and no control characters. */
export const TAG_NAME_PATTERN = "^[^\\S\\u0000-\\u001f\\u007f]*[^\\s\\u0000-\\u001f\\u007f][^\\u0000-\\u001f\\u007f]*$";

const pattern = new RegExp(TAG_NAME_PATTERN);

/** For the path, which any text can be in. */
export const isTagName = (text: string): boolean =>
  text.length <= 2 * MAX_TAG_NAME && Array.from(text).length <= MAX_TAG_NAME && pattern.test(text);
