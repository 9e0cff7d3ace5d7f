import { lockSigningEnvelope } from "../envelopes/signing-envelope-store.ts";
import type { Caller } from "../shared/caller.ts";
import type { EnvelopeId } from "../shared/ids.ts";
import { listSigners } from "../signing/store.ts";
import type { Signer } from "../signing/submission.ts";
import { type EmbedDeps, mint, refuseWrongStatus } from "./mint-token.ts";

export type SigningLink = Pick<Signer, "email" | "name" | "slug" | "status"> & { readonly embed_url: string };

/** A new token for every signer, each recorded in the chain because the caller could open all the links. */
export function mintSigningLinks(deps: EmbedDeps, caller: Caller, envelope_id: EnvelopeId): Promise<SigningLink[]> {
  const { org } = caller;
  return deps.db.tx(org, async (tx) => {
    refuseWrongStatus(await lockSigningEnvelope(tx, org, envelope_id), "sign");
    const links: SigningLink[] = [];
    for (const { email, name, slug, status, locale } of await listSigners(tx, org, envelope_id)) {
      const claims = { org_id: org, envelope_id, user_email: email, widget: "sign", link: null, locale } as const;
      const { embed_url } = await mint(deps, tx, caller, "embed_token", claims);
      links.push({ email, name, slug, status, embed_url });
    }
    return links;
  });
}
