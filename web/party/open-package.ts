import type { PersonExport } from "@countersign/client/pages";

// CSVX1 and a line feed, 12 bytes of nonce, the ciphertext, 16 bytes of tag.
const MAGIC_BYTES = 6;
const NONCE_BYTES = 12;

/** Decrypts the package of an export in this browser. It opens only as this export of this copy. Returns the bundle, a ZIP file. */
export async function openPackage(file: Blob, hexKey: string, { export_id, copy_id, sha256 }: PersonExport): Promise<Blob> {
  const bytes = await file.arrayBuffer();
  const raw = Uint8Array.from(hexKey.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  const key = await crypto.subtle.importKey("raw", raw, "AES-GCM", false, ["decrypt"]);
  const iv = bytes.slice(MAGIC_BYTES, MAGIC_BYTES + NONCE_BYTES);
  // Canonical JSON: members in alphabetical order.
  const additionalData = new TextEncoder().encode(JSON.stringify({ copy_id, export_id, sha256 }));
  const bundle = await crypto.subtle.decrypt({ name: "AES-GCM", iv, additionalData }, key, bytes.slice(MAGIC_BYTES + NONCE_BYTES));
  return new Blob([bundle], { type: "application/zip" });
}
