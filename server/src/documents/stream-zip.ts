// Writes ZIP files (APPNOTE 6.3.10) while they are read. The files are PDFs, which are compressed already, so they are stored as they are;
// each is complete when its turn comes, so that its header has its size and readers that read from the front need no directory.

import { crc32 } from "node:zlib";

export interface ZippedFile {
  /** unique in the ZIP file, and valid on every system */
  readonly name: string;
  readonly bytes: Uint8Array;
}

const [LOCAL, CENTRAL, END, END_64, LOCATOR_64] = [0x04034b50, 0x02014b50, 0x06054b50, 0x06064b50, 0x07064b50];
// 4.5: the version that has 64-bit offsets
const VERSION = 45;
// made on Unix, where names are UTF-8 and a file has permissions
const MADE_BY = (3 << 8) | VERSION;
const NAMES_ARE_UTF8 = 1 << 11;
const PERMISSIONS = (0o100644 << 16) >>> 0;
// In a field of 32 or 16 bits: the value is in the 64-bit field.
const [IN_64, COUNT_IN_64] = [0xffffffff, 0xffff];

/**
 * `startsAt` is the offset of the first byte. Other than 0, the bytes before it belong to the same file: tests begin behind 4 GiB that do
 * not exist.
 */
export async function* streamZip(files: AsyncIterable<ZippedFile>, at: Date, startsAt = 0): AsyncGenerator<Uint8Array> {
  const directory: Buffer[] = [];
  let offset = startsAt;
  for await (const { name, bytes } of files) {
    if (bytes.length >= IN_64) throw new Error("a file of a ZIP file is larger than 4 GiB");
    const fields = fieldsOf(name, bytes, at);
    const header = Buffer.concat([uint32(LOCAL), fields, Buffer.from(name)]);
    directory.push(centralHeader(name, fields, offset));
    yield header;
    if (bytes.length > 0) yield bytes;
    offset += header.length + bytes.length;
  }
  yield Buffer.concat([...directory, endOf(directory, offset)]);
}

/** What the header of a file and its line in the directory have in common: from the version to the length of the extra field. */
function fieldsOf(name: string, bytes: Uint8Array, at: Date): Buffer {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(VERSION, 0);
  fields.writeUInt16LE(NAMES_ARE_UTF8, 2);
  fields.writeUInt16LE((at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1), 6);
  fields.writeUInt16LE(((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(), 8);
  fields.writeUInt32LE(crc32(bytes), 10);
  fields.writeUInt32LE(bytes.length, 14);
  fields.writeUInt32LE(bytes.length, 18);
  fields.writeUInt16LE(Buffer.byteLength(name), 22);
  return fields;
}

function centralHeader(name: string, fields: Buffer, offset: number): Buffer {
  const extra = offset < IN_64 ? Buffer.alloc(0) : Buffer.concat([uint16(1), uint16(8), uint64(offset)]);
  const rest = Buffer.alloc(14);
  rest.writeUInt32LE(PERMISSIONS, 6);
  rest.writeUInt32LE(Math.min(offset, IN_64), 10);
  const common = Buffer.from(fields);
  common.writeUInt16LE(extra.length, 24);
  return Buffer.concat([uint32(CENTRAL), uint16(MADE_BY), common, rest, Buffer.from(name), extra]);
}

function endOf(directory: readonly Buffer[], offset: number): Buffer {
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  const count = directory.length;
  const end = Buffer.alloc(22);
  end.writeUInt32LE(END, 0);
  end.writeUInt16LE(Math.min(count, COUNT_IN_64), 8);
  end.writeUInt16LE(Math.min(count, COUNT_IN_64), 10);
  end.writeUInt32LE(Math.min(size, IN_64), 12);
  end.writeUInt32LE(Math.min(offset, IN_64), 16);
  return offset < IN_64 && count < COUNT_IN_64 ? end : Buffer.concat([end64Of(count, size, offset), end]);
}

function end64Of(count: number, size: number, offset: number): Buffer {
  const record = Buffer.concat([
    uint32(END_64),
    uint64(44),
    uint16(MADE_BY),
    uint16(VERSION),
    Buffer.alloc(8),
    uint64(count),
    uint64(count),
    uint64(size),
    uint64(offset),
  ]);
  return Buffer.concat([record, uint32(LOCATOR_64), uint32(0), uint64(offset + size), uint32(1)]);
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function uint64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}
