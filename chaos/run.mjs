// npm run chaos -- [--scenario keys|webhooks] [--seed N] [--kills K] [--minutes M] [--kill service|postgres|both]
// Clients make API keys while the service, or its database, is killed at random moments. At the end, and every 20 kills, a checker
// compares what the clients were told with what the API shows. Exits with 1 on any violation; the history, and in that case the
// service's log, stay in results/.
import { randomBytes } from "node:crypto";
import { copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { cleanup, freePort, scratchFolder } from "../bench/harness.mjs";
import { client } from "./api.mjs";
import { startClients } from "./clients.mjs";
import { openHistory } from "./history.mjs";
import { attack } from "./nemesis.mjs";
import { randomFrom } from "./random.mjs";
import { adminSession } from "./session.mjs";
import { summaryOf } from "./summary.mjs";
import { startVictim } from "./victim.mjs";
import { attackDeliveries, webhookTable } from "./webhooks.mjs";

const ORGS = 16;
const WEBHOOK_ORGS = 4;
// How often the very first start, which makes the database, is cut short.
const FIRST_START_KILLS = 3;

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    kills: { type: "string" },
    minutes: { type: "string" },
    kill: { type: "string", default: "service" },
    scenario: { type: "string", default: "keys" },
  },
});
const seed = Number(values.seed);
const minutes = Number(values.minutes ?? Number.POSITIVE_INFINITY);
const kills = Number(values.kills ?? (values.minutes === undefined ? 200 : Number.POSITIVE_INFINITY));
const target = /** @type {"service" | "postgres" | "both"} */ (values.kill);
const { scenario } = values;
if (
  !["keys", "webhooks"].includes(scenario) ||
  !Number.isInteger(seed) ||
  !(kills > 0) ||
  !(minutes > 0) ||
  !["service", "postgres", "both"].includes(target)
) {
  process.stderr.write("usage: chaos [--scenario keys|webhooks] [--seed N] [--kills K] [--minutes M] [--kill service|postgres|both]\n");
  process.exit(2);
}

const end = cleanup();
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"])) {
  process.once(signal, () => end.run().finally(() => process.exit(1)));
}
try {
  process.exitCode = await run();
} finally {
  await end.run();
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
  const victim = startVictim({ folder, port: await freePort(), later: end.later });
  for (let n = 0; n < FIRST_START_KILLS; n++) {
    await new Promise((resolve) => setTimeout(resolve, random.between(100, 4_000)));
    await history.append({ kind: "kill", target: "first start" });
    await victim.killService();
  }
  await victim.ready();
  const orgs = await makeOrgs(victim, random, scenario === "keys" ? ORGS : WEBHOOK_ORGS);
  const until = performance.now() + minutes * 60_000;
  if (scenario === "webhooks")
    return judgeWebhooks(
      await attackDeliveries({ victim, orgs, history, random, target, kills, deadline: until, later: end.later }),
      history,
      folder,
    );
  const clients = startClients({ orgs, history, seed });
  end.later(() => void clients.stop().catch(() => undefined));
  const outcome = await attack({ victim, orgs, clients, history, random, target, kills, deadline: until });
  const summary = summaryOf(outcome, began);
  await history.append({ kind: "summary", ...summary.values });
  process.stdout.write(`${summary.table}\n`);
  if (summary.violations === 0) return 0;
  await copyFile(join(folder, "service.log"), `${history.file}.log`);
  return 1;
}

/** @param {import("./webhooks.mjs").Outcome} outcome @param {import("./history.mjs").History} history @param {string} folder */
async function judgeWebhooks(outcome, history, folder) {
  await history.append({ kind: "summary", ...outcome });
  process.stdout.write(`${webhookTable(outcome)}\n`);
  if (outcome.found.length === 0) return 0;
  await copyFile(join(folder, "service.log"), `${history.file}.log`);
  return 1;
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
