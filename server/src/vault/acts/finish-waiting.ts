import type { VaultDeps } from "../copy.ts";
import { vaultJobCaller } from "../copy.ts";
import { inTurn } from "../in-turn.ts";
import { changePeople } from "./change-people.ts";
import { lockActWithControl } from "./end-act.ts";
import { findWaitingActs } from "./store.ts";

// They are rare; the next run does the rest.
const AT_ONCE = 100;

/** Acts to which no one objected in time take effect. Returns how many. */
export async function finishWaiting(deps: Pick<VaultDeps, "db">): Promise<number> {
  const due = await deps.db.system((tx) => findWaitingActs(tx, AT_ONCE));
  return inTurn(due, ({ org_id, act_id }) =>
    deps.db.tx(org_id, async (tx) => {
      const { act } = await lockActWithControl(tx, org_id, act_id);
      // Someone may have objected meanwhile.
      if (act.state !== "confirmed" || act.waits_until === null || act.waits_until > tx.now) return false;
      await changePeople(tx, vaultJobCaller(org_id), act);
      return true;
    }),
  );
}
