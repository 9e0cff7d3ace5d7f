// Decimal numbers as text: never calculated with as floating point, because they are signed and hashed.

const NORMAL = /^-?\d+(\.\d+)?$/;

/** Digits with a point before the decimals, as a number is stored. */
export const isDecimal = (text: string): boolean => NORMAL.test(text);

/** Negative if `a` is smaller than `b`, 0 if they are equal, positive otherwise. Takes as long as the texts are, whatever they say. */
export function compareDecimals(a: string, b: string): number {
  const places = Math.max(placesOf(a), placesOf(b));
  const [one, other] = [signed(a, places), signed(b, places)];
  if (one.sign !== other.sign) return one.sign - other.sign;
  if (one.digits === other.digits) return 0;
  const { length } = other.digits;
  const isLarger = one.digits.length === length ? one.digits > other.digits : one.digits.length > length;
  return isLarger ? one.sign : -one.sign;
}

/** The digits after the point, without zeros at the end. */
export const placesOf = (decimal: string): number => fractionOf(decimal).length;

/** With exactly so many digits after the point, if it does not have more; zeros at the end are added or removed. */
export function withPlaces(decimal: string, places: number): string {
  const [whole = ""] = decimal.split(".");
  return places === 0 ? whole : `${whole}.${fractionOf(decimal).padEnd(places, "0")}`;
}

/** The smallest number that is not below the decimal and has at most so many digits after the point. */
export function firstFrom(decimal: string, places: number): string {
  if (placesOf(decimal) <= places) return decimal;
  const [whole = "", fraction = ""] = decimal.split(".");
  const isNegative = whole.startsWith("-");
  // Without the further digits it is nearer to zero: for a negative number that is above, for a positive one below.
  const kept = BigInt(whole.replace("-", "") + fraction.slice(0, places)) + (isNegative ? 0n : 1n);
  const digits = String(kept).padStart(places + 1, "0");
  const text = places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
  return isNegative && kept !== 0n ? `-${text}` : text;
}

function fractionOf(decimal: string): string {
  const [, fraction = ""] = decimal.split(".");
  let end = fraction.length;
  while (fraction[end - 1] === "0") end--;
  return fraction.slice(0, end);
}

/** Without the point and leading zeros, so that the longer text is the larger number. Zero has no sign. */
function signed(decimal: string, places: number): { readonly sign: number; readonly digits: string } {
  const digits = withPlaces(decimal, places).replace(/[-.]/g, "").replace(/^0+/, "");
  return { sign: digits === "" ? 0 : decimal.startsWith("-") ? -1 : 1, digits };
}
