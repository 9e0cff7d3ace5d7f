import type { Member } from "../shared/caller.ts";
import type { DeviceId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import type { AccountDeps } from "./account.ts";
import { appendInOrgs } from "./append-in-orgs.ts";
import { deleteDevice } from "./device-store.ts";

/** The browser is new to the account at its next log-in. Sessions in it go on. */
export async function forgetDevice(deps: AccountDeps, member: Member, device_id: DeviceId): Promise<void> {
  const { user_id } = member.session;
  await deps.db.system(async (tx) => {
    if (!(await deleteDevice(tx, device_id, user_id))) throw new Problem("device_not_found");
    await appendInOrgs(tx, user_id, { type: "browser.forgotten", by: member, data: { user_id, device_id } });
  });
}
