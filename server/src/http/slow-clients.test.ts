import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { refusalText } from "../../test/refused-with.ts";
import { testService } from "../../test/service.ts";
import type { Config } from "../config.ts";
import { makeLogger } from "../logger.ts";
import { buildHttp } from "../main.ts";
import type { ClientTimeouts } from "./server.ts";

const service = testService();

interface Listening {
  readonly port: number;
  /** resolves when the service has closed the next new connection */
  readonly nextIsGone: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** The same service on another port, with different limits. */
async function listen(limits: Partial<Config>, timeouts?: ClientTimeouts): Promise<Listening> {
  const { db, features, config } = service;
  const app = await buildHttp({
    config: { ...config, ...limits },
    db,
    features,
    logger: makeLogger("silent"),
    ...(timeouts === undefined ? {} : { timeouts }),
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = app.server.address() as { port: number };
  const nextIsGone = () =>
    new Promise<void>((resolve) => app.server.once("connection", (socket: Socket) => socket.once("close", () => resolve())));
  return { port, nextIsGone, close: () => app.close() };
}

/** Everything that a connection received until it ended. */
interface Client {
  readonly socket: Socket;
  readonly connected: Promise<void>;
  readonly ended: Promise<string>;
  /** the status of the next response; 0 if the connection ends without one */
  ask(bytes: string): Promise<number>;
}

function client(port: number): Client {
  const socket = connect(port, "127.0.0.1").setEncoding("utf8");
  let text = "";
  let seen = 0;
  socket.on("data", (chunk) => {
    text += chunk;
  });
  socket.on("error", () => undefined);
  return {
    socket,
    connected: new Promise((resolve) => socket.once("connect", () => resolve())),
    ended: new Promise((resolve) => socket.once("close", () => resolve(text))),
    ask: (bytes) =>
      new Promise((resolve) => {
        const look = () => {
          const status = /^HTTP\/1\.1 (\d+) /.exec(text.slice(seen))?.[1];
          if (status === undefined && !socket.destroyed) return;
          seen = text.length;
          socket.off("data", look).off("close", look);
          resolve(Number(status ?? 0));
        };
        socket.on("data", look).on("close", look);
        socket.write(bytes);
      }),
  };
}

const WHOLE = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
const HALF = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: ";

describe("a slow client", () => {
  const timeouts = { headers_ms: 100, look_ms: 20, linger_ms: 20, anonymousBody_ms: 100 };
  let server: Listening;
  beforeAll(async () => {
    server = await listen({}, timeouts);
  });
  afterAll(() => server.close());

  test("with half-sent headers gets 408, and its connection is closed even if the client keeps its side open", async () => {
    const gone = server.nextIsGone();
    const slow = client(server.port);
    // The client does not close its side after ours.
    slow.socket.allowHalfOpen = true;
    expect(await slow.ask(HALF)).toBe(408);
    await gone;
    slow.socket.destroy();
    expect((await slow.ended).endsWith(refusalText("The request did not arrive in time"))).toBe(true);
  });

  test("that sends nothing, or stalls in the headers of its second request, is closed the same way", async () => {
    const [silent, second] = [client(server.port), client(server.port)];
    expect(await second.ask(WHOLE)).toBe(200);
    second.socket.write(HALF);
    expect(await silent.ended).toMatch(/^HTTP\/1\.1 408 /);
    expect(await second.ended).toContain("HTTP/1.1 408 ");
  });

  test("with the body of a request without a credential gets 408", async () => {
    const slow = client(server.port);
    const head = "POST /api/v2/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n";
    expect(await slow.ask(`${head}{"email":`)).toBe(408);
    slow.socket.destroy();
  });

  test("in production has 12 seconds, is found within one more and closed within another, 15 seconds at the latest", async () => {
    const { app } = service;
    expect(app.server).toMatchObject({ headersTimeout: 12_000, requestTimeout: 300_000 });
  });
});

describe("connections of one address", () => {
  test("above the limit close the longest idle one, and no request is refused", async () => {
    const server = await listen({ maxConnectionsPerAddress: 3 });
    try {
      const half = client(server.port);
      await half.connected;
      half.socket.write(HALF);
      const kept = client(server.port);
      expect(await kept.ask(WHOLE)).toBe(200);
      // An office behind one address: every new connection is accepted, and only unused ones are closed.
      for (let n = 0; n < 5; n++) {
        const colleague = client(server.port);
        expect(await colleague.ask(WHOLE)).toBe(200);
      }
      expect([await half.ended, (await kept.ended).slice(0, 12)]).toEqual(["", "HTTP/1.1 200"]);
    } finally {
      await server.close();
    }
  });

  test("a new one is closed while all others are busy", async () => {
    const server = await listen({ maxConnectionsPerAddress: 2 });
    try {
      // Busy: the headers have arrived, the body has not.
      const head =
        "POST /api/v2/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n";
      const busy = [client(server.port), client(server.port)];
      for (const { ask } of busy) expect(await ask(head)).toBe(100);
      const refused = client(server.port);
      expect(await refused.ended).toBe("");
      for (const { ask } of busy) expect(await ask("{}")).toBe(422);
      expect(await client(server.port).ask(WHOLE)).toBe(200);
    } finally {
      await server.close();
    }
  });

  test.each([{ maxConnectionsPerAddress: 0 }, { maxConnectionsPerAddress: 2, trustProxyHops: 1 }])(
    "are not limited with %j (0 means unlimited, and behind a proxy all connections are the proxy's)",
    async (limits) => {
      const server = await listen(limits);
      try {
        const clients = Array.from({ length: 10 }, () => client(server.port));
        for (const { ask } of clients) expect(await ask(WHOLE)).toBe(200);
        for (const { ask } of clients) expect(await ask(WHOLE)).toBe(200);
      } finally {
        await server.close();
      }
    },
  );
});
