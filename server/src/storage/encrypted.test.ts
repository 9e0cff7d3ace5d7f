import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { memoryKeys } from "../../test/memory-keys.ts";
import { newId, type OrgId } from "../shared/ids.ts";
import { BlobKeyDamaged } from "./blob-keys.ts";
import { BlobDamaged, type BlobStore, blobKey, KeyChanged, StoreUnavailable } from "./blob-store.ts";
import { encryptedStore } from "./encrypted.ts";
import { filesystemObjects } from "./filesystem.ts";
import { nameBytes } from "./hash.ts";
import { plainStore } from "./plain.ts";

const org = newId("org");
const [HEADER, SEGMENT] = [16, 256 * 1024 + 16];
let folder: string;
let keys: ReturnType<typeof memoryKeys>;
let store: BlobStore;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "countersign-blobs-"));
  keys = memoryKeys();
  store = encryptedStore(filesystemObjects(folder), keys);
});
afterEach(() => rm(folder, { recursive: true }));

const pathOf = (sha256: string, whose: OrgId = org): string => join(folder, blobKey(whose, sha256));
async function replace(sha256: string, bytes: Uint8Array, whose: OrgId = org): Promise<void> {
  await chmod(pathOf(sha256, whose), 0o644);
  await writeFile(pathOf(sha256, whose), bytes);
}

async function refuses(sha256: string, found: Uint8Array, whose: OrgId = org): Promise<void> {
  const refusal = await store.read(whose, sha256).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(BlobDamaged);
  expect(refusal).toMatchObject({ expected: sha256, found: nameBytes(found).sha256 });
  await expect(store.open(whose, sha256).then(({ stream }) => buffer(stream))).rejects.toBeInstanceOf(BlobDamaged);
}

const flipped = (bytes: Buffer, at: number): Buffer => {
  const changed = Buffer.from(bytes);
  changed[at] = (changed[at] ?? 0) ^ 1;
  return changed;
};

describe("what is stored", () => {
  test.each([0, 1, 262_144, 600_000, 3_000_000])(
    "is neither readable nor named by anything but the hash of the document: %i bytes",
    async (size) => {
      const bytes = Buffer.concat([Buffer.from("%PDF-1.7 ".repeat(Math.ceil(size / 9)))]).subarray(0, size);
      const { sha256 } = await store.put(org, bytes);
      const stored = await readFile(pathOf(sha256));
      expect(stored.length).toBe(HEADER + size + 16 * Math.max(1, Math.ceil(size / 262_144)));
      expect([stored.toString("latin1", 0, 4), stored.includes("%PDF")]).toEqual(["CSB1", false]);
      expect(Buffer.from(await store.read(org, sha256)).equals(bytes)).toBe(true);
      const opened = await store.open(org, sha256);
      expect([opened.size, (await buffer(opened.stream)).equals(bytes)]).toEqual([size, true]);
    },
  );

  test("is the same each time for the same bytes, as a file and in memory, and is not written again", async () => {
    const bytes = randomBytes(1_500_000);
    const { sha256 } = await store.put(org, bytes);
    const first = await readFile(pathOf(sha256));
    await rm(pathOf(sha256));
    const file = join(folder, "upload");
    await writeFile(file, bytes);
    await store.putFile(org, file);
    expect((await readFile(pathOf(sha256))).equals(first)).toBe(true);
  });
});

