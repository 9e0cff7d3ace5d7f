import { lockEnvelope } from "../envelopes/on-submission.ts";
import type { Origin } from "../shared/caller.ts";
import type { Slug } from "../shared/slugs.ts";
import type { LinkSecret } from "../signing/link-store.ts";
import { actorOf, refuseEnded } from "../signing/submission.ts";
import { type EmbedDeps, type MintedToken, mint } from "./mint-token.ts";
import { claimsOfLink, takeLink } from "./take-link.ts";

/** A token for the holder of a signing link, also after everyone has signed, because signers return for their copy. */
export async function mintLinkToken(deps: EmbedDeps, from: Origin, slug: Slug, secret: LinkSecret | null): Promise<MintedToken> {
  const link = await takeLink(deps, slug, secret);
  return deps.db.tx(link.org_id, async (tx) => {
    refuseEnded(await lockEnvelope(tx, link.org_id, link.envelope_id));
    const { kind, ...claims } = await claimsOfLink(tx, link);
    const by = { ...from, actor: actorOf({ kind, slug }) };
    return mint(deps, tx, by, "email_link", { ...claims, locale: null });
  });
}
