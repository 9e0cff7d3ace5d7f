import { Readable } from "node:stream";
import { AwsClient } from "aws4fetch";
import {
  BlobDamaged,
  BlobMissing,
  blobKey,
  noteKey,
  type ObjectStore,
  type StoredForm,
  StoreUnavailable,
  sharedFolder,
  sharedKey,
} from "./blob-store.ts";
import {
  chunksIn,
  isMissing,
  type Listed,
  listKeys,
  type Peer,
  type RetryPolicy,
  readKey,
  refusal,
  removeKey,
  type S3Settings,
  send,
  writeKey,
} from "./bucket.ts";
import { nameStream } from "./hash.ts";

/** Keeps blobs in one bucket of an S3-compatible store, addressed by path. Uses no conditional PUT, because not every store supports it. */

// The sweep calls the store inside a transaction, which the database ends after it was idle for 60 s, so all attempts must fit into
// that time. A blob of 50 MB gets a minute, which is enough at 7 Mbit/s.
const RETRY_POLICY: RetryPolicy = { attempts: 3, pauseMs: 200, answerMs: 5_000, transferMs: 60_000 };

export function s3Objects(settings: S3Settings, retryPolicy: RetryPolicy = RETRY_POLICY): ObjectStore {
  const { endpoint, bucket, accessKeyId, secretAccessKey, region } = settings;
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: "s3" });
  const peer: Peer = { ...retryPolicy, client, url: `${endpoint}/${bucket}` };
  return {
    put: (org, sha256, form) => place(peer, blobKey(org, sha256), sha256, form),
    read: async (org, sha256) => get(peer, blobKey(org, sha256), sha256, async (response) => new Uint8Array(await response.arrayBuffer())),
    open: async (org, sha256) => get(peer, blobKey(org, sha256), sha256, openAnswer),
    remove: (org, sha256) => removeKey(peer, blobKey(org, sha256)),
    async check() {
      // Two attempts of half the time each, because the store may have just closed an idle connection.
      await send({ ...peer, attempts: 2 }, { method: "HEAD", ms: peer.answerMs / 2 }, async (response) => {
        if (!response.ok) throw await refusal(response);
      });
    },
    // An interrupted PUT leaves nothing behind.
    removeStalePuts: async () => 0,
    sizeOf: (org, sha256) => sizeOf(peer, blobKey(org, sha256)),
    readNote: (name) => readKey(peer, noteKey(name)),
    writeNote: (name, bytes) => writeKey(peer, noteKey(name), bytes),
    shared: {
      read: async (of) => readKey(peer, sharedKey(of)),
      write: async (of, bytes) => writeKey(peer, sharedKey(of), bytes),
      removeOlder: (part, before) => removeOlder(peer, sharedFolder(part), before),
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

/** Page by page, each of a thousand keys at most. */
async function removeOlder(peer: Peer, prefix: string, before: Date): Promise<number> {
  let removed = 0;
  for (let from: string | null = ""; from !== null; ) {
    const { keys, next }: Listed = await listKeys(peer, prefix, from);
    for (const { key, written_at } of keys) {
      if (!(written_at < before)) continue;
      await removeKey(peer, key);
      removed++;
    }
    from = next;
  }
  return removed;
}
