import { appendAudit } from "../../audit/append-audit.ts";
import type { Tx } from "../../db/sql.ts";
import type { Caller } from "../../shared/caller.ts";
import type { ActId, OrgId } from "../../shared/ids.ts";
import { Problem } from "../../shared/problems.ts";
import { type VaultDeps, vaultJobCaller } from "../copy.ts";
import { inTurn } from "../in-turn.ts";
import { lockParty } from "../parties/store.ts";
import { type Act, type ActWithDecisions, isOpen } from "./act.ts";
import { type Control, lockControl } from "./control.ts";
import { readDocument } from "./document.ts";
import { kinds, type RecordKind } from "./kinds.ts";
import { findAct, findDueActs, lockAct, setActState } from "./store.ts";

export type Ending = "refused" | "cancelled" | "expired" | "superseded";

const entries = {
  refused: "act.refused",
  cancelled: "act.cancelled",
  expired: "act.expired",
  superseded: "act.superseded",
} as const satisfies Record<Ending, string>;

/** Closes an act without effect. The caller holds the locks. A refusal has its entry from the decision. `reason`: why, if it is known. */
export async function endAct(
  tx: Tx,
  caller: Caller,
  control: Control | null,
  act: ActWithDecisions,
  as: Ending,
  reason: string | null = null,
): Promise<void> {
  const { org } = caller;
  const { act_id, kind, sha256, envelope_id } = act;
  await setActState(tx, org, act, as, control?.copy.now ?? tx.now);
  if (as !== "refused") {
    const data = { act_id, kind, sha256, ...(reason !== null && { reason }) };
    await appendAudit(tx, org, { type: entries[as], by: caller, ...(envelope_id !== null && { envelope_id }), data });
  }
  if (control !== null)
    await kinds[kind as RecordKind].end?.(tx, caller, control, act, { as: as === "superseded" ? "cancelled" : as, reason });
}

/** Locks what the act is about, then the act. */
export async function lockActWithControl(tx: Tx, org: OrgId, act_id: ActId): Promise<{ act: ActWithDecisions; control: Control | null }> {
  const found = await findAct(tx, org, act_id);
  const control = found.envelope_id === null ? null : await lockControl(tx, org, found.envelope_id);
  const party_id = readDocument(found).party?.party_id;
  if (found.kind === "change_people" && party_id != null) await lockParty(tx, org, party_id);
  return { act: await lockAct(tx, org, act_id), control };
}

export function refuseClosed(act: Pick<Act, "state">): void {
  if (!isOpen(act)) throw actClosed(act);
}

const actClosed = ({ state }: Pick<Act, "state">): Problem => new Problem("act_closed", "", { words: { state } });

export function cancelAct(deps: Pick<VaultDeps, "db">, caller: Caller, act_id: ActId): Promise<ActWithDecisions> {
  return deps.db.tx(caller.org, async (tx) => {
    const { act, control } = await lockActWithControl(tx, caller.org, act_id);
    refuseClosed(act);
    // Some of its records may have changed already.
    if (act.control_batch_id !== null && act.state === "confirmed") throw actClosed(act);
    await endAct(tx, caller, control, act, "cancelled");
    return findAct(tx, caller.org, act_id);
  });
}

// Acts per run. They last for days, so more than this are rarely due in one minute; the next run ends the rest.
const AT_ONCE = 500;

/** Closes overdue acts. Returns how many. */
export async function expireActs(deps: Pick<VaultDeps, "db">, atOnce = AT_ONCE): Promise<number> {
  const due = await deps.db.system((tx) => findDueActs(tx, atOnce));
  return inTurn(due, ({ org_id, act_id }) => expireAct(deps, org_id, act_id));
}

/** False if it was already closed. */
function expireAct(deps: Pick<VaultDeps, "db">, org: OrgId, act_id: ActId): Promise<boolean> {
  return deps.db.tx(org, async (tx) => {
    const { act, control } = await lockActWithControl(tx, org, act_id);
    if (act.state !== "expired" || act.closed_at !== null) return false;
    await endAct(tx, vaultJobCaller(org), control, act, "expired");
    return true;
  });
}
