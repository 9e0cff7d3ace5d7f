import type { Actor } from "../../shared/caller.ts";
import type { ActId, AuthoritativeCopyId, EnvelopeId, PermissionId, UserId } from "../../shared/ids.ts";

export type PermissionState = "pending" | "active" | "released" | "rejected" | "cancelled" | "expired";

/**
 * A present, former or requested custodian of a copy. `state` is the effective one: an overdue transfer is expired even before the job has
 * run.
 */
export interface Permission {
  readonly permission_id: PermissionId;
  readonly copy_id: AuthoritativeCopyId;
  readonly envelope_id: EnvelopeId;
  readonly user_id: UserId;
  /** null for the first custodian */
  readonly from_user_id: UserId | null;
  readonly state: PermissionState;
  readonly expected_version: number;
  readonly initiated_by: Actor;
  readonly reason: string | null;
  readonly initiated_at: Date;
  readonly expires_at: Date | null;
  readonly activated_at: Date | null;
  readonly closed_at: Date | null;
  /** null for the first custodian, and for a transfer from before acts */
  readonly act_id: ActId | null;
}

/** A permission that was transferred from another custodian. */
export interface Transfer extends Permission {
  readonly from_user_id: UserId;
  readonly expires_at: Date;
}

export const transferStatuses = ["pending", "accepted", "rejected", "cancelled", "expired"] as const;
export type TransferStatus = (typeof transferStatuses)[number];

/** `active` and `released` permissions were both accepted. */
export const statusOf: Record<PermissionState, TransferStatus> = {
  pending: "pending",
  active: "accepted",
  released: "accepted",
  rejected: "rejected",
  cancelled: "cancelled",
  expired: "expired",
};

// Long enough for a holiday, short enough that a forgotten transfer does not block an export for long.
export const DEFAULT_TRANSFER_DAYS = 7;
export const MAX_TRANSFER_DAYS = 90;
