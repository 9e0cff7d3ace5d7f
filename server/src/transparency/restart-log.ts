import {
  areRestarts,
  isNoteSignedBy,
  noteKeyOf,
  noteKeyTypes,
  originOf,
  rawKeyOf,
  readCheckpoint,
  readNote,
  readTreeHead,
  type TreeHead,
  writeLogRestart,
} from "@countersign/evidence";
import { appendAudit, type NewEntry } from "../audit/append-audit.ts";
import type { Db } from "../db/connect.ts";
import type { Tx } from "../db/sql.ts";
import { sha256 } from "../shared/secrets.ts";
import { insertRestart, listLogKeys, listOrgIds, listRestarts, lookUpFirstOrigin, lookUpOrigin } from "./note-store.ts";
import { lockLog, lookUpLatestCheckpoint, readClock } from "./store.ts";

/** Nothing was changed. The message says why. */
export class RestartRefused extends Error {
  override readonly name = "RestartRefused";
}

export interface Restart {
  readonly reason: string;
  /** the last note under the present name, if the operator has one that this database does not have; null: the latest checkpoint */
  readonly last_note: Uint8Array | null;
}

/**
 * Gives the log a new name after a backup was accepted that is older than what was published. The tree goes on; witnesses begin anew with the
 * new name. The restart is a leaf of the log, and an entry in the audit trail of every organization. Returns the new name.
 */
export function restartLog({ db }: { readonly db: Db }, by: NewEntry["by"], { reason, last_note }: Restart): Promise<string> {
  return db.system(async (tx) => {
    await lockLog(tx);
    const [first, previous_origin, latest] = [await lookUpFirstOrigin(tx), await lookUpOrigin(tx), await lookUpLatestCheckpoint(tx)];
    const checkpoint = latest === null ? null : readCheckpoint(latest.bytes);
    if (first === null || previous_origin === null || checkpoint === null)
      throw new RestartRefused("The log has no public name yet, so nothing was published that could contradict it.");
    const last = last_note === null ? checkpoint : await openLastNote(tx, previous_origin, last_note);
    const start = ((await listRestarts(tx)).at(-1)?.start ?? 1) + 1;
    const origin = originOf(first, start);
    if (!areRestarts(origin, previous_origin)) throw new Error("a restart changes only the number of the name");
    const { tree_size, root } = last;
    const at = (await readClock(tx)).toISOString();
    const bytes = writeLogRestart({
      type: "countersign/log-restart/1",
      log_id: checkpoint.log_id,
      origin,
      previous_origin,
      tree_size,
      root,
      reason,
      at,
    });
    await insertRestart(tx, { start, origin, bytes, hash: sha256(bytes).toString("hex") });
    for (const org of await listOrgIds(tx)) {
      const data = { origin, previous_origin, tree_size, root, reason };
      await tx.forOrg(org, (inOrg) => appendAudit(inOrg, org, { type: "log.restarted", by, data }));
    }
    return origin;
  });
}

async function openLastNote(tx: Tx, origin: string, bytes: Uint8Array): Promise<TreeHead> {
  const note = readNote(bytes);
  const head = note === null ? null : readTreeHead(note.text);
  const keys = (await listLogKeys(tx)).map(({ public_key }) => noteKeyOf(origin, noteKeyTypes.ed25519, rawKeyOf(public_key)));
  if (note === null || head?.origin !== origin || !keys.some((key) => isNoteSignedBy(note, key)))
    throw new RestartRefused(`The file is not a note of ${origin} that this log signed.`);
  return head;
}
