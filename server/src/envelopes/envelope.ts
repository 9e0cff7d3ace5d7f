import type { PdfPool } from "@countersign/pdf/pool";
import type { Db } from "../db/connect.ts";
import type { EnvelopeId } from "../shared/ids.ts";
import type { StorageDeps } from "../storage/store-blob.ts";

export interface EnvelopeDeps {
  readonly db: Db;
  readonly pdf: PdfPool;
  readonly storage: StorageDeps;
}

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
