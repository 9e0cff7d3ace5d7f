import { timestampOf } from "../outbound/sign-delivery.ts";
import type { Attempt } from "./delivery.ts";

export interface RequestOnRecord {
  readonly method: "POST";
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * The request of an attempt as far as its row has it. The sending version and the signature are not stored, and a new signature, perhaps
 * with another secret, would not be a record. Null if the row has no request.
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
      // The row was inserted in the transaction that signed the request, so both have the same time.
      "webhook-timestamp": timestampOf(created_at),
    },
  };
}
