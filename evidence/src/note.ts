// Signed notes and the checkpoints written as notes (C2SP signed-note and tlog-checkpoint, v1.0). A note is a text followed by a blank line
// and one line per signature. Witnesses of other projects read and cosign this form, which has no time; the time is in the JSON checkpoint.

import { createHash, createPublicKey, verify } from "node:crypto";
import type { Tree } from "./log.ts";

/** Ed25519 over the text of a note, and a time-stamped Ed25519 cosignature (see cosignature.ts). */
export const noteKeyTypes = { ed25519: 0x01, cosignature: 0x04 } as const;

export type NoteKeyType = (typeof noteKeyTypes)[keyof typeof noteKeyTypes];

/** A public key with the name under which it signs notes. */
export type NoteKey = {
  readonly name: string;
  readonly type: NoteKeyType;
  /** 8 hexadecimal digits; identifies the key together with its name */
  readonly id: string;
  /** 32 bytes, as in RFC 8032 */
  readonly public_key: Uint8Array;
};

export type NoteSignature = {
  readonly name: string;
  readonly id: string;
  /** without the key ID */
  readonly signature: Uint8Array;
  /** the whole line, without its newline */
  readonly line: string;
};

export type Note = {
  /** what is signed; ends with a newline */
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
};

/** A state of a log as a note names it. */
export type TreeHead = Tree & {
  /** the name of the log */
  readonly origin: string;
};

const PUBLIC_KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;
const KEY_ID_BYTES = 4;
// What precedes the 32 bytes of an Ed25519 key in a DER-encoded SPKI (RFC 8410).
const SPKI_PREFIX = Buffer.from("302a300506032b6570032100", "hex");

// A note has one signature of the log and one per witness. The format requires at least 16 to be accepted.
const MAX_SIGNATURES = 100;
const MAX_NOTE_BYTES = 1_000_000;

/** Whether a key or a log can have this name: not empty, without spaces, control characters and plus signs. */
export const isNoteName = (name: string): boolean => /^[^\s\p{Cc}+]+$/u.test(name);

/** The key with this name and these 32 bytes. Throws a RangeError if either cannot be. */
export function noteKeyOf(name: string, type: NoteKeyType, public_key: Uint8Array): NoteKey {
  if (!isNoteName(name) || public_key.length !== PUBLIC_KEY_BYTES) throw new RangeError("not the name and the 32 bytes of a key");
  const id = createHash("sha256")
    .update(`${name}\n`)
    .update(Buffer.from([type]))
    .update(public_key)
    .digest("hex");
  return { name, type, id: id.slice(0, 2 * KEY_ID_BYTES), public_key };
}

/** The 32 bytes of an Ed25519 key in DER-encoded SPKI. Throws a RangeError for another kind of key. */
export function rawKeyOf(spki: Uint8Array): Buffer {
  const bytes = Buffer.from(spki);
  if (bytes.length !== SPKI_PREFIX.length + PUBLIC_KEY_BYTES || !bytes.subarray(0, SPKI_PREFIX.length).equals(SPKI_PREFIX))
    throw new RangeError("not an Ed25519 key");
  return bytes.subarray(SPKI_PREFIX.length);
}

/**
 * A key as one line of text, as people exchange it.
 * @example writeVkey(key) // "sign.example.com/log/9f2c…+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
 */
export const writeVkey = ({ name, type, id, public_key }: NoteKey): string =>
  `${name}+${id}+${Buffer.concat([Buffer.from([type]), public_key]).toString("base64")}`;

/** Null unless this is a key of one of our two types whose ID fits. */
export function readVkey(text: string): NoteKey | null {
  const [name = "", id = "", ...rest] = text.split("+");
  // Base64 may contain plus signs.
  const bytes = fromBase64(rest.join("+"));
  const type = Object.values(noteKeyTypes).find((known) => known === bytes?.[0]);
  if (bytes === null || type === undefined || bytes.length !== 1 + PUBLIC_KEY_BYTES || !isNoteName(name)) return null;
  const key = noteKeyOf(name, type, bytes.subarray(1));
  return key.id === id ? key : null;
}

