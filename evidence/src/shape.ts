// Whether a value that came from elsewhere has exactly the members it should have, each of them in its one form.

export type Fits = (value: unknown) => boolean;
export type Members = Readonly<Record<string, Fits>>;

export const isCount: Fits = (value) => Number.isSafeInteger(value) && Number(value) >= 0;

/** One line: names are shown to people, and must not begin a line of their own. */
export const isLine: Fits = (value) => typeof value === "string" && value.length <= 500 && !/[\p{Cc}\u2028\u2029]/u.test(value);

/** Text of people, which may have several lines. */
export const isText: Fits = (value) => typeof value === "string" && value.length <= 2_000;

export const oneOf =
  (values: readonly string[]): Fits =>
  (value) =>
    typeof value === "string" && values.includes(value);

export const orNull =
  (fits: Fits): Fits =>
  (value) =>
    value === null || fits(value);

export const listOf =
  (fits: Fits): Fits =>
  (value) =>
    Array.isArray(value) && value.every(fits);

export const shaped =
  (members: Members): Fits =>
  (value) =>
    hasExactly(value, members);

export function hasExactly(value: unknown, members: Members): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const found = value as Record<string, unknown>;
  return (
    Object.keys(found).length === Object.keys(members).length &&
    Object.entries(members).every(([name, fits]) => Object.hasOwn(found, name) && fits(found[name]))
  );
}
