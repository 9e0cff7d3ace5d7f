import { createPrivateKey, createPublicKey, type KeyObject, randomBytes } from "node:crypto";
import { closeSync, constants, fstatSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";
import { fromBase64, isNoteName, type NoteKey, noteKeyOf, noteKeyTypes, rawKeyOf } from "@countersign/evidence";

/** A witness's key and its name. */
export type WitnessKey = { readonly key: NoteKey; readonly private_key: KeyObject };

/** The key file cannot be used. The message says why. */
export class BadKeyFile extends Error {
  override readonly name = "BadKeyFile";
}

const SEED_BYTES = 32;
// What precedes the 32 bytes of an Ed25519 key in PKCS #8 (RFC 8410).
const PKCS8_PREFIX = Buffer.from("302e020100300506032b657004220420", "hex");
const READABLE_BY_OTHERS = 0o077;

/** Reads the key in this file, or makes one with this name if there is no file. Only its owner may read it. */
export function openWitnessKey(path: string, name: string): WitnessKey {
  try {
    return readKey(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return makeKey(path, name);
  }
}

function readKey(path: string): WitnessKey {
  const file = openSync(path, constants.O_RDONLY);
  try {
    if ((fstatSync(file).mode & READABLE_BY_OTHERS) !== 0)
      throw new BadKeyFile(`${path} can be read by other users. Allow only its owner: chmod 600 ${path}`);
    const [, name = "", id = "", base64 = ""] = /^PRIVATE\+KEY\+([^+\s]+)\+([0-9a-f]{8})\+(\S+)\n$/.exec(readFileSync(file, "utf8")) ?? [];
    const bytes = fromBase64(base64);
    if (bytes === null || bytes.length !== 1 + SEED_BYTES || bytes[0] !== noteKeyTypes.cosignature || !isNoteName(name))
      throw new BadKeyFile(`${path} is not the key of a witness`);
    const found = keyFrom(name, bytes.subarray(1));
    if (found.key.id !== id) throw new BadKeyFile(`${path} is not the key of a witness: its ID does not fit`);
    return found;
  } finally {
    closeSync(file);
  }
}

// The format of golang.org/x/mod/sumdb/note, with the type of a cosignature.
function makeKey(path: string, name: string): WitnessKey {
  if (!isNoteName(name)) throw new BadKeyFile("the name of a witness has no spaces and no plus signs");
  const seed = randomBytes(SEED_BYTES);
  const made = keyFrom(name, seed);
  const text = `PRIVATE+KEY+${name}+${made.key.id}+${Buffer.concat([Buffer.from([noteKeyTypes.cosignature]), seed]).toString("base64")}\n`;
  const file = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  return made;
}

function keyFrom(name: string, seed: Uint8Array): WitnessKey {
  const private_key = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: "der", type: "pkcs8" });
  const spki = createPublicKey(private_key).export({ format: "der", type: "spki" });
  return { key: noteKeyOf(name, noteKeyTypes.cosignature, rawKeyOf(spki)), private_key };
}
