import { appendAudit } from "../audit/append-audit.ts";
import type { Caller } from "../shared/caller.ts";
import type { KeyId } from "../shared/ids.ts";
import type { KeyDeps } from "./key.ts";
import { markDeactivated } from "./store.ts";

/** Deactivates the key from the next request on, in every process. A second call changes nothing and returns the time of the first. */
export async function deactivateKey(deps: KeyDeps, caller: Caller, key_id: KeyId): Promise<Date> {
  return deps.db.tx(caller.org, async (tx) => {
    const { deactivated_at, changed } = await markDeactivated(tx, caller.org, key_id);
    if (changed) await appendAudit(tx, caller.org, { type: "key.deactivated", by: caller, data: { key_id } });
    return deactivated_at;
  });
}
