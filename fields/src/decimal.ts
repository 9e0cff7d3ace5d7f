// Decimal numbers as text: never calculated with as floating point, because they are signed and hashed.

const NORMAL = /^-?\d+(\.\d+)?$/;

/** Digits with a point before the decimals, as a number is stored. */
export const isDecimal = (text: string): boolean => NORMAL.test(text);

/** Negative if `a` is smaller than `b`, 0 if they are equal, positive otherwise. */
export function compareDecimals(a: string, b: string): number {
  const places = Math.max(placesOf(a), placesOf(b));
  const difference = scaled(a, places) - scaled(b, places);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** The digits after the point. */
export const placesOf = (decimal: string): number => decimal.split(".")[1]?.length ?? 0;

/** With exactly so many digits after the point; zeros are added. */
export function withPlaces(decimal: string, places: number): string {
  const [whole = "", fraction = ""] = decimal.split(".");
  return places === 0 ? whole : `${whole}.${fraction.padEnd(places, "0")}`;
}

const scaled = (decimal: string, places: number): bigint => BigInt(withPlaces(decimal, places).replace(".", ""));
