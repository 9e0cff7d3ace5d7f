// How numbers are written. libpdf rounds to five decimals: a FontMatrix of 1/2048 would move the end of a line by points, and text that is
// scaled by 0.000004 would vanish. PDF has no exponents, so small and large numbers are spelled out (ISO 32000-2, 7.3.3).

import { PdfNumber } from "@libpdf/core";

// Viewers calculate in single precision. Beyond its range a number could only be read as infinite or as zero.
const LARGEST = 3.4028234663852886e38;
const SMALLEST = 1e-45;

/**
 * The shortest spelling that is read as the same number. A value that is not a number becomes 0, and infinity the largest number that
 * viewers can read.
 * @example spellNumber(4e-6) // "0.000004"
 */
export function spellNumber(value: number): string {
  if (Number.isNaN(value) || Math.abs(value) < SMALLEST) return "0";
  const bounded = Math.min(LARGEST, Math.max(-LARGEST, value));
  const spelled = String(bounded);
  return spelled.includes("e") ? withoutExponent(spelled) : spelled;
}

/** `1.5e-7` as `0.00000015`. */
function withoutExponent(spelled: string): string {
  const [, sign = "", whole = "", fraction = "", power = ""] = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(spelled) ?? [];
  const exponent = Number(power);
  const digits = whole + fraction;
  if (exponent < 0) return `${sign}0.${"0".repeat(-exponent - 1)}${digits}`;
  return sign + digits.padEnd(exponent + 1, "0");
}

// libpdf has no setting for this, and every writer of an object, in full and appended, goes through this method. `numbers.test.ts` fails
// if a new version of libpdf no longer does.
PdfNumber.prototype.toBytes = function (this: PdfNumber, writer): void {
  writer.writeAscii(spellNumber(this.value));
};
