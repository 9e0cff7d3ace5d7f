import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { until } from "./until.ts";

/** A webhook receiver on loopback. It keeps what it received and treats each request as the test specifies. */
export interface Receiver {
  readonly url: string;
  readonly requests: Received[];
  /** How the next requests are treated. After them, the response is 200. */
  next(...treatments: Treatment[]): void;
  /** How all further requests are treated. */
  always(treatment: Treatment): void;
  /** Waits until this many have been received. */
  received(count: number): Promise<readonly Received[]>;
  close(): Promise<void>;
}

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly at: number;
}

/** A status, headers and a body, or the behaviour of a broken receiver. */
export type Treatment =
  | number
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string | Buffer }
  /** only once this has happened */
  | { readonly status: number; readonly after: Promise<unknown> }
  | "hang"
  | "reset"
  | "garbage"
  | "endless"
  | "hang in the body"
  | "half a body";

export interface Certified {
  readonly key: string;
  readonly cert: string;
}

export async function startReceiver(tls?: Certified, host = "127.0.0.1", wanted = 0): Promise<Receiver> {
  const requests: Received[] = [];
  const queue: Treatment[] = [];
  let otherwise: Treatment = 200;
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = "", url = "", headers } = request;
    requests.push({ method, path: url, headers: headers as Record<string, string>, body: Buffer.concat(chunks), at: performance.now() });
    treat(queue.shift() ?? otherwise, request, response);
  };
  // If the sender gives up, reading its body fails, and what was received so far is ignored.
  const listener = (request: IncomingMessage, response: ServerResponse) => void handle(request, response).catch(() => response.destroy());
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  await new Promise<void>((resolve) => server.listen(wanted, host, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls === undefined ? "http" : "https"}://${host}:${port}/hooks`,
    requests,
    next: (...treatments) => void queue.push(...treatments),
    always: (treatment) => {
      otherwise = treatment;
    },
    async received(count) {
      await until(
        `${count} requests, of which came ${JSON.stringify(requests.map((one) => one.headers["webhook-id"]))}`,
        async () => requests.length >= count,
      );
      return requests;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

const CHUNK = Buffer.alloc(64 * 1024, "x");

function treat(treatment: Treatment, request: IncomingMessage, response: ServerResponse): void {
  if (typeof treatment === "number") return void response.writeHead(treatment).end();
  if (typeof treatment === "object" && "after" in treatment) {
    const { status, after } = treatment;
    // A test whose event does not happen fails with its own message; here the connection ends.
    return void after.then(
      () => response.writeHead(status).end(),
      () => request.socket.destroy(),
    );
  }
  if (typeof treatment === "object") return void response.writeHead(treatment.status, treatment.headers).end(treatment.body);
  switch (treatment) {
    case "hang":
      return;
    case "reset":
      return void request.socket.resetAndDestroy();
    case "garbage":
      return void request.socket.end("SMTP ready\r\n\r\n");
    case "hang in the body":
      return void response.writeHead(200).write("so far");
    case "half a body":
      response.writeHead(200, { "content-length": "100" });
      return void response.write("half", () => request.socket.destroy());
    case "endless": {
      response.writeHead(200);
      const more = () => {
        while (!response.destroyed && response.write(CHUNK));
      };
      response.on("drain", more);
      more();
    }
  }
}
