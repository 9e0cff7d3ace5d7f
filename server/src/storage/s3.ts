import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { setTimeout as delay } from "node:timers/promises";
import { AwsClient } from "aws4fetch";
import {
  BlobDamaged,
  BlobMissing,
  type BlobName,
  BytesChanged,
  blobKey,
  noteKey,
  type ObjectStore,
  type StoredForm,
  StoreUnavailable,
} from "./blob-store.ts";
import { nameBytes, nameStream } from "./hash.ts";

/** Keeps blobs in one bucket of an S3-compatible store, addressed by path. Uses no conditional PUT, because not every store supports it. */

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

// The sweep calls the store inside a transaction, which the database ends after it was idle for 60 s, so all attempts must fit into
// that time. A blob of 50 MB gets a minute, which is enough at 7 Mbit/s.
const RETRY_POLICY: RetryPolicy = { attempts: 3, pauseMs: 200, answerMs: 5_000, transferMs: 60_000 };

// The hash is part of the signature, so it must be known before the request is sent.
const EMPTY = nameBytes(new Uint8Array());

interface Peer extends RetryPolicy {
  readonly client: AwsClient;
  /** URL of the bucket */
  readonly url: string;
}

interface S3Request {
  readonly method: "HEAD" | "GET" | "PUT" | "DELETE";
  /** without a key, the request is for the bucket itself */
  readonly key?: string;
  readonly ms: number;
  readonly body?: { readonly name: BlobName; readonly open: () => Uint8Array | AsyncIterable<Uint8Array> };
}

type Body = NonNullable<RequestInit["body"]>;

export function s3Objects(settings: S3Settings, retryPolicy: RetryPolicy = RETRY_POLICY): ObjectStore {
  const { endpoint, bucket, accessKeyId, secretAccessKey, region } = settings;
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: "s3" });
  const peer: Peer = { ...retryPolicy, client, url: `${endpoint}/${bucket}` };
  return {
    put: (org, sha256, form) => place(peer, blobKey(org, sha256), sha256, form),
    read: async (org, sha256) => get(peer, blobKey(org, sha256), sha256, async (response) => new Uint8Array(await response.arrayBuffer())),
    open: async (org, sha256) => get(peer, blobKey(org, sha256), sha256, openAnswer),
    async remove(org, sha256) {
      await send(peer, { method: "DELETE", key: blobKey(org, sha256), ms: peer.answerMs }, async (response) => {
        if (!response.ok && !(await isMissing(response))) throw await refusal(response);
        await response.body?.cancel();
      });
    },
    async check() {
      // Two attempts of half the time each, because the store may have just closed an idle connection.
      await send({ ...peer, attempts: 2 }, { method: "HEAD", ms: peer.answerMs / 2 }, async (response) => {
        if (!response.ok) throw await refusal(response);
      });
    },
    // An interrupted PUT leaves nothing behind.
    removeStalePuts: async () => 0,
    sizeOf: (org, sha256) => sizeOf(peer, blobKey(org, sha256)),
    async readNote(name) {
      return send(peer, { method: "GET", key: noteKey(name), ms: peer.answerMs }, async (response) => {
        if (response.ok) return new Uint8Array(await response.arrayBuffer());
        if (await isMissing(response)) return null;
        throw await refusal(response);
      });
    },
    async writeNote(name, bytes) {
      const body = { name: nameBytes(bytes), open: () => bytes };
      await send(peer, { method: "PUT", key: noteKey(name), ms: peer.answerMs, body }, async (response) => {
        if (!response.ok) throw await refusal(response);
        await response.body?.cancel();
      });
    },
  };
}

async function place(peer: Peer, key: string, sha256: string, form: StoredForm): Promise<void> {
  if (await isSound(peer, key, sha256, form)) return;
  const name = { sha256: await form.sha256(), size: form.size };
  await send(peer, { method: "PUT", key, ms: peer.transferMs, body: { name, open: form.open } }, async (response) => {
    if (!response.ok) throw await refusal(response);
    await response.body?.cancel();
  });
  if (await isStoredSound(peer, key, sha256, form)) return;
  throw new BlobDamaged(sha256, await get(peer, key, sha256, async (response) => (await nameStream(chunksIn(response))).sha256));
}

/** Whether the blob exists and is intact. Anything else is put again. */
async function isSound(peer: Peer, key: string, sha256: string, form: StoredForm): Promise<boolean> {
  return (await sizeOf(peer, key)) === form.size && (await isStoredSound(peer, key, sha256, form));
}

function sizeOf(peer: Peer, key: string): Promise<number | null> {
  return send(peer, { method: "HEAD", key, ms: peer.answerMs }, async (response) => {
    if (response.status === 404) return null;
    if (!response.ok) throw await refusal(response);
    return Number(response.headers.get("content-length"));
  });
}

function isStoredSound(peer: Peer, key: string, sha256: string, form: StoredForm): Promise<boolean> {
  return get(peer, key, sha256, (response) => form.isSound(chunksIn(response)));
}

function get<T>(peer: Peer, key: string, sha256: string, use: (response: Response) => Promise<T>): Promise<T> {
  return send(peer, { method: "GET", key, ms: peer.transferMs }, async (response) => {
    if (response.ok) return use(response);
    throw (await isMissing(response)) ? new BlobMissing(sha256) : await refusal(response);
  });
}

async function openAnswer(response: Response): Promise<{ size: number; stream: Readable }> {
  const size = response.headers.get("content-length");
  if (size === null) throw new StoreUnavailable("its response has no length");
  return { size: Number(size), stream: Readable.from(chunksIn(response), { objectMode: false }) };
}

/** A missing bucket is 404 too, but that is not a missing blob. */
async function isMissing(response: Response): Promise<boolean> {
  return response.status === 404 && (await codeIn(response.clone())) !== "NoSuchBucket";
}

async function refusal(response: Response): Promise<Error> {
  const code = await codeIn(response);
  if (code === "XAmzContentSHA256Mismatch" || code === "BadDigest") return new BytesChanged();
  return new StoreUnavailable(`it answered ${response.status} ${code}`.trimEnd());
}

async function codeIn(response: Response): Promise<string> {
  return /<Code>(\w+)<\/Code>/.exec(await response.text())?.[1] ?? "";
}

/** Retries temporary failures. `use` is part of the attempt, because a body can be interrupted too. */
async function send<T>(peer: Peer, request: S3Request, use: (response: Response) => Promise<T>): Promise<T> {
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

function signed(peer: Peer, { method, key, body }: S3Request): Promise<Request> {
  const { sha256, size } = body?.name ?? EMPTY;
  const url = key === undefined ? peer.url : `${peer.url}/${key}`;
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

async function* chunksIn(response: Response): AsyncGenerator<Uint8Array> {
  if (response.body !== null) yield* response.body as ReadableStream<Uint8Array>;
}
