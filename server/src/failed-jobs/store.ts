import { type Read, raw, type SystemTx, sql, type Tx } from "../db/sql.ts";
import type { OrgId, ProblemId } from "../shared/ids.ts";
import type { Page, PageRequest } from "../shared/page.ts";
import { Problem } from "../shared/problems.ts";
import type { FailedJob, ProblemState, ToldProblem } from "./failed-job.ts";

const COLUMNS = `problem_id, task, org_id, envelope_id, state, attempts, first_failed_at, last_failed_at, next_attempt_at, error_code, error`;
const columns = raw(COLUMNS);

export interface ShownJob extends FailedJob {
  readonly envelope_name: string | null;
}

interface ProblemQuery {
  readonly state: ProblemState | undefined;
  readonly envelope_id: string | null | undefined;
}

export async function listProblems(
  read: Read,
  org: OrgId,
  { page, limit, state, envelope_id = null }: PageRequest & ProblemQuery,
): Promise<Page<ShownJob>> {
  const wanted = state === undefined ? ["retrying", "failed", "retry_requested"] : [state];
  const ofEnvelope = envelope_id === null ? sql`` : sql`and envelope_id = ${envelope_id}`;
  const { rows } = await read.query<ShownJob & { total: number }>(sql`
    select f.*, e.envelope_name, count(*) over ()::int as total
    from (select ${columns} from failed_jobs where org_id = ${org} and state = any(${wanted}) ${ofEnvelope}) f
    left join envelopes e on e.org_id = ${org} and e.envelope_id = f.envelope_id
    order by f.problem_id desc limit ${limit} offset ${(page - 1) * limit}`);
  if (rows.length > 0 || page === 1) return { items: rows, total: rows[0]?.total ?? 0 };
  const { rows: counted } = await read.query<{ total: number }>(sql`
    select count(*)::int as total from failed_jobs where org_id = ${org} and state = any(${wanted}) ${ofEnvelope}`);
  return { items: [], total: counted[0]?.total ?? 0 };
}

/** Null unless it is in one of these states. */
export async function moveProblem(
  tx: Tx,
  org: OrgId,
  problem_id: ProblemId,
  { from, to, by }: { readonly from: readonly ProblemState[]; readonly to: ProblemState; readonly by: string },
): Promise<FailedJob | null> {
  const { rows } = await tx.query<FailedJob & { [column: string]: unknown }>(sql`
    update failed_jobs set state = ${to}, acted_by = ${by}, acted_at = now()
    where org_id = ${org} and problem_id = ${problem_id} and state = any(${[...from]}) returning ${columns}`);
  return rows[0] ?? null;
}

export async function findProblem(tx: Tx, org: OrgId, problem_id: ProblemId): Promise<FailedJob> {
  const { rows } = await tx.query<FailedJob & { [column: string]: unknown }>(sql`
    select ${columns} from failed_jobs where org_id = ${org} and problem_id = ${problem_id}`);
  if (rows[0] === undefined) throw new Problem("problem_not_found");
  return rows[0];
}

export interface ProblemFilter {
  readonly state: ProblemState | null;
  readonly org: OrgId | null;
  readonly task: string | null;
}

/** Of the whole installation, for operators. Without a state: the open ones. */
export async function listFailedJobs(tx: SystemTx, { state, org, task }: ProblemFilter): Promise<FailedJob[]> {
  const { rows } = await tx.query<FailedJob & { [column: string]: unknown }>(sql`
    select ${columns} from list_failed_jobs(${state}, ${org}, ${task})`);
  return rows;
}

/** The same for operators, of any organization or none. Null unless it is in one of these states. */
export async function moveFailedJob(
  tx: SystemTx,
  problem_id: ProblemId,
  { from, to, by }: Parameters<typeof moveProblem>[3],
): Promise<FailedJob | null> {
  const { rows } = await tx.query<FailedJob & { [column: string]: unknown }>(sql`
    select ${columns} from move_failed_job(${problem_id}, ${[...from]}, ${to}, ${by})`);
  return rows[0] ?? null;
}

/** Those of the message that is due now, which count as told from then on. */
export async function takeProblemsToTell(tx: SystemTx): Promise<ToldProblem[]> {
  const { rows } = await tx.query<ToldProblem & { [column: string]: unknown }>(sql`
    select problem_id, task, org_id, envelope_id, state, error_code, attempts, is_new from take_problems_to_tell()`);
  return rows;
}
