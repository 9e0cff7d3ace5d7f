import type { Leased, Read } from "../db/sql.ts";
import type { Admission } from "../http/authenticate.ts";
import type { WidgetAccess } from "../http/endpoint.ts";
import type { Actor, LinkUse } from "../shared/caller.ts";
import type { Slug } from "../shared/slugs.ts";
import { lookUpBareLink, lookUpLiveLink } from "../signing/link-store.ts";
import { lookUpCorrection, lookUpRemoval } from "../signing/store.ts";
import { actorOf, noLongerRecipient } from "../signing/submission.ts";
import { hashOfToken, TOKEN_SECONDS, type TokenDeps, type VerifiedToken, verifyToken } from "./embed-token.ts";
import { enterCounted } from "./store.ts";

// A page that saves each field as it is filled in makes a call every few seconds; only a loop in a script makes more.
export const WIDGET_CALLS_PER_MINUTE = 120;
// An image and a text per page: enough for a reader who pages through three hundred pages and back.
export const WIDGET_PAGES_PER_MINUTE = 600;

const VIEWER: Actor = { kind: "viewer", id: "viewer" };

/**
 * Sets the connection's organization from the token, which we signed. The recipient of the token's address is looked up on every request,
 * so the old tokens of a corrected, replaced or removed person no longer work.
 */
export async function authenticateWidget(
  deps: TokenDeps,
  read: Leased,
  token: string,
  { widget, counts }: WidgetAccess,
): Promise<Admission | null> {
  const verified = await verifyToken(deps, token);
  if (verified === null || verified.widget !== widget) return null;
  const { org_id, envelope_id, user_email, credential, expires_at: token_expires_at } = verified;
  const [kind, limit] = counts === "page" ? ["widget-page", WIDGET_PAGES_PER_MINUTE] : ["widget", WIDGET_CALLS_PER_MINUTE];
  const token_sha256 = hashOfToken(token);
  const { taken, recipient } = await enterCounted(read, verified, { subject: `${kind}:${token_sha256}`, limit, windowSeconds: 60 });
  const { accepted, ...quota } = taken;
  if (recipient === null && (await isForRemoved(read, verified))) throw noLongerRecipient();
  const link = credential === "email_link" && recipient !== null ? await useOfLink(read, verified, recipient.slug) : null;
  // A link belongs to one recipient, and a token that was created for it ends with it.
  if (credential === "email_link" && link === null) return null;
  // A token that was created for a signer who has been corrected since is refused too.
  if (recipient === null && (await isForCorrectedSigner(read, verified))) return null;
  return {
    org: org_id,
    actor: recipient === null ? VIEWER : actorOf(recipient),
    scopes: [],
    session: null,
    holder: { envelope_id, user_email, slug: recipient?.slug ?? null, credential, link, token_expires_at, token_sha256 },
    accepted,
    quota,
    expires_at: null,
  };
}

/** Null if the link was revoked or has expired. */
function useOfLink(read: Read, { org_id, link }: VerifiedToken, slug: Slug): Promise<LinkUse | null> {
  return link === null ? lookUpBareLink(read, org_id, slug) : lookUpLiveLink(read, org_id, slug, link);
}

/** Also a token that was created in the second of the removal. */
async function isForRemoved(read: Read, { org_id, envelope_id, user_email, expires_at }: VerifiedToken): Promise<boolean> {
  const removed_at = await lookUpRemoval(read, org_id, envelope_id, user_email);
  return removed_at !== null && expires_at.getTime() - TOKEN_SECONDS * 1000 <= removed_at.getTime();
}

/** Tokens have whole seconds, so one from the same second as the correction is refused too. */
async function isForCorrectedSigner(read: Read, { org_id, envelope_id, user_email, expires_at }: VerifiedToken): Promise<boolean> {
  const corrected_at = await lookUpCorrection(read, org_id, envelope_id, user_email);
  return corrected_at !== null && expires_at.getTime() - TOKEN_SECONDS * 1000 <= corrected_at.getTime();
}
