import type { Actor } from "../../shared/caller.ts";
import type { AuditGrantId, EnvelopeId, PartyId } from "../../shared/ids.ts";

/** Records by what they are at the moment of looking. Each member narrows it further. */
export type AuditFilter = { readonly customer_id?: string; readonly controller_party_id?: string; readonly external_ids?: string[] };

/** Which vaulted records the people of a party may look at, until when, and whether they may download. */
export interface AuditGrant {
  readonly grant_id: AuditGrantId;
  readonly party_id: PartyId;
  readonly party_name: string;
  /** null if there is a filter */
  readonly envelope_ids: readonly EnvelopeId[] | null;
  readonly filter: AuditFilter | null;
  readonly may_download: boolean;
  readonly until: Date;
  readonly granted_by: Actor;
  readonly granted_at: Date;
  readonly revoked_at: Date | null;
}

export const grantStates = ["active", "ended", "revoked"] as const;

export function stateOf({ until, revoked_at }: Pick<AuditGrant, "until" | "revoked_at">, now: Date): (typeof grantStates)[number] {
  if (revoked_at !== null) return "revoked";
  return until > now ? "active" : "ended";
}

// An audit is about a sample; a whole pool is named by a filter.
export const MAX_GRANTED_IDS = 1_000;
