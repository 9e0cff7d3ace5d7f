import type { Caller } from "../shared/caller.ts";
import type { ViewId } from "../shared/ids.ts";
import { findView, reserveView, updateView } from "./store.ts";
import { personOf, queryOf, refuseSharing, type View, type ViewChange, type ViewDeps } from "./view.ts";

/** Members that the request leaves out stay unchanged. A shared view that is no longer shared becomes the caller's own. */
export function changeView({ db, parameters }: ViewDeps, caller: Caller, view_id: ViewId, change: ViewChange): Promise<View> {
  const me = personOf(caller);
  return db.tx(caller.org, async (tx) => {
    const before = await findView(tx, caller.org, me, view_id);
    const wasShared = before.user_id === null;
    const { shared = wasShared, name = before.name, position = before.position } = change;
    if (wasShared || shared) refuseSharing(caller);
    const user_id = shared ? null : me;
    if (shared !== wasShared) await reserveView(tx, caller.org, user_id);
    const view = { view_id, user_id, name, position, query: change.query === undefined ? before.query : queryOf(parameters, change.query) };
    await updateView(tx, caller.org, view);
    return view;
  });
}
