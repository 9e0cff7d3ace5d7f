import { lockEnvelope } from "../envelopes/record-submission.ts";
import { takeQuota } from "../http/quota.ts";
import type { Origin } from "../shared/caller.ts";
import { Problem } from "../shared/problems.ts";
import { sha256 } from "../shared/secrets.ts";
import type { Slug } from "../shared/slugs.ts";
import { lookUpLink, lookUpSigner } from "../signing/store.ts";
import { refuseEnded } from "../signing/submission.ts";
import { type EmbedDeps, type MintedToken, mint } from "./mint-token.ts";

// A page renews every twelve minutes, and some people have several open. More would only lengthen the envelope's chain.
const LINK_TOKENS_PER_MINUTE = 20;

/** A token for whoever has the link of the mail, also once everybody signed: they come back for their copy. */
export async function mintLinkToken(deps: EmbedDeps, from: Origin, slug: Slug): Promise<MintedToken> {
  const link = await deps.db.system(async (tx) => {
    const found = await lookUpLink(tx, slug);
    if (found === null) throw new Problem("link_not_found");
    const quota = await takeQuota(tx, `link:${sha256(slug).toString("hex")}`, LINK_TOKENS_PER_MINUTE, 60);
    return { ...found, quota };
  });
  if (!link.quota.accepted) throw new Problem("rate_limited", "link tokens", { quota: link.quota });
  const { org_id, envelope_id } = link;
  return deps.db.tx(org_id, async (tx) => {
    refuseEnded(await lockEnvelope(tx, org_id, envelope_id));
    const signer = await lookUpSigner(tx, org_id, envelope_id, link.email);
    // Corrected while we waited: the link is a new one now.
    if (signer?.slug !== slug) throw new Problem("link_not_found", "corrected");
    const by = { ...from, actor: { kind: "signer", id: slug } } as const;
    return mint(deps, tx, by, "email_link", { org_id, envelope_id, user_email: signer.email, widget: "sign" });
  });
}
