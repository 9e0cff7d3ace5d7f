/** Returns the value if it is valid in a header. Otherwise throws a TypeError without the value, which may be a secret. */
export function headerValue(name: string, value: string): string {
  if (/[^\t\x20-\x7e\x80-\xff]/.test(value))
    throw new TypeError(`${name} contains a character that is not allowed in a header, such as a line break or one outside Latin-1`);
  return value;
}
