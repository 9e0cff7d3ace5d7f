import { appendAudit } from "../audit/append-audit.ts";
import type { Read } from "../db/sql.ts";
import type { Caller } from "../shared/caller.ts";
import type { EndpointId } from "../shared/ids.ts";
import { openSecret, type WebhookDeps } from "./endpoint.ts";
import { inTransaction, readSecret } from "./store.ts";

/**
 * The secret is never shown without an audit entry. A GET already holds a connection with its organization set. A second connection for the
 * entry's transaction could deadlock enough concurrent calls, so the transaction runs on the first one.
 */
export async function showSecret(deps: WebhookDeps, caller: Caller, endpoint_id: EndpointId, read: Read): Promise<string> {
  const sealed = await inTransaction(read, async (tx) => {
    const secret = await readSecret(tx, caller.org, endpoint_id);
    await appendAudit(tx, caller.org, { type: "endpoint.secret_shown", by: caller, data: { endpoint_id } });
    return secret;
  });
  return openSecret(deps, caller.org, endpoint_id, sealed);
}
