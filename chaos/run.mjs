// npm run chaos -- [--scenario keys|webhooks|envelopes|signing|vault|custody|links|bulk|rotate|encrypt|secrets|restore] [--seed N] [--kills K] [--minutes M] [--histories H] [--rounds R]
//   [--times T] [--runs N] [--rows N] [--blobs N] [--copies C] [--racers R] [--kill service|postgres|both] [--pooler session|transaction]
// Clients create API keys (or cause events, or send envelopes) while the service or its database is killed at random moments. At the end,
// and for keys every 20 kills, a checker compares the responses to the clients with what the API shows. Exits with 1 on any violation. The
// history, and in that case the service's log, stay in results/.
import { randomBytes } from "node:crypto";
import { copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { cleanup, freePort, scratchFolder, startDatabase, startPooler } from "../bench/harness.mjs";
import { client } from "./api.mjs";
import { attackBulk, bulkTable } from "./bulk.mjs";
import { attackCustody, custodyTable } from "./custody.mjs";
import { attackEncryption, encryptionTable } from "./encrypt.mjs";
import { attackEnvelopes, envelopeTable } from "./envelopes.mjs";
import { openHistory } from "./history.mjs";
import { attackKeys, keysTable } from "./keys.mjs";
import { attackLinks, linksTable } from "./links.mjs";
import { randomFrom } from "./random.mjs";
import { attackRestore, restoreTable } from "./restore.mjs";
import { attackRotation, rotationTable } from "./rotate.mjs";
import { attackSecrets, secretsTable } from "./secrets.mjs";
import { adminSession } from "./session.mjs";
import { attackSigning, signingTable } from "./signing.mjs";
import { attackVault, vaultTable } from "./vault.mjs";
import { startVictim } from "./victim.mjs";
import { attackDeliveries, webhookTable } from "./webhooks.mjs";

// How often the very first start, which creates the database, is interrupted.
const FIRST_START_KILLS = 3;
const UNLIMITED = Number.POSITIVE_INFINITY;
// Of the pooler, for each login. In transaction mode fewer than the service has, so that they change hands all the time. In session mode each
// connection of the service has one, and those of a process that was just killed may still be there.
const POOLED_CONNECTIONS = { session: 40, transaction: 4 };

/**
 * `attack` runs and checks the scenario, `table` shows the outcome. orgs: the number of orgs in the service for the scenario; with 0, the
 * scenario starts its own service. kills: the default. pooled: it can run behind a pooler.
 * @type {Record<string, { attack: (run: any) => Promise<any>, table: (outcome: any) => string, orgs: number, kills: number, pooled?: true }>}
 */
const scenarios = {
  keys: { attack: attackKeys, table: keysTable, orgs: 16, kills: 200, pooled: true },
  webhooks: { attack: attackDeliveries, table: webhookTable, orgs: 4, kills: 200, pooled: true },
  // Histories always end, no matter how often they are interrupted.
  envelopes: { attack: attackEnvelopes, table: envelopeTable, orgs: 4, kills: UNLIMITED, pooled: true },
  signing: { attack: attackSigning, table: signingTable, orgs: 0, kills: UNLIMITED, pooled: true },
  vault: { attack: attackVault, table: vaultTable, orgs: 0, kills: UNLIMITED, pooled: true },
  // Its last race takes a minute or two, and the service a few seconds to restart.
  custody: { attack: attackCustody, table: custodyTable, orgs: 0, kills: 10 },
  links: { attack: attackLinks, table: linksTable, orgs: 0, kills: UNLIMITED },
  rotate: { attack: attackRotation, table: rotationTable, orgs: 0, kills: UNLIMITED },
  encrypt: { attack: attackEncryption, table: encryptionTable, orgs: 0, kills: 50 },
  secrets: { attack: attackSecrets, table: secretsTable, orgs: 0, kills: 40 },
  restore: { attack: attackRestore, table: restoreTable, orgs: 0, kills: 20 },
  // After each kill, the jobs of the dead process wait for half a minute.
  bulk: { attack: attackBulk, table: bulkTable, orgs: 0, kills: 20 },
};
const USAGE = `usage: chaos [--scenario ${Object.keys(scenarios).join("|")}] [--seed N] [--kills K] [--minutes M] [--histories H] [--rounds R] [--times T] [--runs N] [--rows N] [--blobs N] [--copies C] [--racers R] [--kill service|postgres|both] [--pooler session|transaction]\n`;
const pooledScenarios = Object.keys(scenarios).filter((name) => scenarios[name]?.pooled);

const { values } = parseArgs({
  options: {
    help: { type: "boolean", default: false },
    seed: { type: "string", default: "1" },
    kills: { type: "string" },
    minutes: { type: "string" },
    histories: { type: "string", default: "1000" },
    rounds: { type: "string", default: "20" },
    times: { type: "string", default: "20" },
    runs: { type: "string", default: "50" },
    rows: { type: "string", default: "10000" },
    blobs: { type: "string", default: "10000" },
    copies: { type: "string", default: "100" },
    racers: { type: "string", default: "100" },
    kill: { type: "string", default: "service" },
    pooler: { type: "string" },
    scenario: { type: "string", default: "keys" },
  },
});
if (values.help) {
  process.stdout.write(USAGE);
  process.exit(0);
}
const scenario = scenarios[values.scenario];
const seed = Number(values.seed);
const minutes = Number(values.minutes ?? UNLIMITED);
const [histories, rounds, times, runs, copies, racers, rows, blobs] = [
  values.histories,
  values.rounds,
  values.times,
  values.runs,
  values.copies,
  values.racers,
  values.rows,
  values.blobs,
].map(Number);
// A run with a time limit ends when the time is over. The custody races have no time limit.
const enough = values.minutes === undefined || values.scenario === "custody" ? scenario?.kills : UNLIMITED;
const kills = Number(values.kills ?? enough);
const target = /** @type {"service" | "postgres" | "both"} */ (values.kill);
const areCounts =
  [kills, histories, rounds, times, runs, copies, rows, blobs, minutes].every((count) => Number(count) > 0) && Number(racers) > 2;
if (scenario === undefined || !Number.isInteger(seed) || !areCounts || !["service", "postgres", "both"].includes(target)) {
  process.stderr.write(USAGE);
  process.exit(2);
}
const pooler = /** @type {"session" | "transaction" | null} */ (values.pooler ?? null);
if (pooler !== null && !(["session", "transaction"].includes(pooler) && scenario.pooled)) {
  process.stderr.write(`--pooler takes session or transaction, with one of the scenarios ${pooledScenarios.join(", ")}\n`);
  process.exit(2);
}

const end = cleanup();
/** @type {Promise<void> | null} */
let ended = null;
// A run that is interrupted fails too, and waits here for the same clean-up.
const endOnce = () => {
  ended ??= end.run();
  return ended;
};
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"])) {
  process.once(signal, () => endOnce().finally(() => process.exit(1)));
}
try {
  process.exitCode = await run();
} finally {
  await endOnce();
}

