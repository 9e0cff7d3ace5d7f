import { readFile } from "node:fs/promises";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { call, openOffice, SENDING_SCOPES, sendEnvelope, twoSigners } from "./ceremony.mjs";
import { atLeast, atMost, median } from "./figure.mjs";
import { answersAt, fillDatabase, freePort, product, root, scratchFolder, startDatabase, startService } from "./harness.mjs";
import { startLoader } from "./load.mjs";
import { cpuSecondsOf, residentMb } from "./process-use.mjs";

const ROUNDS = 3;
const SLICE_SECONDS = 4;
const CONNECTIONS = 2;
const PAUSE_MS = 20;
const LOG_INS_PER_SECOND = 500;
const BEAT_MS = 20;
const GOAL = 2;
const RESETS = 1_000;
const WARM_UP = 100;
// Below it, one of a hundred runs without any difference would show one.
const SAME_ABOVE_P = 0.01;
const ENTRIES = 1_000_000;
const ENTRIES_AT_ONCE = 10_000;
const LINES_GOAL = 20_000;
const FLAT = 1.1;
const REQUESTS_BEFORE_PASSKEYS = 200;
const AUTHENTICATION_ROUNDS = 40;
const STATEMENTS = 250;
const AUTHENTICATION_GOAL = 1.05;
// As many as a key can have.
const ADDRESSES = 50;

/**
 * What accounts and their records cost others: what the limits of a key add to its authentication, reading a document during log-ins, whether
 * a reset request tells accounts apart, the export of the audit log, and the memory that passkeys take. Everything is compared within the run.
 * @param {import("./figure.mjs").Bench} bench
 * @returns {Promise<import("./figure.mjs").Figure[]>}
 */
export async function measureAccounts({ end, seconds }) {
  const folder = await scratchFolder(end);
  const database = await startDatabase(end, folder);
  const { org_id, keys, admin } = await fillDatabase(database, {
    envelopes: 0,
    keys: CONNECTIONS + 1,
    scopes: [...SENDING_SCOPES, "audit:read"],
  });
  const authentication = await measureAuthentication({ database, org_id, keys });
  // Nothing is sent: there is no worker.
  const env = { ...database.env, TRUST_PROXY_HOPS: "1", SMTP_URL: "smtp://127.0.0.1:1", MAIL_FROM: "sign@example.com" };
  const service = startService("serve", { folder, port: await freePort(), env });
  end.later(() => service.stop());
  await answersAt(service, "/healthz", 30);
  const place = { service, database, org_id, keys, admin };
  return [
    ...authentication,
    ...(await measurePasskeys(place)),
    ...(await measureReading(end, place, seconds ?? SLICE_SECONDS)),
    ...(await measureResets(place)),
    // A short run exports fewer entries, and says how many.
    ...(await measureExport(place, seconds === null ? ENTRIES : Math.min(ENTRIES, seconds * 50_000))),
  ];
}

/**
 * @typedef {{ service: import("./harness.mjs").Program, database: import("./harness.mjs").Database, org_id: string, keys: string[],
 *   admin: { email: string, password: string } }} Place
 */

/**
 * The statement that admits an API key, for a key without and with a list of addresses, compared with the function as it was before keys had
 * an end and addresses (migration 0025), which is made under another name. In turn, on one connection of the login that serves. The verdict is
 * about the CPU time of that connection's process, which other programs of the machine change less than the time that passes.
 * @param {Pick<Place, "database" | "org_id" | "keys">} place
 * @returns {Promise<import("./figure.mjs").Figure[]>}
 */
