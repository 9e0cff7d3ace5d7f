import { type Checkpoint, isSigned, readCheckpoint } from "@countersign/evidence";
import type { Db } from "../db/connect.ts";
import type { SealDeps } from "../seals/seal.ts";

export interface LogDeps {
  readonly db: Db;
  /** whose records key signs checkpoints, and who is asked for the time */
  readonly seals: Pick<SealDeps, "sealKey" | "timeStamps">;
  /** DER; what tokens of this installation are verified with. Empty: there are none. */
  readonly tsaRoots: readonly Uint8Array[];
}

/** A state of the log that this installation has signed. */
export interface SignedCheckpoint {
  readonly tree_size: number;
  /** canonical JSON; what is signed, and what a time-stamp is about */
  readonly bytes: Buffer;
  /** Ed25519, 64 bytes */
  readonly signature: Buffer;
}

/** What a checkpoint says, once it is known to be what this key signed. */
export function openCheckpoint({ tree_size, ...signed }: SignedCheckpoint, spki: Uint8Array): Checkpoint {
  const checkpoint = isSigned(signed, spki) ? readCheckpoint(signed.bytes) : null;
  if (checkpoint?.tree_size !== tree_size) throw new LogFault(`the checkpoint of ${tree_size} leaves is not what was signed`);
  return checkpoint;
}

/** What an authority says about a checkpoint: `error` tells why there is no token although one was asked for. Both null: nobody is asked. */
export interface Stamp {
  readonly token: Buffer | null;
  readonly error: string | null;
}

/** The log is not what was written: rows were changed or lost. The message says which, and holds nothing but places and hashes. */
export class LogFault extends Error {
  override readonly name = "LogFault";
}

/** A fault was found earlier and is not mended: nothing is appended and nothing is signed. */
export class LogStopped extends Error {
  override readonly name = "LogStopped";
}
