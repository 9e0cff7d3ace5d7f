import { appendAudit } from "../audit/append-audit.ts";
import type { Tx } from "../db/sql.ts";
import type { Envelope, EnvelopeDeps, Status } from "../envelopes/envelope.ts";
import { findStatus, lockRow, updateEnvelope } from "../envelopes/store.ts";
import { EXPIRES_SOON_MS, expireEnvelope, remindAutomatically, sweeper, tellExpiry } from "../envelopes/sweep-envelopes.ts";
import type { Caller } from "../shared/caller.ts";
import { DAY_MS } from "../shared/durations.ts";
import type { EnvelopeId, OrgId } from "../shared/ids.ts";
import type { TestDeps } from "./operation.ts";
import { refuseClosed } from "./refuse-closed.ts";

export const deadlines = ["reminded", "expiry_announced", "expired"] as const;
type Deadline = (typeof deadlines)[number];

export interface Advanced {
  readonly status: Status;
  readonly applied: Deadline[];
}

/**
 * Moves the deadlines of one envelope earlier instead of the clock, which would put false times into audit trails. What is due is applied by
 * the code of the sweep. A reminder comes before the expiry, as it would have in these days.
 */
export function advanceDeadlines(
  { envelopes }: Pick<TestDeps, "envelopes">,
  caller: Caller,
  envelope_id: EnvelopeId,
  days: number,
): Promise<Advanced> {
  const { org } = caller;
  return envelopes.db.tx(org, async (tx) => {
    const envelope = await lockRow(tx, org, envelope_id);
    refuseClosed("advance", envelope);
    const { expires_at, next_reminder_at } = envelope;
    if (expires_at === null) throw new Error(`the open envelope ${envelope_id} does not expire`);
    const earlier = (at: Date): Date => new Date(Math.max(at.getTime() - days * DAY_MS, tx.now.getTime()));
    const to = earlier(expires_at);
    const isOver = to <= tx.now;
    const isReminded = next_reminder_at !== null && next_reminder_at < expires_at;
    if (!isOver) await moveExpiry(tx, caller, envelope, to);
    if (isReminded) await updateEnvelope(tx, org, envelope_id, { next_reminder_at: earlier(next_reminder_at) });
    const sweeps = sweepsOf({ ...envelopes, db: { ...envelopes.db, tx: (_org, run) => run(tx) } }, org, envelope_id);
    const applied: Deadline[] = [];
    if (isReminded && (await sweeps.remind())) applied.push("reminded");
    if (isOver) {
      await moveExpiry(tx, caller, envelope, to);
      if (await sweeps.expire()) applied.push("expired");
    } else if (isSoon(envelope, to, tx.now) && (await sweeps.tell())) applied.push("expiry_announced");
    const { status } = await findStatus(tx, org, envelope_id);
    return { status, applied };
  });
}

function sweepsOf(deps: EnvelopeDeps, org: OrgId, envelope_id: EnvelopeId) {
  const by: Caller = { ...sweeper(org), by_test: true };
  return {
    remind: () => remindAutomatically(deps, org, envelope_id, by),
    tell: () => tellExpiry(deps, org, envelope_id),
    expire: () => expireEnvelope(deps, org, envelope_id, by),
  };
}

async function moveExpiry(tx: Tx, caller: Caller, { envelope_id, expires_at }: Envelope, to: Date): Promise<void> {
  await updateEnvelope(tx, caller.org, envelope_id, { expires_at: to });
  const data = { from: expires_at?.toISOString() ?? null, to: to.toISOString() };
  await appendAudit(tx, caller.org, { type: "envelope.expiry_changed", by: { ...caller, by_test: true }, envelope_id, data });
}

/** Not for an envelope that was sent for less time than that. */
function isSoon({ sent_at, expires_at }: Envelope, to: Date, now: Date): boolean {
  if (sent_at === null || expires_at === null) return false;
  return to.getTime() - now.getTime() <= EXPIRES_SOON_MS && expires_at.getTime() - sent_at.getTime() > EXPIRES_SOON_MS;
}
