import type { Json } from "@countersign/evidence";
import { appendAudit } from "../audit/append-audit.ts";
import { cidrsOf } from "../http/address-list.ts";
import type { Caller } from "../shared/caller.ts";
import type { KeyId } from "../shared/ids.ts";
import { invalidField } from "../shared/problems.ts";
import type { Scope } from "../shared/scopes.ts";
import { type ApiKey, type KeyDeps, MAX_WEBHOOK_BYTES } from "./key.ts";
import { expiryOf, limitsOf } from "./limits.ts";
import { findKey, lockActiveKey, lookUpMaxDays, updateKey } from "./store.ts";

export interface KeyChange {
  readonly partner_name?: string | undefined;
  readonly scopes?: readonly Scope[] | undefined;
  readonly rate_limit_rpm?: number | undefined;
  readonly expires_at?: string | null | undefined;
  readonly allowed_cidrs?: readonly string[] | undefined;
  readonly lenient_fields?: boolean | undefined;
  readonly webhook?: { readonly [name: string]: Json } | null | undefined;
}

/** The same key keeps working. What it may do, from where and until when applies from the next request. */
export async function updateKeyDetails(
  deps: KeyDeps,
  caller: Caller,
  key_id: KeyId,
  change: KeyChange,
  unchanged: (now: ApiKey) => void,
): Promise<ApiKey> {
  if (Buffer.byteLength(JSON.stringify(change.webhook ?? null)) > MAX_WEBHOOK_BYTES) {
    throw invalidField("webhook", "too_long", `must have at most ${MAX_WEBHOOK_BYTES} bytes as JSON`);
  }
  const cidrs = change.allowed_cidrs === undefined ? null : cidrsOf(change.allowed_cidrs, caller, deps.trustProxyHops);
  return deps.db.tx(caller.org, async (tx) => {
    const before = await lockActiveKey(tx, caller.org, key_id, unchanged);
    const after = {
      key_id,
      partner_name: change.partner_name ?? before.partner_name,
      scopes: change.scopes === undefined ? before.scopes : [...new Set(change.scopes)],
      rate_limit_rpm: change.rate_limit_rpm ?? before.rate_limit_rpm,
      expires_at:
        change.expires_at === undefined ? before.expires_at : expiryOf(change.expires_at, tx.now, await lookUpMaxDays(tx, caller.org)),
      allowed_cidrs: cidrs ?? before.allowed_cidrs,
      lenient_fields: change.lenient_fields ?? before.lenient_fields,
      webhook: change.webhook === undefined ? before.webhook : change.webhook,
    };
    await updateKey(tx, caller.org, after);
    const { partner_name, scopes, rate_limit_rpm, lenient_fields } = after;
    // The webhook object is the caller's own data and may contain anything, so the entry records that it changed, not its content.
    const webhook_changed = change.webhook !== undefined;
    await appendAudit(tx, caller.org, {
      type: "key.updated",
      by: caller,
      data: { key_id, partner_name, scopes, rate_limit_rpm, ...limitsOf(after), lenient_fields, webhook_changed },
    });
    return findKey(tx, caller.org, key_id);
  });
}
