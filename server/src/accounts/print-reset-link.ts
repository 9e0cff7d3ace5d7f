import { appendAudit } from "../audit/append-audit.ts";
import type { SystemTx } from "../db/sql.ts";
import { asSystem, type Origin } from "../shared/caller.ts";
import { newToken, sha256 } from "../shared/secrets.ts";
import { type AccountDeps, RESET_SECONDS } from "./account.ts";
import { mailPerson } from "./factors.ts";
import { resetLinkPrintedMail } from "./messages.ts";
import { addPasswordReset, listMemberships, markResetPrinted } from "./store.ts";

/** For the command line. The operator gives the link to the person and so vouches for the address; an e-mail says that there is
 * one. Null if no account has it. */
export async function printResetLink(
  deps: AccountDeps,
  tx: SystemTx,
  by: Origin,
  email: string,
): Promise<{ readonly url: string; readonly entries: number } | null> {
  const token = newToken();
  const found = await addPasswordReset(tx, email, sha256(token), RESET_SECONDS);
  if (found === null) return null;
  await markResetPrinted(tx, sha256(token));
  const entry = { type: "password.reset_link_printed", by: asSystem(by), data: { user_id: found.user_id } } as const;
  const memberships = await listMemberships(tx, found.user_id);
  for (const { org_id } of memberships) await tx.forOrg(org_id, () => appendAudit(tx, org_id, entry));
  await mailPerson(deps, tx, found.user_id, resetLinkPrintedMail());
  return { url: `${deps.publicUrl}/console/reset#token=${token}`, entries: memberships.length };
}
