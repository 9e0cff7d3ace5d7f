// Detects the type of bytes by their content, never by a name or declared type. Loads no library, so that it can be used anywhere.

// A PDF header must be within this distance; viewers search no further.
const HEADER_WITHIN_BYTES = 1_024;

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]);
const JPEG = Buffer.from([0xff, 0xd8, 0xff]);

export type Kind = "pdf" | "png" | "jpeg";

/**
 * The type of the bytes; null if it is not supported. An image signature at the start takes precedence over a later PDF header.
 * @example sniff(Buffer.from("%PDF-1.7
 * …")) // "pdf"
 */
export function sniff(bytes: Uint8Array): Kind | null {
  const buffer = asBuffer(bytes);
  if (buffer.subarray(0, PNG.length).equals(PNG)) return "png";
  if (buffer.subarray(0, JPEG.length).equals(JPEG)) return "jpeg";
  return headerOffset(bytes) === null ? null : "pdf";
}

export function headerOffset(bytes: Uint8Array): number | null {
  const at = asBuffer(bytes.subarray(0, HEADER_WITHIN_BYTES + 4)).indexOf("%PDF-");
  return at === -1 || at >= HEADER_WITHIN_BYTES ? null : at;
}

export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}
