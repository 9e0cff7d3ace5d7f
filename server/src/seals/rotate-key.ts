import { canonicalize, type RootSuccession, withLowS } from "@countersign/evidence";
import type { SystemTx } from "../db/sql.ts";
import { DAY_MS } from "../shared/durations.ts";
import { sha256 } from "../shared/secrets.ts";
import { ensureInstanceKeys, type KeyDeps, newInstanceKey, openInstanceKey, type RotatedPurpose } from "./instance-keys.ts";
import {
  endInstanceKey,
  type InstanceKeyRow,
  insertInstanceKey,
  insertSuccession,
  listInstanceKeys,
  lockKeys,
  type NewInstanceKey,
  readCheckpointTime,
  readNow,
  type SuccessionRow,
} from "./store.ts";

// Witnesses know the log by its key. Until they have been told the new one, notes carry both signatures.
const LOG_KEYS_OVERLAP_DAYS = 30;

export interface RotatedKey {
  readonly purpose: RotatedPurpose;
  readonly generation: number;
  /** SHA-256 of the public key */
  readonly key_id: string;
  /** of a root: SHA-256 of its certificate, which readers pin */
  readonly certificate_sha256: string | null;
  readonly not_before: Date;
  /** when the generation before it ends */
  readonly previous_ends: Date;
}

/** Nothing was changed. The message says why. */
export class RotationRefused extends Error {
  override readonly name = "RotationRefused";
}

interface Rotation {
  readonly purpose: RotatedPurpose;
  /** A root only: the old one signs nothing, so readers who know only the old one cannot verify that the new one follows it. */
  readonly old_key_lost?: boolean;
  /** in the same transaction */
  readonly record: (tx: SystemTx, rotated: RotatedKey) => Promise<void>;
}

/**
 * A new generation, which is used from now on; the old one ends now, that of the log 30 days later. What the old one signed stays valid. Call
 * it outside transactions: the key may be at a signer.
 */
export async function rotateKey(deps: KeyDeps, { purpose, old_key_lost = false, record }: Rotation): Promise<RotatedKey> {
  const { at } = await ensureInstanceKeys(deps);
  const current = (await deps.db.system(listInstanceKeys)).findLast((row) => row.purpose === purpose);
  if (current === undefined) throw new Error(`there is no key for ${purpose}`);
  const made = await newInstanceKey(deps, purpose, current.generation + 1, at);
  const succession = purpose === "root" ? await signSuccession(deps, current, made, old_key_lost) : null;
  return deps.db.system(async (tx) => {
    await lockKeys(tx);
    const not_before = await startOf(tx);
    if (!(await insertInstanceKey(tx, { ...made, not_before }))) throw new RotationRefused("This key was just rotated by another command.");
    const previous_ends = purpose === "log" ? new Date(not_before.getTime() + LOG_KEYS_OVERLAP_DAYS * DAY_MS) : not_before;
    if (!(await endInstanceKey(tx, current, previous_ends, old_key_lost ? "key_lost" : "rotated")))
      throw new Error("the key has ended already");
    if (succession !== null) await insertSuccession(tx, succession);
    const { generation, public_key, certificate } = made;
    const rotated = {
      purpose,
      generation,
      key_id: hashOf(public_key),
      certificate_sha256: certificate === null ? null : hashOf(certificate),
      not_before,
      previous_ends,
    };
    await record(tx, rotated);
    return rotated;
  });
}

/** Now, but not before the latest checkpoint: that has to stay in the interval of the key that signed it, also if the clock was set back. */
async function startOf(tx: SystemTx): Promise<Date> {
  const [now, signed] = [await readNow(tx), await readCheckpointTime(tx)];
  return signed !== null && signed > now ? signed : now;
}

const hashOf = (bytes: Uint8Array): string => sha256(bytes).toString("hex");

async function signSuccession(deps: KeyDeps, old: InstanceKeyRow, next: NewInstanceKey, lost: boolean): Promise<SuccessionRow> {
  if (old.certificate === null || next.certificate === null) throw new Error("the root has no certificate");
  const { not_before: at } = next;
  const [old_root_sha256, new_root_sha256] = [hashOf(old.certificate), hashOf(next.certificate)];
  const statement: RootSuccession = {
    type: "countersign/root-succession/1",
    old: old_root_sha256,
    new: new_root_sha256,
    at: at.toISOString(),
  };
  const bytes = Buffer.from(canonicalize(statement));
  const by = async (key: Parameters<typeof openInstanceKey>[1]): Promise<Buffer> =>
    Buffer.from(withLowS(await openInstanceKey(deps, key).sign(bytes)));
  const old_signature = lost ? null : await by(old);
  return {
    old_root_sha256,
    new_root_sha256,
    bytes,
    old_signature,
    new_signature: await by({ ...next, key_id: hashOf(next.public_key) }),
    at,
  };
}
