import { appendAudit } from "../audit/append-audit.ts";
import type { Tx } from "../db/sql.ts";
import type { WidgetCaller } from "../shared/caller.ts";
import { Problem } from "../shared/problems.ts";
import type { Slug } from "../shared/slugs.ts";
import { listRecipients } from "../signing/store.ts";
import type { EnvelopeDeps } from "./envelope.ts";
import { maybeMailLink } from "./send-new-link.ts";
import { lockRow } from "./store.ts";

/** For a signer who asks for it on the signing page. Goes to the address on record, which is returned. */
export async function mailLinkAgain(deps: EnvelopeDeps, tx: Tx, who: WidgetCaller, slug: Slug): Promise<string> {
  const { org, holder } = who;
  const { envelope_id, signing_session } = holder;
  const envelope = await lockRow(tx, org, envelope_id);
  const signer = (await listRecipients(tx, org, envelope_id)).find((one) => one.slug === slug);
  const message_id = signer === undefined ? null : await maybeMailLink(deps, tx, org, envelope, signer);
  if (signer === undefined || message_id === null) throw new Problem("not_your_turn");
  const data = { user_email: signer.email, message_id, signing_session };
  await appendAudit(tx, org, { type: "signer.link_sent", by: who, envelope_id, data });
  return signer.email;
}
