import type { OrgDeps } from "./org.ts";
import { type DeletedCounts, deleteExpired } from "./store.ts";

/** Deletes sessions a day after their end, stored responses after 24 hours, unused quotas, and the text of mails with expired links. */
export async function cleanUp(deps: OrgDeps): Promise<DeletedCounts> {
  return deps.db.system(deleteExpired);
}
