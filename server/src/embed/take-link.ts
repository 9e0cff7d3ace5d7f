import type { Tx } from "../db/sql.ts";
import { takeQuota } from "../http/quota.ts";
import type { EnvelopeId, OrgId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import { sha256 } from "../shared/secrets.ts";
import type { Slug } from "../shared/slugs.ts";
import { hashOfSecret, hasLink, type LinkSecret, lookUpBareLink, lookUpLiveLink } from "../signing/link-store.ts";
import { lookUpFormerLink, lookUpLink, lookUpRecipient } from "../signing/store.ts";
import { noLongerRecipient, type Recipient } from "../signing/submission.ts";
import type { TokenClaims } from "./embed-token.ts";
import type { EmbedDeps } from "./mint-token.ts";

// A page renews every twelve minutes, and some people have several open. More would only lengthen the envelope's chain.
const LINK_TOKENS_PER_MINUTE = 20;

export interface Link {
  readonly slug: Slug;
  readonly org_id: OrgId;
  readonly envelope_id: EnvelopeId;
  readonly email: string;
  /** null: a link from before links had secrets */
  readonly secret_sha256: string | null;
}

/**
 * Finds the recipient of a link. A wrong secret, a revoked link and an unknown slug return the same 404, and do not use the valid link's
 * quota.
 */
export async function takeLink(deps: EmbedDeps, slug: Slug, secret: LinkSecret | null): Promise<Link> {
  const found = await deps.db.system((tx) => lookUpLink(tx, slug));
  const secret_sha256 = secret === null ? null : hashOfSecret(secret);
  if (found === null) throw await goneOrUnknown(deps, slug, secret_sha256);
  const quota = await deps.db.tx(found.org_id, async (tx) => {
    if ((await useOf(tx, found.org_id, slug, secret_sha256)) === null) throw new Problem("link_not_found", "no such secret");
    return takeQuota(tx, `link:${secret_sha256 ?? sha256(slug).toString("hex")}`, LINK_TOKENS_PER_MINUTE, 60);
  });
  if (!quota.accepted) throw new Problem("rate_limited", "link tokens", { quota });
  return { ...found, slug, secret_sha256 };
}

/** The holder of a link whose recipient was removed or replaced learns that. Without its secret, the slug is as good as unknown. */
async function goneOrUnknown(deps: EmbedDeps, slug: Slug, secret_sha256: string | null): Promise<Problem> {
  const org = secret_sha256 === null ? null : await deps.db.system((tx) => lookUpFormerLink(tx, slug));
  const isHeld = org !== null && secret_sha256 !== null && (await deps.db.tx(org, (tx) => hasLink(tx, org, slug, secret_sha256)));
  return isHeld ? noLongerRecipient() : new Problem("link_not_found");
}

const useOf = (tx: Tx, org: OrgId, slug: Slug, secret_sha256: string | null) =>
  secret_sha256 === null ? lookUpBareLink(tx, org, slug) : lookUpLiveLink(tx, org, slug, secret_sha256);

/** The claims of the link's token. */
export async function claimsOfLink(
  tx: Tx,
  { slug, org_id, envelope_id, email, secret_sha256 }: Link,
): Promise<TokenClaims & Pick<Recipient, "kind">> {
  const recipient = await lookUpRecipient(tx, org_id, envelope_id, email);
  // Corrected while this transaction waited: the link is no longer valid.
  if (recipient?.slug !== slug) throw new Problem("link_not_found", "corrected");
  return { org_id, envelope_id, user_email: recipient.email, widget: "sign", link: secret_sha256, kind: recipient.kind };
}
