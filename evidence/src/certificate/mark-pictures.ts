// Marks as pictures. Only bytes that have the recorded hash are shown: anything else would not be what the signer made.

import { createHash } from "node:crypto";
import type { PrintedMark } from "./details.ts";
import type { PictureOfSignature } from "./document.ts";

/** The picture of the mark with this hash; null if its bytes are not there or are different. */
export function pictureOf(mark_sha256: string, marks: readonly PrintedMark[]): PictureOfSignature | null {
  const mark = marks.find(({ sha256 }) => sha256 === mark_sha256);
  if (mark === undefined || createHash("sha256").update(mark.content).digest("hex") !== mark_sha256) return null;
  const { method, content } = mark;
  if (method === "uploaded") return { kind: "uploaded", png: Buffer.from(content).toString("base64") };
  if (method !== "drawn" && method !== "typed") return null;
  return { kind: method, ...JSON.parse(Buffer.from(content).toString("utf8")) };
}
