import type { SystemTx } from "../db/sql.ts";
import type { MessageId } from "../shared/ids.ts";
import { appendMailEntry, type MailFact } from "./append-mail-entry.ts";
import { decryptBody } from "./body.ts";
import { hasLogo } from "./draw-letter.ts";
import type { Body, SendingDeps } from "./message.ts";
import { lookUpMailLogo } from "./org-store.ts";
import { pauseAfter } from "./retry-schedule.ts";
import { type ChosenSender, chooseSender } from "./sender/choose-sender.ts";
import type { Attachment, Failure, Outcome, Outgoing, Smtp } from "./smtp.ts";
import { claimMessage, lockEnvelopeOf, lookUpEnvelopeMail, lookUpFailedMessage, type Settlement, settleMessage } from "./store.ts";

// Longer than the slowest exchange with a mail server that still answers. If it is shorter, a second worker sends a message that the
// first is still sending. If it is longer, the messages of a worker that died wait unnecessarily.
const LEASE_SECONDS = 600;

export interface Attempted {
  readonly outcome: Outcome | { readonly kind: "unreadable"; readonly error: string; readonly failure: Failure };
  /** the message's new state: sent, queued for another attempt, or failed permanently */
  readonly state: Settlement["state"];
}

/**
 * Attempts to send one message. Returns null when it was already sent, another run has claimed it, or the installation is held. If a worker dies after the server
 * accepted the message, the message stays claimed and is sent again when the lease ends: at worst twice, but never not at all.
 */
export async function sendMail(deps: SendingDeps, message_id: MessageId): Promise<Attempted | null> {
  const { smtp } = deps;
  if (smtp === null || !(await deps.mayLeave())) return null;
  const prepared = await prepare(deps, smtp, message_id);
  if (prepared === null) return null;
  const outcome = await attempt(prepared);
  const settlement = settlementOf(outcome, prepared.attempt);
  await deps.db.system((tx) => settle(deps, tx, message_id, prepared.attempt, settlement, factOf(outcome, settlement)));
  return { outcome, state: settlement.state };
}

/** A failure counts once, for the latest attempt, so it is reported once. The same for the entry in the envelope's audit trail. */
async function settle(
  deps: SendingDeps,
  tx: SystemTx,
  message_id: MessageId,
  attempt: number,
  settlement: Settlement,
  fact: MailFact | null,
): Promise<void> {
  const mail = fact === null ? null : await lookUpEnvelopeMail(tx, message_id);
  if (mail !== null) await tx.forOrg(mail.org_id, (inside) => lockEnvelopeOf(inside, mail));
  const counted = await settleMessage(tx, message_id, attempt, settlement);
  if (!counted) return;
  if (mail !== null && fact !== null) await tx.forOrg(mail.org_id, (inside) => appendMailEntry(inside, mail, fact));
  if (settlement.state !== "failed") return;
  const failed = await lookUpFailedMessage(tx, message_id);
  if (failed === null) return;
  const { org_id, about, to_address: to } = failed;
  await tx.forOrg(org_id, (inside) => deps.onFailed(inside, org_id, { about, to }));
}

/** Null while the message will be tried again: a temporary refusal is not the server's last word. */
function factOf(outcome: Attempted["outcome"], { state }: Settlement): MailFact | null {
  if (outcome.kind === "sent") return { type: "accepted", accepted: outcome.accepted };
  return state === "failed" ? { type: "failed", failure: outcome.failure } : null;
}

interface Prepared {
  readonly attempt: number;
  /** null when the text can no longer be decrypted */
  readonly mail: Outgoing | null;
  readonly send: ChosenSender["send"];
}

async function prepare(deps: SendingDeps, smtp: Smtp, message_id: MessageId): Promise<Prepared | null> {
  const claimed = await deps.db.system((tx) => claimMessage(tx, message_id, LEASE_SECONDS));
  if (claimed === null) return null;
  const { org_id, attempt, to_address: to } = claimed;
  const body = decryptBody(deps.mailKey, claimed.body_enc, claimed.body_context);
  const { own, send } = await chooseSender(deps, smtp, org_id);
  if (body === null) return { attempt, mail: null, send };
  const { subject, org_name = null, sender_name = null, reply_to = null } = body;
  const attachments = await attachmentsFor(deps, message_id, body);
  const { text, html = null } = attachments.length > 0 && body.attaching !== undefined ? body.attaching : body;
  const logo = org_id === null || html === null || !hasLogo(html) ? null : await deps.db.tx(org_id, (tx) => lookUpMailLogo(tx, org_id));
  return { attempt, mail: { message_id, to, subject, text, html, org_name, sender_name, reply_to, own, logo, attachments }, send };
}

/** The files of the envelope that the message is about, if the message is one that can have them. */
async function attachmentsFor(deps: SendingDeps, message_id: MessageId, { attaching }: Body): Promise<readonly Attachment[]> {
  if (attaching === undefined) return [];
  const about = await deps.db.system((tx) => lookUpEnvelopeMail(tx, message_id));
  return about === null ? [] : deps.attach(about.org_id, about.envelope_id, about.to);
}

async function attempt({ mail, send }: Prepared): Promise<Attempted["outcome"]> {
  if (mail === null) {
    const failure = { code: null, stage: "before_sending", reply: null };
    return { kind: "unreadable", error: "the text was encrypted under a different APP_SECRET", failure };
  }
  return send(mail);
}

function settlementOf(outcome: Attempted["outcome"], attempts: number): Settlement {
  if (outcome.kind === "sent") return { state: "sent", error: null, pause_seconds: 0 };
  const pause_seconds = outcome.kind === "deferred" || outcome.kind === "away" ? pauseAfter(attempts) : null;
  if (pause_seconds === null) return { state: "failed", error: outcome.error, pause_seconds: 0 };
  return { state: "queued", error: outcome.error, pause_seconds };
}
