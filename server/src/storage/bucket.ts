import type { ReadableStream } from "node:stream/web";
import { setTimeout as delay } from "node:timers/promises";
import type { AwsClient } from "aws4fetch";
import { type BlobName, BytesChanged, StoreUnavailable } from "./blob-store.ts";
import { nameBytes } from "./hash.ts";

/** Signed requests to an S3-compatible store, repeated after temporary failures. */

export interface S3Settings {
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** Timeouts, and the number of attempts after temporary failures. */
export interface RetryPolicy {
  readonly attempts: number;
  readonly pauseMs: number;
  /** timeout for a response without a body */
  readonly answerMs: number;
  /** timeout for the transfer of a blob in either direction */
  readonly transferMs: number;
}

// The hash is part of the signature, so it must be known before the request is sent.
const EMPTY = nameBytes(new Uint8Array());

export interface Peer extends RetryPolicy {
  readonly client: AwsClient;
  /** URL of the bucket */
  readonly url: string;
}

export interface S3Request {
  readonly method: "HEAD" | "GET" | "PUT" | "DELETE";
  /** without a key, the request is for the bucket itself */
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly ms: number;
  readonly body?: { readonly name: BlobName; readonly open: () => Uint8Array | AsyncIterable<Uint8Array> };
}

type Body = NonNullable<RequestInit["body"]>;

/** A missing bucket is 404 too, but that is not a missing blob. */
export async function isMissing(response: Response): Promise<boolean> {
  return response.status === 404 && (await codeIn(response.clone())) !== "NoSuchBucket";
}

export async function refusal(response: Response): Promise<Error> {
  const code = await codeIn(response);
  if (code === "XAmzContentSHA256Mismatch" || code === "BadDigest") return new BytesChanged();
  return new StoreUnavailable(`it answered ${response.status} ${code}`.trimEnd());
}

async function codeIn(response: Response): Promise<string> {
  return /<Code>(\w+)<\/Code>/.exec(await response.text())?.[1] ?? "";
}

/** Null if there is nothing under this key. */
export const readKey = (peer: Peer, key: string): Promise<Uint8Array | null> =>
  send(peer, { method: "GET", key, ms: peer.answerMs }, async (response) => {
    if (response.ok) return new Uint8Array(await response.arrayBuffer());
    if (await isMissing(response)) return null;
    throw await refusal(response);
  });

/** Replaces what was there. */
export const writeKey = (peer: Peer, key: string, bytes: Uint8Array): Promise<void> =>
  send(peer, { method: "PUT", key, ms: peer.answerMs, body: { name: nameBytes(bytes), open: () => bytes } }, async (response) => {
    if (!response.ok) throw await refusal(response);
    await response.body?.cancel();
  });

/** Removing what is missing is not an error. */
export const removeKey = (peer: Peer, key: string): Promise<void> =>
  send(peer, { method: "DELETE", key, ms: peer.answerMs }, async (response) => {
    if (!response.ok && !(await isMissing(response))) throw await refusal(response);
    await response.body?.cancel();
  });

export interface Listed {
  readonly keys: readonly { readonly key: string; readonly written_at: Date }[];
  /** where the next page begins; null: there is none */
  readonly next: string | null;
}

/** `from`: the `next` of the page before, at first "". */
export const listKeys = (peer: Peer, prefix: string, from: string): Promise<Listed> => {
  const query = { ...(from !== "" && { "continuation-token": from }), "list-type": "2", prefix };
  return send(peer, { method: "GET", query, ms: peer.answerMs }, async (response) => {
    if (!response.ok) throw await refusal(response);
    return listedIn(await response.text());
  });
};

function listedIn(xml: string): Listed {
  const textIn = (part: string, name: string) => plainText(new RegExp(`<${name}>([^<]*)</${name}>`).exec(part)?.[1] ?? "");
  const keys = [...xml.matchAll(/<Contents>(.*?)<\/Contents>/gs)].map(([, one = ""]) => ({
    key: textIn(one, "Key"),
    written_at: new Date(textIn(one, "LastModified")),
  }));
  return { keys, next: textIn(xml, "IsTruncated") === "true" ? textIn(xml, "NextContinuationToken") : null };
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
const plainText = (xml: string): string => xml.replace(/&(\w+);/g, (all, name: string) => ENTITIES[name] ?? all);

/** Retries temporary failures. `use` is part of the attempt, because a body can be interrupted too. */
export async function send<T>(peer: Peer, request: S3Request, use: (response: Response) => Promise<T>): Promise<T> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await sendOnce(peer, request, use);
    } catch (error) {
      if (!isTemporary(error)) throw error;
      if (attempts >= peer.attempts)
        throw error instanceof StoreUnavailable ? error : new StoreUnavailable("it cannot be reached", { cause: error });
      await delay(Math.random() * peer.pauseMs * 2 ** attempts);
    }
  }
}

async function sendOnce<T>(peer: Peer, request: S3Request, use: (response: Response) => Promise<T>): Promise<T> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(new DOMException(`no answer within ${request.ms} ms`, "TimeoutError")), request.ms);
  try {
    const response = await fetch(await signed(peer, request), { signal: abort.signal });
    if (response.status >= 500 || response.status === 429)
      throw new Busy(`it answered ${response.status} ${await codeIn(response)}`.trimEnd());
    return await use(response);
  } finally {
    clearTimeout(timer);
  }
}

function signed(peer: Peer, { method, key, query, body }: S3Request): Promise<Request> {
  const { sha256, size } = body?.name ?? EMPTY;
  const path = key === undefined ? peer.url : `${peer.url}/${key}`;
  const url = query === undefined ? path : `${path}?${new URLSearchParams(query)}`;
  // A signature is for one host, so a redirect is an error. This also lets fetch stream a body; otherwise it would keep the whole
  // body in memory to send it again after a redirect.
  const init = { method, redirect: "error" as const, headers: { "x-amz-content-sha256": sha256 } };
  if (body === undefined) return peer.client.sign(url, init);
  const content = size === 0 ? new Uint8Array() : body.open();
  if (content instanceof Uint8Array) return peer.client.sign(url, { ...init, body: content as Body });
  // Without a length, fetch would use chunked encoding, which S3 rejects.
  const headers = { ...init.headers, "content-length": String(size) };
  return peer.client.sign(url, { ...init, headers, body: content as Body, duplex: "half" });
}

/** The store is temporarily overloaded and can be tried again. */
class Busy extends StoreUnavailable {}

/** fetch throws a TypeError with a cause if the connection fails, before the response or during its body. */
function isTemporary(error: unknown): boolean {
  if (error instanceof Busy) return true;
  if (error instanceof TypeError) return error.cause !== undefined;
  return error instanceof DOMException && error.name === "TimeoutError";
}

export async function* chunksIn(response: Response): AsyncGenerator<Uint8Array> {
  if (response.body !== null) yield* response.body as ReadableStream<Uint8Array>;
}
