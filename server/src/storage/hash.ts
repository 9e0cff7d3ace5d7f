import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import type { BlobName } from "./blob-store.ts";

export function nameBytes(bytes: Uint8Array): BlobName {
  return { sha256: createHash("sha256").update(bytes).digest("hex"), size: bytes.byteLength };
}

export async function nameStream(chunks: AsyncIterable<Uint8Array>): Promise<BlobName> {
  const hash = createHash("sha256");
  let size = 0;
  for await (const chunk of chunks) {
    hash.update(chunk);
    size += chunk.byteLength;
  }
  return { sha256: hash.digest("hex"), size };
}

export function nameFile(path: string): Promise<BlobName> {
  return nameStream(createReadStream(path));
}
