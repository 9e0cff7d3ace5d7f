import { request } from "node:http";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { median } from "./figure.mjs";
import { answersAt, fillDatabase, freePort, scratchFolder, startDatabase, startService } from "./harness.mjs";
import { PATH } from "./list-envelopes.mjs";
import { startLoader } from "./load.mjs";
import { mainThreadCpuSeconds } from "./process-use.mjs";

const ENVELOPES = 500;
const ROUNDS = 3;
const SLICE_SECONDS = 4;
// Simulates people at work. A load that fills the cores would measure itself.
const CONNECTIONS = 2;
const PAUSE_MS = 20;
const GOAL = 2;

const LOG_INS = 200;
const LOG_IN_PAUSE_MS = 1_000;
const STREAMS = 2;
// The pause between the requests of one stream. One such request was once enough to stop the service for seconds. More would measure the
// sender, which shares the cores with the service and its database.
const STREAM_PAUSE_MS = 40;
const MEBIBYTE = 1_048_576;
const HALF_OPEN = 400;
// More than a single stream can send during a slice.
const MOST_REQUESTS = 5_000;

/**
 * The effect of abuse on other users: the p95 of the list of envelopes and of the status of one, during each abuse, compared with the p95
 * just before. Everything runs over loopback; `X-Forwarded-For` simulates the addresses of log-ins.
 * @param {import("./figure.mjs").Bench} bench
 * @returns {Promise<import("./figure.mjs").Figure[]>}
 */
