import type { Tx } from "../db/sql.ts";
import { codeForSigner } from "../mail/messages/to-signer.ts";
import { queueMail } from "../mail/queue-mail.ts";
import type { WidgetCaller } from "../shared/caller.ts";
import { MINUTE_SECONDS } from "../shared/durations.ts";
import type { MessageId } from "../shared/ids.ts";
import { CHALLENGE_MINUTES } from "../signing/identity/kba/kba-store.ts";
import type { Recipient } from "../signing/submission.ts";
import { factsFor, findCorrespondence, headersOf } from "./correspondence.ts";
import type { EnvelopeDeps } from "./envelope.ts";
import { findEnvelope } from "./store.ts";

/** The code is encrypted while the message waits, and erased once it was sent or is too old. */
export async function mailCode(
  deps: EnvelopeDeps,
  tx: Tx,
  { org, holder }: WidgetCaller,
  you: Recipient,
  code: string,
): Promise<MessageId> {
  const { envelope_id } = holder;
  const correspondence = await findCorrespondence(tx, org, await findEnvelope(tx, org, envelope_id));
  const words = codeForSigner({ ...factsFor(correspondence, you), code });
  const expires_at = new Date(tx.now.getTime() + CHALLENGE_MINUTES * MINUTE_SECONDS * 1_000);
  return queueMail(deps.mail, tx, org, {
    ...words,
    ...headersOf(correspondence),
    to: you.email,
    expires_at,
    about: envelope_id,
    envelope_id,
  });
}
