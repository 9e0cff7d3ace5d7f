import { findSentEnvelope } from "../envelopes/record-submission.ts";
import type { EnvelopeId } from "../shared/ids.ts";
import type { Slug } from "../shared/slugs.ts";
import { refuseEnded } from "../signing/submission.ts";
import { signToken } from "./embed-token.ts";
import type { EmbedDeps } from "./mint-token.ts";
import { claimsOfLink, takeLink } from "./take-link.ts";

export interface OpenedLink {
  readonly envelope_id: EnvelopeId;
  readonly token: string;
  readonly expires_at: Date;
}

/**
 * A token for the page that a mail's link opens, so that its first calls wait for none. Programs that look for bad links fetch the page
 * too, and nobody has acted by that: nothing is recorded and nothing locked until the token is used.
 */
export async function openLink(deps: EmbedDeps, slug: Slug): Promise<OpenedLink> {
  const link = await takeLink(deps, slug);
  const { org_id, envelope_id } = link;
  return deps.db.tx(org_id, async (tx) => {
    refuseEnded(await findSentEnvelope(tx, org_id, envelope_id));
    return { envelope_id, ...(await signToken(deps, "email_link", await claimsOfLink(tx, link), tx.now)) };
  });
}
