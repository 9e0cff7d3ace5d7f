// A partner's webhook receiver on this machine. It accepts only deliveries that the client library has verified.
import { createServer } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { WebhookVerificationError, webhooks } from "@countersign/client";

const ARRIVES_WITHIN_MS = 30_000;
const POLL_MS = 20;

/**
 * @typedef {object} Receiver
 * @property {string} url
 * @property {(secret: string) => void} trust the endpoint's secret, which exists only once the address is known
 * @property {(envelope_id: string, type: RegExp) => Promise<import("@countersign/client/types").WebhookEvent[]>} until one of this type came; all of the envelope
 * @property {number} refused deliveries with an invalid signature
 */

/** @param {import("../bench/harness.mjs").Cleanup} end @returns {Promise<Receiver>} */
export async function startReceiver(end) {
  /** @type {Map<string, import("@countersign/client/types").WebhookEvent>} by id, because a delivery can arrive twice */
  const events = new Map();
  let secret = "";
  const receiver = { url: "", trust, until, refused: 0 };

  const server = createServer(async (request, response) => {
    try {
      const chunks = [];
      for await (const chunk of request) chunks.push(chunk);
      const event = await webhooks.unwrap(Buffer.concat(chunks), request.headers, secret);
      events.set(event.event_id, event);
      response.writeHead(204).end();
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error;
      receiver.refused++;
      response.writeHead(400).end(error.reason);
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  end.later(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  receiver.url = `http://127.0.0.1:${port}/`;
  return receiver;

  /** @param {string} shown */
  function trust(shown) {
    secret = shown;
  }

  /** @param {string} envelope_id @param {RegExp} type */
  async function until(envelope_id, type) {
    for (const late = Date.now() + ARRIVES_WITHIN_MS; Date.now() < late; await delay(POLL_MS)) {
      const own = [...events.values()].filter((event) => event.envelope_id === envelope_id);
      if (own.some(({ event_type }) => type.test(event_type))) return own;
    }
    throw new Error(
      `no webhook ${type} arrived within ${ARRIVES_WITHIN_MS / 1000} s. Received: ${[...events.values()].map((e) => e.event_type)}`,
    );
  }
}