export async function measureAuthentication({ database, org_id, keys: [open = "", listed = ""] }) {
  const migration = await readFile(join(root, "server/migrations/0025-refuse-unknown-fields.sql"), "utf8");
  const [made] = /create function authenticate_key\(.*?^end \$\$;/ms.exec(migration) ?? [];
  if (made === undefined) throw new Error("migration 0025 has no function authenticate_key");
  await database.query(made.replace("authenticate_key", "authenticate_key_before"));
  await database.query("grant execute on function authenticate_key_before to countersign_app");
  const { sha256 } = await product("shared/secrets.js");
  const [ofOpen, ofListed] = [sha256(open), sha256(listed)];
  // The caller's own is the last.
  const cidrs = Array.from({ length: ADDRESSES }, (_, n) => (n === ADDRESSES - 1 ? "127.0.0.1/32" : `10.0.${n}.0/24`));
  const changed = await database.query(
    `update api_keys a set allowed_cidrs = $3::cidr[] from api_key_secrets s
     where s.org_id = $1 and s.secret_hash = $2 and a.org_id = s.org_id and a.key_id = s.key_id returning a.key_id`,
    [org_id, ofListed, cidrs],
  );
  if (changed.length !== 1) throw new Error("the key with a list of addresses was not found");
  const client = new pg.Client({ connectionString: database.appUrl });
  await client.connect();
  const [{ pid }] = (await client.query("select pg_backend_pid() as pid")).rows;
  const now = { name: "now", text: "select * from authenticate_key($1, $2, $3, $4)" };
  const before = { name: "before", text: "select * from authenticate_key_before($1)", values: [ofOpen] };
  /** @type {Record<string, { name: string, text: string, values: unknown[] }>} */
  const statements = {
    before,
    control: before,
    without: { ...now, values: [ofOpen, "127.0.0.1", "bench", false] },
    listed: { ...now, values: [ofListed, "127.0.0.1", "bench", false] },
  };
  const names = Object.keys(statements);
  /** @type {Record<string, { ms: number, cpu_ms: number }>[]} */
  const rounds = [];
  for (let round = -1; round < AUTHENTICATION_ROUNDS; round++) {
    /** @type {Record<string, { ms: number, cpu_ms: number }>} */
    const times = {};
    // Each is first, second, third and last equally often.
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(turn + round + 1) % names.length] ?? "";
      const statement = statements[name] ?? before;
      const [began, cpu] = [performance.now(), cpuSecondsOf(pid)];
      for (let n = 0; n < STATEMENTS; n++) {
        const { rows } = await client.query(statement);
        if (rows[0]?.accepted !== true) throw new Error(`${name} refused the key`);
      }
      times[name] = { ms: (performance.now() - began) / STATEMENTS, cpu_ms: ((cpuSecondsOf(pid) - cpu) * 1_000) / STATEMENTS };
    }
    // The first plans the statements.
    if (round >= 0) rounds.push(times);
  }
  await client.end();
  // The limits of the keys must not refuse what is measured next.
  await database.query("update api_keys set allowed_cidrs = '{}' where org_id = $1", [org_id]);
  const partOf = (/** @type {string} */ name, /** @type {"ms" | "cpu_ms"} */ part) => rounds.map((one) => one[name]?.[part] ?? Number.NaN);
  // A part of a round is too short for the ticks in which CPU time is counted.
  const cpuOf = (/** @type {string} */ name) => partOf(name, "cpu_ms").reduce((sum, ms) => sum + ms, 0) / rounds.length;
  /** @param {string} name @param {string} what @param {number | null} goal @returns {import("./figure.mjs").Figure} */
  const compared = (name, what, goal) => {
    const ratio = cpuOf(name) / cpuOf("before");
    const times = median(partOf(name, "ms").map((ms, round) => ms / (partOf("before", "ms")[round] ?? Number.NaN)));
    return {
      id: "ACCOUNTS",
      name: `authentication statement ${what}, compared with before`,
      measured: `${ratio.toFixed(3)} × PostgreSQL's CPU (${cpuOf(name).toFixed(3)} of ${cpuOf("before").toFixed(3)} ms), ${times.toFixed(3)} × the time (median of ${rounds.length})`,
      goal: goal === null ? "" : `<= ${goal} ×`,
      verdict: goal === null ? "info" : atMost(ratio, goal),
      values: { ratio, times, rounds },
    };
  };
  return [
    compared("listed", `of a key with ${ADDRESSES} addresses`, AUTHENTICATION_GOAL),
    compared("without", "of a key without addresses", AUTHENTICATION_GOAL),
    compared("control", "as it was before, against itself (control)", null),
  ];
}

