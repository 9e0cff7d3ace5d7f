// Receives webhooks: verifies each delivery over its exact bytes, and handles each event once.
//   WEBHOOK_SECRET=whsec_… PORT=4000 node run.mjs
import { createServer } from "node:http";
import { WebhookVerificationError, webhooks } from "@countersign/client";

const { WEBHOOK_SECRET = "", PORT = "4000" } = process.env;

// Deliveries arrive at least once. A real receiver keeps the ids in its database, together with what it does.
const seen = new Set();

const server = createServer(async (request, response) => {
  try {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const event = await webhooks.unwrap(Buffer.concat(chunks), request.headers, WEBHOOK_SECRET);
    if (!seen.has(event.event_id)) console.log(event.event_type, event.event_id);
    seen.add(event.event_id);
    response.writeHead(204).end();
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    response.writeHead(400).end(error.reason);
  }
});
server.listen(Number(PORT), "127.0.0.1", () => console.log(`http://localhost:${PORT}`));
