import type { Visitor } from "../http/endpoint.ts";
import { enqueue } from "../jobs/enqueue.ts";
import { sealAddress } from "../mail/sealed-address.ts";
import { Problem } from "../shared/problems.ts";
import { sha256 } from "../shared/secrets.ts";
import type { AccountDeps } from "./account.ts";
import { revokeDevice, useAccountLink } from "./device-store.ts";
import { endSessionSeries } from "./end-session-series.ts";
import { findUser } from "./store.ts";

/**
 * "This was not me": ends the session, makes its browser unknown, and mails the person a link for a new password. The link in this mail
 * is valid for a week, so it does not set a password itself.
 */
export async function reportLogIn(deps: AccountDeps, visitor: Visitor, token: string): Promise<void> {
  await deps.db.system(async (tx) => {
    const link = await useAccountLink(tx, sha256(token), "not_me");
    if (link === null) throw new Problem("invalid_link");
    const { user_id, org_id, session_id, device_id } = link;
    // Before the audit chains, in the same lock order as a log-in.
    if (device_id !== null) await revokeDevice(tx, device_id);
    if (org_id !== null && session_id !== null) await endSessionSeries(tx, visitor, { org_id, session_id }, "session.reported");
    const { email } = await findUser(tx, user_id);
    await enqueue(tx, "accounts.send-reset", { address_enc: sealAddress(deps, email) });
  });
}
