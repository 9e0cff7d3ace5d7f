import { randomBytes } from "node:crypto";
import type { Json } from "@countersign/evidence";
import type { Db } from "../db/connect.ts";
import type { Tx } from "../db/sql.ts";
import { DAY_SECONDS } from "../shared/durations.ts";
import type { KeyId, OrgId, UserId } from "../shared/ids.ts";
import type { Scope } from "../shared/scopes.ts";

export interface KeyDeps {
  readonly db: Db;
  readonly defaultRateLimitRpm: number;
  /** how many proxies tell the address of a caller */
  readonly trustProxyHops: number;
  /** how many enabled webhook endpoints will get an event; passed in, because this feature does not import webhooks */
  readonly countEndpoints: (tx: Tx, org: OrgId, event_type: "webhook.test") => Promise<number>;
}

export interface ApiKey {
  readonly org_id: OrgId;
  readonly key_id: KeyId;
  readonly partner_name: string;
  readonly key_hint: string;
  readonly scopes: Scope[];
  readonly rate_limit_rpm: number;
  /** unknown fields of a body are ignored instead of rejected */
  readonly lenient_fields: boolean;
  readonly webhook: { readonly [name: string]: Json } | null;
  /** from then on it is refused; null: never */
  readonly expires_at: Date | null;
  /** the addresses that it works from; empty: all */
  readonly allowed_cidrs: string[];
  readonly created_by: UserId | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly rotated_at: Date | null;
  readonly deactivated_at: Date | null;
  readonly last_used_at: Date | null;
  readonly last_used_ip: string | null;
  readonly last_used_user_agent: string | null;
  /** the end of the retiring secret, while there is one */
  readonly previous_key_expires_at: Date | null;
}

const RAW_KEY = /^lk_[0-9a-f]{40}$/;

/** 160 random bits, so SHA-256 without a salt is safe for storing them, and no slow hash is needed. */
export function newRawKey(): string {
  return `lk_${randomBytes(20).toString("hex")}`;
}

export function isRawKey(text: string): boolean {
  return RAW_KEY.test(text);
}

/** Enough characters to recognize a key, but far too few to guess it. */
export function hintOf(rawKey: string): string {
  return `${rawKey.slice(0, 7)}…${rawKey.slice(-4)}`;
}

export const DEFAULT_GRACE_SECONDS = DAY_SECONDS;
export const MAX_GRACE_SECONDS = 604_800;
export const MAX_WEBHOOK_BYTES = 4096;

export const keyStatuses = ["active", "expired", "deactivated"] as const;

export function statusOf({ deactivated_at, expires_at }: Pick<ApiKey, "deactivated_at" | "expires_at">): (typeof keyStatuses)[number] {
  if (deactivated_at !== null) return "deactivated";
  return expires_at !== null && expires_at.getTime() <= Date.now() ? "expired" : "active";
}
