import { type Checkpoint, isSigned, readCheckpoint } from "@countersign/evidence";
import type { Db } from "../db/connect.ts";
import { publicKeyAt } from "../seals/instance-keys.ts";
import type { SealDeps } from "../seals/seal.ts";
import type { PublicKeyRow } from "../seals/store.ts";
import type { NoteDeps } from "./build-log.ts";

export interface LogDeps {
  readonly db: Db;
  /** has the records key that signs checkpoints, and the time-stamp authority */
  readonly seals: Pick<SealDeps, "sealKey" | "signer" | "timeStamps">;
  readonly notes: NoteDeps;
  /** DER; verify the tokens of this installation. Empty if there are none. */
  readonly tsaRoots: readonly Uint8Array[];
}

/** A state of the log that this installation has signed. */
export interface SignedCheckpoint {
  readonly tree_size: number;
  /** canonical JSON, which is signed and time-stamped */
  readonly bytes: Buffer;
  /** Ed25519, 64 bytes */
  readonly signature: Buffer;
  /** the same state for witnesses; null if it was signed before there were notes */
  readonly note: Buffer | null;
}

/** The content of a checkpoint, after verifying that a records key signed it which was in use at its time. */
export function openCheckpoint({ tree_size, ...signed }: SignedCheckpoint, keys: readonly PublicKeyRow[]): Checkpoint {
  const checkpoint = readCheckpoint(signed.bytes);
  const key = checkpoint === null ? null : publicKeyAt(keys, checkpoint.key_id, checkpoint.at);
  if (checkpoint?.tree_size !== tree_size || key === null || !isSigned(signed, key))
    throw new LogFault(`the checkpoint of ${tree_size} leaves is not what was signed`);
  return checkpoint;
}

/**
 * The result of a time-stamp request. `error` says why there is no token although one was requested. Both are null if no authority is
 * asked.
 */
export interface Stamp {
  readonly token: Buffer | null;
  readonly error: string | null;
}

/** Rows of the log were changed or lost. The message says which, and contains only positions and hashes. */
export class LogFault extends Error {
  override readonly name = "LogFault";
}

/** A fault was found earlier and is not repaired yet: nothing is appended or signed. */
export class LogStopped extends Error {
  override readonly name = "LogStopped";
}
