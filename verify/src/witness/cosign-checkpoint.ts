import {
  cosign,
  fromBase64,
  isConsistent,
  isNoteSignedBy,
  type Note,
  type NoteKey,
  readNote,
  readTreeHead,
  type TreeHead,
  writeNote,
} from "@countersign/evidence";
import type { WitnessKey } from "./witness-key.ts";
import type { WitnessState } from "./witness-state.ts";

export type Witness = {
  readonly own: WitnessKey;
  /** the keys of the logs that are witnessed; a log whose key was rotated has several with one name */
  readonly logs: readonly NoteKey[];
  readonly state: WitnessState;
  /** milliseconds since 1970 */
  readonly now: () => number;
};

export type Answer = { readonly status: number; readonly type: string; readonly body: string };

// RFC 9162: a proof between two trees of up to 2^64 leaves.
const MAX_PROOF = 63;
const HASH_BYTES = 32;

/** Answers a request to `add-checkpoint` (C2SP tlog-witness). The new state is on disk before this returns. */
export function cosignCheckpoint(witness: Witness, body: Uint8Array): Answer {
  const request = readRequest(body);
  if (request === null) return refusal(400, "The request is not an old size, a proof and a checkpoint.");
  const { old, proof, note, head } = request;
  const keys = witness.logs.filter(({ name }) => name === head.origin);
  if (keys.length === 0) return refusal(404, "This log is not witnessed here.");
  if (!isByLog(note, keys)) return refusal(403, "The log did not sign this checkpoint.");
  if (old > head.tree_size) return refusal(400, "The old size is larger than that of the checkpoint.");
  const latest = witness.state.latest(head.origin);
  const size = latest?.tree_size ?? 0;
  if (old !== size) return conflict(size);
  if (latest !== null && head.tree_size === size && head.root !== latest.root) return conflict(size);
  // Every tree extends the empty one.
  if (!(size === 0 ? proof.length === 0 : isConsistent(latest ?? head, head, proof)))
    return refusal(422, "The proof does not show that the checkpoint extends the latest one that was cosigned here.");
  const line = cosign(note.text, witness.own.key, witness.own.private_key, Math.floor(witness.now() / 1000));
  witness.state.save(head.origin, cosignedNote(note, keys, line));
  return { status: 200, type: "text/plain; charset=utf-8", body: `${line}\n` };
}

const refusal = (status: number, sentence: string): Answer => ({ status, type: "text/plain; charset=utf-8", body: `${sentence}\n` });
const conflict = (size: number): Answer => ({ status: 409, type: "text/x.tlog.size", body: `${size}\n` });

/** Whether at least one key of the log signed the note, and no signature that names one of them is wrong. */
export function isByLog(note: Note, keys: readonly NoteKey[]): boolean {
  const named = keys.filter(({ name, id }) => note.signatures.some((one) => one.name === name && one.id === id));
  return named.length > 0 && named.every((key) => isNoteSignedBy(note, key));
}

/** The log's own signatures and this cosignature. Other lines are dropped, because the witness has not checked them. */
export const cosignedNote = ({ text, signatures }: Note, keys: readonly NoteKey[], line: string): Buffer =>
  writeNote(text, [
    ...signatures.filter(({ name, id }) => keys.some((key) => key.name === name && key.id === id)).map((one) => one.line),
    line,
  ]);

type Request = { readonly old: number; readonly proof: readonly string[]; readonly note: Note; readonly head: TreeHead };

function readRequest(body: Uint8Array): Request | null {
  const bytes = Buffer.from(body);
  const end = bytes.indexOf("\n\n");
  if (end < 0) return null;
  const [first = "", ...lines] = bytes.subarray(0, end).toString("utf8").split("\n");
  const [, digits] = /^old (0|[1-9][0-9]*)$/.exec(first) ?? [];
  const hashes = lines.map(fromBase64);
  const note = readNote(bytes.subarray(end + 2));
  const head = note === null ? null : readTreeHead(note.text);
  if (digits === undefined || note === null || head === null || hashes.length > MAX_PROOF) return null;
  const proof = hashes.flatMap((hash) => (hash?.length === HASH_BYTES ? [hash.toString("hex")] : []));
  const old = Number(digits);
  return proof.length === hashes.length && Number.isSafeInteger(old) ? { old, proof, note, head } : null;
}
