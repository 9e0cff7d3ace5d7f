// Documents that were stored as they are get encrypted while people sign, by processes that die: after a random number of SQL statements, which
// is at every border between two steps, or after a random time, often while a file is written. After each death every document must be readable
// by a process that remembers nothing. At the end all of them are encrypted, and the folder contains no readable PDF.
import { createHash, randomBytes } from "node:crypto";
import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { openOffice, SENDING_SCOPES, sendEnvelope, sign, twoSigners } from "../bench/ceremony.mjs";
import { answersAt, fillDatabase, freePort, product, startDatabase, startService } from "../bench/harness.mjs";
import { countOf, inTurns, runToItsEnd, verdictTable } from "./runner.mjs";

const READY_WITHIN_SECONDS = 180;
// Ten thousand documents take more than ten minutes on a busy machine.
const DIES_WITHIN_MS = 1_800_000;
const WAITING_ENVELOPES = 10;
const READ_AT_ONCE = 8;
// A document takes about fourteen statements, so that the first ones are hit at every step.
const MOST_STATEMENTS = 400;
const MOST_MS = 1_500;

/** @typedef {{ blobs: number, kills: number, finished: number, checked: number, signed: number, encrypted: number, left: number, found: string[] }} Outcome */

/**
 * @param {{ end: import("../bench/harness.mjs").Cleanup, folder: string, random: import("./random.mjs").Random,
 *   history: import("./history.mjs").History, blobs: number, kills: number, deadline: number }} run
 * @returns {Promise<Outcome>}
 */
export async function attackEncryption({ end, folder, random, history, blobs, kills, deadline }) {
  await mkdir(folder, { recursive: true });
  const database = await startDatabase(end, folder);
  const { org_id, keys } = await fillDatabase(database, { envelopes: 0, keys: 1, scopes: SENDING_SCOPES });
  const env = { ...database.env, APP_SECRET: randomBytes(32).toString("hex"), LOG_LEVEL: "error" };
  const { connectDb } = await product("db/connect.js");
  const db = connectDb({ url: database.appUrl, poolSize: READ_AT_ONCE });
  end.later(() => db.end());
  /** @type {Outcome} */
  const outcome = { blobs: 0, kills: 0, finished: 0, checked: 0, signed: 0, encrypted: 0, left: 0, found: [] };
  const port = await freePort();
  /** @type {import("../bench/harness.mjs").Program | null} */
  let serve = null;
  end.later(() => serve?.stop("SIGKILL"));
  const start = async (/** @type {string} */ ENCRYPT_BLOBS) => {
    await serve?.stop();
    serve = startService("serve", { folder, port, env: { ...env, ENCRYPT_BLOBS } });
    await answersAt(serve, "/readyz", READY_WITHIN_SECONDS);
    return serve.url;
  };

  // As the release before left it: a template, envelopes that wait for signatures, and many documents, all readable in the folder.
  const office = await openOffice(await start("false"), keys[0] ?? "");
  const waiting = await inTurns([...Array(WAITING_ENVELOPES).keys()], 2, async (n) => {
    const signers = twoSigners(`before-${n}`);
    return { envelope_id: await sendEnvelope(office, { signers }), signers };
  });
  const open = opener(folder, env, db);
  await fill(await open("false"), db, org_id, blobs);
  await start("true");

  let isOver = false;
  const signing = signAll(office, waiting, () => isOver, outcome);
  for (let kill = 1; kill <= kills && performance.now() < deadline; kill++) {
    const statements = kill % 2 === 0 ? 1 + Math.floor(random.next() ** 2 * MOST_STATEMENTS) : 0;
    const ms = kill % 2 === 0 ? 0 : random.between(1, MOST_MS);
    const ended = await encryptOnce(folder, env, end, statements, ms);
    if (ended.diedByItself) outcome.kills += 1;
    else if (ended.code === 0) outcome.finished += 1;
    else outcome.found.push(`end: ${ended.why}`);
    await check(await open("true"), database, org_id, outcome, `after kill ${kill}`);
    await history.append({ kind: "kill", kill, statements, ms, died: ended.diedByItself });
    process.stderr.write(`kill ${kill}: ${outcome.left} of ${outcome.blobs} left, ${outcome.found.length} violations\n`);
  }
  isOver = true;
  await signing;
  const last = await encryptOnce(folder, env, end, 0, 0);
  if (last.code !== 0) outcome.found.push(`end: ${last.why}`);
  outcome.encrypted = last.said?.encrypted ?? 0;
  for (const { sha256 } of last.said?.unreadable ?? []) outcome.found.push(`unreadable: ${sha256} for the job`);
  await check(await open("true"), database, org_id, outcome, "at the end");
  if (outcome.left > 0) outcome.found.push(`plain: ${outcome.left} documents are not encrypted in the end`);
  await findPlain(join(folder, "data", "blobs"), outcome);
  return outcome;
}

