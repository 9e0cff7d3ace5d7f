import { setTimeout as delay } from "node:timers/promises";
import type { FastifyInstance } from "fastify";

// What a request that was accepted may take until a stop gives up on it.
const FINISH_REQUESTS_MS = 20_000;

// Long enough for every connection that is in use to hear `Connection: close` with its next answer. Closing them all at once
// would reset those on which a request is just arriving.
const DRAIN_MS = 250;

const stopping = new WeakSet<FastifyInstance>();

/** Null while the service runs; the reason once it has been asked to stop. For readiness. */
export function stoppingReason(app: FastifyInstance): string | null {
  return stopping.has(app) ? "stopping" : null;
}

/** Call before listening: from the first moment of a stop every answer closes its connection. */
export function prepareStop(app: FastifyInstance): void {
  app.addHook("onSend", (_request, reply, _payload, done) => {
    if (stopping.has(app)) reply.header("connection", "close");
    done();
  });
}

/** Not ready → drain → no new connections → finish what runs → close. */
export async function closeGracefully(app: FastifyInstance): Promise<void> {
  stopping.add(app);
  const open = await new Promise<number>((resolve) => app.server.getConnections((_error, count) => resolve(count ?? 0)));
  if (open > 0) await delay(DRAIN_MS);
  const timer = setTimeout(() => app.server.closeAllConnections(), FINISH_REQUESTS_MS);
  await app.close();
  clearTimeout(timer);
}
