import { randomBytes } from "node:crypto";
import type { Tx } from "../db/sql.ts";
import { mintToken } from "../embed/mint-token.ts";
import { refuseUnfitRecipients } from "../envelopes/recipient-input.ts";
import { takeQuota } from "../http/quota.ts";
import { lookOf } from "../mail/look.ts";
import { formLink } from "../mail/messages/to-visitor.ts";
import { findMailOrg } from "../mail/org-store.ts";
import { queueMail } from "../mail/queue-mail.ts";
import type { Origin } from "../shared/caller.ts";
import type { FormId, OrgId } from "../shared/ids.ts";
import type { Locale } from "../shared/locales.ts";
import { Problem } from "../shared/problems.ts";
import { sha256 } from "../shared/secrets.ts";
import type { Slug } from "../shared/slugs.ts";
import { inLanguage } from "../signing/submission.ts";
import { findOpenForm } from "./find-open-form.ts";
import { callerFor, type Form, type FormDeps, formAddress, notOpen, type VisitorInput } from "./form.ts";
import { makeCopy, refuseClosed } from "./make-copy.ts";
import { sendCopy } from "./send-copy.ts";
import { insertStart } from "./start-store.ts";
import { findForm, lockForm, orgOfForm } from "./store.ts";

// Long enough for slow mail servers. The visitor can request another link.
const CODE_MS = 30 * 60_000;
const DAY_SECONDS = 86_400;

export interface Started {
  /** null: a link may be on its way by mail */
  readonly embed_url: string | null;
}

/**
 * With `verify_email`, mails a link, and says nothing about whether it did. Otherwise makes and sends the visitor's copy at once.
 * `website`: a field that people do not see. Programs that fill in every field get the same answer, and nothing happens.
 */
export async function startForm(
  deps: FormDeps,
  from: Origin,
  slug: Slug,
  { website, locale, ...person }: Omit<VisitorInput, "locale"> & { readonly locale?: Locale; readonly website: string },
): Promise<Started> {
  const { org_id, form_id } = await findOpenForm(deps, from.ip, slug);
  const { form, sender } = await deps.db.tx(org_id, async (tx) => {
    const found = await findForm(tx, org_id, form_id);
    await refuseClosed(tx, { org: org_id }, found);
    return { form: found, sender: await orgOfForm(tx, org_id) };
  });
  const visitor = { ...person, locale: locale ?? sender.default_locale };
  refuseUnwritableName(visitor);
  if (website !== "") return { embed_url: null };
  // Set by the organization after it made the form: the visitor could open the document, but not sign it.
  if (sender.require_mailed_link && !form.settings.verify_email) throw notOpen("mailed links required");
  if (form.settings.verify_email) return mailCode(deps, from, org_id, form, visitor);
  return openCopy(deps, from, org_id, form_id, visitor);
}

/** A name that cannot be written under a signature is refused here, where the visitor can correct it. */
function refuseUnwritableName({ name, email }: VisitorInput): void {
  try {
    refuseUnfitRecipients({ field: "recipients", people: [{ kind: "signer", name, email, role: "Signer" }] }, "body");
  } catch (error) {
    if (!(error instanceof Problem) || error.details === undefined) throw error;
    const details = error.details.map((detail) => ({ ...detail, field: "name" }));
    throw new Problem("invalid_request", "name of a visitor", { details, cause: error });
  }
}

async function mailCode(deps: FormDeps, from: Origin, org: OrgId, form: Form, visitor: VisitorInput): Promise<Started> {
  const { mail, embedUrl } = deps.envelopes;
  await deps.db.tx(org, async (tx) => {
    if (!(await mayMail(deps, tx, visitor))) return;
    const code = randomBytes(16).toString("hex");
    const expires_at = new Date(tx.now.getTime() + CODE_MS);
    const sender = await findMailOrg(tx, org);
    const url = `${formAddress(embedUrl, form)}${inLanguage(visitor.locale)}#c=${code}`;
    const words = formLink({
      locale: visitor.locale,
      look: lookOf(sender),
      form_name: form.name,
      replies_to: sender.contact_email === null ? null : sender.name,
      url,
    });
    const message_id = await queueMail(mail, tx, org, {
      ...words,
      to: visitor.email,
      org_name: sender.name,
      ...(sender.contact_email !== null && { reply_to: sender.contact_email }),
      expires_at,
    });
    await insertStart(tx, org, form.form_id, { ...visitor, code_sha256: hashOfCode(code), message_id, ip: from.ip, expires_at });
  });
  return { embed_url: null };
}

export const hashOfCode = (code: string): string => sha256(code).toString("hex");

/** Counted over all organizations, so that no address is flooded through many forms. By its hash: the table of counts has no addresses. */
async function mayMail({ limits }: FormDeps, tx: Tx, { email }: VisitorInput): Promise<boolean> {
  const subject = `form-mail:${sha256(email.trim().toLowerCase()).toString("hex")}`;
  return (await takeQuota(tx, subject, limits.mailsPerAddressDay, DAY_SECONDS)).accepted;
}

async function openCopy(deps: FormDeps, from: Origin, org: OrgId, form_id: FormId, visitor: VisitorInput): Promise<Started> {
  const caller = callerFor(org, from);
  const envelope_id = await deps.db.enclosing(org, async (tx) => {
    const form = await lockForm(tx, org, form_id);
    return makeCopy(deps, tx, caller, form, visitor);
  });
  await sendCopy(deps, caller, envelope_id);
  const { embed_url } = await mintToken(deps.embed, caller, {
    envelope_id,
    user_email: visitor.email,
    widget: "sign",
    locale: visitor.locale,
  });
  return { embed_url };
}