/** Memory before and after the first passkey, which loads a library. @param {Place} place @returns {Promise<import("./figure.mjs").Figure[]>} */
async function measurePasskeys({ service, keys, admin }) {
  const { url, pid } = service;
  const logged = await call(url, "POST", "/auth/login", addressed(0), { email: admin.email, password: admin.password, mode: "token" });
  if (logged.status !== 200) throw new Error(`log-in returned ${logged.status}: ${logged.bytes}`);
  for (let n = 0; n < REQUESTS_BEFORE_PASSKEYS; n++) await call(url, "GET", "/partner/envelopes", { "x-api-key": keys[0] ?? "" });
  const without = residentMb(pid);
  const headers = { authorization: `Bearer ${logged.json.data.token}` };
  const { challenge } = (await call(url, "POST", "/auth/factors/passkeys/start", headers, {})).json.data;
  const told = Buffer.from(JSON.stringify({ type: "webauthn.create", challenge, origin: url })).toString("base64url");
  // It is looked at with the library and refused.
  const credential = { id: "AAAA", rawId: "AAAA", type: "public-key", response: { clientDataJSON: told, attestationObject: "AAAA" } };
  const added = await call(url, "POST", "/auth/factors/passkeys", headers, { credential, name: "Laptop" });
  if (added.status !== 422) throw new Error(`a broken passkey returned ${added.status}: ${added.bytes}`);
  const withOne = residentMb(pid);
  return [
    {
      id: "ACCOUNTS",
      name: "resident memory of serve after the first passkey, compared with before it",
      measured: `${(withOne / without).toFixed(2)} × (${withOne.toFixed(0)} of ${without.toFixed(0)} MB)`,
      goal: "",
      verdict: "info",
      values: { without_mb: without, with_mb: withOne },
    },
  ];
}

/** @param {import("./harness.mjs").Cleanup} end @param {Place} place @param {number} lasting @returns {Promise<import("./figure.mjs").Figure[]>} */
async function measureReading(end, { service, keys }, lasting) {
  const office = await openOffice(service.url, keys[CONNECTIONS] ?? "");
  const envelope_id = await sendEnvelope(office, { signers: twoSigners("accounts") });
  const loader = startLoader();
  end.later(() => loader.stop());
  const port = Number(new URL(service.url).port);
  const path = `/api/v2/partner/envelopes/${envelope_id}/document`;
  const look = async () => {
    const order = { port, path, keys: keys.slice(0, CONNECTIONS), connections: CONNECTIONS, seconds: lasting, pause_ms: PAUSE_MS };
    const { refused, latencies_ms } = await loader.run(order);
    if (Object.keys(refused).length > 0) throw new Error(`documents were refused: ${JSON.stringify(refused)}`);
    return latencies_ms[Math.floor((latencies_ms.length - 1) * 0.95)] ?? Number.NaN;
  };
  const floods = [
    { name: "as many harmless calls (control)", make: harmless, goal: null },
    { name: `${LOG_INS_PER_SECOND} log-ins a second`, make: logInOf, goal: GOAL },
  ];
  await look();
  /** @type {import("./figure.mjs").Figure[]} */
  const figures = [];
  for (const { name, make, goal } of floods) {
    const rounds = [];
    for (let round = 0; round < ROUNDS; round++) {
      const idle_ms = await look();
      const flood = begin(service.url, make);
      const busy_ms = await look();
      rounds.push({ idle_ms, busy_ms, ratio: busy_ms / idle_ms, ...(await flood.stop()) });
    }
    const ratio = median(rounds.map((one) => one.ratio));
    const pairs = rounds.map((one) => `${one.busy_ms.toFixed(1)} of ${one.idle_ms.toFixed(1)}`).join(", ");
    figures.push({
      id: "ACCOUNTS",
      name: `p95 of GET …/document during ${name}`,
      measured: `${ratio.toFixed(2)} × idle (${pairs} ms; answers ${JSON.stringify(rounds.at(-1)?.answers)} at ${rounds.at(-1)?.perSecond.toFixed(0)}/s)`,
      goal: goal === null ? "" : `< ${goal} ×`,
      verdict: goal === null ? "info" : ratio < goal ? "met" : "missed",
      values: { rounds },
    });
  }
  return figures;
}

/** Requests that begin at an even rate, whether or not those before are answered. @param {string} url @param {(n: number) => Sent} make */
function begin(url, make) {
  /** @type {Record<string, number>} */
  const answers = {};
  const began = performance.now();
  let [sent, stopped] = [0, false];
  /** @type {Promise<void>[]} */
  const open = [];
  const beating = (async () => {
    while (!stopped) {
      for (const due = ((performance.now() - began) / 1000) * LOG_INS_PER_SECOND; sent < due; sent++) {
        open.push(
          send(url, make(sent)).then(({ status }) => {
            answers[status] = (answers[status] ?? 0) + 1;
          }),
        );
      }
      await delay(BEAT_MS);
    }
  })();
  return {
    async stop() {
      stopped = true;
      await beating;
      const perSecond = sent / ((performance.now() - began) / 1000);
      await Promise.all(open);
      return { answers, perSecond };
    },
  };
}

/** @typedef {{ path: string, headers: Record<string, string>, body: Buffer }} Sent */

