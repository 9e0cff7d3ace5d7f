// Cosignatures of witnesses (C2SP tlog-cosignature, cosignature/v1). A witness states that, at a time, the largest tree of a log that it has
// seen has this root, and that this tree extends every earlier one that it has cosigned.

import { type KeyObject, sign } from "node:crypto";
import {
  isEd25519,
  type Note,
  type NoteKey,
  type NoteSignature,
  noteKeyTypes,
  readSignatures,
  readTreeHead,
  signatureLine,
  signaturesNaming,
} from "./note.ts";

const TIME_BYTES = 8;

/** What a witness signs: the time and the whole text of the note. */
const messageOf = (text: string, seconds: number): string => `cosignature/v1\ntime ${seconds}\n${text}`;

/**
 * The signature line of a witness, without its newline. `key` has type 4, `private_key` is the Ed25519 key that belongs to it, and `seconds`
 * are whole seconds since 1970.
 */
export function cosign(text: string, key: NoteKey, private_key: KeyObject, seconds: number): string {
  const time = Buffer.alloc(TIME_BYTES);
  time.writeBigUInt64BE(BigInt(seconds));
  return signatureLine(key, Buffer.concat([time, sign(null, Buffer.from(messageOf(text, seconds)), private_key)]));
}

export type Cosignature = {
  /** seconds since 1970, on the clock of the witness */
  readonly seconds: number;
  readonly line: string;
};

/** The cosignature of this witness under a note, the earliest of several; null if there is none, or one that names the key is wrong. */
export function cosignatureBy(note: Note, key: NoteKey): Cosignature | null {
  const found = signaturesNaming(note, key).map((one) => readCosignature(note.text, one, key));
  if (found.length === 0 || !found.every((one) => one !== null)) return null;
  return found.reduce((earliest, one) => (one.seconds < earliest.seconds ? one : earliest));
}

/** The cosignature in what a witness answered about a note with this text; null unless there is a valid one. Lines of other keys are ignored. */
export function cosignatureIn(answer: string, text: string, key: NoteKey): Cosignature | null {
  const signatures = readSignatures(answer);
  return signatures === null ? null : cosignatureBy({ text, signatures }, key);
}

function readCosignature(text: string, { signature, line }: NoteSignature, key: NoteKey): Cosignature | null {
  if (key.type !== noteKeyTypes.cosignature || signature.length <= TIME_BYTES || readTreeHead(text) === null) return null;
  const seconds = Number(Buffer.from(signature).readBigUInt64BE());
  if (!Number.isSafeInteger(seconds)) return null;
  return isEd25519(key, messageOf(text, seconds), signature.subarray(TIME_BYTES)) ? { seconds, line } : null;
}

/** A time of a cosignature in the form of all other times. */
export const timeOfCosignature = ({ seconds }: Cosignature): string => new Date(seconds * 1000).toISOString();
