import type { EnvelopeId } from "../shared/ids.ts";

/** Every status an envelope can have: specification, "States and transitions". */
export const statuses = [
  "pending",
  "uploaded",
  "preparing",
  "sent",
  "viewed",
  "completed",
  "vaulted",
  "declined",
  "voided",
  "expired",
] as const;
export type Status = (typeof statuses)[number];

export interface ListedEnvelope {
  readonly envelope_id: EnvelopeId;
  readonly envelope_name: string;
  readonly status: Status;
  readonly customer_id: string | null;
  readonly external_id: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}
