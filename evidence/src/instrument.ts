import { createHash } from "node:crypto";
import { canonicalize } from "./canonical.ts";
import type { Instrument } from "./facts-2.ts";

/** What of an instrument is compared: letters and digits, so that "No. 12-34" and "no 1234" are one number. */
export const plainLetters = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "");

/** The fingerprint of a declared instrument: the same for the same type, number and date, however they are written. */
export function hashOfInstrument({ type, number, date }: Instrument): string {
  return createHash("sha256")
    .update(canonicalize({ type: plainLetters(type), number: plainLetters(number), date }))
    .digest("hex");
}
