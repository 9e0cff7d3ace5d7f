import { createCipheriv, randomBytes } from "node:crypto";
import { canonicalize } from "@countersign/evidence";
import type { AuthoritativeCopyId, ExportId } from "../../shared/ids.ts";
import { inPieces } from "../../storage/hash.ts";

/**
 * A package is the export bundle, encrypted with a key that is released only when its receipt is acknowledged, so no second readable
 * original exists. Format: `CSVX1\n`, 12 bytes of nonce, the ciphertext, 16 bytes of tag. AES-256-GCM, with the canonical JSON of the
 * export's identity as additional data, so that the package opens only as this export of this copy.
 */

const MAGIC = Buffer.from("CSVX1\n");
const KEY_BYTES = 32;
const NONCE_BYTES = 12;

export interface PackedFor {
  readonly export_id: ExportId;
  readonly copy_id: AuthoritativeCopyId;
  /** of the authoritative copy */
  readonly sha256: string;
}

export async function pack(bundle: Uint8Array, { export_id, copy_id, sha256 }: PackedFor): Promise<{ bytes: Buffer; key: Buffer }> {
  const [key, nonce] = [randomBytes(KEY_BYTES), randomBytes(NONCE_BYTES)];
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(canonicalize({ export_id, copy_id, sha256 })));
  const parts: Buffer[] = [MAGIC, nonce];
  for await (const piece of inPieces(bundle)) parts.push(cipher.update(piece));
  parts.push(cipher.final(), cipher.getAuthTag());
  return { bytes: Buffer.concat(parts), key };
}
