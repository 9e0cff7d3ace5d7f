// The load generator: a closed loop in a separate process. It uses plain sockets and prepared requests, because it shares the two cores
// with the measured server: every microsecond spent here moves the ratio of two servers towards 1.
import { fork } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { fileURLToPath } from "node:url";

/**
 * @typedef {object} Order
 * @property {number} port
 * @property {string} path
 * @property {string[]} keys taken in turn, by all connections together
 * @property {number} connections
 * @property {number} seconds
 * @property {number} [pause_ms] between an answer and the next request; none without
 */
/**
 * @typedef {object} Tally
 * @property {number} requests answered with 200
 * @property {Record<string, number>} refused by status; anything here spoils the measurement
 * @property {number} seconds
 * @property {number} perSecond
 * @property {number} p50_ms
 * @property {number} p99_ms
 * @property {number[]} latencies_ms of the answers with 200, sorted; only of an order with a pause, others have too many
 */

const self = fileURLToPath(import.meta.url);
if (process.argv[1] === self && process.send !== undefined) {
  process.on("message", (order) => {
    run(/** @type {Order} */ (order)).then(
      (tally) => process.send?.({ tally }),
      (error) => process.send?.({ error: String(error) }),
    );
  });
}

/**
 * @typedef {object} Loader
 * @property {(order: Order) => Promise<Tally>} run
 * @property {() => void} stop
 */

/** @returns {Loader} */
export function startLoader() {
  const child = fork(self, { stdio: "inherit" });
  return {
    async run(order) {
      child.send(order);
      const [answer] = await once(child, "message");
      if (answer.error !== undefined) throw new Error(`load on port ${order.port}: ${answer.error}`);
      return answer.tally;
    },
    stop: () => child.disconnect(),
  };
}

/** @param {Order} order @returns {Promise<Tally>} */
async function run({ port, path, keys, connections, seconds, pause_ms = 0 }) {
  const requests = keys.map((key) => Buffer.from(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-API-Key: ${key}\r\n\r\n`));
  const began = performance.now();
  const deadline = began + seconds * 1000;
  /** @type {number[]} */
  const latencies = [];
  /** @type {Record<string, number>} */
  const refused = {};
  let turn = 0;
  const next = () => (performance.now() < deadline ? (requests[turn++ % requests.length] ?? null) : null);
  const record = (/** @type {number} */ status, /** @type {number} */ ms) => {
    if (status === 200) latencies.push(ms);
    else refused[status] = (refused[status] ?? 0) + 1;
  };
  await Promise.all(Array.from({ length: connections }, () => askInTurn(port, next, record, pause_ms)));
  const elapsed = (performance.now() - began) / 1000;
  latencies.sort((a, b) => a - b);
  const quantile = (/** @type {number} */ q) => latencies[Math.floor((latencies.length - 1) * q)] ?? Number.NaN;
  return {
    requests: latencies.length,
    refused,
    seconds: elapsed,
    perSecond: latencies.length / elapsed,
    p50_ms: quantile(0.5),
    p99_ms: quantile(0.99),
    latencies_ms: pause_ms > 0 ? latencies : [],
  };
}

/**
 * One connection: a request, its complete response, the next request.
 * @param {number} port
 * @param {() => Buffer | null} next
 * @param {(status: number, ms: number) => void} record
 * @param {number} pause_ms
 * @returns {Promise<void>}
 */
function askInTurn(port, next, record, pause_ms) {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    /** @type {Buffer} */
    let received = Buffer.alloc(0);
    let sent = 0;
    const ask = () => {
      const request = next();
      if (request === null) return void socket.end();
      sent = performance.now();
      socket.write(request);
    };
    socket.once("connect", ask);
    socket.on("data", (/** @type {Buffer} */ chunk) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
      const status = statusOfWhole(received);
      if (status === null) return;
      received = Buffer.alloc(0);
      record(status, performance.now() - sent);
      if (pause_ms === 0) ask();
      else setTimeout(ask, pause_ms);
    });
    socket.once("error", reject);
    socket.once("close", () => resolve());
  });
}

/** The status once the response is complete, otherwise null. @param {Buffer} received */
function statusOfWhole(received) {
  const headEnd = received.indexOf("\r\n\r\n");
  if (headEnd === -1) return null;
  const head = received.toString("latin1", 0, headEnd);
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (length === undefined) throw new Error("a response without Content-Length");
  return received.length < headEnd + 4 + Number(length) ? null : Number(head.slice(9, 12));
}
