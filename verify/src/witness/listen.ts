import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Answer, cosignCheckpoint, type Witness } from "./cosign-checkpoint.ts";

// A checkpoint with many signatures and the longest proof have some ten thousand bytes.
const MAX_BODY_BYTES = 256 * 1024;
const REQUEST_MS = 30_000;

export type Listening = { readonly url: string; readonly close: () => Promise<void> };

/** A C2SP witness: `POST /add-checkpoint`. `report` gets one line per request. */
export async function listen(witness: Witness, host: string, port: number, report: (line: string) => void): Promise<Listening> {
  const server = createServer({ requestTimeout: REQUEST_MS }, (request, response) => {
    const send = ({ status, type, body }: Answer): void => {
      report(`${request.method} ${request.url} ${status}`);
      response.writeHead(status, { "content-type": type, "content-length": Buffer.byteLength(body) }).end(body);
    };
    answer(witness, request, response).then(send, (error: Error) => {
      report(error.message);
      send({ status: 500, type: "text/plain; charset=utf-8", body: "The witness failed.\n" });
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${bound}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(witness: Witness, request: IncomingMessage, response: ServerResponse): Promise<Answer> {
  const text = (status: number, body: string): Answer => ({ status, type: "text/plain; charset=utf-8", body });
  if (new URL(request.url ?? "/", "http://witness").pathname !== "/add-checkpoint") return text(404, "Use POST /add-checkpoint.\n");
  if (request.method !== "POST") return text(405, "Use POST.\n");
  const body = await readBody(request);
  // The rest of a large body is not read.
  if (body === null) response.shouldKeepAlive = false;
  return body === null ? text(413, "The request is too large.\n") : cosignCheckpoint(witness, body);
}

async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size > MAX_BODY_BYTES) return null;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}
