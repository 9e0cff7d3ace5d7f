// Tar archives, POSIX.1-1988 (ustar), with the same bytes for the same files: no owner, and one time for all.
const BLOCK = 512;
// The same as npm's. Some archive formats cannot store a time before 1980.
const MTIME_SECONDS = 499_162_500;
const NAME_BYTES = 100;
const FOLDER_BYTES = 155;

/** @typedef {{ readonly name: string, readonly bytes: Buffer, readonly isProgram?: boolean }} Entry */

/** @param {readonly Entry[]} entries */
export function tarOf(entries) {
  return Buffer.concat([...entries.flatMap(entryOf), Buffer.alloc(2 * BLOCK)]);
}

/** @param {Entry} entry */
function entryOf({ name, bytes, isProgram = false }) {
  const head = Buffer.alloc(BLOCK);
  const [folder, rest] = placeOf(name);
  head.write(rest, 0);
  writeOctal(head, 100, 8, isProgram ? 0o755 : 0o644);
  writeOctal(head, 108, 8, 0);
  writeOctal(head, 116, 8, 0);
  writeOctal(head, 124, 12, bytes.length);
  writeOctal(head, 136, 12, MTIME_SECONDS);
  head.write("        0", 148);
  head.write("ustar\u000000", 257);
  head.write(folder, 345);
  const sum = head.reduce((total, byte) => total + byte, 0);
  writeOctal(head, 148, 7, sum);
  return [head, bytes, Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK)];
}

/** A long name is split at a slash: its folder has a field of its own. @param {string} name @returns {[folder: string, rest: string]} */
function placeOf(name) {
  if (Buffer.byteLength(name) <= NAME_BYTES) return ["", name];
  for (let at = name.indexOf("/"); at !== -1; at = name.indexOf("/", at + 1)) {
    const [folder, rest] = [name.slice(0, at), name.slice(at + 1)];
    if (Buffer.byteLength(rest) <= NAME_BYTES && Buffer.byteLength(folder) <= FOLDER_BYTES) return [folder, rest];
  }
  throw new Error(`${name} is too long for the archive`);
}

/** @param {Buffer} head @param {number} at @param {number} length @param {number} value */
function writeOctal(head, at, length, value) {
  head.write(`${value.toString(8).padStart(length - 1, "0")}\0`, at);
}
