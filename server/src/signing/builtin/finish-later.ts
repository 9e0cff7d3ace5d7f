import { takeQuota } from "../../http/quota.ts";
import type { WidgetCaller } from "../../shared/caller.ts";
import { HOUR_SECONDS } from "../../shared/durations.ts";
import { Problem } from "../../shared/problems.ts";
import { LINKS_PER_HOUR, linkQuota } from "../link-store.ts";
import type { SigningDeps } from "../submission.ts";
import { ACTING, asRecipient, recipientOf, refuseActed } from "./ceremony.ts";

/** Counted together with new links for the same signer. Outside the transaction, so that refusals count too. */
async function countLink(deps: SigningDeps, who: WidgetCaller): Promise<void> {
  const slug = recipientOf(who);
  const { accepted, reset } = await deps.db.system((tx) => takeQuota(tx, linkQuota(slug), LINKS_PER_HOUR, HOUR_SECONDS));
  if (!accepted) {
    throw new Problem("rate_limited", "links of a signer", { retryAfterSeconds: Math.max(1, reset - Math.floor(Date.now() / 1000)) });
  }
}

/**
 * Mails the link again to the signer's address on record, so that they can go on later, also on another device. What they filled in so
 * far is kept in any case.
 */
function mailAgain(deps: SigningDeps, who: WidgetCaller): Promise<{ readonly sent_to: string }> {
  return asRecipient(deps, who, ACTING, async (tx, ceremony, slug) => {
    refuseActed(ceremony);
    if (ceremony.you?.delivery === "link") throw new Problem("recipient_without_mail");
    return { sent_to: await deps.mailLinkAgain(tx, who, slug) };
  });
}

/** The steps of the operation, in the order in which the endpoint runs them. */
export const finishLater = { count: countLink, mail: mailAgain };
