// What stands before several `serve` processes: asks each whether it is ready, sends requests to those that are, and to the next one if a
// connection is refused. Everything that a client sees and is no success is kept.
import { createServer, request } from "node:http";
import { buffer } from "node:stream/consumers";
import { statusOf } from "../bench/harness.mjs";
import { isUnsent } from "./api.mjs";

const ASK_MS = 200;
const ANSWER_WITHIN_MS = 20_000;

/** @typedef {{ name: string, url: string }} Target */
/** @typedef {{ what: string, target: string, status: number | null, why: string }} Failure */

/**
 * @param {{ later: (undo: () => unknown) => void }} end
 * @param {(answer: { method: string, path: string, status: number }) => boolean} isExpected of answers from 400 on
 */
export async function startBalancer(end, isExpected) {
  /** @type {(Target & { isReady: boolean })[]} */
  let targets = [];
  /** @type {Failure[]} */
  const failures = [];
  /** @type {Record<string, number>} */
  const answered = {};
  let turn = 0;

  // A balancer without a ready target sends requests to the others rather than to none.
  const inTurn = () => {
    const ready = targets.filter(({ isReady }) => isReady);
    const all = ready.length > 0 ? ready : targets;
    turn += 1;
    return all.map((_, index) => /** @type {Target} */ (all[(turn + index) % all.length]));
  };

  const server = createServer(async (incoming, response) => {
    const { method = "", url: path = "" } = incoming;
    const what = `${method} ${path.replace(/[0-9a-z]{26}/g, "…")}`;
    const body = await buffer(incoming);
    let last = "";
    for (const target of inTurn()) {
      try {
        const { status, headers, bytes } = await send(target, incoming, body);
        answered[target.name] = (answered[target.name] ?? 0) + 1;
        if (status >= 400 && !isExpected({ method, path, status }))
          failures.push({ what, target: target.name, status, why: bytes.toString("utf8", 0, 300) });
        return void response.writeHead(status, headers).end(bytes);
      } catch (error) {
        last = `${target.name}: ${error}`;
        if (isUnsent(error)) continue;
        failures.push({ what, target: target.name, status: null, why: String(error) });
        return void response.writeHead(502).end();
      }
    }
    failures.push({ what, target: "none", status: null, why: last || "there is no process" });
    response.writeHead(502).end();
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const asking = setInterval(() => void Promise.all(targets.map(ask)), ASK_MS);
  end.later(() => {
    clearInterval(asking);
    server.closeAllConnections();
    server.close();
  });

  /** @param {Target & { isReady: boolean }} target */
  async function ask(target) {
    target.isReady = (await statusOf(`${target.url}/readyz`)) === 200;
  }

  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${port}`,
    failures,
    /** by name of the target */
    answered,
    /** @param {Target} target */
    add(target) {
      targets = [...targets, { ...target, isReady: true }];
    },
    /** @param {string} url */
    remove(url) {
      targets = targets.filter((target) => target.url !== url);
    },
  };
}

/** @param {Target} target @param {import("node:http").IncomingMessage} incoming @param {Buffer} body @returns {Promise<{ status: number, headers: import("node:http").IncomingHttpHeaders, bytes: Buffer }>} */
function send({ url }, incoming, body) {
  return new Promise((resolve, reject) => {
    // A connection for each request, so that none is reused while its process stops.
    const asked = request(
      `${url}${incoming.url}`,
      { method: incoming.method, agent: false, timeout: ANSWER_WITHIN_MS, headers: { ...incoming.headers, connection: "close" } },
      (answer) => {
        buffer(answer).then((bytes) => {
          const { connection: _own, "transfer-encoding": _chunks, "keep-alive": _time, ...headers } = answer.headers;
          resolve({ status: answer.statusCode ?? 0, headers: { ...headers, "content-length": String(bytes.length) }, bytes });
        }, reject);
      },
    );
    asked.once("timeout", () => asked.destroy(new Error("no response in time")));
    asked.once("error", reject);
    asked.end(body);
  });
}
