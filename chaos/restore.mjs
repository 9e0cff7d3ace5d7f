// Backups are written while people sign, and killed at random moments; one that came to its end is restored on another database server and
// another store, and that is killed too. Then everything that was acknowledged before that backup began must be there: each envelope with at
// least its state, each signed document with its bytes, each vaulted record with evidence that verifies. The restored installation is held
// with a worker: nothing may reach the receiver of webhooks until it is released.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { call, lookAt, openOffice, SENDING_SCOPES, sendEnvelope, sign, twoSigners } from "../bench/ceremony.mjs";
import { answersAt, fillDatabase, freePort, product, root, startDatabase, startService } from "../bench/harness.mjs";
import { startReceiver } from "./receiver.mjs";
import { countOf, verdictTable } from "./runner.mjs";

const READY_WITHIN_SECONDS = 180;
const SIGN_AT_ONCE = 2;
// Of each three envelopes one is vaulted, and one is only sent.
const KINDS = 3;
const MOST_BACKUP_MS = 6_000;
const MOST_RESTORE_MS = 8_000;
const DRAINED_WITHIN_MS = 120_000;
const SCOPES = [...SENDING_SCOPES, "webhooks:write", "vault:read"];

/** @typedef {{ envelope_id: string, kind: number, sha256: string | null }} Acknowledged */
/**
 * @typedef {{ backupsKilled: number, restoresKilled: number, signed: number, known: number, documents: number, evidence: number, requests: number,
 *   found: string[] }} Outcome
 */

/**
 * @param {{ end: import("../bench/harness.mjs").Cleanup, folder: string, random: import("./random.mjs").Random,
 *   history: import("./history.mjs").History, kills: number, deadline: number }} run
 * @returns {Promise<Outcome>}
 */
export async function attackRestore({ end, folder, random, history, kills, deadline }) {
  /** @type {Outcome} */
  const outcome = { backupsKilled: 0, restoresKilled: 0, signed: 0, known: 0, documents: 0, evidence: 0, requests: 0, found: [] };
  const receiver = await startReceiver(end);
  const source = await placeOf(end, join(folder, "source"));
  const { keys } = await fillDatabase(source.database, { envelopes: 0, keys: 1, scopes: SCOPES });
  const key = keys[0] ?? "";
  const service = startService("start", { folder: source.folder, port: await freePort(), env: source.env });
  // Where the log of a failed run is looked for.
  await symlink(join(source.folder, "service.log"), join(folder, "service.log"));
  end.later(() => service.stop("SIGKILL"));
  await answersAt(service, "/readyz", READY_WITHIN_SECONDS);
  const endpoint = { url: receiver.url, event_types: ["envelope.completed", "vault.stored"] };
  const made = await call(service.url, "POST", "/webhooks/endpoints", { "x-api-key": key }, endpoint);
  if (made.status !== 201) throw new Error(`the endpoint returned ${made.status}`);
  const office = await openOffice(service.url, key);

  /** @type {Acknowledged[]} */
  const acknowledged = [];
  let isOver = false;
  const load = Promise.all(Array.from({ length: SIGN_AT_ONCE }, (_, lane) => work(office, lane, acknowledged, () => isOver, outcome)));
  const backup = join(folder, "backup");
  for (let n = 0; n < kills && performance.now() < deadline; n++) {
    const ended = await command(["backup", "--to", backup], source, random.between(200, MOST_BACKUP_MS));
    if (ended.killed) outcome.backupsKilled += 1;
    else if (ended.code !== 0) outcome.found.push(`end: a backup ended with ${ended.code}: ${ended.said}`);
    await history.append({ kind: "stop", what: "backup", killed: ended.killed });
  }
  // What is known before it begins must be in it.
  while (acknowledged.length < KINDS) await delay(100);
  const known = [...acknowledged];
  const whole = await command(["backup", "--to", backup], source);
  if (whole.code !== 0) outcome.found.push(`end: the last backup ended with ${whole.code}: ${whole.said}`);
  isOver = true;
  await load;
  await service.stop();
  outcome.signed = acknowledged.length;
  outcome.known = known.length;

  const target = await placeOf(end, join(folder, "target"), false);
  receiver.arrived.length = 0;
  for (let n = 0; n < kills && performance.now() < deadline; n++) {
    const ended = await command(["restore", "--from", backup], target, random.between(200, MOST_RESTORE_MS));
    await history.append({ kind: "stop", what: "restore", killed: ended.killed });
    if (!ended.killed) {
      if (ended.code !== 0) outcome.found.push(`end: a restore ended with ${ended.code}: ${ended.said}`);
      break;
    }
    outcome.restoresKilled += 1;
  }
  // A restore that was killed as it ended has done everything; another one then finds the database in use.
  const restored = await command(["restore", "--from", backup], target);
  if (restored.code !== 0 && !restored.said.includes("not empty")) outcome.found.push(`end: the last restore: ${restored.said}`);
  const verified = await command(["verify-install", "--all"], target);
  if (verified.code !== 0) outcome.found.push(`verify: ${verified.said}`);
  await check({ end, target, key, known, receiver, outcome });
  return outcome;
}

