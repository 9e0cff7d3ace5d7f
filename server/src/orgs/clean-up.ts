import type { OrgDeps } from "./org.ts";
import { type Forgotten, forgetEnded } from "./store.ts";

/** What has had its day: sessions a day after their end, stored answers after 24 hours, unused quotas, mail with dead links. */
export async function cleanUp(deps: OrgDeps): Promise<Forgotten> {
  return deps.db.system(forgetEnded);
}
