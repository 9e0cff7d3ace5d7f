import { atMost, median } from "./figure.mjs";
import { listBench } from "./list-envelopes.mjs";

const RUNS = 5;
const RUN_SECONDS = 3;
const WARM_UP_SECONDS = 3;
const CONNECTIONS = 8;

/**
 * S1: CPU time of the `serve` process per request, from /proc, and the statements that PostgreSQL ran for it, from pg_stat_statements (only
 * those sent by the client, not those inside functions).
 * @param {import("./figure.mjs").Bench} bench
 * @returns {Promise<import("./figure.mjs").Figure[]>}
 */
export async function measureCpu({ end, seconds }) {
  const { database, manyKeys, startProduct, load } = await listBench(end, {
    shared_preload_libraries: "pg_stat_statements",
    "pg_stat_statements.track": "top",
  });
  await database.query("create extension pg_stat_statements");
  const server = await startProduct();
  await load(server, manyKeys, CONNECTIONS, WARM_UP_SECONDS);

  await database.query("select pg_stat_statements_reset()");
  const commitsBefore = await commits(database);
  const runs = [];
  for (let run = 0; run < RUNS; run++) runs.push(await load(server, manyKeys, CONNECTIONS, seconds ?? RUN_SECONDS));
  const statements = await database.query(
    "select query, calls::int, mean_exec_time as mean_ms from pg_stat_statements where userid = 'countersign_serve'::regrole order by calls desc",
  );
  const requests = runs.reduce((sum, run) => sum + run.requests, 0);
  const perRequest = statements.reduce((sum, { calls }) => sum + calls, 0) / requests;
  const transactions = ((await commits(database)) - commitsBefore) / requests;
  const cpu = median(runs.map((run) => run.serverCpu_ms));
  const databaseCpu = median(runs.map((run) => run.databaseCpu_ms));
  const name = "GET /partner/envelopes?limit=20";
  return [
    {
      id: "S1",
      name: `CPU per ${name}`,
      measured: `${cpu.toFixed(3)} ms`,
      goal: "<= 3 ms",
      verdict: atMost(cpu, 3),
      values: { runs },
    },
    {
      id: "S1",
      name: `statements per ${name}`,
      measured: perRequest.toFixed(3),
      goal: "<= 2",
      verdict: atMost(perRequest, 2),
      values: { statements, transactions },
    },
    {
      id: "S1",
      name: "PostgreSQL's CPU per request",
      measured: `${databaseCpu.toFixed(3)} ms`,
      goal: "",
      verdict: "info",
    },
  ];
}

/** @param {import("./harness.mjs").Database} database */
async function commits(database) {
  // A session reports its counts after it has been idle for a moment, at the latest after a second.
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  const [row] = await database.query("select xact_commit::int as n from pg_stat_database where datname = current_database()");
  return row.n;
}
