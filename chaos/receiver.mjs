import { createServer } from "node:http";

/** @typedef {{ headers: import("node:http").IncomingHttpHeaders, body: Buffer, at: Date }} Arrived */

/**
 * Keeps every request unchanged.
 * @param {{ later: (undo: () => unknown) => void }} end
 * @param {(count: number) => number | null} [statusOf] the answer to the request of this number; null: none, ever
 */
export async function startReceiver(end, statusOf = () => 204) {
  /** @type {Arrived[]} */
  const arrived = [];
  const server = createServer(async (request, response) => {
    const chunks = [];
    // A sender that was killed leaves half a request, which does not count as arrived.
    try {
      for await (const chunk of request) chunks.push(chunk);
    } catch {
      return;
    }
    arrived.push({ headers: request.headers, body: Buffer.concat(chunks), at: new Date() });
    const status = statusOf(arrived.length);
    if (status !== null) response.writeHead(status).end();
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  end.later(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  return { url: `http://127.0.0.1:${port}/`, arrived };
}
