import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Logger } from "pino";
import { addressGroup, plainAddress } from "./address.ts";

// A flood is one line a minute, not one a connection.
const WARN_EVERY_MS = 60_000;

/**
 * At most `most` connections of one address (of one /64 in IPv6). One that comes above closes the one of the same address that has waited
 * longest without a request in hand: a half-sent header, or a connection that was kept for a next request. So an office behind one address
 * can have any number of browsers, and a slow client only ever pushes out its own kind. While every one of them has a request in hand, the
 * new one is closed, without an answer: reading its request to be able to refuse it is what there are too many of already.
 */
export function capConnections(server: Server, most: number, log: Pick<Logger, "warn">): void {
  const byAddress = new Map<string, OpenConnections>();
  const of = new WeakMap<Socket, OpenConnections>();
  let warned = Number.NEGATIVE_INFINITY;

  server.on("connection", (socket: Socket) => {
    const address = plainAddress("", socket.remoteAddress ?? "");
    const group = addressGroup(address);
    const open = byAddress.get(group) ?? { waiting: new Set(), busy: new Map() };
    byAddress.set(group, open);
    of.set(socket, open);
    open.waiting.add(socket);
    socket.once("close", () => {
      open.waiting.delete(socket);
      open.busy.delete(socket);
      if (sizeOf(open) === 0) byAddress.delete(group);
    });
    if (sizeOf(open) <= most) return;
    // The first of a Set is the one that was added first; the new one is the last.
    const [longest = socket] = open.waiting;
    open.waiting.delete(longest);
    longest.destroy();
    if (performance.now() - warned < WARN_EVERY_MS) return;
    warned = performance.now();
    log.warn({ ip: address, connections: most }, "an address is at its limit of connections; those that wait longest are closed");
  });

  server.on("request", ({ socket }: IncomingMessage, response: ServerResponse) => {
    const open = of.get(socket);
    if (open === undefined) return;
    open.waiting.delete(socket);
    // A client may send its next request before it has the answer to the last.
    open.busy.set(socket, (open.busy.get(socket) ?? 0) + 1);
    response.once("close", () => {
      const left = (open.busy.get(socket) ?? 0) - 1;
      if (left > 0) return void open.busy.set(socket, left);
      open.busy.delete(socket);
      if (!socket.destroyed) open.waiting.add(socket);
    });
  });
}

/** Of one address. */
interface OpenConnections {
  /** in the order in which they began to wait */
  readonly waiting: Set<Socket>;
  /** with how many requests in hand */
  readonly busy: Map<Socket, number>;
}

const sizeOf = ({ waiting, busy }: OpenConnections): number => waiting.size + busy.size;
