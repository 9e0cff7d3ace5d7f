import { enqueue } from "../jobs/enqueue.ts";
import { retryDelay } from "../outbound/retry-schedule.ts";
import { CannotUnwrap, KmsUnavailable } from "../secrets/kms.ts";
import { NoSuchOrgKey } from "../secrets/org-keys.ts";
import { openValue } from "../secrets/value-sealing.ts";
import { HOUR_MS, HOUR_SECONDS } from "../shared/durations.ts";
import type { AuditSinkId, OrgId } from "../shared/ids.ts";
import { CannotDecrypt } from "../shared/secrets.ts";
import { type Line, sendToSyslog, sendToWebhook } from "./delivery-lines.ts";
import { failingMail } from "./messages.ts";
import { lastPosition, listPlaced, type PlacedEntry } from "./position-store.ts";
import { type AuditSink, type SinkDeps, secretContext } from "./sink.ts";
import {
  advanceOperator,
  advanceSink,
  findOperatorPosition,
  listAllPlaced,
  listDueSinks,
  lookUpSecret,
  lookUpSink,
  markTold,
  noteFailure,
  noteOperatorFailure,
} from "./sink-store.ts";
import { lineOf } from "./stream-log.ts";

const LINES_AT_ONCE = 500;
// The job runs each minute. What is not sent by then continues in the next run.
const RUN_MS = 50_000;
// So many sinks are waited for at the same time. One that hangs keeps its place until its timeout, and then waits longer each time.
const LANES = 16;
// A sink is never given up, and one that works again is noticed within this time.
const LONGEST_WAIT_SECONDS = HOUR_SECONDS;

/**
 * Runs every minute: sends each sink the entries after those that it has. The position moves only after the receiver has taken a batch, so
 * a process that dies leaves no gap; the batch that it was sending is sent again. Sinks do not wait for each other, and one whose batch
 * ends in an error of ours does not keep the others from theirs.
 */
export async function push(deps: SinkDeps): Promise<void> {
  if (!(await deps.mayLeave())) return;
  const until = performance.now() + RUN_MS;
  const ended = await Promise.allSettled([
    pushToSinks(deps, until),
    ...(deps.operatorSyslog === null ? [] : [pushToOperator(deps, deps.operatorSyslog, until)]),
  ]);
  throwFirst(ended);
}

