import { crc32 } from "node:zlib";

export interface ReadFile {
  readonly name: string;
  readonly bytes: Buffer;
  /** its offset is in the 64-bit field */
  readonly has64: boolean;
}

/**
 * Reads a ZIP file by its directory, as programs do, and throws if a header in front of a file says something else. `before`: how many
 * bytes of the file are missing in front.
 */
export function readStreamedZip(zip: Buffer, before = 0): ReadFile[] {
  const end = zip.lastIndexOf(Buffer.from("PK\x05\x06"));
  if (end !== zip.length - 22) throw new Error("no end of a directory");
  let count = zip.readUInt16LE(end + 10);
  let at = zip.readUInt32LE(end + 16);
  if (zip.toString("latin1", end - 20, end - 16) === "PK\x06\x07") {
    const record = Number(zip.readBigUInt64LE(end - 12)) - before;
    if (zip.toString("latin1", record, record + 4) !== "PK\x06\x06") throw new Error("no 64-bit end where its locator says");
    count = Number(zip.readBigUInt64LE(record + 32));
    at = Number(zip.readBigUInt64LE(record + 48));
  }
  at -= before;
  const files: ReadFile[] = [];
  for (let n = 0; n < count; n++) {
    if (zip.toString("latin1", at, at + 4) !== "PK\x01\x02") throw new Error("no entry of a directory");
    const [nameLength, extraLength] = [zip.readUInt16LE(at + 28), zip.readUInt16LE(at + 30)];
    const name = zip.toString("utf8", at + 46, at + 46 + nameLength);
    const has64 = zip.readUInt32LE(at + 42) === 0xffffffff;
    const offset = (has64 ? Number(zip.readBigUInt64LE(at + 46 + nameLength + 4)) : zip.readUInt32LE(at + 42)) - before;
    files.push({ name, bytes: contentOf(zip, at, offset, name), has64 });
    at += 46 + nameLength + extraLength;
  }
  return files;
}

function contentOf(zip: Buffer, listed: number, offset: number, name: string): Buffer {
  if (zip.toString("latin1", offset, offset + 4) !== "PK\x03\x04") throw new Error(`${name}: no header`);
  if (!zip.subarray(offset + 4, offset + 28).equals(zip.subarray(listed + 6, listed + 30)))
    throw new Error(`${name}: two different headers`);
  if (zip.readUInt16LE(offset + 28) !== 0) throw new Error(`${name}: an extra field`);
  const start = offset + 30 + Buffer.byteLength(name);
  if (zip.toString("utf8", offset + 30, start) !== name) throw new Error(`${name}: two different names`);
  const bytes = zip.subarray(start, start + zip.readUInt32LE(listed + 24));
  if (crc32(bytes) !== zip.readUInt32LE(listed + 16)) throw new Error(`${name}: wrong checksum`);
  return bytes;
}
