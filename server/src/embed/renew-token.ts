import { lockEnvelope } from "../envelopes/on-submission.ts";
import { asSystem, type WidgetCaller } from "../shared/caller.ts";
import { Problem } from "../shared/problems.ts";
import { isOfForm } from "../signing/builtin/open-signing.ts";
import { refuseEnded } from "../signing/submission.ts";
import { type EmbedDeps, type MintedToken, mint } from "./mint-token.ts";

/**
 * A new token for a visitor whom a public form let in without a link: their page has nothing else to renew it with. The token must still be
 * valid, so a person who finds one later cannot use it. The tokens of partners are the partner's to renew.
 */
export function renewToken(deps: EmbedDeps, who: WidgetCaller): Promise<MintedToken> {
  const { org, holder, ip, user_agent, request_id } = who;
  const { envelope_id, user_email } = holder;
  return deps.db.tx(org, async (tx) => {
    const envelope = await lockEnvelope(tx, org, envelope_id);
    refuseEnded(envelope);
    if (!(await isOfForm(tx, who, envelope))) throw new Problem("token_not_renewable");
    const by = asSystem({ ip, user_agent, request_id });
    return mint(deps, tx, by, "embed_token", { org_id: org, envelope_id, user_email, widget: "sign", link: null, locale: null });
  });
}
