import type { Caller } from "../shared/caller.ts";
import type { ViewId } from "../shared/ids.ts";
import { deleteView, findView } from "./store.ts";
import { personOf, refuseSharing, type ViewDeps } from "./view.ts";

export function removeView({ db }: ViewDeps, caller: Caller, view_id: ViewId): Promise<void> {
  const me = personOf(caller);
  return db.tx(caller.org, async (tx) => {
    const { user_id } = await findView(tx, caller.org, me, view_id);
    if (user_id === null) refuseSharing(caller);
    await deleteView(tx, caller.org, view_id);
  });
}
