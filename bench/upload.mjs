// Creates a template from a file, as a partner's program does: one form, sent no faster than requested.
import { request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";

const PATH = "/api/v2/partner/templates";
const BOUNDARY = "----countersign-bench-5f2c";
const CHUNK_BYTES = 262_144;

/**
 * @typedef {object} Upload
 * @property {string} url the service's
 * @property {string} key
 * @property {Uint8Array} file
 * @property {unknown[]} [fields] for `fields_json`
 * @property {number} [bytesPerSecond] as fast as it is taken, without
 * @property {() => void} [arrived] called when the last byte is out
 */

/** The status and the text of the response. @param {Upload} upload @returns {Promise<{ status: number, text: string }>} */
export async function uploadTemplate({ url, key, file, fields, bytesPerSecond, arrived }) {
  const { head, tail } = form(fields);
  const sending = request(url + PATH, {
    method: "POST",
    agent: false,
    headers: {
      "x-api-key": key,
      "content-type": `multipart/form-data; boundary=${BOUNDARY}`,
      "content-length": head.length + file.length + tail.length,
    },
  });
  const answered = answerOf(sending);
  sending.write(head);
  const began = performance.now();
  for (let at = 0; at < file.length && !sending.destroyed; at += CHUNK_BYTES) {
    const early = bytesPerSecond === undefined ? 0 : (at / bytesPerSecond) * 1000 - (performance.now() - began);
    if (early > 1) await delay(early);
    const taken = sending.write(file.subarray(at, at + CHUNK_BYTES));
    // A response before the end is a refusal, so the rest is not sent.
    if (!taken) await Promise.race([answered, new Promise((resolve) => sending.once("drain", resolve))]);
  }
  sending.end(tail, () => arrived?.());
  return answered;
}

/** The parts before and after the file. @param {unknown[] | undefined} fields */
function form(fields) {
  const text = (/** @type {string} */ name, /** @type {string} */ value) =>
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const parts = text("name", "Lease") + (fields === undefined ? "" : text("fields_json", JSON.stringify(fields)));
  const file = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="lease.pdf"\r\nContent-Type: application/pdf\r\n\r\n`;
  return { head: Buffer.from(parts + file), tail: Buffer.from(`\r\n--${BOUNDARY}--\r\n`) };
}

/** @param {import("node:http").ClientRequest} sending @returns {Promise<{ status: number, text: string }>} */
function answerOf(sending) {
  return new Promise((resolve, reject) => {
    sending.once("error", reject);
    sending.once("response", (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (chunk) => {
        text += chunk;
      });
      answer.once("error", reject).once("end", () => resolve({ status: answer.statusCode ?? 0, text }));
    });
  });
}
