import { Countersign } from "@countersign/client";
import type { AppendTestEventRequest } from "@countersign/client/types";
import type { Settings, Terminal } from "./terminal.ts";

/** Has a sandbox send an event with sample data, and prints its id. Refuses the key of a live organization. */
export async function trigger({ url, apiKey }: Settings, wanted: AppendTestEventRequest, { out, signal }: Terminal): Promise<number> {
  const cs = new Countersign({ baseUrl: url, apiKey, requireTestMode: true });
  const { event_type, event_id } = await cs.test.events.create(wanted, { signal });
  out(`${event_type} ${event_id}\n`);
  return 0;
}
