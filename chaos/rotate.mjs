// Replaces APP_SECRET again and again. In each round the service is started with the new version in second place, then in first place, while a
// person stays logged in and reads a webhook secret. Processes encrypt the values again next to it and die after a random number of SQL
// statements, often in the middle of a transaction. After each death every value must be there and readable; at the end of a round, without
// the earlier version, which is then retired.
import { randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { answersAt, fillDatabase, freePort, product, startDatabase, startService } from "../bench/harness.mjs";
import { countOf, runToItsEnd, verdictTable } from "./runner.mjs";

const READY_WITHIN_SECONDS = 180;
const DIES_WITHIN_MS = 120_000;
const MAILS = 1_000;
const ENDPOINTS = 20;
// A transaction of 100 values has a hundred statements and a few more, and there are eleven of them.
const MOST_STATEMENTS = 1_200;
const KILLS_PER_ROUND = 5;

/** @typedef {{ version: number, secret: string }} Version */
/** @typedef {{ rounds: number, kills: number, finished: number, renewed: number, values: number, checked: number, answers: number, found: string[] }} Outcome */

/**
 * @param {{ end: import("../bench/harness.mjs").Cleanup, folder: string, random: import("./random.mjs").Random,
 *   history: import("./history.mjs").History, rounds: number, deadline: number }} run
 * @returns {Promise<Outcome>}
 */
export async function attackRotation({ end, folder, random, history, rounds, deadline }) {
  await mkdir(folder, { recursive: true });
  const database = await startDatabase(end, folder);
  const { admin } = await fillDatabase(database, { envelopes: 0, keys: 0 });
  const { connectDb } = await product("db/connect.js");
  const db = connectDb({ url: database.appUrl, poolSize: 2 });
  end.later(() => db.end());
  /** @type {Outcome} */
  const outcome = { rounds: 0, kills: 0, finished: 0, renewed: 0, values: 0, checked: 0, answers: 0, found: [] };
  /** @type {import("../bench/harness.mjs").Program | null} */
  let serve = null;
  end.later(() => serve?.stop("SIGKILL"));
  // The same for each start, because tokens name the address of the service.
  const port = await freePort();
  const start = async (/** @type {Version[]} */ versions) => {
    await serve?.stop();
    serve = startService("serve", { folder, port, env: envOf(database, versions) });
    await answersAt(serve, "/readyz", READY_WITHIN_SECONDS);
    return serve.url;
  };

  let present = newVersion(1);
  const person = await logIn(await start([present]), admin);
  await fillMail(database, present);
  outcome.values = (await listValues(db)).length;
  for (let round = 1; round <= rounds && performance.now() < deadline; round++) {
    const next = newVersion(round + 1);
    await person.act(await start([present, next]), outcome);
    const url = await start([next, present]);
    await person.act(url, outcome);
    for (let kill = 0; kill <= KILLS_PER_ROUND; kill++) {
      const statements = kill < KILLS_PER_ROUND ? 1 + Math.floor(random.next() ** 2 * MOST_STATEMENTS) : 0;
      const ended = await runToItsEnd({
        program: "rotate-once.mjs",
        args: [String(statements)],
        folder,
        env: envOf(database, [next, present]),
        within_ms: DIES_WITHIN_MS,
        later: end.later,
      });
      if (ended.diedByItself) outcome.kills += 1;
      else if (ended.code === 0) outcome.finished += 1;
      else outcome.found.push(`end: ${ended.why}`);
      outcome.renewed += ended.said?.renewed ?? 0;
      await check(db, [next, present], outcome, `round ${round} after ${statements} statements`);
      await person.act(url, outcome);
      await history.append({ kind: "kill", round, statements, died: ended.diedByItself });
    }
    await check(db, [next], outcome, `round ${round} without version ${present.version}`);
    const { retireVersion } = await product("secrets/retire-version.js");
    await retireVersion(db, [next, present], { version: present.version, now: true, lost: false, record: async () => undefined }).catch(
      (/** @type {Error} */ error) => outcome.found.push(`retire: ${error.message}`),
    );
    present = next;
    outcome.rounds = round;
    process.stderr.write(`round ${round} of ${rounds}: ${outcome.kills} kills, ${outcome.found.length} violations\n`);
  }
  return outcome;
}

/** @param {number} version @returns {Version} */
export const newVersion = (version) => ({ version, secret: randomBytes(32).toString("hex") });

/** @param {import("../bench/harness.mjs").Database} database @param {Version[]} versions */
export const envOf = (database, versions) => ({
  ...database.env,
  APP_SECRETS: versions.map(({ version, secret }) => `${version}:${secret}`).join(","),
  LOG_LEVEL: "error",
});

/** Mail that waits. @param {import("../bench/harness.mjs").Database} database @param {Version} version */
export async function fillMail(database, version) {
  const { deriveKeys } = await product("shared/secrets.js");
  const { encryptBody } = await product("mail/body.js");
  const keys = deriveKeys([version]);
  for (let n = 0; n < MAILS; n++) {
    const { body_context, body_enc } = encryptBody(keys.mail, { subject: `Mail ${n}`, text: "Text", html: "<p>Text</p>" });
    await database.query(
      `insert into mail_messages (message_id, kind, to_address, body_context, body_enc, expires_at)
       values ($1, 'notice', 'ann@example.com', $2, $3, now() + interval '1 day')`,
      [`msg_${n}`, body_context, body_enc],
    );
  }
}

/** @param {any} db @returns {Promise<{ place: string, id: string, label: string, context: string, value: Buffer }[]>} */
export async function listValues(db) {
  const { listValuesToReWrap } = await product("secrets/store.js");
  return db.system((/** @type {any} */ tx) => listValuesToReWrap(tx, -1, "", 1_000_000));
}

/** Every value is there, and can be read with these versions. @param {any} db @param {Version[]} versions @param {Outcome} outcome @param {string} when */
async function check(db, versions, outcome, when) {
  const count = await checkReadable(db, versions, outcome, when);
  if (count !== outcome.values) outcome.found.push(`lost: ${count} of ${outcome.values} values, ${when}`);
}

/** Every value can be read with these versions. Returns how many there are. @param {any} db @param {Version[]} versions @param {{ checked: number, found: string[] }} outcome @param {string} when */
export async function checkReadable(db, versions, outcome, when) {
  const { decrypt, deriveKeys } = await product("shared/secrets.js");
  const keys = deriveKeys(versions);
  const values = await listValues(db);
  for (const { place, id, label, context, value } of values) {
    try {
      decrypt(keys[label], value, context);
      outcome.checked += 1;
    } catch (error) {
      outcome.found.push(`unreadable: ${place} ${id}, ${when}: ${error}`);
    }
  }
  return values.length;
}

/** A person who logs in once, with some webhook endpoints. @param {string} url @param {{ email: string, password: string }} admin */
async function logIn(url, admin) {
  const call = async (
    /** @type {string} */ at,
    /** @type {string} */ method,
    /** @type {string} */ path,
    /** @type {any} */ body = undefined,
  ) => {
    const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
    const answer = await fetch(`${at}/api/v2${path}`, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
    return { status: answer.status, json: /** @type {any} */ (await answer.json()) };
  };
  let token = "";
  const { json } = await call(url, "POST", "/auth/login", { ...admin, mode: "token" });
  token = json.data.token;
  let { refresh_token } = json.data;
  /** @type {[id: string, secret: string][]} */
  const endpoints = [];
  for (let n = 0; n < ENDPOINTS; n++) {
    const made = await call(url, "POST", "/webhooks/endpoints", { url: `https://example.com/${n}` });
    const { endpoint_id } = made.json.data;
    const shown = await call(url, "GET", `/webhooks/endpoints/${endpoint_id}/secret`);
    endpoints.push([endpoint_id, shown.json.data.secret]);
  }
  return {
    /** What was handed out before still works, and the session goes on. @param {string} at @param {Outcome} outcome */
    async act(at, outcome) {
      const [endpoint_id, secret] = /** @type {[string, string]} */ (endpoints[outcome.answers % endpoints.length]);
      const shown = await call(at, "GET", `/webhooks/endpoints/${endpoint_id}/secret`);
      if (shown.status !== 200 || shown.json.data.secret !== secret)
        outcome.found.push(`refused: the secret of an endpoint: ${shown.status}`);
      const refreshed = await call(at, "POST", "/auth/refresh", { refresh_token });
      if (refreshed.status !== 200) outcome.found.push(`refused: the refresh token: ${refreshed.status}`);
      else ({ token, refresh_token } = refreshed.json.data);
      outcome.answers += 2;
    },
  };
}

/** @param {Outcome} outcome */
export function rotationTable({ rounds, kills, finished, renewed, values, checked, answers, found }) {
  return verdictTable(
    [
      ["secrets replaced", String(rounds)],
      ["processes killed", String(kills)],
      ["processes that came to their end", String(finished)],
      ["values, and how often one was read", `${values}, ${checked}`],
      ["renewed by processes that came to their end", String(renewed)],
      ["answers to the person", String(answers)],
      ["unreadable values", countOf(found, "unreadable")],
      ["missing values", countOf(found, "lost")],
      ["refused requests", countOf(found, "refused")],
      ["versions that could not be retired", countOf(found, "retire")],
      ["unexpected exits", countOf(found, "end")],
    ],
    found,
  );
}
