import type { Attempt } from "./delivery.ts";
import { timestampOf } from "./sign-delivery.ts";

export interface RequestOnRecord {
  readonly method: "POST";
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * What an attempt was sent with, as far as its row tells: which version of ours sent it is not kept, and its signature is not either. One
 * made anew, perhaps with another secret, would be no record. Null where no request belongs to the row.
 */
export function requestOnRecord({ attempted_at, created_at, event_id, url }: Attempt, body: Uint8Array): RequestOnRecord | null {
  if (attempted_at === null) return null;
  return {
    method: "POST",
    headers: {
      host: new URL(url).host,
      "content-type": "application/json",
      "content-length": String(body.byteLength),
      "webhook-id": event_id,
      // The row was written in the transaction that signed, and both took its time.
      "webhook-timestamp": timestampOf(created_at),
    },
  };
}
