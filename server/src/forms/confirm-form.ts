import { appendAudit } from "../audit/append-audit.ts";
import type { Tx } from "../db/sql.ts";
import type { Caller, Origin } from "../shared/caller.ts";
import type { EnvelopeId, FormId, OrgId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import { sha256 } from "../shared/secrets.ts";
import type { Slug } from "../shared/slugs.ts";
import { hashOfSecret, hasLink, insertLink, type LinkSecret, linkAddress } from "../signing/link-store.ts";
import { lookUpRecipient } from "../signing/store.ts";
import { callerFor, type FormDeps, notOpen } from "./form.ts";
import { makeCopy, refuseClosed } from "./make-copy.ts";
import { sendCopy } from "./send-copy.ts";
import { hashOfCode } from "./start-form.ts";
import { lookUpOpenCopy, lookUpStart, setEnvelope } from "./start-store.ts";
import { lockForm, lookUpSlug } from "./store.ts";

/**
 * The visitor has read the mail. A code makes at most one envelope, and gives its link again until it expires. An address that has an open
 * copy gets that one instead of another.
 */
export async function confirmForm(deps: FormDeps, from: Origin, slug: Slug, code: string): Promise<string> {
  const found = await deps.db.system((tx) => lookUpSlug(tx, slug));
  if (found === null) throw notOpen("unknown");
  const { org_id: org, form_id } = found;
  const caller = callerFor(org, from);
  const envelope_id = await deps.db.enclosing(org, (tx) => copyFor(deps, tx, caller, form_id, code));
  await sendCopy(deps, caller, envelope_id);
  return deps.db.tx(org, (tx) => linkTo(deps, tx, org, form_id, code));
}

/** Under the form's lock, so that two tabs with the same code, or two codes of the same address, find one envelope. */
async function copyFor(deps: FormDeps, tx: Tx, caller: Caller, form_id: FormId, code: string): Promise<EnvelopeId> {
  const { org } = caller;
  const form = await lockForm(tx, org, form_id);
  const start = await lookUpStart(tx, org, form_id, hashOfCode(code));
  if (start === null) {
    await refuseClosed(tx, caller, form);
    throw new Problem("invalid_code", "of a form");
  }
  if (start.envelope_id !== null) return start.envelope_id;
  const { email: user_email, email_key, message_id, mail_sent_at } = start;
  const open = await lookUpOpenCopy(tx, org, form_id, { email_key, visitor_role: form.settings.visitor_role });
  const envelope_id = open ?? (await makeCopy(deps, tx, caller, form, start));
  await setEnvelope(tx, org, start.code_sha256, envelope_id);
  const data = { form_id, user_email, message_id, mail_sent_at: mail_sent_at?.toISOString() ?? null, is_new: open === null };
  await appendAudit(tx, org, { type: "form.confirmed", by: caller, envelope_id, data });
  return envelope_id;
}

/** A signing link that the mail gave: it counts as mailed with that message, like the link in an invitation. */
async function linkTo({ embed }: FormDeps, tx: Tx, org: OrgId, form_id: FormId, code: string): Promise<string> {
  await lockForm(tx, org, form_id);
  const start = await lookUpStart(tx, org, form_id, hashOfCode(code));
  const recipient = start?.envelope_id == null ? null : await lookUpRecipient(tx, org, start.envelope_id, start.email);
  // The code has expired meanwhile, or the sender has given the visitor's place to another address.
  if (start === null || recipient === null) throw new Problem("invalid_code", "no recipient");
  const { slug } = recipient;
  const secret = secretOf(code);
  if (!(await hasLink(tx, org, slug, hashOfSecret(secret)))) {
    await insertLink(tx, org, { kind: "mailed", slug, secret, message_id: start.message_id, expires_at: null });
  }
  return linkAddress(embed.embedUrl, recipient, secret);
}

/** Follows from the code, so that the same code gives the same link, and only hashes of both are stored. */
const secretOf = (code: string): LinkSecret => sha256(`countersign form link ${code}`).toString("hex").slice(0, 32);
