// The first step of sealing, run in a worker: appends a revision with a gap for the signature, and hashes everything else (ISO 32000-2,
// 12.8.1). `seal.ts` fills the gap where the key is.

import { PdfString } from "@libpdf/core";
import type { PlacedSeal } from "./seal.ts";
import { appendWithGap, type GapPlace } from "./signature-gap.ts";

/** `room` is `roomFor(certificates, …)`. */
export type SealPlace = GapPlace & {
  /** The name of the sealing organization. */
  readonly name: string;
  readonly reason: string;
  readonly at: Date;
};

/**
 * Appends a revision with an empty seal. The output begins with the unchanged input bytes. Throws UnreadablePdf if the file is encrypted
 * or too damaged to append to.
 * @example const placed = await placeSeal(bytes, { name: "Acme GmbH", reason, at, room: roomFor(chain, false), marker: randomBytes(32) })
 */
export function placeSeal(bytes: Uint8Array, place: SealPlace): Promise<PlacedSeal> {
  return appendWithGap(bytes, place, {
    kind: { Type: "Sig", SubFilter: "ETSI.CAdES.detached" },
    texts: {
      M: PdfString.fromString(pdfDate(place.at)),
      Name: PdfString.fromString(place.name),
      Reason: PdfString.fromString(place.reason),
    },
  });
}

// ISO 32000-2, 7.9.4: D:20260102030405Z
const pdfDate = (at: Date): string => `D:${at.toISOString().slice(0, 19).replaceAll(/[-:T]/g, "")}Z`;
