import { appendAudit } from "../../audit/append-audit.ts";
import type { Member } from "../../shared/caller.ts";
import type { MailDeps } from "../message.ts";
import { deleteSender } from "./store.ts";

/** From the next message on, the installation's sender is used. The key is erased. Removing it again changes nothing. */
export function removeSender(deps: Pick<MailDeps, "db">, admin: Member): Promise<void> {
  return deps.db.tx(admin.org, async (tx) => {
    if (!(await deleteSender(tx, admin.org))) return;
    await appendAudit(tx, admin.org, { type: "mail_sender.removed", by: admin, data: {} });
  });
}
