import { appendAudit } from "../audit/append-audit.ts";
import type { Read } from "../db/sql.ts";
import type { Caller } from "../shared/caller.ts";
import type { EndpointId } from "../shared/ids.ts";
import { openSecret, type WebhookDeps } from "./endpoint.ts";
import { inTransaction, readSecret } from "./store.ts";

/**
 * No secret without its entry. A GET holds its connection already, and its org is set; a second one for the entry's transaction
 * would let enough of these calls at once wait for each other, so the transaction is made on the first.
 */
export async function showSecret(deps: WebhookDeps, caller: Caller, endpoint_id: EndpointId, read: Read): Promise<string> {
  const sealed = await inTransaction(read, async (tx) => {
    const secret = await readSecret(tx, caller.org, endpoint_id);
    await appendAudit(tx, caller.org, { type: "endpoint.secret_shown", by: caller, data: { endpoint_id } });
    return secret;
  });
  return openSecret(deps, caller.org, endpoint_id, sealed);
}
