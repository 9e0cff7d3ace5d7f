import type { Db } from "../../db/connect.ts";
import type { Outbound } from "../../outbound/send-request.ts";
import type { ActId, OrgId } from "../../shared/ids.ts";
import { decrypt, encrypt, type KeyRing } from "../../shared/secrets.ts";
import type { RecordKind } from "../acts/act.ts";

/** A registry outside this installation, one for an organization. */

export const registryModes = ["notify", "gate"] as const;
/** gate: an act takes effect only when the registry has accepted it. notify: the registry is told afterwards. */
export type RegistryMode = (typeof registryModes)[number];

export interface Registry {
  readonly url: string;
  readonly secret_enc: Buffer;
  readonly mode: RegistryMode;
  /** the kinds of acts that it is asked or told about */
  readonly kinds: readonly RecordKind[];
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** What requests to registries need, which is what webhooks have too. */
export interface RegistryParts {
  readonly outbound: Outbound;
  /** seconds before the second attempt, the third, …; the last one repeats */
  readonly retrySchedule: readonly number[];
  /** encrypts the secrets */
  readonly secretKey: KeyRing;
  /** of this program, for `User-Agent` */
  readonly version: string;
}

export interface RegistryDeps {
  readonly db: Db;
  readonly registry: RegistryParts;
}

export const outcomes = ["accepted", "refused", "told", "ignored", "given_up"] as const;
export type Outcome = (typeof outcomes)[number];

/** An act that a registry is asked or told about. */
export interface Registration {
  readonly act_id: ActId;
  readonly mode: RegistryMode;
  /** the same bytes in every attempt */
  readonly body: Buffer;
  readonly attempts: number;
  /** null: settled */
  readonly next_attempt_at: Date | null;
  readonly last_error: string | null;
  readonly outcome: Outcome | null;
  readonly give_up_at: Date;
}

// A registry may be closed over a long holiday. After that the proposer asks anew.
export const REGISTRATION_DAYS = 7;

const contextOf = (org: OrgId): string => `registry secret ${org}`;

export const sealSecret = ({ secretKey }: RegistryParts, org: OrgId, secret: string): Buffer => encrypt(secretKey, secret, contextOf(org));

export const openSecret = ({ secretKey }: RegistryParts, org: OrgId, { secret_enc }: Registry): string =>
  decrypt(secretKey, secret_enc, contextOf(org));

/** How entries and pages name it. */
export const hostOf = ({ url }: Pick<Registry, "url">): string => new URL(url).host;

/** Whether the registry is asked (gate) or told (notify) about acts of this kind. */
export const concerns = (registry: Registry | null, mode: RegistryMode, kind: string): registry is Registry =>
  registry?.mode === mode && (registry.kinds as readonly string[]).includes(kind);
