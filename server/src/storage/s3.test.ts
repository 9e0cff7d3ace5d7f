import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer, text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { testInAll } from "../../../testing/all.ts";
import { type S3Peer, startS3Peer } from "../../test/s3-peer.ts";
import { newId } from "../shared/ids.ts";
import { BlobDamaged, type BlobStore, blobKey, StoreUnavailable } from "./blob-store.ts";
import type { RetryPolicy, S3Settings } from "./bucket.ts";
import { nameBytes } from "./hash.ts";
import { plainStore } from "./plain.ts";
import { s3Objects } from "./s3.ts";

const retryPolicy = { attempts: 3, pauseMs: 1, answerMs: 5_000, transferMs: 30_000 };
const org = newId("org");
const s3Store = (settings: S3Settings, policy: RetryPolicy) => plainStore(s3Objects(settings, policy));
let folder: string;
let peer: S3Peer;
let store: BlobStore;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "countersign-files-"));
  peer = await startS3Peer();
  store = s3Store(peer.settings, retryPolicy);
});
afterEach(() => void peer.requests.splice(0));
afterAll(async () => {
  await peer.close();
  await rm(folder, { recursive: true });
});

const methods = () => peer.requests.map((request) => request.split(" ")[0]);

test("a blob is stored in the bucket by org and hash; a put checks, writes and reads back", async () => {
  const { sha256 } = await store.put(org, Buffer.from("Contract"));
  expect(peer.objects.get(`${org}/${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}`)?.toString()).toBe("Contract");
  expect(methods()).toEqual(["HEAD", "PUT", "GET"]);
});

test("a blob that is intact is never written again", async () => {
  const bytes = randomBytes(100);
  await store.put(org, bytes);
  await store.put(org, bytes);
  expect(methods()).toEqual(["HEAD", "PUT", "GET", "HEAD", "GET"]);
});

test.each(["500", "429", "drop"] as const)("every request is retried after a temporary failure (%s)", async (fault) => {
  const path = join(folder, fault);
  await writeFile(path, randomBytes(200_000));
  for (const method of ["HEAD", "PUT", "GET"]) peer.fail(fault, 2, method);
  const { sha256 } = await store.putFile(org, path);
  expect(methods()).toEqual(["HEAD", "HEAD", "HEAD", "PUT", "PUT", "PUT", "GET", "GET", "GET"]);
  expect((await store.read(org, sha256)).byteLength).toBe(200_000);
});

test("an interrupted response is requested again, and not reported as damage", async () => {
  const bytes = randomBytes(500_000);
  const { sha256 } = await store.put(org, bytes);
  peer.fail("cut", 2, "GET");
  expect(Buffer.from(await store.read(org, sha256)).equals(bytes)).toBe(true);
  peer.fail("cut", 3, "GET");
  await expect(store.read(org, sha256)).rejects.toBeInstanceOf(StoreUnavailable);
});

test("an interrupted stream fails for its reader", async () => {
  const { sha256 } = await store.put(org, randomBytes(500_000));
  peer.fail("cut", 1, "GET");
  const { size, stream } = await store.open(org, sha256);
  expect(size).toBe(500_000);
  await expect(buffer(stream)).rejects.toThrow();
});

test("bytes that the store damaged while writing are found during the put", async () => {
  const bytes = randomBytes(100);
  peer.fail("corrupt", 1, "PUT");
  await expect(store.put(org, bytes)).rejects.toBeInstanceOf(BlobDamaged);
  await store.put(org, bytes);
  expect(Buffer.from(await store.read(org, nameBytes(bytes).sha256)).equals(bytes)).toBe(true);
});

test("after three failures the store is away, and gets no more requests", async () => {
  peer.fail("500", 3);
  await expect(store.read(org, "0".repeat(64))).rejects.toThrow("blob store away: it answered 500 AsTold");
  expect(methods()).toEqual(["GET", "GET", "GET"]);
});

test("a 403 response is an outage too, and is not retried", async () => {
  const { sha256 } = await store.put(org, randomBytes(10));
  peer.requests.splice(0);
  for (const attempt of [() => store.read(org, sha256), () => store.remove(org, sha256), () => store.put(org, randomBytes(10))]) {
    peer.fail("403", 1);
    await expect(attempt()).rejects.toBeInstanceOf(StoreUnavailable);
  }
  expect(methods()).toEqual(["GET", "DELETE", "HEAD"]);
});

test("a redirect is not followed, because the signature is for one host only", async () => {
  peer.fail("307", 3, "PUT");
  await expect(store.put(org, randomBytes(10))).rejects.toBeInstanceOf(StoreUnavailable);
});

