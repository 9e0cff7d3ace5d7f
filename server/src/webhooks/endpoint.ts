import type { Db } from "../db/connect.ts";
import type { Limits, Outbound } from "../outbound/send-request.ts";
import { DAY_SECONDS } from "../shared/durations.ts";
import type { EndpointId, OrgId } from "../shared/ids.ts";
import { decrypt, encrypt, type KeyRing } from "../shared/secrets.ts";

export interface WebhookDeps extends Outbound {
  readonly db: Db;
  /** encrypts the endpoints' secrets */
  readonly secretKey: KeyRing;
  /** seconds before the second attempt, the third, … */
  readonly retrySchedule: readonly number[];
  /** for metrics */
  readonly onAttempt?: ((outcome: string, seconds: number) => void) | undefined;
  /** of this program, for `User-Agent` */
  readonly version: string;
}

// A receiver that needs longer should queue the event and respond first: while we wait, it occupies a place. The status line decides, so a
// slow body gets less time. 16 KiB are enough to see a receiver's error message.
export const LIMITS: Limits = { connect_ms: 5_000, exchange_ms: 15_000, body_ms: 2_000, body_bytes: 16 * 1024 };

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
  /** when the previous secret stops signing; null if there is none */
  readonly previous_secret_expires_at: Date | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** Binds a secret to its endpoint. The column is not included, because the secret may become the endpoint's previous one. */
const contextOf = (org: OrgId, endpoint_id: EndpointId) => `webhook secret ${org} ${endpoint_id}`;

export function sealSecret(deps: Pick<WebhookDeps, "secretKey">, org: OrgId, endpoint_id: EndpointId, secret: string): Buffer {
  return encrypt(deps.secretKey, secret, contextOf(org, endpoint_id));
}

export function openSecret(deps: Pick<WebhookDeps, "secretKey">, org: OrgId, endpoint_id: EndpointId, sealed: Uint8Array): string {
  return decrypt(deps.secretKey, sealed, contextOf(org, endpoint_id));
}