async function run() {
  const began = new Date();
  const random = randomFrom(seed);
  const results = join(import.meta.dirname, "results");
  await mkdir(results, { recursive: true });
  const through = pooler === null ? "" : `-${pooler}-pooler`;
  const name = `${began.toISOString().replaceAll(":", "-").slice(0, 19)}-${target}${through}-seed-${seed}.jsonl`;
  const history = await openHistory(join(results, name));
  end.later(() => history.close());

  const folder = await scratchFolder(end);
  const keepLog = () => copyFile(join(folder, "service.log"), `${history.file}.log`);
  try {
    const outcome = await attack({ random, history, folder });
    await history.append({ kind: "summary", ...outcome });
    process.stdout.write(`${scenario?.table(outcome)}\n`);
    if (outcome.found.length > 0) await keepLog();
    return outcome.found.length === 0 ? 0 : 1;
  } catch (error) {
    await keepLog();
    throw error;
  }
}

/** @param {{ random: import("./random.mjs").Random, history: import("./history.mjs").History, folder: string }} run */
async function attack(run) {
  if (scenario === undefined) throw new Error("no such scenario");
  const stage = scenario.orgs === 0 ? {} : await openStage(run, scenario.orgs);
  const wanted = {
    seed,
    target,
    kills,
    histories,
    rounds,
    times,
    runs,
    copies,
    racers,
    rows,
    blobs,
    pooler,
    deadline: performance.now() + minutes * 60_000,
  };
  return scenario.attack({ ...run, ...stage, ...wanted, end, later: end.later });
}

/** A service whose first start is interrupted, and its orgs. @param {{ random: import("./random.mjs").Random, history: import("./history.mjs").History, folder: string }} run @param {number} count */
async function openStage({ random, history, folder }, count) {
  const outside = pooler === null ? null : await openOutside(folder, pooler);
  const victim = startVictim({ folder, port: await freePort(), later: end.later, outside });
  for (let n = 0; n < FIRST_START_KILLS; n++) {
    await new Promise((resolve) => setTimeout(resolve, random.between(100, 4_000)));
    await history.append({ kind: "kill", target: "first start" });
    await victim.killService();
  }
  await victim.ready();
  return { victim, orgs: await makeOrgs(victim, random, count) };
}

/** A database of its own, which the service reaches through a pooler. @param {string} folder @param {"session" | "transaction"} mode */
async function openOutside(folder, mode) {
  const database = await startDatabase(end, folder);
  return { ...database, env: await startPooler(end, folder, database, { mode, connections: POOLED_CONNECTIONS[mode] }) };
}

/** Each org has its own admin, because an admin has 300 calls a minute. @param {ReturnType<typeof startVictim>} victim @param {import("./random.mjs").Random} random @param {number} count */
async function makeOrgs(victim, random, count) {
  const orgs = [];
  for (let index = 0; index < count; index++) {
    const admin = { email: `admin${index}@example.com`, password: randomBytes(16).toString("hex") };
    await victim.command(["orgs", "create", "--name", `Org ${index}`, "--admin-email", admin.email], { ADMIN_PASSWORD: admin.password });
    const send = client(victim.url);
    orgs.push({ index, send, token: adminSession(send, admin, random.between(3, 10) * 60_000).token });
  }
  return orgs;
}