test("files for other machines are replaced, missing ones are null, and old ones of a part are removed page by page", async () => {
  const shared = store.shared ?? expect.fail("a bucket is shared");
  const hash = (n: number) => `0a${String(n).padStart(62, "0")}`;
  const file = (n: number) => ({ org, sha256: hash(n), name: "1-1224-v2" });
  expect(await shared.read(file(0))).toBeNull();
  await expect(shared.write({ ...file(0), sha256: "../../x" }, Buffer.alloc(1))).rejects.toThrow("not a SHA-256");
  for (let n = 0; n < 8; n++) await shared.write(file(n), Buffer.from(`first ${n}`));
  await shared.write({ ...file(0), sha256: `0b${hash(0).slice(2)}` }, Buffer.from("of another part"));
  await shared.write(file(7), Buffer.from("second"));
  expect(Buffer.from((await shared.read(file(7))) ?? []).toString()).toBe("second");
  const keyOf = (n: number) => `derived/0a/${org}/${hash(n)}-1-1224-v2`;
  const [before, old] = [new Date(Date.now() - 1_000), new Date(Date.now() - 2_000)];
  for (const n of [0, 2, 3, 4, 6]) peer.written.set(keyOf(n), old);
  peer.fail("500", 1, "GET");
  expect(await shared.removeOlder(0x0a, before)).toBe(5);
  expect([...peer.objects.keys()].filter((key) => key.startsWith("derived/0a/"))).toEqual([1, 5, 7].map(keyOf));
  expect(await shared.removeOlder(0x0c, new Date())).toBe(0);
  peer.fail("403", 1, "GET");
  await expect(shared.removeOlder(0x0a, before)).rejects.toBeInstanceOf(StoreUnavailable);
});

// Runs the built store in a separate process, to measure its memory.
testInAll("a file is streamed, and never held in memory as a whole", async () => {
  const path = join(folder, "large");
  await writeFile(path, Buffer.alloc(128_000_000, "Contract"));
  const built = fileURLToPath(new URL("../../dist/storage/s3.js", import.meta.url));
  const script = `
    const { s3Objects } = await import(${JSON.stringify(built)});
    const { plainStore } = await import(${JSON.stringify(built.replace("s3.js", "plain.js"))});
    const before = process.memoryUsage.rss();
    let peak = before;
    setInterval(() => { peak = Math.max(peak, process.memoryUsage.rss()); }, 5).unref();
    await plainStore(s3Objects(${JSON.stringify(peer.settings)})).putFile("${org}", ${JSON.stringify(path)});
    console.log(peak - before);`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", script], { stdio: ["ignore", "pipe", "inherit"] });
  expect(Number.parseFloat(await text(child.stdout))).toBeLessThan(128_000_000);
  expect(methods()).toEqual(["HEAD", "PUT", "GET"]);
  peer.objects.clear();
});

testInAll("a store that never responds is away after the timeout", async () => {
  const hasty = s3Store(peer.settings, { attempts: 2, pauseMs: 1, answerMs: 1_000, transferMs: 1_000 });
  peer.fail("silent", 2);
  await expect(hasty.read(org, "0".repeat(64))).rejects.toBeInstanceOf(StoreUnavailable);
  peer.fail("silent", 2);
  await expect(hasty.check()).rejects.toBeInstanceOf(StoreUnavailable);
  expect(methods()).toEqual(["GET", "GET", "HEAD", "HEAD"]);
});

test("an idle connection that the store closed is not an outage", async () => {
  peer.fail("drop", 1);
  await store.check();
  expect(methods()).toEqual(["HEAD", "HEAD"]);
});

test("a missing bucket is an outage, not a missing blob", async () => {
  const lost = s3Store({ ...peer.settings, bucket: "elsewhere" }, retryPolicy);
  const sha256 = "0".repeat(64);
  for (const attempt of [
    () => lost.read(org, sha256),
    () => lost.put(org, randomBytes(10)),
    () => lost.remove(org, sha256),
    () => lost.check(),
  ]) {
    await expect(attempt()).rejects.toBeInstanceOf(StoreUnavailable);
  }
});

test.each([
  ["another secret", { secretAccessKey: "wrong" }],
  ["another key", { accessKeyId: "wrong" }],
  ["another region", { region: "us-east-1" }],
])("the test peer checks signatures and rejects %s", async (_what, wrong) => {
  const stranger = s3Store({ ...peer.settings, ...wrong }, retryPolicy);
  const bytes = randomBytes(10);
  await expect(stranger.put(org, bytes)).rejects.toThrow("blob store away: it answered 403");
  expect(peer.objects.has(blobKey(org, nameBytes(bytes).sha256))).toBe(false);
});
