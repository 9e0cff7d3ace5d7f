import { iso } from "../http/shapes.ts";
import type { ListedEnvelope } from "./envelope.ts";

/** The list's seven fields, and no other. */
export const presentListed = (envelope: ListedEnvelope) => ({
  envelope_id: envelope.envelope_id,
  envelope_name: envelope.envelope_name,
  status: envelope.status,
  customer_id: envelope.customer_id,
  external_id: envelope.external_id,
  created_at: iso(envelope.created_at),
  updated_at: iso(envelope.updated_at),
});