/** A different address for each. @param {number} n */
const addressed = (n) => ({ "x-forwarded-for": `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}` });

/** @param {number} n @returns {Sent} */
const logInOf = (n) => ({
  path: "/api/v2/auth/login",
  headers: addressed(n),
  body: Buffer.from(JSON.stringify({ email: `person${n % 500}@example.com`, password: `wrong password ${n}` })),
});

/** @param {number} n @returns {Sent} */
const harmless = (n) => ({
  path: "/api/v2/auth/invitations/preview",
  headers: addressed(n),
  body: Buffer.from(JSON.stringify({ token: "x".repeat(43) })),
});

const agent = new Agent({ keepAlive: true, maxSockets: 1_000 });
const DEADLINE_MS = 60_000;

/** The status, or the error code, and the time until the end of the response. @param {string} url @param {Sent} sent @returns {Promise<{ status: string, ms: number }>} */
function send(url, { path, headers, body }) {
  const began = performance.now();
  return new Promise((resolve) => {
    const done = (/** @type {string} */ status) => resolve({ status, ms: performance.now() - began });
    const all = { "content-type": "application/json", "content-length": body.length, ...headers };
    const asked = request(url + path, { method: "POST", agent, headers: all, timeout: DEADLINE_MS }, (answer) => {
      answer.resume();
      answer.once("end", () => done(String(answer.statusCode)));
      answer.once("error", () => done("cut off"));
    });
    asked.once("timeout", () => asked.destroy());
    asked.once("error", (/** @type {NodeJS.ErrnoException} */ error) => done(error.code ?? "failed"));
    asked.end(body);
  });
}

/** Each request from its own address, for an address with an account or without one, in a random order. @param {Place} place @returns {Promise<import("./figure.mjs").Figure[]>} */
async function measureResets({ service, database }) {
  await database.query(
    `insert into users (user_id, email, name, password_hash) select 'user_bench' || n, 'known' || n || '@example.com', 'Ann', 'none'
     from generate_series(0, $1::int - 1) n`,
    [RESETS + WARM_UP],
  );
  const order = Array.from({ length: RESETS + WARM_UP }, (_, n) => [
    { kind: "known", n },
    { kind: "other", n },
  ]);
  /** @type {Record<string, number[]>} */
  const times = { known: [], other: [] };
  let asked = 0;
  for (const pair of order) {
    for (const { kind, n } of Math.random() < 0.5 ? pair : pair.reverse()) {
      const body = Buffer.from(JSON.stringify({ email: `${kind}${n}@example.com` }));
      const { status, ms } = await send(service.url, {
        path: "/api/v2/auth/password-reset",
        headers: { "x-forwarded-for": `11.${(asked >> 16) & 255}.${(asked >> 8) & 255}.${asked++ & 255}` },
        body,
      });
      if (status !== "202") throw new Error(`a reset request returned ${status}`);
      if (n >= WARM_UP) times[kind]?.push(ms);
    }
  }
  const [known, other] = [times.known ?? [], times.other ?? []];
  const p = rankTest(known, other);
  return [
    {
      id: "ACCOUNTS",
      name: `reset request for an address with an account, compared with one without, ${RESETS} each`,
      measured: `${(median(known) / median(other)).toFixed(3)} × (medians ${median(known).toFixed(2)} and ${median(other).toFixed(2)} ms), p = ${p.toFixed(3)}`,
      goal: `p > ${SAME_ABOVE_P}`,
      verdict: p > SAME_ABOVE_P ? "met" : "missed",
      values: { p, known, other },
    },
  ];
}

/** The two-sided p of the Mann-Whitney test, by its normal approximation. @param {readonly number[]} one @param {readonly number[]} other */
export function rankTest(one, other) {
  const all = [...one.map((ms) => ({ ms, isOne: true })), ...other.map((ms) => ({ ms, isOne: false }))].sort((a, b) => a.ms - b.ms);
  let ranks = 0;
  for (let at = 0; at < all.length; ) {
    let after = at;
    while (after < all.length && all[after]?.ms === all[at]?.ms) after++;
    // Equal times share the ranks at + 1 to after.
    for (const { isOne } of all.slice(at, after)) if (isOne) ranks += (at + 1 + after) / 2;
    at = after;
  }
  const [n, m] = [one.length, other.length];
  const z = (ranks - (n * (n + m + 1)) / 2) / Math.sqrt((n * m * (n + m + 1)) / 12);
  return erfc(Math.abs(z) / Math.SQRT2);
}

