import { appendAudit } from "../../audit/append-audit.ts";
import type { Member } from "../../shared/caller.ts";
import type { Locale } from "../../shared/locales.ts";
import type { MailDeps } from "../message.ts";
import { deleteText } from "./store.ts";
import type { MailTextKind } from "./text.ts";

/** Restores the standard words. Removing them again changes nothing. */
export function removeText(deps: Pick<MailDeps, "db">, admin: Member, kind: MailTextKind, locale: Locale): Promise<void> {
  return deps.db.tx(admin.org, async (tx) => {
    if (!(await deleteText(tx, admin.org, kind, locale))) return;
    await appendAudit(tx, admin.org, { type: "mail_text.removed", by: admin, data: { kind, locale } });
  });
}
