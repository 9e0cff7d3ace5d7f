import { appendAudit } from "../../audit/append-audit.ts";
import type { Member } from "../../shared/caller.ts";
import { invalidField } from "../../shared/problems.ts";
import type { MailDeps } from "../message.ts";
import { type StoredText, saveText } from "./store.ts";
import { type MailText, mailTextParts, refuseBadTexts } from "./text.ts";

/** Replaces the organization's words for one kind of message in one language. The audit entry has them. */
export function setText(deps: Pick<MailDeps, "db">, admin: Member, text: MailText): Promise<StoredText> {
  refuseBadTexts({ subject: text.subject, intro: text.intro, footer: text.footer });
  if (mailTextParts.every((part) => text[part] === null)) {
    throw invalidField("subject", "required", "or intro or footer must be given; DELETE restores the standard words");
  }
  return deps.db.tx(admin.org, async (tx) => {
    const saved = await saveText(tx, admin.org, text);
    const { kind, locale, subject, intro, footer } = saved;
    await appendAudit(tx, admin.org, { type: "mail_text.set", by: admin, data: { kind, locale, subject, intro, footer } });
    return saved;
  });
}
