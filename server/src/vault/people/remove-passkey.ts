import type { PersonCaller } from "../../shared/caller.ts";
import type { PasskeyId } from "../../shared/ids.ts";
import { Problem } from "../../shared/problems.ts";
import type { PeopleDeps } from "./person.ts";
import { reportPasskeyChange } from "./report-passkey-change.ts";
import { revokePasskey } from "./store.ts";

/**
 * Also ends the sessions that began with it. A session that began with a code may not: a reader of the mail could remove every passkey
 * and then add one as the first.
 */
export async function removePasskey(deps: PeopleDeps, who: PersonCaller, passkey_id: PasskeyId): Promise<void> {
  if (who.person.began_with !== "passkey") throw new Problem("passkey_required");
  await deps.db.system(async (tx) => {
    const name = await revokePasskey(tx, who.person.person_id, passkey_id);
    if (name === null) throw new Problem("passkey_not_found");
    await reportPasskeyChange(deps, tx, who, { change: "removed", name });
  });
}
