import type { ActId, OrgId } from "../../shared/ids.ts";
import { Problem, problems } from "../../shared/problems.ts";
import { type VaultDeps, vaultJobCaller } from "../copy.ts";
import type { ActWithDecisions } from "./act.ts";
import { endAct, lockActWithControl } from "./end-act.ts";
import type { SlowKind } from "./kind.ts";
import { kinds, type RecordKind } from "./kinds.ts";
import { findAct } from "./store.ts";
import { settleAct } from "./take-effect.ts";

/**
 * Does what a confirmed act needs before it takes effect. If the record no longer allows it, the act ends and its entry says why. After a
 * crash the job runs again, and an act that has ended in the meantime is left alone.
 */
export async function finishAct(
  deps: VaultDeps,
  { org_id: org, act_id }: { readonly org_id: OrgId; readonly act_id: ActId },
): Promise<void> {
  const act = await deps.db.tx(org, (tx) => findAct(tx, org, act_id));
  if (act.state !== "confirmed") return;
  const kind = kinds[act.kind as RecordKind];
  if (!("prepare" in kind)) throw new Error(`${act_id} needs no work`);
  try {
    await finish(deps, org, act, kind);
  } catch (error) {
    if (!(error instanceof Problem) || problems[error.code].kind !== "conflict") throw error;
    await giveUp(deps, org, act_id, error);
  }
}

async function finish(deps: VaultDeps, org: OrgId, act: ActWithDecisions, { prepare }: SlowKind): Promise<void> {
  const caller = vaultJobCaller(org);
  const takeEffect = await prepare(deps, caller, act);
  await deps.db.tx(org, async (tx) => {
    const { act: locked, control } = await lockActWithControl(tx, org, act.act_id);
    if (locked.state !== "confirmed" || control === null) return;
    await takeEffect(tx, control);
    await settleAct(tx, caller, control, locked);
  });
}

function giveUp(deps: VaultDeps, org: OrgId, act_id: ActId, { code }: Problem): Promise<void> {
  return deps.db.tx(org, async (tx) => {
    const { act, control } = await lockActWithControl(tx, org, act_id);
    if (act.state === "confirmed") await endAct(tx, vaultJobCaller(org), control, act, "cancelled", code);
  });
}
