import { createHash } from "node:crypto";
import { closeSync, fstatSync, openSync, readSync } from "node:fs";

/**
 * Whether a password is in a file of breached ones: lines of a SHA-1 in hexadecimal, in ascending order, with anything after it (the file
 * "ordered by hash" of Pwned Passwords). A binary search reads about 35 short pieces of 40 GB. Nothing is sent anywhere.
 */
export function isBreached(file: string, password: string): boolean {
  const wanted = createHash("sha1").update(password).digest("hex").toUpperCase();
  const descriptor = openSync(file, "r");
  try {
    // The lines whose beginning is before `high` and not before `low` can be the one.
    let [low, high] = [0, fstatSync(descriptor).size];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const line = lineFrom(descriptor, middle);
      if (line === null || line.text > wanted) high = middle;
      else if (line.text === wanted) return true;
      else low = line.next;
    }
    return false;
  } finally {
    closeSync(descriptor);
  }
}

const HASH_CHARACTERS = 40;
// A line is a hash, a colon and a count.
const PIECE_BYTES = 256;

/** The hash of the first line that begins at the position or after it, and where the next line begins. Null behind the last line. */
function lineFrom(descriptor: number, position: number): { readonly text: string; readonly next: number } | null {
  const begin = Math.max(0, position - 1);
  const piece = Buffer.alloc(PIECE_BYTES);
  const read = readSync(descriptor, piece, 0, PIECE_BYTES, begin);
  const text = piece.toString("latin1", 0, read);
  const start = position === 0 ? 0 : text.indexOf("\n") + 1;
  if (position > 0 && start === 0) return null;
  const hash = text.slice(start, start + HASH_CHARACTERS).toUpperCase();
  if (hash === "") return null;
  if (!/^[0-9A-F]{40}$/.test(hash)) throw new Error("BREACHED_PASSWORDS_FILE has a line that does not begin with a SHA-1 hash");
  const end = text.indexOf("\n", start);
  return { text: hash, next: begin + (end === -1 ? read : end + 1) };
}
