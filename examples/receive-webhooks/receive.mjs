// A receiver of webhooks: verifies every delivery, answers at once, and does the work of each event once.
//   WEBHOOK_SECRET=whsec_… PORT=4000 node examples/receive-webhooks/receive.mjs
import { createServer } from "node:http";
import { WebhookVerificationError, webhooks } from "@countersign/client";

const secret = process.env.WEBHOOK_SECRET ?? "";
const port = Number(process.env.PORT ?? 4000);

// A real receiver keeps these in its database, in the transaction of the work: then a crash in between repeats both or neither.
const seen = new Set();

const server = createServer(async (request, response) => {
  try {
    // The bytes as they came: a body that was parsed and put together again has another signature.
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const event = await webhooks.unwrap(Buffer.concat(chunks), request.headers, secret);
    // Deliveries come at least once; the id of a repeat is the same.
    if (!seen.has(event.event_id)) work(event);
    seen.add(event.event_id);
    response.writeHead(204).end();
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    console.log(`refused: ${error.reason}`);
    response.writeHead(400).end(error.reason);
  }
});

/** Whatever takes longer than a few seconds belongs into a queue of your own. @param {import("@countersign/client/types").WebhookEvent} event */
function work(event) {
  console.log(`${event.event_type} ${event.event_id} ${JSON.stringify(event.data)}`);
  switch (event.event_type) {
    case "vault.stored":
      console.log(`  keep this hash: ${event.data.hash}`);
      break;
    case "envelope.voided":
      console.log(`  voided: ${event.data.reason}`);
      break;
    default:
    // A type that you do not act on, or one that came with a later version.
  }
}

server.listen(port, "127.0.0.1", () => {
  const { port: chosen } = /** @type {import("node:net").AddressInfo} */ (server.address());
  console.log(`listening on http://127.0.0.1:${chosen}`);
});
