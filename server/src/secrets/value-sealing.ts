import { hkdfSync } from "node:crypto";
import type { OrgId } from "../shared/ids.ts";
import { decrypt, encrypt, type KeyRing } from "../shared/secrets.ts";
import type { OrgKey, OrgKeys } from "./org-keys.ts";

/** Values in columns that are encrypted under the key of their organization. `context` names the row and never changes. */

export interface SealedValue {
  readonly key_no: number;
  readonly sealed: Buffer;
}

const KEY_BYTES = 32;

/** The key of the org has other uses too. */
export const ringOf = ({ key_no, key }: OrgKey): KeyRing => [
  { version: key_no, key: Buffer.from(hkdfSync("sha256", key, "", "countersign/values/1", KEY_BYTES)) },
];

/** Before a transaction: the key service may be another machine. */
export async function sealValue(keys: OrgKeys, org: OrgId, value: string, context: string): Promise<SealedValue> {
  const key = await keys.current(org);
  return { key_no: key.key_no, sealed: encrypt(ringOf(key), value, context) };
}

export async function openValue(keys: OrgKeys, org: OrgId, { key_no, sealed }: SealedValue, context: string): Promise<string> {
  return decrypt(ringOf(await keys.find(org, key_no)), sealed, context);
}