/** @param {{ end: import("../bench/harness.mjs").Cleanup, target: Place, key: string, known: readonly Acknowledged[], receiver: Awaited<ReturnType<typeof startReceiver>>, outcome: Outcome }} at */
async function check({ end, target, key, known, receiver, outcome }) {
  const env = { ...target.env, READY_WHEN_HELD: "true" };
  const service = startService("start", { folder: target.folder, port: await freePort(), env });
  end.later(() => service.stop("SIGKILL"));
  await answersAt(service, "/readyz", READY_WITHIN_SECONDS);
  const office = { url: service.url, key, template_id: "" };
  for (const { envelope_id, kind, sha256 } of known) {
    const { status, json } = await lookAt(office, envelope_id, "/status");
    const state = json?.data?.status;
    const wanted = kind === 0 ? ["sent"] : kind === 1 ? ["completed"] : ["completed", "vaulted"];
    if (status !== 200 || !wanted.includes(state)) outcome.found.push(`lost: ${envelope_id} is ${status === 200 ? state : status}`);
    if (sha256 !== null) {
      const file = await lookAt(office, envelope_id, "/document");
      outcome.documents += 1;
      if ((await hashOf(file.bytes)) !== sha256)
        outcome.found.push(`lost: the document of ${envelope_id} has other bytes (${file.status})`);
    }
    if (state === "vaulted") await verifyEvidence(office, envelope_id, outcome);
  }
  await drained(target, outcome);
  outcome.requests = receiver.arrived.length;
  if (outcome.requests > 0) outcome.found.push(`sent: ${outcome.requests} requests reached the receiver while the installation was held`);
  const released = await command(["release", "--yes"], target);
  if (released.code !== 0) outcome.found.push(`end: the release: ${released.said}`);
}

/** @param {import("../bench/ceremony.mjs").Office} office @param {string} envelope_id @param {Pick<Outcome, "evidence" | "found">} outcome */
export async function verifyEvidence(office, envelope_id, outcome) {
  const { unzipBundle, verifyBundle } = await import(join(root, "verify/dist/index.js"));
  const { status, bytes } = await lookAt(office, envelope_id, "/vault/evidence");
  outcome.evidence += 1;
  if (status !== 200) return void outcome.found.push(`evidence: ${envelope_id} returned ${status}`);
  const report = await verifyBundle(() => unzipBundle(bytes), { root: null, tsa_roots: null });
  if (!["VERIFIED", "CONSISTENT, SIGNER NOT PINNED"].includes(report.outcome))
    outcome.found.push(`evidence: ${envelope_id} is ${report.outcome}`);
}

/** Waits until the jobs that the backup had queued have run. @param {Place} place @param {Outcome} outcome */
async function drained({ database }, outcome) {
  const deadline = performance.now() + DRAINED_WITHIN_MS;
  for (;;) {
    const [left] = await database.query(
      "select (select count(*) from outbox)::int + (select count(*) from graphile_worker.jobs where run_at <= now())::int as n",
    );
    if (left?.n === 0) return;
    if (performance.now() > deadline) return void outcome.found.push(`end: ${left?.n} jobs of the backup never ran`);
    await delay(200);
  }
}

/** @param {import("../bench/ceremony.mjs").Office} office @param {number} lane @param {Acknowledged[]} acknowledged @param {() => boolean} isOver @param {Outcome} outcome */
async function work(office, lane, acknowledged, isOver, outcome) {
  for (let n = 0; !isOver(); n++) {
    const kind = n % KINDS;
    const signers = twoSigners(`${lane}-${n}`);
    try {
      const envelope_id = await sendEnvelope(office, { signers, auto_vault_enabled: kind === 2 });
      for (const signer of kind === 0 ? [] : signers) await sign(office, envelope_id, signer);
      acknowledged.push({ envelope_id, kind, sha256: kind === 1 ? await signedHash(office, envelope_id) : null });
    } catch (error) {
      // The service is never killed here, so nothing may be refused.
      outcome.found.push(`refused: ${error}`);
    }
  }
}

