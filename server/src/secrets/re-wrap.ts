import type { Db } from "../db/connect.ts";
import type { Tx } from "../db/sql.ts";
import { CannotDecrypt, type DerivedKeys, decrypt, encrypt } from "../shared/secrets.ts";
import { latestUsed } from "./admit-secrets.ts";
import { type EncryptedValue, listValuesToReWrap, listVersions, replaceValue } from "./store.ts";

export interface ReWrapDeps {
  readonly db: Db;
  readonly keys: DerivedKeys;
}

export interface ReWrapped {
  readonly renewed: number;
  /** could not be opened with the given secrets, and stay as they are */
  readonly unreadable: readonly Pick<EncryptedValue, "place" | "org_id" | "id">[];
}

const ROWS_PER_TRANSACTION = 100;

/**
 * Encrypts every value again that is not encrypted under the version in use. Each transaction renews 100 values, so it can end at any
 * moment and the next run goes on with the rest. A value that someone changes or erases at the same time keeps that change.
 */
export async function reWrap({ db, keys }: ReWrapDeps): Promise<ReWrapped> {
  const [{ version }] = keys.check;
  let renewed = 0;
  const unreadable: EncryptedValue[] = [];
  for (let after: string | null = ""; after !== null; ) {
    const batch = await db.system((tx) => reWrapSome(tx, keys, version, after ?? ""));
    renewed += batch.renewed;
    unreadable.push(...batch.unreadable);
    after = batch.next;
  }
  return { renewed, unreadable };
}

interface Batch {
  readonly renewed: number;
  readonly unreadable: EncryptedValue[];
  /** null after the last one */
  readonly next: string | null;
}

async function reWrapSome(tx: Tx, keys: DerivedKeys, version: number, after: string): Promise<Batch> {
  // While processes are restarted with another order of versions, those that were started before leave the values alone.
  if (latestUsed(await listVersions(tx))?.version !== version) return { renewed: 0, unreadable: [], next: null };
  const values = await listValuesToReWrap(tx, version, after, ROWS_PER_TRANSACTION);
  const unreadable: EncryptedValue[] = [];
  let renewed = 0;
  for (const value of values) {
    const again = encryptedAgain(keys, value);
    if (again === null) unreadable.push(value);
    else if (await replaceValue(tx, value, again)) renewed += 1;
  }
  return { renewed, unreadable, next: values.length < ROWS_PER_TRANSACTION ? null : (values.at(-1)?.position ?? null) };
}

function encryptedAgain(keys: DerivedKeys, { label, context, value }: EncryptedValue): Buffer | null {
  try {
    return encrypt(keys[label], decrypt(keys[label], value, context), context);
  } catch (error) {
    if (error instanceof CannotDecrypt) return null;
    throw error;
  }
}