export async function measureAbuse({ end, seconds }) {
  const folder = await scratchFolder(end);
  const database = await startDatabase(end, folder);
  const { keys } = await fillDatabase(database, {
    envelopes: ENVELOPES,
    keys: CONNECTIONS + 1,
    scopes: ["envelopes:read", "envelopes:write"],
  });
  const [one] = await database.query("select envelope_id from envelopes order by envelope_id limit 1");
  const loader = startLoader();
  end.later(() => loader.stop());
  const lasting = seconds ?? SLICE_SECONDS;
  const writer = keys[CONNECTIONS] ?? "";

  /** @param {Record<string, string>} env */
  const serve = async (env) => {
    const service = startService("serve", { folder, port: await freePort(), env: { ...database.env, ...env } });
    end.later(() => service.stop());
    await answersAt(service, "/healthz", 30);
    return service;
  };
  // Behind a proxy, the proxy limits the number of connections, so slow clients are measured on a service without one.
  const proxied = await serve({ TRUST_PROXY_HOPS: "1" });
  const direct = await serve({});

  /** @param {import("./harness.mjs").Program} service */
  const look = async (service) => {
    const port = Number(new URL(service.url).port);
    const paths = [PATH, `/api/v2/partner/envelopes/${one.envelope_id}/status`];
    /** @type {number[]} */
    const latencies = [];
    for (const path of paths) {
      const tally = await loader.run({
        port,
        path,
        keys: keys.slice(0, CONNECTIONS),
        connections: CONNECTIONS,
        seconds: lasting / paths.length,
        pause_ms: PAUSE_MS,
      });
      if (Object.keys(tally.refused).length > 0) throw new Error(`ordinary requests were refused: ${JSON.stringify(tally.refused)}`);
      latencies.push(...tally.latencies_ms);
    }
    return { p95_ms: p95(latencies), looks: latencies.length };
  };

  const abuses = [
    { name: "as many harmless calls (control)", service: proxied, begin: () => flood(proxied.url, harmless) },
    { name: "hostile names for set-up and invitations", service: proxied, begin: () => flood(proxied.url, hostileNames) },
    { name: `${LOG_INS} log-ins at once`, service: proxied, begin: () => logInFlood(proxied.url) },
    { name: "bodies of 1 MB of brackets", service: proxied, begin: () => flood(proxied.url, brackets(writer)) },
    { name: `${HALF_OPEN} connections with half-sent headers`, service: direct, begin: () => slowHeaders(direct.url) },
  ];
  for (const service of [proxied, direct]) await look(service);
  /** @type {Record<string, { idle_ms: number, abused_ms: number, ratio: number, looks: number, main_cpu: number, answers: Record<string, number> }[]>} */
  const rounds = Object.fromEntries(abuses.map(({ name }) => [name, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const { name, service, begin } of abuses) {
      const idle = await look(service);
      const cpuBefore = mainThreadCpuSeconds(service.pid);
      const began = performance.now();
      const abuse = begin();
      const abused = await look(service);
      const main_cpu = (mainThreadCpuSeconds(service.pid) - cpuBefore) / ((performance.now() - began) / 1000);
      const answers = await abuse.stop();
      const ratio = abused.p95_ms / idle.p95_ms;
      rounds[name]?.push({ idle_ms: idle.p95_ms, abused_ms: abused.p95_ms, ratio, looks: abused.looks, main_cpu, answers });
    }
  }

  return abuses.map(({ name }) => {
    const measured = rounds[name] ?? [];
    const ratio = median(measured.map((round) => round.ratio));
    const pairs = measured.map(({ abused_ms, idle_ms }) => `${abused_ms.toFixed(1)} of ${idle_ms.toFixed(1)}`).join(", ");
    const answers = JSON.stringify(measured.at(-1)?.answers ?? {});
    return {
      id: "ABUSE",
      name: `others' p95 during ${name}`,
      measured: `${ratio.toFixed(2)} × idle (${pairs} ms; answers ${answers})`,
      goal: name.includes("control") ? "" : `< ${GOAL} ×`,
      verdict: name.includes("control") ? "info" : ratio < GOAL ? "met" : "missed",
      values: { rounds: measured },
    };
  });
}

/**
 * An abuse that continues until it is stopped.
 * @typedef {object} Abuse
 * @property {() => Promise<Record<string, number>>} stop how often each status, or failure, came back
 */

/** @typedef {{ path: string, method: string, headers: Record<string, string>, body: Buffer }} Hostile */

/**
 * Several streams of requests, one after the other in each, until it is stopped.
 * @param {string} url
 * @param {(n: number) => Hostile} make
 * @returns {Abuse}
 */
function flood(url, make) {
  /** @type {Record<string, number>} */
  const answers = {};
  let stopped = false;
  let sent = 0;
  const stream = async () => {
    while (!stopped && sent < MOST_REQUESTS) {
      const status = await send(url, make(sent++));
      answers[status] = (answers[status] ?? 0) + 1;
      await delay(STREAM_PAUSE_MS);
    }
  };
  const streams = Promise.all(Array.from({ length: STREAMS }, stream));
  return {
    async stop() {
      stopped = true;
      await streams;
      return answers;
    },
  };
}

/** Alternates between the largest body of an anonymous call and one that is refused unread. @param {number} n @returns {Hostile} */
function hostileNames(n) {
  const name = `${"a".repeat(n % 2 === 0 ? 16_000 : 40_000)}\u0001`;
  const path = n % 4 < 2 ? "/api/v2/auth/invitations/accept" : "/api/v2/setup";
  return { method: "POST", path, headers: addressed(n), body: Buffer.from(JSON.stringify({ token: "x".repeat(40), name })) };
}

/** A mistake that an ordinary client could make. @param {number} n @returns {Hostile} */
function harmless(n) {
  const body = Buffer.from(JSON.stringify({ token: "x".repeat(40), name: "Ann" }));
  return { method: "POST", path: "/api/v2/auth/invitations/accept", headers: addressed(n), body };
}

/** From a caller with a key. Without one, the request is refused before its body is read. @param {string} key @returns {(n: number) => Hostile} */
function brackets(key) {
  const body = Buffer.from("[".repeat(MEBIBYTE));
  return (n) => ({ method: "POST", path: "/api/v2/partner/envelopes", headers: { ...addressed(n), "x-api-key": key }, body });
}

/** Simulates a different address for each request. @param {number} n */
const addressed = (n) => ({ "content-type": "application/json", "x-forwarded-for": `198.51.${(n >> 8) & 255}.${n & 255}` });

let tried = 0;

/** Many concurrent log-ins, to an existing account and to unknown ones. When all are answered, the next batch starts. @param {string} url @returns {Abuse} */
function logInFlood(url) {
  /** @type {Record<string, number>} */
  const answers = {};
  let stopped = false;
  const one = async () => {
    const n = tried++;
    const email = n % 2 === 0 ? "admin@example.com" : `nobody${n}@example.com`;
    const body = Buffer.from(JSON.stringify({ email, password: `wrong password ${n}` }));
    const status = await send(url, { method: "POST", path: "/api/v2/auth/login", headers: addressed(n), body });
    answers[status] = (answers[status] ?? 0) + 1;
  };
  const waves = async () => {
    while (!stopped && tried < MOST_REQUESTS) {
      await Promise.all(Array.from({ length: LOG_INS }, one));
      if (!stopped) await delay(LOG_IN_PAUSE_MS);
    }
  };
  const all = waves();
  return {
    async stop() {
      stopped = true;
      await all;
      return answers;
    },
  };
}

/** Connections that send one header line and nothing else. Each closed connection is opened again, once. @param {string} url @returns {Abuse} */
function slowHeaders(url) {
  const port = Number(new URL(url).port);
  const counts = { opened: 0, closed: 0 };
  let stopped = false;
  /** @type {Set<import("node:net").Socket>} */
  const sockets = new Set();
  const open = (/** @type {number} */ times) => {
    if (stopped || times === 0) return;
    const socket = connect({ port, host: "127.0.0.1" }, () => {
      counts.opened++;
      socket.write("GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ");
    });
    sockets.add(socket);
    // Resets are expected here.
    socket.on("error", () => undefined);
    socket.once("close", () => {
      if (!stopped) counts.closed++;
      sockets.delete(socket);
      open(times - 1);
    });
  };
  for (let n = 0; n < HALF_OPEN; n++) open(2);
  return {
    async stop() {
      stopped = true;
      const closing = [...sockets].map((socket) => new Promise((resolve) => socket.once("close", resolve)));
      for (const socket of sockets) socket.destroy();
      await Promise.all(closing);
      return counts;
    },
  };
}

const DEADLINE_MS = 60_000;

/** The status, or the error code. @param {string} url @param {Hostile} hostile @returns {Promise<string>} */
function send(url, { method, path, headers, body }) {
  return new Promise((resolve) => {
    const asked = request(
      url + path,
      { method, headers: { ...headers, "content-length": body.length }, timeout: DEADLINE_MS },
      (answer) => {
        answer.resume();
        answer.once("end", () => resolve(String(answer.statusCode)));
        answer.once("error", () => resolve("cut off"));
      },
    );
    asked.once("timeout", () => asked.destroy());
    asked.once("error", (/** @type {NodeJS.ErrnoException} */ error) => resolve(error.code ?? "failed"));
    asked.end(body);
  });
}

/** @param {readonly number[]} latencies */
function p95(latencies) {
  const sorted = [...latencies].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) * 0.95)] ?? Number.NaN;
}
