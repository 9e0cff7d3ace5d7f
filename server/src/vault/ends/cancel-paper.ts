import { appendAudit } from "../../audit/append-audit.ts";
import { enqueue } from "../../jobs/enqueue.ts";
import type { Caller } from "../../shared/caller.ts";
import type { EndingId } from "../../shared/ids.ts";
import { Problem } from "../../shared/problems.ts";
import { requireState, type VaultDeps } from "../copy.ts";
import { lockCopyById, setCopyState } from "../copy-store.ts";
import type { RecordEnding } from "./ending.ts";
import { closeEnding, findEnding } from "./ending-store.ts";
import { closed } from "./person-papers.ts";

/** Returns the record to the vault. Only before the first download: afterwards the paper may exist. A destruction cannot be cancelled. */
export function cancelPaper(deps: Pick<VaultDeps, "db">, caller: Caller, ending_id: EndingId): Promise<RecordEnding> {
  const { org } = caller;
  return deps.db.tx(org, async (tx) => {
    const { copy_id } = await findEnding(tx, org, ending_id);
    const copy = await lockCopyById(tx, org, copy_id);
    const one = await findEnding(tx, org, ending_id);
    if (one.state !== "begun" || one.kind !== "paper") throw closed(one);
    if (one.downloaded_at !== null) throw new Problem("paper_downloaded");
    requireState(copy, "papering");
    await closeEnding(tx, org, ending_id, { state: "cancelled", at: copy.now });
    await setCopyState(tx, org, copy, "active");
    const data = { ending_id, copy_id };
    const { envelope_id } = one;
    const type = "vault.paper_cancelled";
    const { hash } = await appendAudit(tx, org, { type, by: caller, envelope_id, data });
    await enqueue(tx, "vault.evaluate", { org_id: org, envelope_id, cause: { type, hash } });
    return findEnding(tx, org, ending_id);
  });
}
