import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A time-stamp authority on loopback. It responds with the result of a function, or treats each request as the test specifies. */
export interface AuthorityPeer {
  readonly url: string;
  /** content type and body of every request */
  readonly requests: { readonly type: string | undefined; readonly body: Buffer }[];
  /** How all further requests are treated. */
  always(treatment: AuthorityTreatment): void;
  /** How the next requests are treated, before that. */
  next(...treatments: AuthorityTreatment[]): void;
  close(): Promise<void>;
}

/** A response to the request's body, a status without one, or the behaviour of a broken server. */
export type AuthorityTreatment = ((request: Buffer) => Uint8Array | Promise<Uint8Array>) | number | "hang" | "reset" | "endless";

const CHUNK = Buffer.alloc(16 * 1024, "x");

export async function startAuthority(answer: AuthorityTreatment): Promise<AuthorityPeer> {
  const requests: AuthorityPeer["requests"] = [];
  const queue: AuthorityTreatment[] = [];
  let otherwise = answer;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    requests.push({ type: request.headers["content-type"], body });
    const treatment = queue.shift() ?? otherwise;
    if (treatment === "hang") return;
    if (treatment === "reset") return void request.socket.resetAndDestroy();
    if (typeof treatment === "number") return void response.writeHead(treatment, { location: "/elsewhere" }).end();
    response.writeHead(200, { "content-type": "application/timestamp-reply" });
    if (treatment !== "endless") return void response.end(await treatment(body));
    const more = () => {
      while (!response.destroyed && response.write(CHUNK));
    };
    response.on("drain", more);
    more();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/stamp`,
    requests,
    always: (treatment) => {
      otherwise = treatment;
    },
    next: (...treatments) => void queue.push(...treatments),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
