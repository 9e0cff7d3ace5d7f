import type { SystemTx } from "../db/sql.ts";
import type { MessageId } from "../shared/ids.ts";
import { decryptBody } from "./body.ts";
import type { SendingDeps } from "./message.ts";
import { pauseAfter } from "./retry-schedule.ts";
import type { Outcome, Outgoing, Smtp } from "./smtp.ts";
import { claimMessage, lookUpFailedMessage, type Settlement, settleMessage } from "./store.ts";

// Longer than the slowest exchange with a mail server that still answers. If it is shorter, a second worker sends a message that the
// first is still sending. If it is longer, the messages of a worker that died wait unnecessarily.
const LEASE_SECONDS = 600;

export interface Attempted {
  readonly outcome: Outcome | { readonly kind: "unreadable"; readonly error: string };
  /** the message's new state: sent, queued for another attempt, or failed permanently */
  readonly state: Settlement["state"];
}

/**
 * Attempts to send one message. Returns null when it was already sent or another run has claimed it. If a worker dies after the server
 * accepted the message, the message stays claimed and is sent again when the lease ends: at worst twice, but never not at all.
 */
export async function sendMail(deps: SendingDeps, message_id: MessageId): Promise<Attempted | null> {
  const { smtp } = deps;
  if (smtp === null) return null;
  const prepared = await prepare(deps, message_id);
  if (prepared === null) return null;
  const outcome = await attempt(smtp, prepared);
  const settlement = settlementOf(outcome, prepared.attempt);
  await deps.db.system((tx) => settle(deps, tx, message_id, prepared.attempt, settlement));
  return { outcome, state: settlement.state };
}

/** A failure counts once, for the latest attempt, so it is reported once. */
async function settle(deps: SendingDeps, tx: SystemTx, message_id: MessageId, attempt: number, settlement: Settlement): Promise<void> {
  const counted = await settleMessage(tx, message_id, attempt, settlement);
  if (!counted || settlement.state !== "failed") return;
  const failed = await lookUpFailedMessage(tx, message_id);
  if (failed === null) return;
  const { org_id, about, to_address: to } = failed;
  await tx.forOrg(org_id, (inside) => deps.onFailed(inside, org_id, { about, to }));
}

interface Prepared {
  readonly attempt: number;
  /** null when the text can no longer be decrypted */
  readonly mail: Outgoing | null;
}

async function prepare(deps: SendingDeps, message_id: MessageId): Promise<Prepared | null> {
  const claimed = await deps.db.system((tx) => claimMessage(tx, message_id, LEASE_SECONDS));
  if (claimed === null) return null;
  const { attempt, to_address: to } = claimed;
  const body = decryptBody(deps.mailKey, claimed.body_enc, claimed.body_context);
  if (body === null) return { attempt, mail: null };
  const { subject, text, html = null, org_name = null, reply_to = null } = body;
  return { attempt, mail: { message_id, to, subject, text, html, org_name, reply_to } };
}

async function attempt(smtp: Smtp, { mail }: Prepared): Promise<Attempted["outcome"]> {
  if (mail === null) return { kind: "unreadable", error: "the text was encrypted under a different APP_SECRET" };
  return smtp.send(mail);
}

function settlementOf(outcome: Attempted["outcome"], attempts: number): Settlement {
  if (outcome.kind === "sent") return { state: "sent", error: null, pause_seconds: 0 };
  const pause_seconds = outcome.kind === "deferred" || outcome.kind === "away" ? pauseAfter(attempts) : null;
  if (pause_seconds === null) return { state: "failed", error: outcome.error, pause_seconds: 0 };
  return { state: "queued", error: outcome.error, pause_seconds };
}
