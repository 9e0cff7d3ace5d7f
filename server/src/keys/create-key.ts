import { appendAudit } from "../audit/append-audit.ts";
import { cidrsOf } from "../http/address-list.ts";
import type { Caller } from "../shared/caller.ts";
import { newId } from "../shared/ids.ts";
import type { Scope } from "../shared/scopes.ts";
import { sha256 } from "../shared/secrets.ts";
import { type ApiKey, hintOf, type KeyDeps, newRawKey } from "./key.ts";
import { expiryOf, limitsOf } from "./limits.ts";
import { findKey, insertKey, lookUpMaxDays } from "./store.ts";

export interface NewKey {
  readonly partner_name: string;
  readonly scopes: readonly Scope[];
  readonly rate_limit_rpm?: number | undefined;
  readonly expires_at?: string | null | undefined;
  readonly allowed_cidrs?: readonly string[] | undefined;
}

/** The raw key is only in this response. */
export async function createKey(deps: KeyDeps, caller: Caller, wanted: NewKey): Promise<ApiKey & { api_key: string }> {
  const api_key = newRawKey();
  const allowed_cidrs = cidrsOf(wanted.allowed_cidrs ?? [], caller, deps.trustProxyHops);
  return deps.db.tx(caller.org, async (tx) => {
    const key = {
      key_id: newId("key", tx.now.getTime()),
      partner_name: wanted.partner_name,
      key_hint: hintOf(api_key),
      scopes: [...new Set(wanted.scopes)],
      rate_limit_rpm: wanted.rate_limit_rpm ?? deps.defaultRateLimitRpm,
      expires_at: expiryOf(wanted.expires_at, tx.now, await lookUpMaxDays(tx, caller.org)),
      allowed_cidrs,
      created_by: caller.session?.user_id ?? null,
    };
    await insertKey(tx, caller.org, key, sha256(api_key));
    const { key_id, partner_name, scopes, rate_limit_rpm } = key;
    const data = { key_id, partner_name, scopes, rate_limit_rpm, ...limitsOf(key) };
    await appendAudit(tx, caller.org, { type: "key.created", by: caller, data });
    return { ...(await findKey(tx, caller.org, key_id)), api_key };
  });
}
