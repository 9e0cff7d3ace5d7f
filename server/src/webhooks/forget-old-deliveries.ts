import { forgetDeliveries } from "./delivery-store.ts";
import type { WebhookDeps } from "./endpoint.ts";

/** Deliveries and their attempts, once they are settled and older than the retention. Events stay. */
export function forgetOldDeliveries(deps: WebhookDeps): Promise<number> {
  return deps.db.system((tx) => forgetDeliveries(tx, deps.retentionDays));
}