/** The storage of a process that has just started. @param {string} folder @param {Record<string, string>} env @param {any} db */
export const opener = (folder, env, db) => async (/** @type {string} */ ENCRYPT_BLOBS) => {
  const { readConfig } = await product("config.js");
  const { deriveKeys } = await product("shared/secrets.js");
  const { buildKms } = await product("secrets/build-kms.js");
  const { orgKeys } = await product("secrets/org-keys.js");
  const { buildStorage } = await product("storage/build-storage.js");
  const config = readConfig({ ...env, DATA_DIR: join(folder, "data"), ENCRYPT_BLOBS });
  return buildStorage(config, db, orgKeys({ db, kms: buildKms(config.kms, deriveKeys(config.appSecrets)) }));
};

/** Most are small, some have several segments. @param {any} storage @param {any} db @param {string} org_id @param {number} count */
export async function fill(storage, db, org_id, count) {
  const { storeBlob } = await product("storage/store-blob.js");
  const { keepBlob } = await product("storage/store.js");
  await inTurns([...Array(count).keys()], READ_AT_ONCE, async (n) => {
    const bytes = Buffer.concat([Buffer.from("%PDF-1.7\n"), randomBytes(n % 50 === 0 ? 600_000 : 20_000)]);
    const { sha256 } = await storeBlob(storage, org_id, bytes);
    await db.tx(org_id, (/** @type {any} */ tx) => keepBlob(tx, org_id, sha256));
  });
}

/** @param {string} folder @param {Record<string, string>} env @param {import("../bench/harness.mjs").Cleanup} end @param {number} statements @param {number} ms */
export function encryptOnce(folder, env, end, statements, ms) {
  const args = [String(statements), String(ms)];
  return runToItsEnd({ program: "encrypt-once.mjs", args, folder, env, within_ms: DIES_WITHIN_MS, later: end.later });
}

/** First the envelopes of before, then new ones, until the kills are over. @param {any} office @param {any[]} waiting @param {() => boolean} isOver @param {Outcome} outcome */
async function signAll(office, waiting, isOver, outcome) {
  for (let n = 0; n < waiting.length || !isOver(); n++) {
    try {
      const signers = waiting[n]?.signers ?? twoSigners(`new-${n}`);
      const envelope_id = waiting[n]?.envelope_id ?? (await sendEnvelope(office, { signers }));
      for (const signer of signers) await sign(office, envelope_id, signer);
      outcome.signed += 1;
    } catch (error) {
      outcome.found.push(`refused: ${error}`);
    }
  }
}

/** Every referenced document can be read, with the hash of its name. @param {any} storage @param {any} database @param {string} org_id @param {Pick<Outcome, "blobs" | "left" | "checked" | "found">} outcome @param {string} when */
export async function check(storage, database, org_id, outcome, when) {
  /** @type {{ sha256: string, encryption: string }[]} */
  const rows = await database.query("select sha256, encryption from blobs where org_id = $1 and kept and destroyed_at is null", [org_id]);
  if (rows.length < outcome.blobs) outcome.found.push(`lost: ${rows.length} of ${outcome.blobs} documents, ${when}`);
  outcome.blobs = rows.length;
  outcome.left = rows.filter(({ encryption }) => encryption !== "v1").length;
  await inTurns(rows, READ_AT_ONCE, async ({ sha256, encryption }) => {
    try {
      const bytes = await storage.blobs.read(org_id, sha256);
      if (createHash("sha256").update(bytes).digest("hex") !== sha256) throw new Error("other bytes");
      outcome.checked += 1;
    } catch (error) {
      outcome.found.push(`unreadable: ${sha256} (${encryption}), ${when}: ${error}`);
    }
  });
}

/** @param {string} folder @param {Pick<Outcome, "found">} outcome */
export async function findPlain(folder, outcome) {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    // A temporary file of a process that died is removed after a day. It is encrypted too.
    if (!entry.isFile()) continue;
    const bytes = await readFile(join(entry.parentPath, entry.name));
    if (bytes.includes("%PDF")) outcome.found.push(`plain: ${entry.name} is readable in the folder`);
  }
}

/** @param {Outcome} outcome */
export function encryptionTable({ blobs, kills, finished, checked, signed, encrypted, left, found }) {
  return verdictTable(
    [
      ["documents, and how often one was read", `${blobs}, ${checked}`],
      ["processes killed", String(kills)],
      ["processes that came to their end", String(finished)],
      ["encrypted by the last process, and left", `${encrypted}, ${left}`],
      ["envelopes signed meanwhile", String(signed)],
      ["unreadable documents", countOf(found, "unreadable")],
      ["missing documents", countOf(found, "lost")],
      ["documents that stayed readable in the folder", countOf(found, "plain")],
      ["refused signatures", countOf(found, "refused")],
      ["unexpected exits", countOf(found, "end")],
    ],
    found,
  );
}
