import type { Tx } from "../db/sql.ts";
import { takeQuota } from "../http/quota.ts";
import type { EnvelopeId, OrgId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import { sha256 } from "../shared/secrets.ts";
import type { Slug } from "../shared/slugs.ts";
import { lookUpLink, lookUpSigner } from "../signing/store.ts";
import type { TokenClaims } from "./embed-token.ts";
import type { EmbedDeps } from "./mint-token.ts";

// A page renews every twelve minutes, and some people have several open. More would only lengthen the envelope's chain.
const LINK_TOKENS_PER_MINUTE = 20;

export interface Link {
  readonly slug: Slug;
  readonly org_id: OrgId;
  readonly envelope_id: EnvelopeId;
  readonly email: string;
}

/** Whose link it is. Each use counts, whatever comes of it. */
export async function takeLink(deps: EmbedDeps, slug: Slug): Promise<Link> {
  const { quota, ...link } = await deps.db.system(async (tx) => {
    const found = await lookUpLink(tx, slug);
    if (found === null) throw new Problem("link_not_found");
    const quota = await takeQuota(tx, `link:${sha256(slug).toString("hex")}`, LINK_TOKENS_PER_MINUTE, 60);
    return { ...found, slug, quota };
  });
  if (!quota.accepted) throw new Problem("rate_limited", "link tokens", { quota });
  return link;
}

/** What its token says. */
export async function claimsOfLink(tx: Tx, { slug, org_id, envelope_id, email }: Link): Promise<TokenClaims> {
  const signer = await lookUpSigner(tx, org_id, envelope_id, email);
  // Corrected while we waited: the link is a new one now.
  if (signer?.slug !== slug) throw new Problem("link_not_found", "corrected");
  return { org_id, envelope_id, user_email: signer.email, widget: "sign" };
}
