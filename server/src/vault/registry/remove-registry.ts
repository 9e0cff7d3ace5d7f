import { appendAudit } from "../../audit/append-audit.ts";
import type { Caller } from "../../shared/caller.ts";
import { Problem } from "../../shared/problems.ts";
import { hostOf, type RegistryDeps } from "./registry.ts";
import { countWaiting, deleteRegistry, lockRegistry } from "./store.ts";

/** Does nothing if there is none. Acts that wait for an answer would wait in vain, so they are ended first. */
export function removeRegistry({ db }: Pick<RegistryDeps, "db">, caller: Caller): Promise<void> {
  const { org } = caller;
  return db.tx(org, async (tx) => {
    const registry = await lockRegistry(tx, org);
    if (registry === null) return;
    const { waiting } = await countWaiting(tx, org);
    if (waiting > 0) throw new Problem("registry_awaited", "", { words: { count: String(waiting) } });
    await deleteRegistry(tx, org);
    await appendAudit(tx, org, { type: "registry.removed", by: caller, data: { host: hostOf(registry) } });
  });
}