/** Once the signed document is there. @param {import("../bench/ceremony.mjs").Office} office @param {string} envelope_id */
export async function signedHash(office, envelope_id) {
  for (let tries = 0; ; tries++) {
    const { status, headers, bytes } = await lookAt(office, envelope_id, "/document");
    if (status === 200 && headers.get("x-document-rendition") !== "copy") return hashOf(bytes);
    if (tries === 300) throw new Error(`the document of ${envelope_id} returned ${status}`);
    await delay(100);
  }
}

/** @param {Uint8Array} bytes */
export async function hashOf(bytes) {
  const { sha256 } = await product("shared/secrets.js");
  return sha256(bytes).toString("hex");
}

/** @typedef {{ folder: string, database: Pick<import("../bench/harness.mjs").Database, "appUrl" | "query">, env: Record<string, string> }} Place */

const SECRET = "the secret of both places of this run: 9a41c07d";

/** A database server and a store. @param {import("../bench/harness.mjs").Cleanup} end @param {string} folder @returns {Promise<Place & { database: import("../bench/harness.mjs").Database }>} */
async function placeOf(end, folder, isMigrated = true) {
  await mkdir(folder, { recursive: true });
  const database = await startDatabase(end, folder);
  const url = isMigrated ? database.url : await emptyDatabase(end, database.url);
  const other = (/** @type {string} */ login) => withName(login, new URL(url).pathname);
  const { DATABASE_APP_URL = "", DATABASE_QUEUE_URL = "" } = database.env;
  const env = {
    DATABASE_URL: url,
    DATABASE_APP_URL: other(DATABASE_APP_URL),
    DATABASE_QUEUE_URL: other(DATABASE_QUEUE_URL),
    APP_SECRET: SECRET,
    LOG_LEVEL: "error",
    WEBHOOK_ALLOW_HTTP: "true",
  };
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  end.later(() => pool.end());
  return {
    folder,
    env,
    database: { ...database, url, appUrl: env.DATABASE_APP_URL, query: async (text, values = []) => (await pool.query(text, values)).rows },
  };
}

/** @param {string} url @param {string} pathname */
function withName(url, pathname) {
  const changed = new URL(url);
  changed.pathname = pathname;
  return changed.href;
}

/** On the same server, with the settings of the logins. @param {import("../bench/harness.mjs").Cleanup} _end @param {string} url */
async function emptyDatabase(_end, url) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("create database restored");
  await client.end();
  const there = withName(url, "/restored");
  const { ensureLogins } = await product("db/logins.js");
  await ensureLogins(there);
  return there;
}

/**
 * A command of the operator, killed after so many milliseconds if it has not ended by then.
 * @param {readonly string[]} args @param {Place} place @param {number | null} [kill_ms]
 */
async function command(args, { folder, env }, kill_ms = null) {
  const settings = { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: join(folder, "data"), ...env };
  const child = spawn(process.execPath, [join(root, "server/bin/countersign.js"), ...args], {
    cwd: folder,
    env: settings,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => {
      said += text;
    });
  }
  const timer = kill_ms === null ? undefined : setTimeout(() => child.kill("SIGKILL"), kill_ms);
  const [code, signal] = await once(child, "close");
  clearTimeout(timer);
  return { code, killed: signal === "SIGKILL", said };
}

/** @param {Outcome} outcome */
export function restoreTable({ backupsKilled, restoresKilled, signed, known, documents, evidence, requests, found }) {
  return verdictTable(
    [
      ["backups killed", String(backupsKilled)],
      ["restores killed", String(restoresKilled)],
      ["envelopes acknowledged, and before the last backup began", `${signed}, ${known}`],
      ["signed documents compared", String(documents)],
      ["evidence bundles verified", String(evidence)],
      ["requests while it was held", String(requests)],
      ["lost or changed", countOf(found, "lost")],
      ["evidence that does not verify", countOf(found, "evidence")],
      ["refused while a backup was written", countOf(found, "refused")],
      ["failed checks of verify-install", countOf(found, "verify")],
      ["unexpected exits", countOf(found, "end")],
    ],
    found,
  );
}
