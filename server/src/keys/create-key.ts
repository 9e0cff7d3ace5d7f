import { appendAudit } from "../audit/append-audit.ts";
import type { Caller } from "../shared/caller.ts";
import { newId } from "../shared/ids.ts";
import type { Scope } from "../shared/scopes.ts";
import { sha256 } from "../shared/secrets.ts";
import { type ApiKey, hintOf, type KeyDeps, newRawKey } from "./key.ts";
import { findKey, insertKey } from "./store.ts";

export interface NewKey {
  readonly partner_name: string;
  readonly scopes: readonly Scope[];
  readonly rate_limit_rpm?: number | undefined;
}

/** The raw key is only in this response. */
export async function createKey(deps: KeyDeps, caller: Caller, wanted: NewKey): Promise<ApiKey & { api_key: string }> {
  const api_key = newRawKey();
  return deps.db.tx(caller.org, async (tx) => {
    const key = {
      key_id: newId("key", tx.now.getTime()),
      partner_name: wanted.partner_name,
      key_hint: hintOf(api_key),
      scopes: [...new Set(wanted.scopes)],
      rate_limit_rpm: wanted.rate_limit_rpm ?? deps.defaultRateLimitRpm,
      lenient_fields: false,
      webhook: null,
      created_by: caller.session?.user_id ?? null,
      rotated_at: null,
      deactivated_at: null,
      last_used_at: null,
      previous_key_expires_at: null,
    };
    await insertKey(tx, caller.org, key, sha256(api_key));
    const { key_id, partner_name, scopes, rate_limit_rpm } = key;
    await appendAudit(tx, caller.org, { type: "key.created", by: caller, data: { key_id, partner_name, scopes, rate_limit_rpm } });
    return { ...(await findKey(tx, caller.org, key_id)), api_key };
  });
}
