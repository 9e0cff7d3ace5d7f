import { connect, createServer, type Socket } from "node:net";

/** What happens to a request: its connection is cut before it, in the middle of it, or after it but before the response. */
export const fates = ["before", "during", "after", "through"] as const;
export type Fate = (typeof fates)[number];

export interface CuttingProxy {
  readonly url: string;
  readonly counts: Record<Fate, number>;
  close(): Promise<void>;
}

/** A TCP proxy in front of the service that cuts connections. `choose` decides for each request. */
export async function cuttingProxy(serviceUrl: string, choose: () => number): Promise<CuttingProxy> {
  const port = Number(new URL(serviceUrl).port);
  const counts: Record<Fate, number> = { before: 0, during: 0, after: 0, through: 0 };
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => sockets.delete(socket));
  };

  const server = createServer((incoming) => {
    const outgoing = connect(port, "127.0.0.1");
    for (const socket of [incoming, outgoing]) keep(socket);
    let fate: Fate | null = null;
    const cut = () => {
      incoming.resetAndDestroy();
      // The service reads to the end what it was sent. A reset could discard bytes that it has not read.
      outgoing.end();
    };
    incoming.on("data", (bytes) => {
      if (fate === null) {
        fate = fates[Math.floor(choose() * fates.length)] ?? "through";
        counts[fate]++;
      }
      if (fate === "before") return cut();
      if (fate !== "during") return void outgoing.write(bytes);
      outgoing.write(bytes.subarray(0, Math.floor(choose() * bytes.length)));
      cut();
    });
    outgoing.on("data", (bytes) => {
      if (fate === "after") return cut();
      incoming.write(bytes);
      fate = null;
    });
    incoming.on("close", () => outgoing.end());
    outgoing.on("close", () => incoming.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`,
    counts,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

/** A seeded random number generator, from 0 up to 1: mulberry32. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
