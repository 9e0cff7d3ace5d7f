import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { S3Settings } from "../src/storage/bucket.ts";

/**
 * A small S3 server on loopback, with one bucket in memory. It computes every signature and payload hash independently, from the
 * received bytes and Amazon's description of Signature Version 4, and refuses what does not match.
 */
export interface S3Peer {
  readonly settings: S3Settings;
  /** by key, without the bucket */
  readonly objects: Map<string, Buffer>;
  /** when each was written */
  readonly written: Map<string, Date>;
  /** method and path of every request, in order */
  readonly requests: string[];
  /** What happens to the next requests (with this method, if given) instead of a normal response. */
  fail(fault: Fault, times: number, method?: string): void;
  close(): Promise<void>;
}

/** cut: half of the body, then the connection is closed. silent: no response at all. corrupt: uploads are stored with a flipped bit. */
export type Fault = "307" | "403" | "429" | "500" | "drop" | "cut" | "silent" | "corrupt";

const BUCKET = "documents";
const REGION = "eu-test-1";
const ACCESS_KEY_ID = "AKTEST";
const SECRET = "test/secret+key";

export async function startS3Peer(): Promise<S3Peer> {
  const objects = new Map<string, Buffer>();
  const written = new Map<string, Date>();
  const requests: string[] = [];
  const faults: { readonly fault: Fault; readonly method: string | undefined }[] = [];
  const server = createServer(async (request, response) => {
    const { method = "", url = "" } = request;
    requests.push(`${method} ${url}`);
    const at = faults.findIndex((one) => one.method === undefined || one.method === method);
    const [failing] = at < 0 ? [] : faults.splice(at, 1);
    if (failing?.fault === "drop") return void request.socket.destroy();
    if (failing?.fault === "silent") return;
    const body = await bodyOf(request);
    const refusal = failing === undefined || failing.fault === "corrupt" ? firstFault(request, body) : faultResponse(failing.fault);
    if (failing?.fault === "cut") cut(response, objects.get(keyOf(url)) ?? Buffer.alloc(2));
    else if (refusal !== null) refuse(response, ...refusal);
    else serve({ objects, written }, method, url, failing === undefined ? body : flipped(body), response);
  });
  // Idle connections stay open, so that a connection is lost only if a test asks for it.
  server.keepAliveTimeout = 600_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    settings: { endpoint, bucket: BUCKET, region: REGION, accessKeyId: ACCESS_KEY_ID, secretAccessKey: SECRET },
    objects,
    written,
    requests,
    fail: (fault, times, method) => void faults.push(...Array.from({ length: times }, () => ({ fault, method }))),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

type Kept = Pick<S3Peer, "objects" | "written">;

function serve(kept: Kept, method: string, url: string, body: Buffer, response: ServerResponse): void {
  const { objects, written } = kept;
  const [path = "", query = ""] = url.split("?");
  const [bucket, key] = [path.split("/")[1], keyOf(path)];
  if (method === "PUT" && bucket === BUCKET) {
    objects.set(key, body);
    written.set(key, new Date());
  }
  if (method === "DELETE") objects.delete(key);
  const object = objects.get(key);
  if (bucket !== BUCKET) refuse(response, 404, "NoSuchBucket");
  else if (method === "DELETE") response.writeHead(204).end();
  else if (query !== "") response.writeHead(200, { "content-type": "application/xml" }).end(list(kept, new URLSearchParams(query)));
  else if (method === "PUT" || key === "") response.writeHead(200).end();
  else if (object === undefined) refuse(response, 404, "NoSuchKey");
  else response.writeHead(200, { "content-length": object.length }).end(method === "HEAD" ? undefined : object);
}

// Few, so that tests see the next page too.
const LISTED_AT_ONCE = 3;

/** Version 2 of the list. A token needs the encoding of a URL and of XML. */
function list({ objects, written }: Kept, asked: URLSearchParams): string {
  const from = (asked.get("continuation-token") ?? "").replace(/^\+&from=/, "");
  const keys = [...objects.keys()].filter((key) => key.startsWith(asked.get("prefix") ?? "") && key > from).sort();
  const page = keys.slice(0, LISTED_AT_ONCE);
  const contents = page.map(
    (key) => `<Contents><Key>${key}</Key><LastModified>${written.get(key)?.toISOString()}</LastModified></Contents>`,
  );
  const next = keys.length > page.length ? `<NextContinuationToken>+&amp;from=${page.at(-1)}</NextContinuationToken>` : "";
  return `<?xml version="1.0"?><ListBucketResult><IsTruncated>${next !== ""}</IsTruncated>${next}${contents.join("")}</ListBucketResult>`;
}

function flipped(bytes: Buffer): Buffer {
  return Buffer.from(bytes.map((byte, at) => (at === 0 ? byte ^ 1 : byte)));
}

function faultResponse(fault: Fault): [number, string] {
  return [Number(fault), "AsTold"];
}

function cut(response: ServerResponse, object: Buffer): void {
  response.writeHead(200, { "content-length": object.length });
  response.write(object.subarray(0, object.length / 2), () => response.destroy());
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { "content-type": "application/xml" }).end(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`);
}

function keyOf(url: string): string {
  return url.split("/").slice(2).join("/");
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The first reason to refuse a request: length, payload, credential, signed headers, time, signature. */
function firstFault(request: IncomingMessage, body: Buffer): [number, string] | null {
  const { headers, method = "", url = "" } = request;
  if (method === "PUT" && headers["content-length"] === undefined) return [411, "MissingContentLength"];
  const payload = String(headers["x-amz-content-sha256"]);
  if (payload !== hex(body)) return [400, "XAmzContentSHA256Mismatch"];
  const pattern =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/;
  const [, id, day = "", region = "", names = "", signature = ""] = pattern.exec(headers.authorization ?? "") ?? [];
  if (id !== ACCESS_KEY_ID || region !== REGION) return [403, "InvalidAccessKeyId"];
  const signed = names.split(";");
  if (!["host", "x-amz-content-sha256", "x-amz-date"].every((name) => signed.includes(name))) return [403, "AccessDenied"];
  const time = String(headers["x-amz-date"]);
  const sentAt = Date.parse(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"));
  if (!(Math.abs(Date.now() - sentAt) < 15 * 60_000) || !time.startsWith(day)) return [403, "RequestTimeTooSkewed"];
  const [path = "", query = ""] = url.split("?");
  const canonical = [method, path, query, ...signed.map((name) => `${name}:${headers[name]}`), "", names, payload].join("\n");
  const scope = `${day}/${region}/s3/aws4_request`;
  const wanted = hmac(signingKey(day), ["AWS4-HMAC-SHA256", time, scope, hex(canonical)].join("\n"));
  return timingSafeEqual(wanted, Buffer.from(signature, "hex")) ? null : [403, "SignatureDoesNotMatch"];
}

function signingKey(day: string): Buffer {
  return [day, REGION, "s3", "aws4_request"].reduce<Buffer>((key, part) => hmac(key, part), Buffer.from(`AWS4${SECRET}`));
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}

function hex(bytes: Buffer | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}
