import { appendAudit } from "../../audit/append-audit.ts";
import type { Member } from "../../shared/caller.ts";
import type { Locale } from "../../shared/locales.ts";
import type { MailDeps } from "../message.ts";
import { deleteTexts } from "./store.ts";
import type { MailTextKind } from "./text.ts";

/** Restores the standard words: of one kind and language, or of all where null. Removing them again changes nothing. */
export function removeTexts(deps: Pick<MailDeps, "db">, admin: Member, kind: MailTextKind | null, locale: Locale | null): Promise<void> {
  return deps.db.tx(admin.org, async (tx) => {
    for (const removed of await deleteTexts(tx, admin.org, kind, locale)) {
      await appendAudit(tx, admin.org, { type: "mail_text.removed", by: admin, data: { kind: removed.kind, locale: removed.locale } });
    }
  });
}