/** Null unless these bytes are a note: UTF-8, without control characters, with at least one signature line. */
export function readNote(bytes: Uint8Array): Note | null {
  const whole = bytes.length > MAX_NOTE_BYTES ? null : fromUtf8(bytes);
  if (whole === null || /[^\P{Cc}\n\u007f-\u009f]/u.test(whole)) return null;
  const at = whole.lastIndexOf("\n\n");
  if (at < 0 || !whole.endsWith("\n")) return null;
  const signatures = readSignatures(whole.slice(at + 2));
  return signatures === null ? null : { text: whole.slice(0, at + 1), signatures };
}

/** One or more signature lines, each with its newline; null if one is malformed. */
export function readSignatures(text: string): NoteSignature[] | null {
  if (!text.endsWith("\n")) return null;
  const lines = text.slice(0, -1).split("\n");
  const signatures = lines.map(readSignature);
  return lines.length <= MAX_SIGNATURES && signatures.every((one) => one !== null) ? signatures : null;
}

function readSignature(line: string): NoteSignature | null {
  const [, name = "", base64 = ""] = /^\u2014 (\S+) (\S+)$/u.exec(line) ?? [];
  const bytes = fromBase64(base64);
  if (!isNoteName(name) || bytes === null || bytes.length <= KEY_ID_BYTES) return null;
  return { name, id: bytes.subarray(0, KEY_ID_BYTES).toString("hex"), signature: bytes.subarray(KEY_ID_BYTES), line };
}

/** A signature line without its newline. `signature` is what the key of this type makes. */
export const signatureLine = ({ name, id }: NoteKey, signature: Uint8Array): string =>
  `\u2014 ${name} ${Buffer.concat([Buffer.from(id, "hex"), signature]).toString("base64")}`;

/** The note that consists of this text and these signature lines. */
export const writeNote = (text: string, lines: readonly string[]): Buffer =>
  Buffer.from(`${text}\n${lines.map((line) => `${line}\n`).join("")}`);

/** The signatures of a note that name this key. They may still be wrong. */
export const signaturesNaming = ({ signatures }: Note, key: NoteKey): NoteSignature[] =>
  signatures.filter(({ name, id }) => name === key.name && id === key.id);

/** Whether an Ed25519 key (type 1) signed the note. False if one of several signatures that name the key is wrong. */
export function isNoteSignedBy(note: Note, key: NoteKey): boolean {
  const found = signaturesNaming(note, key);
  return key.type === noteKeyTypes.ed25519 && found.length > 0 && found.every(({ signature }) => isEd25519(key, note.text, signature));
}

/** Whether this is the key's Ed25519 signature over the message. */
export function isEd25519({ public_key }: NoteKey, message: string, signature: Uint8Array): boolean {
  if (signature.length !== SIGNATURE_BYTES) return false;
  const key = createPublicKey({ key: Buffer.concat([SPKI_PREFIX, public_key]), format: "der", type: "spki" });
  return verify(null, Buffer.from(message), key, signature);
}

/**
 * The text of a checkpoint's note.
 * @example writeTreeHead({ origin: "sign.example.com/log/9f2c…", tree_size: 7, root })
 */
export const writeTreeHead = ({ origin, tree_size, root }: TreeHead): string =>
  `${origin}\n${tree_size}\n${Buffer.from(root, "hex").toString("base64")}\n`;

/** Null unless the text of a note is that of a checkpoint. Lines after the third belong to other logs and are not read. */
export function readTreeHead(text: string): TreeHead | null {
  const lines = text.endsWith("\n") ? text.slice(0, -1).split("\n") : [];
  const [origin = "", size = "", base64 = ""] = lines;
  const [tree_size, root] = [Number(size), fromBase64(base64)];
  if (lines.length < 3 || lines.includes("") || !/^(0|[1-9][0-9]*)$/.test(size) || !Number.isSafeInteger(tree_size)) return null;
  return root?.length === 32 ? { origin, tree_size, root: root.toString("hex") } : null;
}

/** Null unless this is standard base64 with padding, written the only possible way. */
export function fromBase64(text: string): Buffer | null {
  const bytes = Buffer.from(text, "base64");
  return bytes.toString("base64") === text ? bytes : null;
}

function fromUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}
