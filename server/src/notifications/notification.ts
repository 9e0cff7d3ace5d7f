import type { Db } from "../db/connect.ts";
import type { Caller } from "../shared/caller.ts";
import type { BatchId, EnvelopeId, NotificationId, UserId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";

export interface NotificationDeps {
  readonly db: Db;
}

export const notificationKinds = [
  "completed",
  "declined",
  "expires_soon",
  "expired",
  "mail_failed",
  "action_needed",
  "batch_ended",
] as const;
export type NotificationKind = (typeof notificationKinds)[number];

/** What happened, with the names as they were then. */
export type News =
  | { readonly kind: "completed" | "expired"; readonly envelope_name: string }
  /** `rejected`: by an approver, who does not sign */
  | { readonly kind: "declined"; readonly envelope_name: string; readonly person: string; readonly rejected?: true }
  | { readonly kind: "expires_soon"; readonly envelope_name: string; readonly expires_at: string }
  | { readonly kind: "mail_failed"; readonly envelope_name: string; readonly person: string; readonly address: string }
  | { readonly kind: "action_needed"; readonly envelope_name: string; readonly person: string; readonly because: "locked" | "paper" }
  | { readonly kind: "action_needed"; readonly envelope_name: string; readonly because: "your_turn" }
  | { readonly kind: "action_needed"; readonly batch_name: string; readonly because: "batch_paused" }
  | {
      readonly kind: "batch_ended";
      readonly batch_name: string;
      readonly cancelled?: true;
      readonly sent: number;
      readonly failed: number;
      readonly skipped: number;
    };

export interface Notification {
  readonly notification_id: NotificationId;
  readonly kind: NotificationKind;
  readonly envelope_id: EnvelopeId | null;
  readonly batch_id: BatchId | null;
  readonly data: News;
  readonly created_at: Date;
  readonly read_at: Date | null;
}

/** How a person is notified of one kind. */
export interface Ways {
  readonly console: boolean;
  readonly mail: boolean;
}

export interface Addressee extends Ways {
  readonly user_id: UserId;
}

/** The person whose notifications these are. The endpoints admit no one else. */
export function personOf({ session }: Caller): UserId {
  if (session === null) throw new Problem("session_required");
  return session.user_id;
}
