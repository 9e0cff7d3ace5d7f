import { appendAudit } from "../audit/append-audit.ts";
import type { Caller } from "../shared/caller.ts";
import type { KeyId } from "../shared/ids.ts";
import { sha256 } from "../shared/secrets.ts";
import { type ApiKey, hintOf, type KeyDeps, newRawKey } from "./key.ts";
import { findKey, lockActiveKey, replaceSecret } from "./store.ts";

/** One transaction makes the new secret current and retires the old one, so always one or two secrets work. */
export async function rotateKey(
  deps: KeyDeps,
  caller: Caller,
  key_id: KeyId,
  grace_seconds: number,
): Promise<ApiKey & { api_key: string }> {
  const api_key = newRawKey();
  return deps.db.tx(caller.org, async (tx) => {
    await lockActiveKey(tx, caller.org, key_id);
    const retires_at = grace_seconds === 0 ? null : new Date(tx.now.getTime() + grace_seconds * 1000);
    await replaceSecret(tx, caller.org, key_id, { hash: sha256(api_key), hint: hintOf(api_key) }, retires_at);
    await appendAudit(tx, caller.org, { type: "key.rotated", by: caller, data: { key_id, grace_period_seconds: grace_seconds } });
    return { ...(await findKey(tx, caller.org, key_id)), api_key };
  });
}
