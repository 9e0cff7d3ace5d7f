// A webhook receiver: verifies every delivery, responds at once, and processes each event once.
//   WEBHOOK_SECRET=whsec_… PORT=4000 node examples/receive-webhooks/receive.mjs
import { createServer } from "node:http";
import { WebhookVerificationError, webhooks } from "@countersign/client";

const secret = process.env.WEBHOOK_SECRET ?? "";
const port = Number(process.env.PORT ?? 4000);

// A real receiver stores these ids in its database, in the same transaction as its work, so that a crash affects both or neither.
const seen = new Set();

const server = createServer(async (request, response) => {
  try {
    // The exact bytes: a body that was parsed and serialized again would have a different signature.
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const event = await webhooks.unwrap(Buffer.concat(chunks), request.headers, secret);
    // Deliveries arrive at least once; a repeated delivery has the same id.
    if (!seen.has(event.event_id)) work(event);
    seen.add(event.event_id);
    response.writeHead(204).end();
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    console.log(`refused: ${error.reason}`);
    response.writeHead(400).end(error.reason);
  }
});

/** Work that takes longer than a few seconds belongs in your own queue. @param {import("@countersign/client/types").WebhookEvent} event */
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
    // A type that you do not handle, or one from a later version.
  }
}

server.listen(port, "127.0.0.1", () => {
  const { port: chosen } = /** @type {import("node:net").AddressInfo} */ (server.address());
  console.log(`listening on http://127.0.0.1:${chosen}`);
});
