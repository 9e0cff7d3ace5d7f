import type { SystemTx } from "../db/sql.ts";
import type { Member } from "../shared/caller.ts";
import { Problem } from "../shared/problems.ts";
import { isSessionLive, lockOwnDetails } from "./store.ts";

/**
 * For the first statement of a change to the caller's account. Whatever takes an account back locks the person and ends their sessions: a
 * request that was authenticated before and waited for that lock is refused here instead of changing the account afterwards.
 */
export async function holdSession(tx: SystemTx, { org, session: { user_id, session_id } }: Member): Promise<void> {
  await lockOwnDetails(tx, user_id);
  if (!(await tx.forOrg(org, (inOrg) => isSessionLive(inOrg, org, session_id)))) throw new Problem("invalid_session");
}
