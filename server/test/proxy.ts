import { connect, createServer, type Socket } from "node:net";

/** A TCP proxy in front of PostgreSQL that can be closed, so that the database is unreachable without being stopped. */
export interface Proxy {
  readonly url: string;
  shut(): void;
  open(): void;
  close(): Promise<void>;
}

export async function proxyTo(databaseUrl: string): Promise<Proxy> {
  const target = new URL(databaseUrl);
  const socketFolder = target.searchParams.get("host");
  const port = Number(target.port || 5432);
  const isOpen = { now: true };
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => sockets.delete(socket));
  };
  const server = createServer((incoming) => {
    keep(incoming);
    if (!isOpen.now) return void incoming.destroy();
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
      isOpen.now = false;
      for (const socket of sockets) socket.destroy();
    },
    open: () => {
      isOpen.now = true;
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
