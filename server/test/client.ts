import { request as httpRequest } from "node:http";
import { servedPath } from "../src/http/paths.ts";

export interface Request {
  readonly body?: unknown;
  /** raw bytes, for bodies that are not JSON */
  readonly raw?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  readonly bytes: Buffer;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers whose shape they are about to check
  readonly json: any;
}

/** A path as endpoints declare it, or an absolute one with a leading double slash (`//healthz`). */
export type Send = (method: string, path: string, request?: Request) => Promise<Answer>;

/** A plain HTTP client with node:http, so that a test can send requests that `fetch` would refuse. */
export function client(url: string, always: Readonly<Record<string, string>> = {}): Send {
  const { hostname, port } = new URL(url);
  return (method, path, { body, raw, headers = {} } = {}) => {
    const bytes = raw === undefined ? (body === undefined ? undefined : JSON.stringify(body)) : raw;
    const json = body === undefined ? {} : { "content-type": "application/json" };
    const length = bytes === undefined ? {} : { "content-length": String(Buffer.byteLength(bytes)) };
    return new Promise((resolve, reject) => {
      const outgoing = httpRequest({
        hostname,
        port,
        method,
        path: path.startsWith("//") ? path.slice(1) : servedPath(path),
        headers: { ...json, ...length, ...always, ...headers },
      });
      outgoing.once("response", (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.once("error", reject);
        response.once("end", () => {
          const bytes = Buffer.concat(chunks);
          const text = bytes.toString("utf8");
          const isJson = /[/+]json/.test(response.headers["content-type"] ?? "");
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers as Answer["headers"],
            text,
            bytes,
            json: isJson && text !== "" ? JSON.parse(text) : null,
          });
        });
      });
      // If a connection broke before its first response, it may never have been accepted. Some callers need to know.
      outgoing.once("error", (error) => reject(Object.assign(error, { reusedSocket: outgoing.reusedSocket })));
      outgoing.end(bytes);
    });
  };
}
