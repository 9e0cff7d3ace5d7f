// The second step of a document time stamp: fills the gap with a token for the rest of the file. For the caller's thread; loads no PDF
// library.

import { askForToken, fill, type PlacedSeal, type RequestToken } from "./seal.ts";

/** What to reserve for a token. Those with two certificates have 4-6 KB; a few authorities add revocation data. */
export const TOKEN_ROOM_BYTES = 16_384;

/** Either the file with its time stamp, or the reason why there is none. The file without it stays valid, at its lower level. */
export type TimeStamped = { readonly bytes: Uint8Array } | { readonly tsa_error: string };

/**
 * Fills the gap that `placeTimeStamp` left. The token must be for this file; whether its authority is trusted is for `timestamp` to decide
 * (`readTimestampAnswer`). Gives up after three attempts.
 * @example const result = await fillTimeStamp(placed, (imprint) => askAuthority(imprint))
 */
export async function fillTimeStamp(placed: PlacedSeal, timestamp: RequestToken): Promise<TimeStamped> {
  const answer = await askForToken(timestamp, placed.digest);
  if ("error" in answer) return { tsa_error: answer.error };
  const bytes = fill(placed, answer.token);
  return bytes === null ? { tsa_error: "the token is larger than the room for it" } : { bytes };
}
