// Reads zip files that may be malicious. Zip readers disagree about which of two headers counts, about bytes between files and about
// names. Here every byte has exactly one meaning; any other file is rejected.

import { inflateRawSync } from "node:zlib";
import { crc32 } from "./crc32.ts";
import {
  BadZip,
  CENTRAL_BYTES,
  CENTRAL_SIGNATURE,
  DATE,
  DEFLATED,
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

type Listed = { readonly name: string; readonly method: number; readonly crc: number; readonly packed: number; readonly size: number };

/**
 * Returns the files in directory order. Throws BadZip for anything but a plain zip: each file once and without gaps, directory and
 * headers equal in every field, checksums and sizes correct, at most 1 GiB unpacked.
 */
export function readZip(bytes: Uint8Array): NamedFile[] {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const { count, offset, end } = readEnd(file);
  const files: NamedFile[] = [];
  const names = new Set<string>();
  let [directory, next, unpacked] = [offset, 0, 0];
  for (let n = 0; n < count; n++) {
    const listed = readListed(file, directory, end, next);
    directory += CENTRAL_BYTES + listed.name.length;
    if (names.has(listed.name.toLowerCase())) throw new BadZip(`${listed.name} appears twice`);
    names.add(listed.name.toLowerCase());
    unpacked += listed.size;
    if (unpacked > MAX_UNPACKED_BYTES) throw new BadZip("more than 1 GiB unpacked");
    files.push({ name: listed.name, bytes: readContent(file, next, offset, listed) });
    next += LOCAL_BYTES + listed.name.length + listed.packed;
  }
  if (directory !== end) throw new BadZip("the directory is longer than its number of entries");
  if (next !== offset) throw new BadZip("there are bytes outside any file");
  return files;
}

function readEnd(file: Buffer): { count: number; offset: number; end: number } {
  const end = file.length - END_BYTES;
  if (end < 0 || file.readUInt32LE(end) !== END_SIGNATURE) throw new BadZip("not a zip file, or there is data after its end");
  const [disk, firstDisk, here, count] = [0, 2, 4, 6].map((at) => file.readUInt16LE(end + 4 + at)) as [number, number, number, number];
  if (disk !== 0 || firstDisk !== 0 || here !== count) throw new BadZip("the zip file is split into several parts");
  if (count > MAX_FILES) throw new BadZip(`more than ${MAX_FILES} files`);
  if (file.readUInt16LE(end + 20) !== 0) throw new BadZip("the zip file has a comment");
  const [size, offset] = [file.readUInt32LE(end + 12), file.readUInt32LE(end + 16)];
  if (offset + size !== end) throw new BadZip("the directory is in the wrong place");
  return { count, offset, end };
}

function readListed(file: Buffer, at: number, end: number, local: number): Listed {
  if (at + CENTRAL_BYTES > end || file.readUInt32LE(at) !== CENTRAL_SIGNATURE) throw new BadZip("the directory cannot be read");
  const nameLength = file.readUInt16LE(at + 28);
  if (at + CENTRAL_BYTES + nameLength > end) throw new BadZip("the directory cannot be read");
  const listed = readCommon(file, at + 6, file.toString("latin1", at + CENTRAL_BYTES, at + CENTRAL_BYTES + nameLength));
  const { name } = listed;
  // Creator, extra fields, comment, disk and attributes must have the values that our writer uses.
  if (file.readUInt16LE(at + 4) !== VERSION || file.subarray(at + 30, at + 42).some((byte) => byte !== 0)) {
    throw new BadZip(`${name}: the directory has fields that a bundle does not use`);
  }
  if (file.readUInt32LE(at + 42) !== local) throw new BadZip(`${name} does not start where the previous file ends`);
  return listed;
}

function readCommon(file: Buffer, at: number, name: string): Listed {
  if (!isFileName(name)) throw new BadZip(`a file name that bundles do not use: ${JSON.stringify(name)}`);
  const [version, flags, method, time, date] = [0, 2, 4, 6, 8].map((skip) => file.readUInt16LE(at + skip));
  if (version !== VERSION || flags !== FLAGS || time !== TIME || date !== DATE) {
    throw new BadZip(`${name}: encrypted, or has header values that bundles do not use`);
  }
  if (method !== STORED && method !== DEFLATED) throw new BadZip(`${name}: unknown compression method`);
  const [crc, packed, size] = [10, 14, 18].map((skip) => file.readUInt32LE(at + skip)) as [number, number, number];
  if (method === STORED && packed !== size) throw new BadZip(`${name}: not compressed, but has two different sizes`);
  return { name, method, crc, packed, size };
}

function readContent(file: Buffer, at: number, limit: number, listed: Listed): Uint8Array {
  const { name, method, crc, packed, size } = listed;
  const start = at + LOCAL_BYTES + name.length;
  if (start + packed > limit || file.readUInt32LE(at) !== LOCAL_SIGNATURE) throw new BadZip(`${name}: its header is in the wrong place`);
  const here = file.toString("latin1", at + LOCAL_BYTES, start);
  const again =
    here === name && file.readUInt16LE(at + 26) === name.length && file.readUInt16LE(at + 28) === 0 ? readCommon(file, at + 4, here) : null;
  if (again === null || again.method !== method || again.crc !== crc || again.packed !== packed || again.size !== size) {
    throw new BadZip(`${name}: its header and the directory do not agree`);
  }
  const content = file.subarray(start, start + packed);
  const bytes = method === STORED ? content : inflated(content, name, size);
  if (crc32(bytes) !== crc) throw new BadZip(`${name}: the checksum is wrong`);
  return bytes;
}

// Stops at the stated size, so that a small file cannot expand into a huge one. All input must have been used.
function inflated(packed: Buffer, name: string, size: number): Uint8Array {
  try {
    // zlib does not accept a limit of 0.
    const options = { maxOutputLength: Math.max(size, 1), info: true };
    const { buffer, engine } = inflateRawSync(packed, options) as unknown as { buffer: Buffer; engine: { bytesWritten: number } };
    if (buffer.length === size && engine.bytesWritten === packed.length) return buffer;
  } catch (cause) {
    throw new BadZip(`${name}: cannot be unpacked`, { cause });
  }
  throw new BadZip(`${name}: does not unpack to the stated size`);
}
