// npm run bench [-- --only S3,S10] [--seconds N] [--fresh-clone] [--keep folder]: measures, prints a table, writes results/<date>.json.
// The exit code says whether everything could be measured. Missed goals are only shown in the table, because machines differ.
import { mkdir, writeFile } from "node:fs/promises";
import { availableParallelism, cpus } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { measureAbuse } from "./abuse.mjs";
import { measureAccounts } from "./accounts.mjs";
import { measureBuilder } from "./builder.mjs";
import { measureBulk } from "./bulk.mjs";
import { measureComparison } from "./comparison.mjs";
import { measureConsole } from "./console-speed.mjs";
import { measureEncryption } from "./encryption.mjs";
import { table } from "./figure.mjs";
import { measureFleet } from "./fleet.mjs";
import { cleanup } from "./harness.mjs";
import { measureManyLists } from "./lists.mjs";
import { measurePool } from "./pool.mjs";
import { measureCpu } from "./s01-cpu.mjs";
import { measureEnvelope } from "./s02-envelope.mjs";
import { measureFloor } from "./s03-floor.mjs";
import { measureLists } from "./s04-lists.mjs";
import { measureSearch } from "./s05-search.mjs";
import { measureRewrite } from "./s06-rewrite.mjs";
import { measureSeal } from "./s07-seal.mjs";
import { measureWeight } from "./s08-page-weight.mjs";
import { measureFirstPage } from "./s09-first-page.mjs";
import { measureMemory } from "./s10-memory.mjs";
import { measureUpload } from "./s11-upload.mjs";
import { measureWebhooks } from "./s12-webhooks.mjs";
import { measureVault } from "./s13-vault.mjs";
import { measureStart } from "./s14-start.mjs";
import { measureSigning } from "./signing.mjs";
import { measureTemplate } from "./template-cpu.mjs";
import { measureCrowd } from "./upload-crowd.mjs";
import { measureZip } from "./zip.mjs";

const measurements = {
  S1: measureCpu,
  S2: measureEnvelope,
  S3: measureFloor,
  S4: measureLists,
  S5: measureSearch,
  S6: measureRewrite,
  S7: measureSeal,
  S8: measureWeight,
  S9: measureFirstPage,
  S10: measureMemory,
  S11: measureUpload,
  S12: measureWebhooks,
  S13: measureVault,
  S14: measureStart,
  ABUSE: measureAbuse,
  ACCOUNTS: measureAccounts,
  BUILDER: measureBuilder,
  BULK: measureBulk,
  COMPARISON: measureComparison,
  CONSOLE: measureConsole,
  CROWD: measureCrowd,
  ENCRYPTION: measureEncryption,
  FLEET: measureFleet,
  LISTS: measureManyLists,
  POOL: measurePool,
  SIGN: measureSigning,
  TEMPLATE: measureTemplate,
  ZIP: measureZip,
};

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    seconds: { type: "string" },
    "fresh-clone": { type: "boolean", default: false },
    keep: { type: "string" },
  },
});
const known = Object.keys(measurements);
const only = values.only?.toUpperCase().split(",") ?? known;
const seconds = values.seconds === undefined ? null : Number(values.seconds);
if (only.some((id) => !known.includes(id)) || (seconds !== null && !(seconds > 0))) {
  console.error(`--only takes a list of ${known.join(", ")}; --seconds a number above 0`);
  process.exit(2);
}

const began = new Date();
/** @type {import("./figure.mjs").Figure[]} */
const figures = [];
/** @type {Record<string, string>} */
const failures = {};
let stop = () => Promise.resolve();
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"])) {
  process.once(signal, () => stop().finally(() => process.exit(1)));
}

for (const [id, measure] of Object.entries(measurements)) {
  if (!only.includes(id)) continue;
  console.error(`measuring ${id}…`);
  const end = cleanup();
  stop = end.run;
  try {
    figures.push(...(await measure({ end, seconds, freshClone: values["fresh-clone"], keep: values.keep ?? null })));
  } catch (error) {
    failures[id] = error instanceof Error ? (error.stack ?? error.message) : String(error);
    console.error(`${id} could not be measured: ${failures[id]}`);
  } finally {
    await end.run();
  }
}

console.log(table(figures));
const machine = { node: process.version, cores: availableParallelism(), cpu: cpus()[0]?.model ?? "", platform: process.platform };
const folder = join(import.meta.dirname, "results");
await mkdir(folder, { recursive: true });
const file = join(folder, `${began.toISOString().replaceAll(":", "-").slice(0, 19)}.json`);
await writeFile(file, `${JSON.stringify({ date: began.toISOString(), machine, figures, failures }, null, 2)}\n`);
process.exitCode = Object.keys(failures).length === 0 ? 0 : 1;
