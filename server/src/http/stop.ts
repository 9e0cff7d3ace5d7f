import { setTimeout as delay } from "node:timers/promises";
import type { FastifyInstance } from "fastify";

// How long a stop waits for accepted requests.
const FINISH_REQUESTS_MS = 20_000;

// Long enough for every active connection to get `Connection: close` with its next response. Closing all connections at once would reset
// those on which a request is just arriving.
const DRAIN_MS = 250;

const stopping = new WeakSet<FastifyInstance>();

export const isStopping = (app: FastifyInstance): boolean => stopping.has(app);

/** Must be called before listening. From the start of a stop, every response closes its connection. */
export function prepareStop(app: FastifyInstance): void {
  app.addHook("onSend", (_request, reply, _payload, done) => {
    if (stopping.has(app)) reply.header("connection", "close");
    done();
  });
}

/** Not ready → drain → no new connections → finish running requests → close. */
export async function closeGracefully(app: FastifyInstance): Promise<void> {
  stopping.add(app);
  const open = await new Promise<number>((resolve) => app.server.getConnections((_error, count) => resolve(count ?? 0)));
  if (open > 0) await delay(DRAIN_MS);
  const timer = setTimeout(() => app.server.closeAllConnections(), FINISH_REQUESTS_MS);
  await app.close();
  clearTimeout(timer);
}
