import { crc32 } from "./crc32.ts";
import {
  BadZip,
  CENTRAL_BYTES,
  CENTRAL_SIGNATURE,
  DATE,
  END_BYTES,
  END_SIGNATURE,
  FLAGS,
  isFileName,
  LOCAL_BYTES,
  LOCAL_SIGNATURE,
  MAX_FILES,
  MAX_UNPACKED_BYTES,
  type NamedFile,
  STORED,
  TIME,
  VERSION,
} from "./zip-format.ts";

/**
 * Creates a zip file. The same files give the same bytes, in any order and on any machine: sorted by name and not compressed. (The output
 * of deflate depends on the zlib version, and the large files of a bundle are already compressed.) Throws BadZip for duplicate or
 * non-portable names.
 * @example writeZip([{ name: "facts.json", bytes }])
 */
export function writeZip(files: readonly NamedFile[]): Uint8Array {
  const sorted = [...files].sort((a, b) => (a.name < b.name ? -1 : 1));
  assertWritable(sorted);
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const { name, bytes } of sorted) {
    const fields = { name: Buffer.from(name), crc: crc32(bytes), size: bytes.length };
    const header = localHeader(fields);
    central.push(centralHeader(fields, offset));
    local.push(header, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
    offset += header.length + bytes.length;
  }
  const directory = Buffer.concat(central);
  return Buffer.concat([...local, directory, endOf(sorted.length, directory.length, offset)]);
}

function assertWritable(files: readonly NamedFile[]): void {
  const odd = files.find(({ name }) => !isFileName(name));
  if (odd !== undefined) throw new BadZip(`a file name that not every system supports: ${JSON.stringify(odd.name)}`);
  if (new Set(files.map(({ name }) => name.toLowerCase())).size < files.length) throw new BadZip("a file name appears twice");
  if (files.length > MAX_FILES) throw new BadZip(`more than ${MAX_FILES} files`);
  if (files.reduce((sum, { bytes }) => sum + bytes.length, 0) > MAX_UNPACKED_BYTES) throw new BadZip("more than 1 GiB");
}

type Fields = { readonly name: Buffer; readonly crc: number; readonly size: number };

function localHeader({ name, crc, size }: Fields): Buffer {
  const header = Buffer.alloc(LOCAL_BYTES);
  header.writeUInt32LE(LOCAL_SIGNATURE, 0);
  writeCommon(header, 4, { name, crc, size });
  return Buffer.concat([header, name]);
}

function centralHeader(fields: Fields, offset: number): Buffer {
  const header = Buffer.alloc(CENTRAL_BYTES);
  header.writeUInt32LE(CENTRAL_SIGNATURE, 0);
  header.writeUInt16LE(VERSION, 4);
  writeCommon(header, 6, fields);
  header.writeUInt32LE(offset, 42);
  return Buffer.concat([header, fields.name]);
}

// Writes the 26 bytes that both headers share.
function writeCommon(header: Buffer, at: number, { name, crc, size }: Fields): void {
  header.writeUInt16LE(VERSION, at);
  header.writeUInt16LE(FLAGS, at + 2);
  header.writeUInt16LE(STORED, at + 4);
  header.writeUInt16LE(TIME, at + 6);
  header.writeUInt16LE(DATE, at + 8);
  header.writeUInt32LE(crc, at + 10);
  header.writeUInt32LE(size, at + 14);
  header.writeUInt32LE(size, at + 18);
  header.writeUInt16LE(name.length, at + 22);
}

function endOf(count: number, size: number, offset: number): Buffer {
  const end = Buffer.alloc(END_BYTES);
  end.writeUInt32LE(END_SIGNATURE, 0);
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(offset, 16);
  return end;
}
