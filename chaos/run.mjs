// npm run chaos -- [--scenario keys|webhooks|envelopes|signing|vault|custody] [--seed N] [--kills K] [--minutes M] [--histories H] [--rounds R]
//   [--times T] [--copies C] [--racers R] [--kill service|postgres|both]
// Clients make API keys (or fire events, or send envelopes) while the service, or its database, is killed at random moments. At the end,
// and for keys every 20 kills, a checker compares what the clients were told with what the API shows. Exits with 1 on any violation; the
// history, and in that case the service's log, stay in results/.
import { randomBytes } from "node:crypto";
import { copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { cleanup, freePort, scratchFolder } from "../bench/harness.mjs";
import { client } from "./api.mjs";
import { startClients } from "./clients.mjs";
import { attackCustody, custodyTable } from "./custody.mjs";
import { attackEnvelopes, envelopeTable } from "./envelopes.mjs";
import { openHistory } from "./history.mjs";
import { attack } from "./nemesis.mjs";
import { randomFrom } from "./random.mjs";
import { adminSession } from "./session.mjs";
import { attackSigning, signingTable } from "./signing.mjs";
import { summaryOf } from "./summary.mjs";
import { attackVault, vaultTable } from "./vault.mjs";
import { startVictim } from "./victim.mjs";
import { attackDeliveries, webhookTable } from "./webhooks.mjs";

const ORGS = 16;
const FEW_ORGS = 4;
// How often the very first start, which makes the database, is cut short.
const FIRST_START_KILLS = 3;
// The last of its races takes a minute or two, and the service some seconds to come back.
const CUSTODY_KILLS = 10;

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    kills: { type: "string" },
    minutes: { type: "string" },
    histories: { type: "string", default: "1000" },
    rounds: { type: "string", default: "20" },
    times: { type: "string", default: "20" },
    copies: { type: "string", default: "100" },
    racers: { type: "string", default: "100" },
    kill: { type: "string", default: "service" },
    scenario: { type: "string", default: "keys" },
  },
});
const seed = Number(values.seed);
const minutes = Number(values.minutes ?? Number.POSITIVE_INFINITY);
const { scenario } = values;
const histories = Number(values.histories);
const rounds = Number(values.rounds);
const times = Number(values.times);
const copies = Number(values.copies);
const racers = Number(values.racers);
// Histories come to their end by themselves, however often they are disturbed.
const enough = values.minutes === undefined && scenario !== "envelopes" ? 200 : Number.POSITIVE_INFINITY;
const kills = Number(values.kills ?? enough);
const target = /** @type {"service" | "postgres" | "both"} */ (values.kill);
if (
  !["keys", "webhooks", "envelopes", "signing", "vault", "custody"].includes(scenario) ||
  !Number.isInteger(seed) ||
  !(kills > 0) ||
  !(histories > 0) ||
  !(rounds > 0) ||
  !(times > 0) ||
  !(copies > 0) ||
  !(racers > 2) ||
  !(minutes > 0) ||
  !["service", "postgres", "both"].includes(target)
) {
  process.stderr.write(
    "usage: chaos [--scenario keys|webhooks|envelopes|signing|vault|custody] [--seed N] [--kills K] [--minutes M] [--histories H] [--rounds R] [--times T] [--copies C] [--racers R] [--kill service|postgres|both]\n",
  );
  process.exit(2);
}

const end = cleanup();
/** @type {Promise<void> | null} */
let ended = null;
// A run that is ended from outside fails as well, and waits here for the same cleaning up.
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
  const name = `${began.toISOString().replaceAll(":", "-").slice(0, 19)}-${target}-seed-${seed}.jsonl`;
  const history = await openHistory(join(results, name));
  end.later(() => history.close());

  const folder = await scratchFolder(end);
  const keepLog = () => copyFile(join(folder, "service.log"), `${history.file}.log`);
  try {
    const [violations, table] = await attackAndJudge({ began, random, history, folder });
    process.stdout.write(`${table}\n`);
    if (violations > 0) await keepLog();
    return violations === 0 ? 0 : 1;
  } catch (error) {
    await keepLog();
    throw error;
  }
}

/**
 * @param {{ began: Date, random: import("./random.mjs").Random, history: import("./history.mjs").History, folder: string }} run
 * @returns {Promise<[violations: number, table: string]>}
 */
async function attackAndJudge({ began, random, history, folder }) {
  if (scenario === "signing") {
    const until = performance.now() + minutes * 60_000;
    const outcome = await attackSigning({ folder, random, history, later: end.later, rounds, deadline: until });
    await history.append({ kind: "summary", ...outcome });
    return [outcome.found.length, signingTable(outcome)];
  }
  if (scenario === "vault") {
    const until = performance.now() + minutes * 60_000;
    const outcome = await attackVault({ end, folder, random, history, times, deadline: until });
    await history.append({ kind: "summary", ...outcome });
    return [outcome.found.length, vaultTable(outcome)];
  }
  if (scenario === "custody") {
    const outcome = await attackCustody({ end, folder, random, history, copies, racers, kills: Number(values.kills ?? CUSTODY_KILLS) });
    await history.append({ kind: "summary", ...outcome });
    return [outcome.found.length, custodyTable(outcome)];
  }
  const victim = startVictim({ folder, port: await freePort(), later: end.later });
  for (let n = 0; n < FIRST_START_KILLS; n++) {
    await new Promise((resolve) => setTimeout(resolve, random.between(100, 4_000)));
    await history.append({ kind: "kill", target: "first start" });
    await victim.killService();
  }
  await victim.ready();
  const orgs = await makeOrgs(victim, random, scenario === "keys" ? ORGS : FEW_ORGS);
  const deadline = performance.now() + minutes * 60_000;
  const common = { victim, orgs, history, random, target, kills, deadline };
  if (scenario === "webhooks") {
    const outcome = await attackDeliveries({ ...common, later: end.later });
    await history.append({ kind: "summary", ...outcome });
    return [outcome.found.length, webhookTable(outcome)];
  }
  if (scenario === "envelopes") {
    const outcome = await attackEnvelopes({ ...common, seed, histories });
    await history.append({ kind: "summary", ...outcome });
    return [outcome.found.length, envelopeTable(outcome)];
  }
  const clients = startClients({ orgs, history, seed });
  end.later(() => void clients.stop().catch(() => undefined));
  const summary = summaryOf(await attack({ ...common, clients }), began);
  await history.append({ kind: "summary", ...summary.values });
  return [summary.violations, summary.table];
}

/** Each with an admin of its own: an admin has 300 calls a minute. @param {ReturnType<typeof startVictim>} victim @param {import("./random.mjs").Random} random @param {number} count */
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
