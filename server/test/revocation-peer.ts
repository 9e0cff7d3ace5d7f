import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** Publishes revocation lists and answers OCSP requests on loopback, as the test specifies for each path. */
export interface RevocationPeer {
  readonly origin: string;
  /** method, path and content type of every request */
  readonly requests: { readonly method: string | undefined; readonly path: string; readonly type: string | undefined }[];
  /** What a path answers with from now on: bytes, or a status without a body. */
  answer(path: string, answer: Uint8Array | number): void;
  close(): Promise<void>;
}

export async function startRevocationPeer(): Promise<RevocationPeer> {
  const answers = new Map<string, Uint8Array | number>();
  const requests: RevocationPeer["requests"] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? "/";
    requests.push({ method: request.method, path, type: request.headers["content-type"] });
    request.resume();
    const answer = answers.get(path) ?? 404;
    if (typeof answer === "number") return void response.writeHead(answer).end();
    response.writeHead(200, { "content-length": answer.length }).end(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    answer: (path, answer) => void answers.set(path, answer),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
