import { DatabaseAway } from "../db/errors.ts";
import type { Jobs } from "../jobs/catalogue.ts";
import { enqueue, enqueueLater } from "../jobs/enqueue.ts";
import type { OrgId } from "../shared/ids.ts";
import { type Detail, Problem, type ProblemCode, problems } from "../shared/problems.ts";
import { findFields, findTemplate } from "../templates/store.ts";
import type { Batch, BulkDeps, PauseReason, Row, RowFault } from "./batch.ts";
import { columnOf } from "./check-row.ts";
import { finishBatch, pauseBatch } from "./finish-batch.ts";
import { placesOf, readHeader } from "./read-header.ts";
import { listRowsAfter, settleFailed } from "./row-store.ts";
import { BatchStopped, type RowSource, sendRow } from "./send-row.ts";
import { lockBatch, setPace } from "./store.ts";

// Other jobs of the worker, and other organizations, get their turn in between.
const STOP_AFTER_MS = 10_000;
// Between two looks at the batch. Each row looks at its state again.
const ROWS_AT_ONCE = 20;
// As many rows as are permitted in this time can follow each other at once.
const BURST_MS = 10_000;
// A failure of ours may be over in a moment: the store or the PDF engine is busy, the database restarts.
const MAX_TRIES = 3;
const RETRY_SECONDS = 1;
// Whole rows, each tried three times. Then it is not a moment any more.
const MAX_FAULTS = 20;

// While one row waits for the database, another one is worked on.
const LANES = 2;

/**
 * Sends the rows of a batch in the order of the file, two at a time, for at most ten seconds; then another job continues. A row that cannot
 * be sent fails with the reason, and the next one follows. A failure of ours is tried again, and twenty of them in a row pause the batch.
 */
export async function runBatch(deps: BulkDeps, job: Jobs["bulk.run"], lanes = LANES): Promise<void> {
  const { org_id: org, batch_id, run_no } = job;
  const stopAt = performance.now() + STOP_AFTER_MS;
  let { tries } = job;
  for (;;) {
    if (performance.now() >= stopAt) return deps.db.tx(org, (tx) => enqueue(tx, "bulk.run", { ...job, tries }));
    const taken = await takeRows(deps, job);
    if (taken.kind === "stopped") return;
    if (taken.kind === "none") return finishBatch(deps, org, batch_id);
    if (taken.kind === "later") return deps.db.tx(org, (tx) => enqueueLater(tx, "bulk.run", { ...job, tries }, taken.seconds));
    const failures = await sendRows(deps, org, taken, { lanes, stopAt });
    const pause = failures.find(({ failure }) => failure.kind === "pause")?.failure;
    if (pause?.kind === "pause") return pauseBatch(deps, org, batch_id, run_no, pause.reason);
    const isFaulty = failures.some(({ failure }) => isFault(failure));
    tries = isFaulty ? tries + 1 : 0;
    if (isFaulty && tries < MAX_TRIES)
      return deps.db.tx(org, (tx) => enqueueLater(tx, "bulk.run", { ...job, tries }, RETRY_SECONDS * tries));
    for (const { row, failure } of failures) {
      if (failure.kind === "row" && failure.fault !== null && (await failRow(deps, job, taken, row, failure)))
        return pauseBatch(deps, org, batch_id, run_no, failure.fault);
    }
    if (isFaulty) tries = 0;
  }
}

interface RowFailure {
  readonly row: Row;
  readonly failure: Failure;
}

const isFault = (failure: Failure): boolean => failure.kind === "row" && failure.fault !== null;

/** Sends rows until one of them stops the others. A row with a mistake of its own fails here and stops none. */
async function sendRows(
  deps: BulkDeps,
  org: OrgId,
  taken: TakenRows,
  { lanes, stopAt }: { readonly lanes: number; readonly stopAt: number },
): Promise<RowFailure[]> {
  const { batch, source } = taken;
  const waiting = [...taken.rows];
  const failures: RowFailure[] = [];
  const lane = async (): Promise<void> => {
    for (let row = waiting.shift(); row !== undefined; row = waiting.shift()) {
      if (failures.length > 0 || performance.now() >= stopAt) return;
      const failure = await failureOf(() => sendRow(deps, org, batch, source, row as Row));
      if (failure === null) continue;
      if (failure.kind === "row" && failure.fault === null) {
        await failRow(deps, { org_id: org, ...batch }, taken, row, failure);
        continue;
      }
      if (isFault(failure) && failure.kind === "row") {
        deps.log?.warn({ err: failure.cause, batch_id: batch.batch_id, row: row.row_no }, "a row of a bulk send could not be sent");
      }
      failures.push({ row, failure });
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: lanes }, lane));
  const broken = ended.find((one) => one.status === "rejected");
  if (broken !== undefined) throw broken.reason;
  return failures.sort((a, b) => a.row.row_no - b.row.row_no);
}

