import { createServer, type Server } from "node:http";
import { answerAlive, answerReady, type Health } from "./health.ts";

/** What a metrics page answers. */
export interface MetricsText {
  readonly type: string;
  readonly text: string;
}

export interface Probes {
  readonly port: number;
  close(): Promise<void>;
}

interface ProbesOptions {
  readonly port: number;
  readonly host: string;
  readonly health: Health;
  readonly metrics: () => Promise<MetricsText>;
  readonly onFailure: (error: unknown) => void;
}

/** The address is used by another program. */
export class ProbesPortTaken extends Error {
  override readonly name = "ProbesPortTaken";
}

// A probe that sends slowly must not keep its connection.
const REQUEST_MS = 10_000;

/** A listener of its own for probes and metrics, in every role; the metrics must not be public. */
export async function listenForProbes({ port, host, health, metrics, onFailure }: ProbesOptions): Promise<Probes> {
  const pages: Readonly<Record<string, () => Promise<{ status: number; type: string; text: string }>>> = {
    "/healthz": async () => asJson(await answerAlive(health)),
    "/readyz": async () => asJson(await answerReady(health)),
    "/metrics": async () => ({ status: 200, ...(await metrics()) }),
  };
  const server = createServer({ requestTimeout: REQUEST_MS }, (request, response) => {
    const page = pages[new URL(request.url ?? "/", "http://probe").pathname];
    const answer = (status: number, type: string, text: string) => response.writeHead(status, { "content-type": type }).end(text);
    if (page === undefined) return void answer(404, PLAIN, "Not found\n");
    if (request.method !== "GET" && request.method !== "HEAD") return void answer(405, PLAIN, "Method not allowed\n");
    page().then(
      ({ status, type, text }) => answer(status, type, text),
      (error: unknown) => {
        onFailure(error);
        answer(500, PLAIN, "Internal server error\n");
      },
    );
  });
  await listen(server, port, host);
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : port,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

const PLAIN = "text/plain; charset=utf-8";

const asJson = ({ status, body }: { status: number; body: object }) => ({
  status,
  type: "application/json; charset=utf-8",
  text: `${JSON.stringify(body)}\n`,
});

async function listen(server: Server, port: number, host: string): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, host, resolve));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "EADDRINUSE") throw cause;
    throw new ProbesPortTaken(`Port ${port} of METRICS_PORT is in use. Set METRICS_PORT to another port, or to 0 for none.`, { cause });
  }
}
