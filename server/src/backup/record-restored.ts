import { appendAudit } from "../audit/append-audit.ts";
import type { Tx } from "../db/sql.ts";
import { asSystem, systemOrigin } from "../shared/caller.ts";
import type { OrgId } from "../shared/ids.ts";
import { listOrgIds } from "../transparency/note-store.ts";
import { takeRestored } from "./store.ts";

/** Runs something that may see the rows of one organization, in the same transaction. */
type InOrg = (org: OrgId, run: (tx: Tx) => Promise<unknown>) => Promise<unknown>;

/**
 * The audit trails say from which moment on they are those of a backup. `restore` does this at its end; if its host died before, the next
 * start, migration or release does, before it adds anything else. Each entry is written exactly once.
 */
export async function recordRestored(tx: Tx, inOrg: InOrg): Promise<void> {
  const restored = await takeRestored(tx);
  if (restored === null) return;
  const { made_at, version, log_size, missing, operator } = restored;
  const by = asSystem({ ...systemOrigin("countersign cli", "cli"), operator });
  for (const org of await listOrgIds(tx)) {
    const missing_documents = missing === null ? null : (missing[org] ?? 0);
    const data = { backup_made_at: made_at, backup_version: version, log_size, missing_documents };
    await inOrg(org, (own) => appendAudit(own, org, { type: "installation.restored", by, data }));
  }
}