/** Numerical Recipes, 6.2: within 1.2e-7. @param {number} x not below 0 */
function erfc(x) {
  const t = 1 / (1 + x / 2);
  const terms = [
    -1.26551223, 1.00002368, 0.37409196, 0.09678418, -0.18628806, 0.27886807, -1.13520398, 1.48851587, -0.82215223, 0.17087277,
  ];
  return t * Math.exp(-x * x + terms.reduceRight((sum, term) => sum * t + term, 0));
}

/** @param {Place} place @param {number} entries @returns {Promise<import("./figure.mjs").Figure[]>} */
async function measureExport({ service, database, org_id, keys }, entries) {
  await fillLog(database, org_id, entries);
  const headers = { "x-api-key": keys[0] ?? "" };
  /** @type {number | null} */
  let after = null;
  let [lines, highest] = [0, 0];
  /** the highest of each tenth */
  const tenths = [];
  const began = performance.now();
  while (lines < entries) {
    const answer = await fetch(`${service.url}/api/v2/org/audit-log?limit=${ENTRIES_AT_ONCE}${after === null ? "" : `&after=${after}`}`, {
      headers,
    });
    if (answer.status !== 200 || answer.body === null) throw new Error(`the export returned ${answer.status}: ${await answer.text()}`);
    let last = "";
    for await (const chunk of answer.body) {
      const text = Buffer.from(chunk).toString("latin1");
      lines += text.split("\n").length - 1;
      last = (last + text).slice(-200);
      highest = Math.max(highest, residentMb(service.pid));
    }
    // The line with the position is not an entry.
    lines -= 1;
    after = JSON.parse(last.trimEnd().split("\n").at(-1) ?? "").next_after;
    if (lines >= ((tenths.length + 1) * entries) / 10) {
      tenths.push(highest);
      highest = 0;
    }
  }
  const perSecond = lines / ((performance.now() - began) / 1000);
  // Not the first tenth alone: what can be collected grows until the first collection.
  const growth = Math.max(...tenths.slice(5)) / Math.max(...tenths.slice(0, 5));
  return [
    {
      id: "ACCOUNTS",
      name: `export of ${entries.toLocaleString("en")} audit entries`,
      measured: `${perSecond.toFixed(0)} lines/s`,
      goal: `> ${LINES_GOAL} lines/s`,
      verdict: atLeast(perSecond, LINES_GOAL),
      values: { entries, lines, perSecond },
    },
    {
      id: "ACCOUNTS",
      name: "highest memory of serve during the export, second half compared with the first",
      measured: `${growth.toFixed(2)} × (${tenths.map((mb) => mb.toFixed(0)).join(", ")} MB)`,
      goal: `<= ${FLAT} ×`,
      verdict: atMost(growth, FLAT),
      values: { tenths },
    },
  ];
}

const FILLED_AT_ONCE = 100_000;

/** Entries of one record as they are stored, with data, in the order of the log. Their hashes are not those of their content. @param {import("./harness.mjs").Database} database @param {string} org_id @param {number} count */
async function fillLog(database, org_id, count) {
  const { newId } = await product("shared/ids.js");
  const actor = JSON.stringify({ kind: "user", id: newId("user") });
  const data = JSON.stringify({
    ip: "203.0.113.7",
    user_agent: "a program",
    request_id: "req_1",
    customer_id: newId("customer"),
    fields: ["name"],
  });
  for (let from = 0; from < count; from += FILLED_AT_ONCE) {
    const range = [from, Math.min(count, from + FILLED_AT_ONCE) - 1];
    await database.query(
      `with made as (select n, encode(sha256(('entry ' || n)::bytea), 'hex') as hash from generate_series($2::int, $3::int) n),
       entries as (insert into audit_entries (org_id, subject, seq, type, at, actor, commitment, prev, hash)
         select $1, 'bench', n, 'customer.updated', now(), $4::jsonb, hash, hash, hash from made),
       leaves as (insert into log_leaves (leaf_index, hash) select n, hash from made)
       insert into audit_positions (org_id, leaf_index, subject, seq) select $1, n, 'bench', n from made`,
      [org_id, ...range, actor],
    );
    await database.query(
      `insert into audit_entry_data (org_id, subject, seq, salt, data)
       select $1, 'bench', n, sha256(n::text::bytea), $4::jsonb from generate_series($2::int, $3::int) n`,
      [org_id, ...range, data],
    );
  }
  await database.query("vacuum analyze");
}
