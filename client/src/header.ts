/** The value, if a header can hold it. Otherwise a TypeError, which does not repeat the value: it may be a secret. */
export function headerValue(name: string, value: string): string {
  if (/[^\t\x20-\x7e\x80-\xff]/.test(value))
    throw new TypeError(`${name} has a character that a header cannot hold, such as a line break or one outside Latin-1`);
  return value;
}
