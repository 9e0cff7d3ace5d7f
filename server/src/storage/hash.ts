import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { takeTurn } from "../shared/turns.ts";
import type { BlobName } from "./blob-store.ts";

export function nameBytes(bytes: Uint8Array): BlobName {
  return { sha256: createHash("sha256").update(bytes).digest("hex"), size: bytes.byteLength };
}

// Hashing a piece takes a quarter of a millisecond, so other requests can be served between pieces.
const PIECE_BYTES = 256 * 1024;

/** Yields the bytes in pieces, and lets other work run between them. */
export async function* inPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += PIECE_BYTES) {
    if (at > 0) await takeTurn();
    yield bytes.subarray(at, at + PIECE_BYTES);
  }
}

/** Like `nameBytes`, for large blobs. */
export function nameInTurns(bytes: Uint8Array): Promise<BlobName> {
  return nameStream(inPieces(bytes));
}

/** The second hash of evidence, for the day on which SHA-256 no longer suffices. In lower-case hexadecimal digits. */
export async function sha512InTurns(bytes: Uint8Array): Promise<string> {
  const hash = createHash("sha512");
  for await (const piece of inPieces(bytes)) hash.update(piece);
  return hash.digest("hex");
}

export async function nameStream(chunks: AsyncIterable<Uint8Array>): Promise<BlobName> {
  const hash = createHash("sha256");
  let size = 0;
  for await (const chunk of chunks) {
    await takeTurn();
    hash.update(chunk);
    size += chunk.byteLength;
  }
  return { sha256: hash.digest("hex"), size };
}

export const nameFile = (path: string): Promise<BlobName> => nameStream(piecesOf(path));

/** Reuses one buffer, so that a file of 50 MB causes no garbage collection. A piece is valid until the next one is asked for. */
export async function* piecesOf(path: string): AsyncGenerator<Uint8Array> {
  const handle = await open(path);
  try {
    const piece = Buffer.allocUnsafe(PIECE_BYTES);
    for (;;) {
      const { bytesRead } = await handle.read(piece);
      if (bytesRead === 0) return;
      yield piece.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}
