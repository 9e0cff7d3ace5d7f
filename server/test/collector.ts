import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

/** A span as a collector sees it, with its attributes and resource as plain values. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly status: { readonly code?: number };
  readonly resource: Readonly<Record<string, string | number>>;
}

/** hangs: never answers. cuts: closes the connection in the middle of the answer. drips: answers a byte at a time, without end. floods: a body without end, as fast as it is read. */
export type Behaviour = "takes" | "hangs" | "refuses" | "redirects" | "drips" | "floods" | "cuts";

export interface Collector {
  readonly endpoint: string;
  readonly spans: ReceivedSpan[];
  /** bodies as they arrived */
  readonly bodies: string[];
  /** method, path and content type of every request */
  readonly requests: string[];
  /** connections that are open now */
  readonly open: () => number;
  /** the most bytes that one connection could write as an answer */
  readonly answered: () => number;
  behave(how: Behaviour): void;
  close(): Promise<void>;
}

/** An OpenTelemetry collector on loopback, which can misbehave. */
export async function startCollector(): Promise<Collector> {
  const spans: ReceivedSpan[] = [];
  const bodies: string[] = [];
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  let behaviour: Behaviour = "takes";
  let answered = 0;
  const server = createServer(async (request, response) => {
    requests.push(`${request.method} ${request.url} ${request.headers["content-type"]}`);
    const body = await textOf(request);
    bodies.push(body);
    response.on("error", () => undefined);
    if (behaviour === "takes") {
      spans.push(...spansIn(body));
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    } else if (behaviour === "refuses") response.writeHead(500).end("no");
    else if (behaviour === "redirects") response.writeHead(307, { location: "/elsewhere" }).end();
    else if (behaviour === "cuts") response.writeHead(200, { "content-length": "100" }).write("{", () => response.destroy());
    else if (behaviour === "drips") drip(response);
    else if (behaviour === "floods") flood(response);
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => {
      answered = Math.max(answered, socket.bytesWritten);
      sockets.delete(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    bodies,
    requests,
    open: () => sockets.size,
    answered: () => answered,
    behave(how) {
      behaviour = how;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

function drip(response: ServerResponse): void {
  response.writeHead(200, { "content-length": "1000" });
  const timer = setInterval(() => response.write("x"), 20);
  response.once("close", () => clearInterval(timer));
}

function flood(response: ServerResponse): void {
  const piece = Buffer.alloc(65_536, "x");
  response.writeHead(200, { "content-type": "application/json" });
  const more = (): void => {
    while (!response.destroyed && response.write(piece));
  };
  response.on("drain", more);
  more();
}

interface Encoded {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: string };
}

const plain = (attributes: readonly Encoded[]): Record<string, string | number> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]));

function spansIn(body: string): ReceivedSpan[] {
  const { resourceSpans } = JSON.parse(body) as {
    resourceSpans: {
      resource: { attributes: Encoded[] };
      scopeSpans: { spans: (Omit<ReceivedSpan, "attributes"> & { attributes: Encoded[] })[] }[];
    }[];
  };
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({ ...span, attributes: plain(span.attributes), resource: plain(resource.attributes) })),
    ),
  );
}
