import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Logger } from "pino";
import { addressGroup, plainAddress } from "./address.ts";

// During a flood, one line per minute instead of one per connection.
const WARN_EVERY_MS = 60_000;

/**
 * Allows at most `most` connections per address (per /64 for IPv6). A connection above the limit closes the connection of the same address
 * that has been idle longest: one with half-sent headers, or one kept open for the next request. So an office behind one address can have any
 * number of browsers, and slow clients push out only other idle connections. If all connections are busy with requests, the new one is closed
 * without a response, because reading its request would cost what the limit is meant to save.
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
    // A Set keeps insertion order: the first has been idle longest, and the new connection is the last.
    const [longest = socket] = open.waiting;
    open.waiting.delete(longest);
    longest.destroy();
    if (performance.now() - warned < WARN_EVERY_MS) return;
    warned = performance.now();
    log.warn({ ip: address, connections: most }, "an address has reached its connection limit; its longest idle connections are closed");
  });

  server.on("request", ({ socket }: IncomingMessage, response: ServerResponse) => {
    const open = of.get(socket);
    if (open === undefined) return;
    open.waiting.delete(socket);
    // A client can send its next request before the response to the previous one.
    open.busy.set(socket, (open.busy.get(socket) ?? 0) + 1);
    response.once("close", () => {
      const left = (open.busy.get(socket) ?? 0) - 1;
      if (left > 0) return void open.busy.set(socket, left);
      open.busy.delete(socket);
      if (!socket.destroyed) open.waiting.add(socket);
    });
  });
}

/** The connections of one address. */
interface OpenConnections {
  /** idle connections, longest first */
  readonly waiting: Set<Socket>;
  /** busy connections with their number of open requests */
  readonly busy: Map<Socket, number>;
}

const sizeOf = ({ waiting, busy }: OpenConnections): number => waiting.size + busy.size;
