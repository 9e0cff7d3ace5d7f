import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { link, mkdir, mkdtemp, open, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { newId } from "../shared/ids.ts";
import { BlobMissing, type BlobStore, blobKey, StoreUnavailable } from "./blob-store.ts";
import { copyInPieces, filesystemObjects, nameOnce } from "./filesystem.ts";
import { nameBytes } from "./hash.ts";
import { plainForm, plainStore } from "./plain.ts";

const org = newId("org");
let folder: string;
let root: string;
let store: BlobStore;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "countersign-blobs-"));
  root = join(folder, "blobs");
  store = plainStore(filesystemObjects(root));
});
afterEach(() => rm(folder, { recursive: true }));

const { isSound: isContract } = plainForm(Buffer.from("Contract"), nameBytes(Buffer.from("Contract")));

async function filesBelow(path: string): Promise<string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}

describe("a blob on disk", () => {
  test("is stored by org and hash, read-only, in folders that only the service can read, without temporary files", async () => {
    const { sha256 } = await store.put(org, Buffer.from("Contract"));
    const path = join(root, org, sha256.slice(0, 2), sha256.slice(2, 4), sha256);
    expect(await readFile(path, "utf8")).toBe("Contract");
    expect((await stat(path)).mode & 0o777).toBe(0o444);
    expect((await stat(join(root, org))).mode & 0o777).toBe(0o700);
    expect(await filesBelow(root)).toEqual([sha256]);
  });

  test("that is intact is never written again", async () => {
    const { sha256 } = await store.put(org, Buffer.from("Contract"));
    const path = join(root, blobKey(org, sha256));
    const { ino, mtimeMs } = await stat(path);
    await store.put(org, Buffer.from("Contract"));
    expect(await stat(path)).toMatchObject({ ino, mtimeMs });
    expect(await filesBelow(root)).toEqual([sha256]);
  });

  test("leaves no temporary file when its put fails", async () => {
    const changed = nameBytes(Buffer.from("other bytes"));
    await expect(store.put(org, Buffer.from("Contract"), changed)).rejects.toThrow();
    expect(await filesBelow(root)).toEqual([]);
  });
});

// Runs the built store in a process with a file size limit of 32 kB, so that the operating system fails in the middle of a put.
test("a full disk is an outage, and leaves nothing behind", async () => {
  const built = fileURLToPath(new URL("../../dist/storage/filesystem.js", import.meta.url));
  const plain = built.replace("filesystem.js", "plain.js");
  const script = `
    const { filesystemObjects } = await import(${JSON.stringify(built)});
    const { plainStore } = await import(${JSON.stringify(plain)});
    const store = plainStore(filesystemObjects(${JSON.stringify(root)}));
    await store.put("${org}", Buffer.alloc(1000));
    await store.put("${org}", Buffer.alloc(100_000)).catch((error) => console.log(error.name, error.message));`;
  const limited = `ulimit -f 64 && exec "$0" --input-type=module --eval "$1"`;
  const { stdout, stderr } = spawnSync("sh", ["-c", limited, process.execPath, script], { encoding: "utf8" });
  expect([stdout, stderr]).toEqual(["StoreUnavailable blob store away: EFBIG\n", ""]);
  expect(await filesBelow(root)).toEqual([nameBytes(Buffer.alloc(1000)).sha256]);
});

// A file system without hard links is not available in a test, so the test uses its error codes.
test.each(["EPERM", "ENOTSUP", "EXDEV"])("on a file system that returns %s for link, blobs are renamed instead", async (code) => {
  const refusing = async () => {
    throw Object.assign(new Error(code), { code, syscall: "link" });
  };
  const [temporary, target] = [join(folder, "temporary"), join(folder, "target")];
  await writeFile(temporary, "Contract");
  await nameOnce(temporary, target, isContract, refusing);
  expect(await readFile(target, "utf8")).toBe("Contract");
});

test("on a file system without modes, files are copied in pieces", async () => {
  const bytes = randomBytes(2_500_000);
  const [path, target] = [join(folder, "upload"), join(folder, "copied")];
  await writeFile(path, bytes);
  const source = await open(path);
  await copyInPieces(source, target);
  await source.close();
  expect(Buffer.compare(await readFile(target), bytes)).toBe(0);
});

test("a put succeeds if the existing file is removed before it is checked", async () => {
  const [temporary, target] = [join(folder, "temporary"), join(folder, "target")];
  await Promise.all([writeFile(temporary, "Contract"), writeFile(target, "")]);
  const linkThenSweep: typeof link = async (from, to) => {
    try {
      await link(from, to);
    } finally {
      await rm(target);
    }
  };
  await nameOnce(temporary, target, isContract, linkThenSweep);
  expect(await readFile(target, "utf8")).toBe("Contract");
});

test("if the folder contains no orgs, the store is away and no blob is missing, because the volume may not be mounted", async () => {
  const sha256 = "0".repeat(64);
  await expect(store.read(org, sha256)).rejects.toBeInstanceOf(StoreUnavailable);
  await mkdir(root);
  await expect(store.read(org, sha256)).rejects.toBeInstanceOf(StoreUnavailable);
  await store.put(org, randomBytes(10));
  await expect(store.read(org, sha256)).rejects.toBeInstanceOf(BlobMissing);
});

test("temporary files are removed after a day; newer ones stay, and so do blobs of any age", async () => {
  const { sha256 } = await store.put(org, randomBytes(10));
  const leaf = join(root, blobKey(org, sha256), "..");
  const hoursOld = async (name: string, hours: number) => {
    const at = new Date(Date.now() - hours * 3_600_000);
    await writeFile(join(leaf, name), "", { flag: "a" });
    await utimes(join(leaf, name), at, at);
  };
  await rm(join(leaf, sha256));
  await hoursOld(sha256, 24 * 365);
  await hoursOld(".put-old", 24.1);
  await hoursOld(".put-young", 23.9);
  expect(await store.removeStalePuts()).toBe(1);
  expect((await filesBelow(root)).sort()).toEqual([".put-young", sha256]);
});

test("an empty store has no temporary files to remove", async () => {
  expect(await store.removeStalePuts()).toBe(0);
});
