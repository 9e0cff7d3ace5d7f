import { appendAudit } from "../audit/append-audit.ts";
import type { Tx } from "../db/sql.ts";
import { enqueue } from "../jobs/enqueue.ts";
import { expiredForSender, expiresSoonForSender, type SenderFacts } from "../mail/messages/to-sender.ts";
import { type Caller, systemCaller } from "../shared/caller.ts";
import { DAY_MS } from "../shared/durations.ts";
import type { EnvelopeId, OrgId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import { cancelSigners, endSubmission, listRecipients } from "../signing/store.ts";
import { atTurn, hasFinished, isSigner, isWaiting } from "../signing/submission.ts";
import { type Envelope, type EnvelopeDeps, open } from "./envelope.ts";
import { BUCKET_SIZE, fillEnvelopeBuckets, MIN_AGE } from "./list-store.ts";
import { nextReminder } from "./next-reminder.ts";
import { tellEnded, tellSender, withdrawLinks } from "./notify.ts";
import { recordReminder, submissionOf } from "./remind-signers.ts";
import { sumEnvelopeCounts } from "./statistics-store.ts";
import { findDue, lockRow, markExpiryTold, moveEnvelope, orgName, updateEnvelope } from "./store.ts";

// The number of envelopes of each kind in one batch.
const AT_ONCE = 500;
// Less than a minute, so that the next run does not do the same work at the same time.
const STOP_AFTER_MS = 50_000;

export interface SweptEnvelopes {
  readonly expired: number;
  readonly reminded: number;
  /** senders who were notified that an envelope expires soon */
  readonly told: number;
  readonly buckets: number;
}

/** Runs every minute: expires envelopes, sends due reminders, notifies senders of what expires soon, numbers lists that have grown, and adds up counts. */
export async function sweepEnvelopes(deps: EnvelopeDeps, atOnce = AT_ONCE): Promise<SweptEnvelopes> {
  const stopAt = performance.now() + STOP_AFTER_MS;
  const all = { expired: 0, reminded: 0, told: 0 };
  for (let more = true; more && performance.now() < stopAt; ) {
    const { expired, reminded, told, isFull } = await sweepSome(deps, atOnce);
    all.expired += expired;
    all.reminded += reminded;
    all.told += told;
    // An envelope that another process handled first would otherwise be found again and again.
    more = isFull && expired + reminded + told > 0;
  }
  await sumCounts(deps);
  return { ...all, buckets: await fillBuckets(deps) };
}

async function sweepSome(deps: EnvelopeDeps, atOnce: number): Promise<Omit<SweptEnvelopes, "buckets"> & { isFull: boolean }> {
  const due = await deps.db.system((tx) => findDue(tx, atOnce));
  let [expired, reminded, told] = [0, 0, 0];
  for (const { org_id, envelope_id, due: what } of due) {
    if (what === "expire" && (await expireEnvelope(deps, org_id, envelope_id))) expired++;
    if (what === "remind" && (await remindAutomatically(deps, org_id, envelope_id))) reminded++;
    if (what === "tell_expiry" && (await tellExpiry(deps, org_id, envelope_id))) told++;
  }
  return { expired, reminded, told, isFull: due.length >= atOnce };
}

/** False when another process ended it first. */
export async function expireEnvelope(deps: EnvelopeDeps, org: OrgId, envelope_id: EnvelopeId, by = sweeper(org)): Promise<boolean> {
  try {
    await deps.db.tx(org, async (tx) => {
      const envelope = await lockRow(tx, org, envelope_id);
      await recordExpiry(deps, tx, by, envelope);
    });
    return true;
  } catch (error) {
    if (error instanceof Problem && error.code === "envelope_wrong_status") return false;
    throw error;
  }
}

async function recordExpiry(deps: EnvelopeDeps, tx: Tx, caller: Caller, envelope: Envelope): Promise<void> {
  const { org } = caller;
  const { envelope_id, expires_at } = envelope;
  await moveEnvelope(tx, org, envelope_id, "expire", { ended_at: tx.now, next_reminder_at: null });
  const submission_id = submissionOf(envelope);
  const waiting = (await listRecipients(tx, org, envelope_id)).filter(isWaiting);
  await endSubmission(tx, org, envelope_id);
  await cancelSigners(tx, org, envelope_id);
  await withdrawLinks(tx, envelope);
  await tellEnded(deps, tx, org, envelope, waiting, "expired");
  const facts = await senderFacts(deps, tx, org, envelope);
  const news = { kind: "expired", envelope_name: envelope.envelope_name } as const;
  await tellSender(
    tx,
    org,
    envelope,
    news,
    expiredForSender({ ...facts, expired_at: expires_at ?? tx.now, is_signed: !waiting.some(isSigner) }),
  );
  await enqueue(tx, "signing.cancel", { org_id: org, submission_id });
  await appendAudit(tx, org, {
    type: "envelope.expired",
    by: caller,
    envelope_id,
    data: { expires_at: expires_at?.toISOString() ?? null },
  });
}

const senderFacts = async (deps: EnvelopeDeps, tx: Tx, org: OrgId, { envelope_id, envelope_name }: Envelope): Promise<SenderFacts> => ({
  envelope_name,
  org_name: await orgName(tx, org),
  url: `${deps.consoleUrl}/envelopes/${envelope_id}`,
});

/** Whether a sender is told that an envelope expires soon, if it was sent for longer than that. The same as in `find_due_envelopes`. */
export const EXPIRES_SOON_MS = 2 * DAY_MS;

/** Once for each date of expiry. */
export async function tellExpiry(deps: EnvelopeDeps, org: OrgId, envelope_id: EnvelopeId): Promise<boolean> {
  return deps.db.tx(org, async (tx) => {
    const envelope = await lockRow(tx, org, envelope_id);
    const { envelope_name, expires_at, status } = envelope;
    if (!open.includes(status) || expires_at === null || expires_at <= tx.now) return false;
    if (!(await markExpiryTold(tx, org, envelope_id))) return false;
    const facts = await senderFacts(deps, tx, org, envelope);
    const recipients = await listRecipients(tx, org, envelope_id);
    const waiting = atTurn(recipients).map(({ name }) => name);
    const is_signed = recipients.filter(isSigner).every(hasFinished);
    const news = { kind: "expires_soon", envelope_name, expires_at: expires_at.toISOString() } as const;
    await tellSender(tx, org, envelope, news, expiresSoonForSender({ ...facts, expires_at, waiting, is_signed }));
    return true;
  });
}

export async function remindAutomatically(deps: EnvelopeDeps, org: OrgId, envelope_id: EnvelopeId, by = sweeper(org)): Promise<boolean> {
  return deps.db.tx(org, async (tx) => {
    const envelope = await lockRow(tx, org, envelope_id);
    const { sent_at, expires_at, next_reminder_at, status } = envelope;
    if (!open.includes(status) || next_reminder_at === null || next_reminder_at > tx.now) return false;
    if (sent_at === null || expires_at === null) return false;
    await updateEnvelope(tx, org, envelope_id, { next_reminder_at: nextReminder({ ...envelope, sent_at, expires_at }, tx.now, tx.now) });
    const due = atTurn(await listRecipients(tx, org, envelope_id)).filter(({ delivery }) => delivery === "email");
    if (due.length === 0) return false;
    await recordReminder(deps, tx, by, envelope, due);
    return true;
  });
}

export const sweeper = (org: OrgId): Caller => systemCaller(org, "countersign sweep", "sweep");

const SINCE = "1 day";

/** Exported for benchmarks and tests, which create a million envelopes at once. */
export async function fillBuckets(deps: Pick<EnvelopeDeps, "db">, age = MIN_AGE, since = SINCE): Promise<number> {
  return deps.db.system((tx) => fillEnvelopeBuckets(tx, BUCKET_SIZE, age, since));
}

const SUMMED_AT_ONCE = 50_000;

/** Exported for benchmarks and tests. */
export async function sumCounts(deps: Pick<EnvelopeDeps, "db">, atOnce = SUMMED_AT_ONCE): Promise<number> {
  const stopAt = performance.now() + STOP_AFTER_MS;
  let all = 0;
  for (let more = true; more && performance.now() < stopAt; ) {
    const summed = await deps.db.system((tx) => sumEnvelopeCounts(tx, atOnce));
    all += summed;
    more = summed === atOnce;
  }
  return all;
}