/** A batch of each sink in turn, so that a long backlog does not hold up the others. */
async function pushToSinks(deps: SinkDeps, until: number): Promise<void> {
  const waiting = await deps.db.system((tx) => listDueSinks(tx));
  const tries: PromiseSettledResult<boolean>[] = [];
  const lane = async (): Promise<void> => {
    for (let sink = waiting.shift(); sink !== undefined; sink = waiting.shift()) {
      const [tried] = await Promise.allSettled([pushBatch(deps, sink.org_id, sink.sink_id)]);
      tries.push(tried);
      if (tried.status === "fulfilled" && tried.value && performance.now() < until) waiting.push(sink);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  throwFirst(tries);
}

function throwFirst(ended: readonly PromiseSettledResult<unknown>[]): void {
  const failed = ended.find((one) => one.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}

/** True if there may be more to send. */
async function pushBatch(deps: SinkDeps, org: OrgId, sink_id: AuditSinkId): Promise<boolean> {
  const { db } = deps;
  const found = await db.tx(org, async (tx) => {
    const sink = await lookUpSink(tx, org, sink_id);
    if (sink === null || !sink.enabled) return null;
    const until = await lastPosition(tx);
    const entries = await listPlaced(tx, org, { after: sink.after, until, types: null, limit: LINES_AT_ONCE });
    return { sink, until, entries };
  });
  if (found === null) return false;
  const { sink, until, entries } = found;
  // An older backup was restored. Continuing here would leave out what is recorded from now on.
  if (sink.after > until) return fail(deps, org, sink, "position_unknown");
  const last = entries.at(-1);
  if (last === undefined) return false;
  const { error, cause } = await sendBatch(deps, org, sink, entries);
  if (error !== null) {
    await fail(deps, org, sink, error);
    // The operator has to look too: the job ends as failed.
    if (error === SECRET_UNREADABLE) throw new Error(`the secret of ${sink_id} of ${org} cannot be read`, { cause });
    return false;
  }
  const advanced = await db.tx(org, (tx) => advanceSink(tx, org, sink, last.leaf_index));
  return advanced && entries.length === LINES_AT_ONCE;
}

interface Attempted {
  /** null if everything was accepted */
  readonly error: string | null;
  readonly cause?: unknown;
}

async function sendBatch(deps: SinkDeps, org: OrgId, sink: AuditSink, entries: readonly PlacedEntry[]): Promise<Attempted> {
  const lines = entries.map((entry) => toLine(org, entry));
  if (sink.kind === "syslog") return { error: await sendToSyslog(deps, sink.target, true, lines) };
  const opened = await openSecret(deps, org, sink.sink_id);
  if ("error" in opened) return opened;
  const id = `${sink.sink_id}.${entries[0]?.leaf_index}-${entries.at(-1)?.leaf_index}`;
  return { error: await sendToWebhook(deps, { url: sink.target, secret: opened.secret, id }, lines) };
}

const toLine = (org: OrgId, entry: PlacedEntry): Line => ({ text: lineOf(org, entry), type: entry.type, at: entry.at });

const SECRET_UNREADABLE = "secret_unreadable";
type Opened = { readonly secret: string } | { readonly error: "key_service_away" | typeof SECRET_UNREADABLE; readonly cause: unknown };

/** The key service may be back in the next run. A secret that was changed, or whose key is gone, has to be replaced. */
export async function openSecret({ db, orgKeys }: SinkDeps, org: OrgId, sink_id: AuditSinkId): Promise<Opened> {
  const sealed = await db.tx(org, (tx) => lookUpSecret(tx, org, sink_id));
  if (sealed === null) throw new Error(`${sink_id} has no secret`);
  try {
    return { secret: await openValue(orgKeys, org, sealed, secretContext(org, sink_id)) };
  } catch (cause) {
    if (cause instanceof KmsUnavailable || cause instanceof CannotUnwrap) return { error: "key_service_away", cause };
    if (cause instanceof CannotDecrypt || cause instanceof NoSuchOrgKey) return { error: SECRET_UNREADABLE, cause };
    throw cause;
  }
}

async function fail({ db, retrySchedule }: SinkDeps, org: OrgId, sink: AuditSink, error: string): Promise<false> {
  const planned = retryDelay(retrySchedule, sink.failures + 1, { kind: "failed", error }, Math.random());
  const wait = Math.min(planned ?? LONGEST_WAIT_SECONDS, LONGEST_WAIT_SECONDS);
  await db.tx(org, async (tx) => {
    const since = await noteFailure(tx, org, sink, error, wait);
    if (since === null || tx.now.getTime() - since.getTime() < HOUR_MS || !(await markTold(tx, org, sink.sink_id))) return;
    await enqueue(tx, "orgs.notify-admins", { org_id: org, kind: "audit_sink_failing", ...failingMail(sink, error) });
  });
  return false;
}

async function pushToOperator(deps: SinkDeps, target: string, until: number): Promise<void> {
  do {
    const { after, entries } = await deps.db.system(async (tx) => {
      const last = await lastPosition(tx);
      const after = await findOperatorPosition(tx, target, last);
      return { after, entries: await listAllPlaced(tx, { after, until: last, limit: LINES_AT_ONCE }) };
    });
    const last = entries.at(-1);
    if (last === undefined) return;
    const error = await sendToSyslog(
      deps,
      target,
      false,
      entries.map((entry) => toLine(entry.org_id, entry)),
    );
    if (error !== null) {
      await deps.db.system((tx) => noteOperatorFailure(tx, target, error));
      throw new Error(`AUDIT_SYSLOG_URL could not be reached: ${error}`);
    }
    if (!(await deps.db.system((tx) => advanceOperator(tx, target, after, last.leaf_index)))) return;
  } while (performance.now() < until);
}
