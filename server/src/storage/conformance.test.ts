import { createHash, randomBytes } from "node:crypto";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { AwsClient } from "aws4fetch";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { memoryKeys } from "../../test/memory-keys.ts";
import { type S3Peer, startS3Peer } from "../../test/s3-peer.ts";
import { newId, type OrgId } from "../shared/ids.ts";
import { BlobDamaged, BlobMissing, type BlobStore, BytesChanged, blobKey, type ObjectStore, StoreUnavailable } from "./blob-store.ts";
import type { S3Settings } from "./bucket.ts";
import { encryptedStore } from "./encrypted.ts";
import { filesystemObjects } from "./filesystem.ts";
import { plainStore } from "./plain.ts";
import { s3Objects } from "./s3.ts";

/** The promises of every store, tested on each of them. Add a new store to the list below. */
interface Subject {
  readonly store: BlobStore;
  /** a store of the same kind that cannot be reached */
  readonly away: BlobStore;
  /** replaces a blob's bytes without using the store */
  damage(org: OrgId, sha256: string, bytes: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

const hastyButFair = { attempts: 2, pauseMs: 1, answerMs: 5_000, transferMs: 30_000 };
// A port that no service uses.
const nobody = "http://127.0.0.1:2";

/** Each kind of objects stores blobs as they are, or encrypted. */
type Wrap = (objects: ObjectStore) => BlobStore;
const encrypted: Wrap = (objects) => encryptedStore(objects, memoryKeys());

async function filesystem(wrap: Wrap): Promise<Subject> {
  const folder = await mkdtemp(join(tmpdir(), "countersign-blobs-"));
  await writeFile(join(folder, "file"), "");
  return {
    store: wrap(filesystemObjects(join(folder, "blobs"))),
    away: wrap(filesystemObjects(join(folder, "file", "blobs"))),
    damage: async (org, sha256, bytes) => {
      const path = join(folder, "blobs", blobKey(org, sha256));
      await chmod(path, 0o644);
      await writeFile(path, bytes);
    },
    close: () => rm(folder, { recursive: true }),
  };
}

async function s3(wrap: Wrap, settings: S3Settings, close: () => Promise<void>): Promise<Subject> {
  const client = new AwsClient({ ...settings, service: "s3" });
  return {
    store: wrap(s3Objects(settings, hastyButFair)),
    away: wrap(s3Objects({ ...settings, endpoint: nobody }, hastyButFair)),
    damage: async (org, sha256, bytes) => {
      const url = `${settings.endpoint}/${settings.bucket}/${blobKey(org, sha256)}`;
      const { ok } = await client.fetch(url, { method: "PUT", body: Buffer.from(bytes) });
      expect(ok).toBe(true);
    },
    close,
  };
}

async function s3Peer(wrap: Wrap): Promise<Subject> {
  const peer: S3Peer = await startS3Peer();
  const { settings } = peer;
  return {
    ...(await s3(wrap, settings, peer.close)),
    damage: async (org, sha256, bytes) => void peer.objects.set(blobKey(org, sha256), Buffer.from(bytes)),
  };
}

const { TEST_S3_ENDPOINT, TEST_S3_BUCKET, TEST_S3_REGION, TEST_S3_ACCESS_KEY_ID, TEST_S3_SECRET_ACCESS_KEY } = process.env;
const real = {
  endpoint: TEST_S3_ENDPOINT ?? "",
  bucket: TEST_S3_BUCKET ?? "",
  region: TEST_S3_REGION ?? "us-east-1",
  accessKeyId: TEST_S3_ACCESS_KEY_ID ?? "",
  secretAccessKey: TEST_S3_SECRET_ACCESS_KEY ?? "",
};

describe("the filesystem store", () => suite(() => filesystem(plainStore)));
describe("the filesystem store, encrypted", () => suite(() => filesystem(encrypted)));
describe("the S3 store, on the peer in test/s3-peer.ts", () => suite(() => s3Peer(plainStore)));
describe("the S3 store, encrypted", () => suite(() => s3Peer(encrypted)));
describe.skipIf(real.endpoint === "")("the S3 store, on the real service at TEST_S3_ENDPOINT", () =>
  suite(() => s3(plainStore, real, async () => undefined)),
);

function suite(open: () => Promise<Subject>): void {
  let subject: Subject;
  let store: BlobStore;
  let folder: string;
  const org = newId("org");

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "countersign-files-"));
    subject = await open();
    store = subject.store;
  });
  afterAll(async () => {
    await subject.close();
    await rm(folder, { recursive: true });
  });

  async function fileOf(bytes: Uint8Array): Promise<string> {
    const path = join(folder, randomBytes(8).toString("hex"));
    await writeFile(path, bytes);
    return path;
  }

  test.each([0, 1, 65_536, 3_000_001])("put bytes are read back by their hash: %i bytes", async (size) => {
    const bytes = randomBytes(size);
    const name = { sha256: createHash("sha256").update(bytes).digest("hex"), size };
    expect(await store.put(org, bytes)).toEqual(name);
    expect(Buffer.from(await store.read(org, name.sha256)).equals(bytes)).toBe(true);
  });

  test.each([0, 1, 3_000_001])("putting a file is the same as putting its bytes: %i bytes", async (size) => {
    const bytes = randomBytes(size);
    const name = await store.putFile(org, await fileOf(bytes));
    expect(name).toEqual({ sha256: createHash("sha256").update(bytes).digest("hex"), size });
    expect(Buffer.from(await store.read(org, name.sha256)).equals(bytes)).toBe(true);
  });

  test("a file that cannot be read is not an outage of the store", async () => {
    const put = store.putFile(org, join(folder, "nothing"));
    await expect(put).rejects.toThrow(/ENOENT/);
    await expect(put).rejects.not.toBeInstanceOf(StoreUnavailable);
  });

  test("a note is missing, then what was written last, whole; it is no blob of an organization", async () => {
    expect(await store.readNote("checkpoint")).toBeNull();
    for (const text of ["a checkpoint", "a later and longer checkpoint", "short"]) {
      await store.writeNote("checkpoint", Buffer.from(text));
      expect(Buffer.from((await store.readNote("checkpoint")) ?? []).toString()).toBe(text);
    }
    await expect(subject.away.readNote("checkpoint")).rejects.toBeInstanceOf(StoreUnavailable);
    await expect(subject.away.writeNote("checkpoint", Buffer.from("x"))).rejects.toBeInstanceOf(StoreUnavailable);
  });

  test("a blob is opened as a stream with its size", async () => {
    const bytes = randomBytes(300_000);
    const { sha256 } = await store.put(org, bytes);
    const { size, stream } = await store.open(org, sha256);
    expect(size).toBe(300_000);
    expect((await buffer(stream)).equals(bytes)).toBe(true);
  });

  test("a stream can be closed before its end", async () => {
    const { sha256 } = await store.put(org, randomBytes(2_000_000));
    const { stream } = await store.open(org, sha256);
    for await (const _chunk of stream) break;
    expect(stream.destroyed).toBe(true);
    expect((await store.read(org, sha256)).byteLength).toBe(2_000_000);
  });

  test("putting the same bytes again, also sixteen times at once, succeeds and stores one blob", async () => {
    const bytes = randomBytes(100_000);
    const path = await fileOf(bytes);
    const names = await Promise.all(Array.from({ length: 16 }, (_, n) => (n % 2 ? store.put(org, bytes) : store.putFile(org, path))));
    expect(new Set(names.map(({ sha256 }) => sha256)).size).toBe(1);
    const [name] = names;
    expect(await store.put(org, bytes)).toEqual(name);
    expect((await store.read(org, name?.sha256 ?? "")).byteLength).toBe(100_000);
  });

  test("a blob that was not put is missing, even if another org has the same bytes", async () => {
    const { sha256 } = await store.put(org, randomBytes(10));
    const other = newId("org");
    for (const attempt of [() => store.read(other, sha256), () => store.open(other, sha256), () => store.read(org, "0".repeat(64))]) {
      await expect(attempt()).rejects.toBeInstanceOf(BlobMissing);
    }
  });

  test("a removed blob is missing, and removing it again is not an error", async () => {
    const bytes = randomBytes(10);
    const { sha256 } = await store.put(org, bytes);
    await store.remove(org, sha256);
    await store.remove(org, sha256);
    await expect(store.read(org, sha256)).rejects.toBeInstanceOf(BlobMissing);
    await store.put(org, bytes);
    expect((await store.read(org, sha256)).byteLength).toBe(10);
  });

  test.each([
    ["one flipped bit", (bytes: Buffer) => Buffer.from([...bytes.subarray(0, -1), (bytes.at(-1) ?? 0) ^ 1])],
    ["a lost end", (bytes: Buffer) => bytes.subarray(0, -1)],
    ["nothing left", () => Buffer.alloc(0)],
  ])("damage is reported with both hashes, and repaired by the next put of the bytes: %s", async (_what, damaged) => {
    const bytes = randomBytes(5_000);
    const { sha256 } = await store.put(org, bytes);
    await subject.damage(org, sha256, damaged(bytes));
    const found = createHash("sha256").update(damaged(bytes)).digest("hex");
    const refusal = await store.read(org, sha256).catch((error) => error);
    expect(refusal).toBeInstanceOf(BlobDamaged);
    expect(refusal).toMatchObject({ expected: sha256, found });
    await Promise.all([store.put(org, bytes), store.putFile(org, await fileOf(bytes))]);
    expect(Buffer.from(await store.read(org, sha256)).equals(bytes)).toBe(true);
  });

  test("bytes that do not match the given hash are rejected, and nothing is stored", async () => {
    const [before, after] = [randomBytes(1000), randomBytes(1000)];
    const name = { sha256: createHash("sha256").update(before).digest("hex"), size: 1000 };
    await expect(store.put(org, after, name)).rejects.toBeInstanceOf(BytesChanged);
    await expect(store.putFile(org, await fileOf(after), name)).rejects.toBeInstanceOf(BytesChanged);
    await expect(store.read(org, name.sha256)).rejects.toBeInstanceOf(BlobMissing);
  });

  test("a name that is not a hash is rejected before the store is asked", async () => {
    await expect(async () => store.read(org, "../../../etc/passwd")).rejects.toThrow(/not a SHA-256/);
  });

  test("every call to an unreachable store throws StoreUnavailable, never BlobMissing", async () => {
    const path = await fileOf(randomBytes(10));
    const { away } = subject;
    const sha256 = "0".repeat(64);
    const put = [() => away.put(org, randomBytes(10)), () => away.putFile(org, path)];
    const had = [() => away.read(org, sha256), () => away.open(org, sha256), () => away.remove(org, sha256), () => away.check()];
    for (const attempt of [...put, ...had]) await expect(attempt()).rejects.toBeInstanceOf(StoreUnavailable);
  });

  test("a store that can be reached passes its check", async () => {
    await store.check();
  });
}
