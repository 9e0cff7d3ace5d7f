import { needed, parse, print, Usage } from "../cli-input.ts";
import { type Environment, readConfig } from "../config.ts";
import type { Db } from "../db/connect.ts";
import type { FailedJob } from "../failed-jobs/failed-job.ts";
import type { Handling } from "../failed-jobs/handle-failed-job.ts";
import { DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS } from "../shared/durations.ts";
import { isId, type ProblemId } from "../shared/ids.ts";
import { here, orgFrom } from "./command.ts";

/** What did not work, of the whole installation. */

const inDatabase = async <T>(env: Environment, run: (db: Db) => Promise<T>): Promise<T> =>
  (await import("../administration.ts")).withDatabase(readConfig(env), run);

export async function listJobsCommand(args: readonly string[], env: Environment): Promise<number> {
  const { values } = parse(args, { failed: "boolean", org: "string", task: "string", json: "boolean" });
  const org = values.org === undefined ? null : orgFrom(values);
  const state = values.failed === undefined ? null : "failed";
  const jobs = await inDatabase(env, async (db) => {
    const { listFailedJobs } = await import("../failed-jobs/store.ts");
    return db.system((tx) => listFailedJobs(tx, { state, org, task: values.task ?? null }));
  });
  if (values.json !== undefined) print(JSON.stringify(jobs, null, 2));
  else if (jobs.length === 0) print("No problems.");
  else for (const job of jobs) print(lineOf(job));
  return 0;
}

function lineOf({ problem_id, task, org_id, envelope_id, state, attempts, last_failed_at, error_code, error, ...job }: FailedJob): string {
  const about = [org_id ?? "installation", envelope_id].filter((id) => id !== null).join(" ");
  const tried = `${attempts} attempts, first noted ${ageOf(job.first_failed_at)} ago, last ${last_failed_at.toISOString()}`;
  return `${problem_id}  ${state}  ${task}  ${about}  ${tried}  ${error_code}: ${error}`;
}

const units = [
  ["days", DAY_SECONDS],
  ["hours", HOUR_SECONDS],
  ["minutes", MINUTE_SECONDS],
] as const;

/** In the largest unit of which it is at least two, such as `26 hours`. */
function ageOf(since: Date): string {
  const seconds = Math.max(0, Math.floor((Date.now() - since.getTime()) / 1_000));
  const [unit, length] = units.find(([, length]) => seconds >= 2 * length) ?? ["seconds", 1];
  return `${Math.floor(seconds / length)} ${unit}`;
}

const MAX_IDS = 1_000;

export async function retryJobsCommand(args: readonly string[], env: Environment): Promise<number> {
  const { values, positionals } = parse(args, { task: "string", all: "boolean" }, MAX_IDS);
  if ((values.task === undefined) !== (values.all === undefined)) throw new Usage("--task and --all belong together");
  return inDatabase(env, async (db) => {
    const ids = values.task === undefined ? idsOf(positionals) : await idsOfTask(db, values.task);
    return handleAll(db, ids, { kind: "retry" });
  });
}

export async function discardJobCommand(args: readonly string[], env: Environment): Promise<number> {
  const { values, positionals } = parse(args, { reason: "string" }, 1);
  const reason = needed(values, "reason");
  return inDatabase(env, (db) => handleAll(db, idsOf(positionals), { kind: "discard", reason }));
}

function idsOf(given: readonly string[]): ProblemId[] {
  const ids = given.map((id) => {
    if (!isId("problem", id)) throw new Usage(`${id} is not the id of a problem (see: countersign jobs list)`);
    return id;
  });
  if (ids.length === 0) throw new Usage("Give the id of a problem (see: countersign jobs list)");
  return ids;
}

async function idsOfTask(db: Db, task: string): Promise<ProblemId[]> {
  const { listFailedJobs } = await import("../failed-jobs/store.ts");
  return (await db.system((tx) => listFailedJobs(tx, { state: "failed", org: null, task }))).map(({ problem_id }) => problem_id);
}

/** 1 if any was refused. */
async function handleAll(db: Db, ids: readonly ProblemId[], handling: Handling): Promise<number> {
  const { handleFailedJob } = await import("../failed-jobs/handle-failed-job.ts");
  let refused = 0;
  for (const problem_id of ids) {
    const handled = await handleFailedJob({ db }, here(), problem_id, handling);
    if (handled === null) refused++;
    print(`${problem_id}  ${handled === null ? "refused: it does not exist, or is not in a state for this" : handled.state}`);
  }
  return refused === 0 ? 0 : 1;
}
