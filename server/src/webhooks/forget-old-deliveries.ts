import { forgetDeliveries } from "./delivery-store.ts";
import type { WebhookDeps } from "./endpoint.ts";

/** Deletes settled deliveries and their attempts after the retention. Events stay. */
export function forgetOldDeliveries(deps: WebhookDeps): Promise<number> {
  return deps.db.system((tx) => forgetDeliveries(tx, deps.retentionDays));
}
