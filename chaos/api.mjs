import { Agent, request } from "node:http";

/**
 * @typedef {object} Answer
 * @property {number} status
 * @property {import("node:http").IncomingHttpHeaders} headers
 * @property {any} json
 */
/** `body` is sent as JSON, `raw` unchanged. @typedef {(method: string, path: string, options?: { headers?: Record<string, string>, body?: unknown, raw?: Buffer }) => Promise<Answer>} Send */

const ANSWER_WITHIN_MS = 20_000;

/** A client with its own keep-alive connections. It rejects if the response is incomplete. @param {string} url @returns {Send} */
export function client(url) {
  const agent = new Agent({ keepAlive: true });
  return (method, path, { headers = {}, body, raw } = {}) =>
    new Promise((resolve, reject) => {
      const bytes = raw ?? (body === undefined ? undefined : JSON.stringify(body));
      const type = raw === undefined ? { "content-type": "application/json" } : {};
      const own = bytes === undefined ? {} : { ...type, "content-length": String(Buffer.byteLength(bytes)) };
      const asked = request(
        `${url}/api/v2${path}`,
        { method, agent, timeout: ANSWER_WITHIN_MS, headers: { ...own, ...headers } },
        (answer) => {
          let text = "";
          answer.setEncoding("utf8");
          answer.on("data", (chunk) => {
            text += chunk;
          });
          answer.once("error", reject);
          answer.once("aborted", () => reject(new Error("the response was cut off")));
          answer.once("end", () =>
            resolve({ status: answer.statusCode ?? 0, headers: answer.headers, json: text === "" ? null : JSON.parse(text) }),
          );
        },
      );
      asked.once("timeout", () => asked.destroy(new Error("no response in time")));
      asked.once("error", reject);
      asked.end(bytes);
    });
}

/** The connection was refused, so the request was never received. @param {unknown} error */
export const isUnsent = (error) => /** @type {NodeJS.ErrnoException} */ (error).code === "ECONNREFUSED";

/** The number of seconds that a response asks the client to wait. @param {Answer} answer */
export const retryAfter = (answer) => Number(answer.headers["retry-after"] ?? 1);
