// The first step of a document time stamp, run in a worker: appends a revision with a gap for the token, and hashes everything else
// (ISO 32000-2, 12.8.5; ETSI EN 319 142-1, 5.4.3). `time-stamp.ts` fills the gap where the network is. The dictionary has no time, name
// or reason: only the token states them.

import type { PlacedSeal } from "./seal.ts";
import { appendWithGap, type GapPlace } from "./signature-gap.ts";

/**
 * Appends a revision with an empty document time stamp, in an invisible field. The output begins with the unchanged input bytes. Throws
 * UnreadablePdf if the file is encrypted or too damaged to append to.
 * @example const placed = await placeTimeStamp(bytes, { room: TOKEN_ROOM_BYTES, marker: randomBytes(32) })
 */
export function placeTimeStamp(bytes: Uint8Array, place: GapPlace): Promise<PlacedSeal> {
  return appendWithGap(bytes, place, { kind: { Type: "DocTimeStamp", SubFilter: "ETSI.RFC3161" }, texts: {} });
}
