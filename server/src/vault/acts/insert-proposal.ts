import { appendAudit } from "../../audit/append-audit.ts";
import type { Tx } from "../../db/sql.ts";
import type { Caller } from "../../shared/caller.ts";
import type { Principal } from "../principal-store.ts";
import { askVaults } from "../remote-requests/ask-vaults.ts";
import { type ActDocument, writeDocument } from "./document.ts";
import { insertAct } from "./store.ts";

/** Stores what is proposed, those it asks, and the entry in the chain of the record, or of the organization if it is not about one record. */
export async function insertProposal(tx: Tx, caller: Caller, document: ActDocument, principal: Principal | null): Promise<void> {
  const { org } = caller;
  const { act_id, kind, envelope_id, present_version: expected_version, batch, needs } = document;
  const written = writeDocument(document);
  const act = {
    ...written,
    act_id,
    kind,
    envelope_id,
    control_batch_id: batch?.control_batch_id ?? null,
    expected_version,
    proposed_by: caller.actor,
    principal: principal?.id ?? null,
    principal_email: principal?.email ?? null,
    proposed_at: new Date(document.proposed_at),
    expires_at: new Date(document.expires_at),
  };
  await insertAct(tx, org, act, needs);
  await askVaults(tx, org, act_id, needs);
  const about = { ...(expected_version !== null && { version: expected_version }), ...batch };
  const data = { act_id, kind, sha256: written.sha256, ...about };
  await appendAudit(tx, org, { type: "act.proposed", by: caller, ...(envelope_id !== null && { envelope_id }), data });
}
