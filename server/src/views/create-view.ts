import type { Caller } from "../shared/caller.ts";
import { newId } from "../shared/ids.ts";
import { insertView, reserveView } from "./store.ts";
import { personOf, queryOf, refuseSharing, type View, type ViewChange, type ViewDeps } from "./view.ts";

/** Saves a list of envelopes. Without a position it is the last. */
export function createView(
  { db, parameters: known }: ViewDeps,
  caller: Caller,
  wanted: ViewChange & Required<Pick<ViewChange, "name" | "query">>,
): Promise<View> {
  const { shared = false, name, query, position } = wanted;
  if (shared) refuseSharing(caller);
  const user_id = shared ? null : personOf(caller);
  const parameters = queryOf(known, query);
  return db.tx(caller.org, async (tx) => {
    const next = await reserveView(tx, caller.org, user_id);
    const view = { view_id: newId("view", tx.now.getTime()), user_id, name, query: parameters, position: position ?? next };
    await insertView(tx, caller.org, view);
    return view;
  });
}