describe("damage", () => {
  test("of any byte is found", async () => {
    const { sha256 } = await store.put(org, randomBytes(40));
    const stored = await readFile(pathOf(sha256));
    for (let at = 0; at < stored.length; at++) {
      await replace(sha256, flipped(stored, at));
      await refuses(sha256, flipped(stored, at));
    }
  });

  test.each([
    ["a byte of a later segment", (stored: Buffer) => flipped(stored, HEADER + 2 * SEGMENT + 5)],
    [
      "swapped segments",
      (stored: Buffer) =>
        Buffer.concat([
          stored.subarray(0, HEADER),
          stored.subarray(HEADER + SEGMENT, HEADER + 2 * SEGMENT),
          stored.subarray(HEADER, HEADER + SEGMENT),
          stored.subarray(HEADER + 2 * SEGMENT),
        ]),
    ],
    ["cut at the border of a segment", (stored: Buffer) => stored.subarray(0, HEADER + 2 * SEGMENT)],
    ["cut within a segment", (stored: Buffer) => stored.subarray(0, HEADER + SEGMENT + 100)],
    ["cut within the header", (stored: Buffer) => stored.subarray(0, 9)],
    ["a repeated segment", (stored: Buffer) => Buffer.concat([stored, stored.subarray(HEADER + 2 * SEGMENT)])],
    [
      "a smaller size in the header, and the end cut off",
      (stored: Buffer) => {
        const cut = Buffer.from(stored.subarray(0, HEADER + 2 * SEGMENT));
        cut.writeBigUInt64BE(2n * 262_144n, 8);
        return cut;
      },
    ],
    ["nothing left", () => Buffer.alloc(0)],
  ])("is found, and repaired by the next put: %s", async (_what, change) => {
    const bytes = randomBytes(700_000);
    const { sha256 } = await store.put(org, bytes);
    const stored = await readFile(pathOf(sha256));
    await replace(sha256, change(stored));
    await refuses(sha256, change(stored));
    await store.put(org, bytes);
    expect((await readFile(pathOf(sha256))).equals(stored)).toBe(true);
  });

  test("is what the bytes of another org are, even under the same key", async () => {
    const [bytes, other] = [randomBytes(1_000), newId("org")];
    const { sha256 } = await store.put(org, bytes);
    await store.put(other, bytes);
    const stored = await readFile(pathOf(sha256));
    keys.known.set(`${other} ${sha256}`, keys.known.get(`${org} ${sha256}`) ?? null);
    await replace(sha256, stored, other);
    await refuses(sha256, stored, other);
  });

  test("is what the bytes of another document are", async () => {
    const [one, two] = [await store.put(org, randomBytes(1_000)), await store.put(org, randomBytes(1_000))];
    const stored = await readFile(pathOf(two.sha256));
    await replace(one.sha256, stored);
    await refuses(one.sha256, stored);
  });

  test("is what a wrapped key is that was changed, or that is gone", async () => {
    const { sha256 } = await store.put(org, randomBytes(1_000));
    const stored = await readFile(pathOf(sha256));
    const lookUp = async () => {
      throw new BlobKeyDamaged("changed");
    };
    store = encryptedStore(filesystemObjects(folder), { ...keys, lookUp, lookUpAgain: lookUp });
    await refuses(sha256, stored);
    store = encryptedStore(filesystemObjects(folder), { ...keys, lookUp: async () => null, lookUpAgain: async () => null });
    await refuses(sha256, stored);
  });
});

describe("a reader", () => {
  test("accepts the plain bytes of a restored backup, also of a document that begins like an encrypted one", async () => {
    for (const bytes of [randomBytes(400_000), Buffer.concat([Buffer.from("CSB1"), randomBytes(400_000)])]) {
      const { sha256 } = await store.put(org, bytes);
      await replace(sha256, bytes);
      expect(Buffer.from(await store.read(org, sha256)).equals(bytes)).toBe(true);
      expect((await buffer((await store.open(org, sha256)).stream)).equals(bytes)).toBe(true);
    }
  });

  test("asks for the key again if the one that it remembers does not open the bytes", async () => {
    const bytes = randomBytes(1_000);
    const { sha256 } = await store.put(org, bytes);
    const stale = encryptedStore(filesystemObjects(folder), { ...keys, lookUp: async () => randomBytes(32) });
    expect(Buffer.from(await stale.read(org, sha256)).equals(bytes)).toBe(true);
  });

  test("whose key service is away is told of an outage, never of damage; plain documents need no key", async () => {
    const bytes = randomBytes(1_000);
    const { sha256 } = await store.put(org, bytes);
    const plain = await plainStore(filesystemObjects(folder)).put(org, randomBytes(1_000));
    const lookUp = async () => {
      throw new StoreUnavailable("KMS cannot be reached");
    };
    const away = encryptedStore(filesystemObjects(folder), { ...keys, lookUp, lookUpAgain: lookUp });
    for (const attempt of [() => away.read(org, sha256), () => away.open(org, sha256), () => away.put(org, bytes)])
      await expect(attempt()).rejects.toBeInstanceOf(StoreUnavailable);
    expect((await away.read(org, plain.sha256)).byteLength).toBe(1_000);
  });
});

describe("a put", () => {
  test("of a blob without a key is refused, unless new blobs are stored as they are", async () => {
    const none = { ...keys, lookUp: async () => null, lookUpAgain: async () => null };
    await expect(encryptedStore(filesystemObjects(folder), none).put(org, randomBytes(10))).rejects.toBeInstanceOf(KeyChanged);
    const off = encryptedStore(filesystemObjects(folder), { ...none, isOn: false });
    const { sha256 } = await off.put(org, Buffer.from("Contract"));
    expect(await readFile(pathOf(sha256), "utf8")).toBe("Contract");
  });

  test("is refused if the key was replaced meanwhile, because nothing could read what was stored", async () => {
    const changing = encryptedStore(filesystemObjects(folder), { ...keys, lookUpAgain: async () => randomBytes(32) });
    await expect(changing.put(org, randomBytes(10))).rejects.toBeInstanceOf(KeyChanged);
  });

  test("replaces plain bytes at once by encrypted ones", async () => {
    const bytes = Buffer.from("%PDF-1.7 Contract");
    const { sha256 } = await plainStore(filesystemObjects(folder)).put(org, bytes);
    await store.put(org, bytes);
    expect((await readFile(pathOf(sha256))).includes("%PDF")).toBe(false);
    expect(Buffer.from(await store.read(org, sha256)).equals(bytes)).toBe(true);
  });
});
