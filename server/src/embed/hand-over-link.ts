import { appendAudit } from "../audit/append-audit.ts";
import { open } from "../envelopes/envelope.ts";
import { lockSigningEnvelope } from "../envelopes/signing-envelope-store.ts";
import { wrongStatus } from "../envelopes/store.ts";
import type { Caller } from "../shared/caller.ts";
import type { EnvelopeId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import type { Slug } from "../shared/slugs.ts";
import { insertLink, linkAddress, newLinkSecret } from "../signing/link-store.ts";
import { listRecipients } from "../signing/store.ts";
import { isWaiting } from "../signing/submission.ts";
import type { EmbedDeps } from "./mint-token.ts";

export interface HandedOverLink {
  readonly url: string;
  readonly expires_at: Date;
}

/**
 * A link to any kind of recipient that the sender passes on by phone, in a chat or on paper. The caller could use it, so the audit trail names the caller, and
 * signatures made with it are recorded and printed as made with a handed-over link.
 */
export function handOverLink(deps: EmbedDeps, caller: Caller, envelope_id: EnvelopeId, slug: Slug): Promise<HandedOverLink> {
  const { org } = caller;
  return deps.db.tx(org, async (tx) => {
    const find = async () => (await listRecipients(tx, org, envelope_id)).find((one) => one.slug === slug);
    // Before the envelope's status is checked, so that the response does not reveal whether another organization has it.
    if ((await find()) === undefined) throw new Problem("signer_not_found");
    const { status, expires_at } = await lockSigningEnvelope(tx, org, envelope_id);
    if (!open.includes(status) || expires_at === null) throw wrongStatus("hand over a link", status);
    const signer = await find();
    if (signer === undefined) throw new Problem("signer_not_found", "corrected");
    if (!isWaiting(signer)) throw new Problem(signer.kind === "signer" ? "signer_signed" : "recipient_has_acted");
    const secret = newLinkSecret();
    await insertLink(tx, org, { kind: "handed_over", slug, secret, issued_by: caller.actor.id, expires_at });
    const data = { role: signer.role, user_email: signer.email, expires_at: expires_at.toISOString() };
    await appendAudit(tx, org, { type: "signer.link_handed_over", by: caller, envelope_id, data });
    return { url: linkAddress(deps.embedUrl, signer, secret), expires_at };
  });
}
