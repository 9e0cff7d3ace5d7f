import { randomBytes } from "node:crypto";
import type { Db } from "../db/connect.ts";
import { DAY_SECONDS } from "../shared/durations.ts";
import type { EndpointId, OrgId } from "../shared/ids.ts";
import { decrypt, encrypt } from "../shared/secrets.ts";
import type { Fence } from "./address-fence.ts";
import type { ResolveName } from "./name-resolver.ts";

export interface WebhookDeps {
  readonly db: Db;
  /** what endpoints' secrets are encrypted under */
  readonly secretKey: Uint8Array;
  readonly fence: Fence;
  readonly resolve: ResolveName;
  readonly limits: Limits;
  /** seconds before the second attempt, the third, … */
  readonly retrySchedule: readonly number[];
  readonly retentionDays: number;
  /** of this program, for `User-Agent` */
  readonly version: string;
}

export interface Limits {
  /** to the name's addresses and a connection to one of them */
  readonly connect_ms: number;
  /** from there to the end of the answer */
  readonly exchange_ms: number;
}

// A receiver that needs longer should put the event into a queue of its own and answer: while we wait, one of its places is taken.
export const LIMITS: Limits = { connect_ms: 5_000, exchange_ms: 15_000 };

export const MAX_ENDPOINTS = 20;
export const DEFAULT_OVERLAP_SECONDS = DAY_SECONDS;
export const MAX_OVERLAP_SECONDS = 604_800;

export const disabledReasons = ["manual", "gone", "failing"] as const;
export type DisabledReason = (typeof disabledReasons)[number];

export interface WebhookEndpoint {
  readonly endpoint_id: EndpointId;
  readonly url: string;
  readonly description: string | null;
  readonly event_types: string[];
  readonly enabled: boolean;
  readonly disabled_reason: DisabledReason | null;
  readonly disabled_at: Date | null;
  readonly failing_since: Date | null;
  readonly last_success_at: Date | null;
  readonly secret_rotated_at: Date | null;
  /** the end of the secret before this one, while it still signs */
  readonly previous_secret_expires_at: Date | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

const SECRET_BYTES = 32;

/** As Standard Webhooks write it. */
export function newSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`;
}

/** A secret of one endpoint cannot be read as another's. It may become the previous one of its own, so the column is no part. */
const contextOf = (org: OrgId, endpoint_id: EndpointId) => `webhook secret ${org} ${endpoint_id}`;

export function sealSecret(deps: Pick<WebhookDeps, "secretKey">, org: OrgId, endpoint_id: EndpointId, secret: string): Buffer {
  return encrypt(deps.secretKey, secret, contextOf(org, endpoint_id));
}

export function openSecret(deps: Pick<WebhookDeps, "secretKey">, org: OrgId, endpoint_id: EndpointId, sealed: Uint8Array): string {
  return decrypt(deps.secretKey, sealed, contextOf(org, endpoint_id));
}
