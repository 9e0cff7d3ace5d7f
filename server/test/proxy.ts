import { connect, createServer, type Socket } from "node:net";

/** A TCP proxy in front of PostgreSQL that can be closed, so that the database is unreachable without being stopped. */
export interface Proxy {
  readonly url: string;
  shut(): void;
  /** Connections stay, and nothing passes any more, as behind a firewall that drops packets. */
  hang(): void;
  open(): void;
  close(): Promise<void>;
}

export async function proxyTo(databaseUrl: string): Promise<Proxy> {
  const target = new URL(databaseUrl);
  const socketFolder = target.searchParams.get("host");
  const port = Number(target.port || 5432);
  let mode: "open" | "shut" | "hanging" = "open";
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => sockets.delete(socket));
  };
  const server = createServer((incoming) => {
    keep(incoming);
    if (mode === "shut") return void incoming.destroy();
    if (mode === "hanging") return;
    const outgoing = socketFolder?.startsWith("/") ? connect(`${socketFolder}/.s.PGSQL.${port}`) : connect(port, "127.0.0.1");
    keep(outgoing);
    incoming.pipe(outgoing).pipe(incoming);
    incoming.on("close", () => outgoing.destroy());
    outgoing.on("close", () => incoming.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  target.searchParams.delete("host");
  target.hostname = "127.0.0.1";
  target.port = String(typeof address === "object" ? address?.port : "");
  return {
    url: target.href,
    shut: () => {
      mode = "shut";
      for (const socket of sockets) socket.destroy();
    },
    hang: () => {
      mode = "hanging";
      for (const socket of sockets) socket.unpipe().pause();
    },
    open: () => {
      // What hung is over: a connection that lost bytes cannot be continued.
      if (mode === "hanging") for (const socket of sockets) socket.destroy();
      mode = "open";
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
