import { appendAudit } from "../audit/append-audit.ts";
import type { Tx } from "../db/sql.ts";
import { asSystem, type Origin, systemOrigin } from "../shared/caller.ts";
import type { EnvelopeMail } from "./message.ts";
import type { Acceptance, Failure } from "./smtp.ts";
import type { MailEventType } from "./store.ts";

/** What a mail server or provider said about a message, as an entry in the audit trail of its envelope. */
export type MailFact =
  | { readonly type: "accepted"; readonly accepted: Acceptance }
  | { readonly type: "failed"; readonly failure: Failure }
  | {
      readonly type: MailEventType;
      readonly report: { readonly at: string | null; readonly detail: string | null };
      readonly from: Origin;
    };

const SENDER = systemOrigin("countersign worker", "mail.send");

export async function appendMailEntry(tx: Tx, mail: EnvelopeMail, fact: MailFact): Promise<void> {
  const { org_id, envelope_id, message_id, kind, to } = mail;
  const by = asSystem("from" in fact ? fact.from : SENDER);
  const data = { message_id, kind, to, ...dataOf(fact) };
  await appendAudit(tx, org_id, { type: `mail.${fact.type}`, by, envelope_id, data });
}

function dataOf(fact: MailFact) {
  if (fact.type === "accepted") {
    const { server, code, header_id, tls, body_sha256 } = fact.accepted;
    return { header_id, server, code, tls: tls === null ? null : { ...tls }, body_sha256 };
  }
  if (fact.type === "failed") return { code: fact.failure.code, stage: fact.failure.stage, reply: fact.failure.reply };
  return { at: fact.report.at, detail: fact.report.detail };
}