interface TakenRows {
  readonly kind: "rows";
  readonly batch: Batch;
  readonly source: RowSource;
  readonly rows: readonly Row[];
}

type Taken = TakenRows | { readonly kind: "later"; readonly seconds: number } | { readonly kind: "none" } | { readonly kind: "stopped" };

/** The next rows, as many as the pace permits. `stopped`: this job belongs to an earlier start, or the batch does not run any more. */
function takeRows(deps: BulkDeps, { org_id: org, batch_id, run_no }: Jobs["bulk.run"]): Promise<Taken> {
  return deps.db.tx(org, async (tx): Promise<Taken> => {
    const batch = await lockBatch(tx, org, batch_id);
    const isOpen = batch.state === "running" || (batch.state === "cancelled" && batch.ended_at === null);
    if (!isOpen || batch.run_no !== run_no) return { kind: "stopped" };
    const interval_ms = 60_000 / deps.rowsPerMinute;
    const [now, burst_ms] = [tx.now.getTime(), Math.max(BURST_MS, interval_ms)];
    const used_until = Math.max(batch.paced_until?.getTime() ?? 0, now);
    const permitted = Math.floor((burst_ms - (used_until - now)) / interval_ms);
    const rows = await listRowsAfter(tx, org, batch_id, {
      state: "ready",
      after: 0,
      limit: Math.max(1, Math.min(permitted, ROWS_AT_ONCE)),
    });
    if (rows.length === 0) return { kind: "none" };
    if (permitted < 1) return { kind: "later", seconds: (used_until - now) / 1_000 };
    await setPace(tx, org, batch_id, new Date(used_until + rows.length * interval_ms));
    const template = await findTemplate(tx, org, batch.template_id);
    const fields = await findFields(tx, org, batch.template_id);
    const { columns } = readHeader(batch.columns, { template, fields });
    return {
      kind: "rows",
      batch,
      rows,
      source: { template, fields, places: placesOf({ template, fields }), columns, options: batch.options },
    };
  });
}

type Failure =
  | { readonly kind: "stopped" }
  | { readonly kind: "pause"; readonly reason: PauseReason }
  /** `fault`: the code, if the failure is ours */
  | { readonly kind: "row"; readonly problem: Problem | null; readonly fault: ProblemCode | null; readonly cause: unknown };

/** What concerns the whole batch: nothing about this row is wrong. */
const pausing: Partial<Record<ProblemCode, PauseReason>> = {
  template_changed: "template_changed",
  template_archived: "template_changed",
  template_not_found: "template_changed",
  certification_terms_outdated: "certification_terms_outdated",
};

async function failureOf(send: () => Promise<void>): Promise<Failure | null> {
  try {
    await send();
    return null;
  } catch (cause) {
    // Nothing can be written now. The queue runs this job again.
    if (cause instanceof DatabaseAway) throw cause;
    if (cause instanceof BatchStopped) return { kind: "stopped" };
    if (!(cause instanceof Problem)) return { kind: "row", problem: null, fault: "internal", cause };
    const reason = isTooLow(cause) ? "identity_level_too_low" : pausing[cause.code];
    if (reason !== undefined) return { kind: "pause", reason };
    return { kind: "row", problem: cause, fault: isOurs(cause) ? cause.code : null, cause };
  }
}

/** The organization demands more than when the rows were checked: each further row would only leave a draft. */
const isTooLow = ({ details = [] }: Problem): boolean => details.some(({ code }) => code === "identity_level_too_low");

const isOurs = ({ code, retryAfterSeconds }: Problem): boolean =>
  retryAfterSeconds !== undefined || code === "envelope_changed" || ["internal", "bad_peer", "unavailable"].includes(problems[code].kind);

/** True if the batch has to pause. */
function failRow(
  deps: BulkDeps,
  { org_id: org, batch_id, run_no }: Pick<Jobs["bulk.run"], "org_id" | "batch_id" | "run_no">,
  { source }: { readonly source: RowSource },
  { row_no }: Row,
  { problem, fault }: Extract<Failure, { kind: "row" }>,
): Promise<boolean> {
  const said = problem?.details ?? [wholeRow(problem)];
  const errors = said.map(({ field, code, message }): RowFault => ({ column: columnOf(source, source, field) ?? null, code, message }));
  return deps.db.tx(org, async (tx) => {
    const { state, run_no: current } = await lockBatch(tx, org, batch_id);
    if ((state !== "running" && state !== "cancelled") || current !== run_no) return false;
    return (await settleFailed(tx, org, batch_id, row_no, { errors, fault })) >= MAX_FAULTS && state === "running";
  });
}

function wholeRow(problem: Problem | null): Detail {
  const [code, message] = problem === null ? (["internal", problems.internal.says] as const) : ([problem.code, problem.says] as const);
  return { location: "request", field: null, code, message };
}
