import {
  noteKeyOf,
  noteKeyTypes,
  rawKeyOf,
  readCheckpoint,
  readNote,
  readTreeHead,
  signatureLine,
  type Tree,
  writeNote,
  writeTreeHead,
} from "@countersign/evidence";
import type { Tx } from "../db/sql.ts";
import { ensureInstanceKeys, type InstanceKeys } from "../seals/instance-keys.ts";
import type { LogDeps } from "./checkpoint.ts";
import { addNote, lookUpOrigin, storeFirstOrigin } from "./note-store.ts";
import { lookUpLatestCheckpoint } from "./store.ts";

type NoteKeys = Pick<InstanceKeys, "log" | "ending_logs" | "log_id">;

/**
 * A state of the log as a note under the log's present name, signed by the log's key, and after a rotation also by the keys that end. Call it
 * outside transactions: the signer may be another machine.
 */
export async function signNote(deps: LogDeps, keys: NoteKeys, tree: Tree): Promise<Buffer> {
  const origin = await deps.db.system((tx) => ensureOrigin(tx, deps, keys.log_id));
  const text = writeTreeHead({ origin, tree_size: tree.tree_size, root: tree.root });
  const lines = [keys.log, ...keys.ending_logs].map(async (key) => {
    const noteKey = noteKeyOf(origin, noteKeyTypes.ed25519, rawKeyOf(key.public_key));
    return signatureLine(noteKey, await key.sign(Buffer.from(text)));
  });
  return writeNote(text, await Promise.all(lines));
}

/** Hexadecimal digits of the log's ID in its default name: enough to tell the logs of one host apart. */
const NAME_DIGITS = 16;

async function ensureOrigin(tx: Tx, { notes }: LogDeps, log_id: string): Promise<string> {
  const stored = await lookUpOrigin(tx);
  if (stored !== null) return stored;
  return storeFirstOrigin(tx, notes.origin ?? `${notes.host}/log/${log_id.slice(0, NAME_DIGITS)}`);
}

/** Whether a note has the log's present name. The log may have been restarted since it was signed. */
export async function isUnderPresentName(tx: Tx, note: Uint8Array | null): Promise<boolean> {
  if (note === null) return true;
  const head = readTreeHead(readNote(note)?.text ?? "");
  return head !== null && head.origin === (await lookUpOrigin(tx));
}

/** Signs a note for the latest checkpoint if it was signed before there were notes. */
export async function ensureNote(deps: LogDeps): Promise<void> {
  const latest = await deps.db.system(lookUpLatestCheckpoint);
  const checkpoint = latest === null || latest.note !== null ? null : readCheckpoint(latest.bytes);
  if (checkpoint === null) return;
  const note = await signNote(deps, await ensureInstanceKeys({ ...deps.seals, db: deps.db }), checkpoint);
  await deps.db.system((tx) => addNote(tx, checkpoint.tree_size, note));
}
