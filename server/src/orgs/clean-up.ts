import type { OrgDeps } from "./org.ts";
import { type Forgotten, forgetEnded } from "./store.ts";

/** Deletes sessions a day after their end, stored responses after 24 hours, unused quotas, and the text of mails with expired links. */
export async function cleanUp(deps: OrgDeps): Promise<Forgotten> {
  return deps.db.system(forgetEnded);
}
