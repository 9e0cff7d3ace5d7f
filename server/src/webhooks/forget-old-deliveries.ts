import { repeatBatches } from "../db/repeat-batches.ts";
import { forgetDeliveries } from "./delivery-store.ts";
import type { WebhookDeps } from "./endpoint.ts";

/** Deletes settled deliveries and their attempts after the retention. Events stay. */
export function forgetOldDeliveries({ db, retentionDays }: WebhookDeps): Promise<number> {
  return repeatBatches((limit) => db.system((tx) => forgetDeliveries(tx, retentionDays, limit)));
}
