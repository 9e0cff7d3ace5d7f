import {
  isNoteSignedBy,
  type Note,
  noteKeyOf,
  noteKeyTypes,
  rawKeyOf,
  readNote,
  readTreeHead,
  type TreeHead,
  type TrustKeys,
} from "@countersign/evidence";
import { BundleRejected, type Files, fileOf } from "./step.ts";

/** A note of a checkpoint that a key of the log signed. */
export function signedNote(files: Files, name: string, keys: TrustKeys): { readonly note: Note; readonly head: TreeHead } {
  const note = readNote(fileOf(files, name));
  const head = note === null ? null : readTreeHead(note.text);
  if (note === null || head === null) throw new BundleRejected(name, "is not the note of a checkpoint");
  const listed = keys.type === "countersign/keys/1" ? [] : keys.log.filter(({ algorithm }) => algorithm === "EdDSA");
  const isSigned = listed.some(({ public_key }) =>
    isNoteSignedBy(note, noteKeyOf(head.origin, noteKeyTypes.ed25519, rawKeyOf(Buffer.from(public_key, "hex")))),
  );
  if (!isSigned) throw new BundleRejected(name, "is not signed by a key of the log that trust/keys.json lists");
  return { note, head };
}
