// The checksum of zip files (ISO 3309). Node has had its own too (`zlib.crc32`). This one needs nothing of Node, so a reader of bundles that runs
// elsewhere, as in a browser, can use it as it is.

const table = Uint32Array.from({ length: 256 }, (_, n) => {
  let value = n;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** @example crc32(Buffer.from("123456789")) === 0xcbf43926 */
export function crc32(bytes: Uint8Array): number {
  let value = 0xffffffff;
  for (let at = 0; at < bytes.length; at++) value = (value >>> 8) ^ (table[(value ^ (bytes[at] as number)) & 0xff] as number);
  return (value ^ 0xffffffff) >>> 0;
}
