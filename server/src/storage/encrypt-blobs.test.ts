import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { startKmsPeer } from "../../test/kms-peer.ts";
import { newTemplate, plainPdf } from "../../test/lease.ts";
import { type TestService, testService } from "../../test/service.ts";
import { vaultedByPipeline } from "../../test/vaulted.ts";
import { DatabaseAway } from "../db/errors.ts";
import { buildKms } from "../secrets/build-kms.ts";
import { orgKeys } from "../secrets/org-keys.ts";
import type { OrgId } from "../shared/ids.ts";
import { deriveKeys } from "../shared/secrets.ts";
import { BlobMissing, type BlobStore, blobKey, StoreUnavailable } from "./blob-store.ts";
import { buildStorage } from "./build-storage.ts";
import { encryptBlobs } from "./encrypt-blobs.ts";
import { nameBytes } from "./hash.ts";
import { claimBlob, keepBlob } from "./store.ts";
import { type StorageDeps, storeBlob } from "./store-blob.ts";

const service = testService();
const peer = await startKmsPeer();
afterAll(() => peer.close());

/** The storage of another process on the same database and folder. */
const processOf = (at: TestService, settings: { encryptBlobs?: boolean } = {}): StorageDeps => {
  const { config, db } = at;
  return buildStorage({ ...config, ...settings }, db, orgKeys({ db, kms: buildKms(config.kms, deriveKeys(config.appSecrets)) }));
};
const pathOf = (org: OrgId, sha256: string) => join(service.config.dataDir, "blobs", blobKey(org, sha256));
const stored = (org: OrgId, sha256: string): Buffer => readFileSync(pathOf(org, sha256));
const stateOf = async (sha256: string) => {
  const [row] = await service.database.owner("select encryption, key_wrapped is not null as has_key from blobs where sha256 = $1", [
    sha256,
  ]);
  return row;
};
const PDF = Buffer.from("%PDF-1.7 Contract ");
const document = (): Buffer => Buffer.concat([PDF, randomBytes(100)]);

/** As releases before this one stored it. */
async function plainBlob(org: OrgId, bytes: Uint8Array = document()): Promise<string> {
  const { sha256 } = await storeBlob(processOf(service, { encryptBlobs: false }), org, bytes);
  await service.db.tx(org, (tx) => keepBlob(tx, org, sha256));
  expect(stored(org, sha256).includes("%PDF")).toBe(true);
  return sha256;
}

describe("a folder of blobs", () => {
  test("contains no readable document after templates, envelopes, seals and certificates were made, and every one is read back", async () => {
    const org = await service.newOrg();
    await newTemplate(await org.newKey(), plainPdf);
    const envelope_id = await vaultedByPipeline(service, org);
    const folder = join(service.config.dataDir, "blobs", org.org_id);
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(files.length).toBeGreaterThan(5);
    for (const { parentPath, name } of files) {
      const bytes = readFileSync(join(parentPath, name));
      expect([bytes.toString("latin1", 0, 4), bytes.includes("%PDF")]).toEqual(["CSB1", false]);
      expect(nameBytes(await service.features.storage.blobs.read(org.org_id, name)).sha256).toBe(name);
    }
    const pdf = await org.admin("GET", `/partner/envelopes/${envelope_id}/vault/evidence`);
    expect(pdf.status).toBe(200);
  });

  test("contains no readable picture of a page either", async () => {
    const org = await service.newOrg();
    const template_id = await newTemplate(await org.newKey(), plainPdf);
    const shown = () => org.admin("GET", `/partner/templates/${template_id}/pages/1`);
    const first = await shown();
    expect([first.status, (await shown()).bytes.equals(first.bytes)]).toEqual([200, true]);
    const { folder } = service.features.templates.pageCache;
    const files = readdirSync(join(folder, org.org_id), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(files.map(({ name }) => name)).toEqual([expect.stringMatching(/-v2$/)]);
    for (const { parentPath, name } of files) {
      const path = join(parentPath, name);
      const picture = readFileSync(path);
      expect([picture.includes("image/"), picture.includes("WEBP"), picture.includes("PNG")]).toEqual([false, false, false]);
      // One that cannot be opened is drawn again.
      writeFileSync(path, picture.subarray(0, 100));
      expect((await shown()).bytes.equals(first.bytes)).toBe(true);
      expect(readFileSync(path).length).toBe(picture.length);
    }
  });
});

describe("documents that were stored before they were encrypted", () => {
  test("are encrypted by the job, keep their names, and are readable before, in between and after, by every process", async () => {
    const { org_id } = await service.newOrg();
    const bytes = document();
    const sha256 = await plainBlob(org_id, bytes);
    expect(await stateOf(sha256)).toEqual({ encryption: "none", has_key: false });
    const [job, reader] = [processOf(service), processOf(service)];
    const seen: unknown[] = [];
    const readable = async () => {
      expect(Buffer.from(await reader.blobs.read(org_id, sha256)).equals(bytes)).toBe(true);
      seen.push(((await stateOf(sha256)) as { encryption: string }).encryption);
    };
    const put: BlobStore["put"] = async (...args) => {
      await readable();
      const name = await job.blobs.put(...args);
      await readable();
      return name;
    };
    expect(await encryptBlobs({ ...job, blobs: { ...job.blobs, put } })).toMatchObject({ encrypted: 1, unreadable: [], away: null });
    await readable();
    expect(seen).toEqual(["moving", "moving", "v1"]);
    expect(stored(org_id, sha256).includes("%PDF")).toBe(false);
    expect(await encryptBlobs(job)).toMatchObject({ encrypted: 0 });
  });

  test("that the job had begun with when it died are finished by the next run", async () => {
    const { org_id } = await service.newOrg();
    const bytes = document();
    for (const isWritten of [false, true]) {
      const sha256 = await plainBlob(org_id, Buffer.concat([bytes, Buffer.from([isWritten ? 1 : 0])]));
      const job = processOf(service);
      const put: BlobStore["put"] = async (...args) => {
        if (isWritten) await job.blobs.put(...args);
        throw new DatabaseAway("killed");
      };
      await expect(encryptBlobs({ ...job, blobs: { ...job.blobs, put } })).rejects.toThrow("killed");
      expect(await stateOf(sha256)).toEqual({ encryption: "moving", has_key: true });
      expect((await processOf(service).blobs.read(org_id, sha256)).byteLength).toBe(bytes.length + 1);
      expect(await encryptBlobs(processOf(service))).toMatchObject({ encrypted: 1 });
      expect([await stateOf(sha256), stored(org_id, sha256).includes("%PDF")]).toEqual([{ encryption: "v1", has_key: true }, false]);
    }
  });

  test("are encrypted at once when the same bytes are stored again", async () => {
    const { org_id } = await service.newOrg();
    const bytes = document();
    const sha256 = await plainBlob(org_id, bytes);
    await storeBlob(service.features.storage, org_id, bytes);
    expect([await stateOf(sha256), stored(org_id, sha256).includes("%PDF")]).toEqual([{ encryption: "moving", has_key: true }, false]);
    expect(await encryptBlobs(processOf(service))).toMatchObject({ encrypted: 1 });
    expect(await stateOf(sha256)).toEqual({ encryption: "v1", has_key: true });
  });

  test("that are missing or damaged are reported, left alone for a day, and stop no other", async () => {
    const { org_id } = await service.newOrg();
    const [missing, damaged, sound] = [await plainBlob(org_id), await plainBlob(org_id), await plainBlob(org_id)];
    rmSync(pathOf(org_id, missing));
    await chmod(pathOf(org_id, damaged), 0o644);
    await writeFile(pathOf(org_id, damaged), "%PDF something else");
    const { encrypted, unreadable } = await encryptBlobs(processOf(service));
    expect([encrypted, unreadable.map(({ sha256 }) => sha256).sort()]).toEqual([1, [missing, damaged].sort()]);
    expect(await stateOf(sound)).toMatchObject({ encryption: "v1" });
    expect(stored(org_id, damaged).toString()).toBe("%PDF something else");
    expect(await encryptBlobs(processOf(service))).toMatchObject({ encrypted: 0, unreadable: [] });
    await service.database.owner("update blobs set encrypt_tried_at = now() - interval '25 hours' where encrypt_tried_at is not null");
    expect((await encryptBlobs(processOf(service))).unreadable).toHaveLength(2);
  });

  test("of an organization whose key cannot be unwrapped are reported and left for a day, and stop no other", async () => {
    const orgs = [await service.newOrg(), await service.newOrg()].map(({ org_id }) => org_id).sort() as [OrgId, OrgId];
    const [damaged, sound] = [await plainBlob(orgs[0]), await plainBlob(orgs[1])];
    await storeBlob(processOf(service), orgs[0], document());
    await service.database.owner("update org_keys set wrapped = set_byte(wrapped, 40, get_byte(wrapped, 40) # 1) where org_id = $1", [
      orgs[0],
    ]);
    const { encrypted, failed, away } = await encryptBlobs(processOf(service));
    expect([encrypted, failed.map(({ sha256 }) => sha256), away]).toEqual([1, [damaged], null]);
    expect([await stateOf(sound), await stateOf(damaged)]).toMatchObject([{ encryption: "v1" }, { encryption: "none" }]);
    expect(stored(orgs[0], damaged).includes("%PDF")).toBe(true);
    expect(await encryptBlobs(processOf(service))).toMatchObject({ encrypted: 0, failed: [] });
  });

  test("stay as they are with ENCRYPT_BLOBS=false, and those that are encrypted stay readable", async () => {
    const { org_id } = await service.newOrg();
    const plain = await plainBlob(org_id);
    const { sha256 } = await storeBlob(service.features.storage, org_id, document());
    const off = processOf(service, { encryptBlobs: false });
    expect(await encryptBlobs(off)).toMatchObject({ encrypted: 0 });
    expect(stored(org_id, plain).includes("%PDF")).toBe(true);
    expect((await off.blobs.read(org_id, sha256)).byteLength).toBe(118);
    await encryptBlobs(service.features.storage);
  });
});

describe("a destroyed record", () => {
  test("loses its key in the same transaction; bytes that someone kept cannot be read any more", async () => {
    const org = await service.newOrg();
    const bytes = document();
    const { sha256 } = await storeBlob(service.features.storage, org.org_id, bytes);
    const backup = stored(org.org_id, sha256);
    const { noteDestroyed } = await import("../vault/ends/ending-store.ts");
    await service.db.tx(org.org_id, async (tx) => {
      await service.features.storage.blobs.remove(org.org_id, sha256);
      await noteDestroyed(tx, org.org_id, sha256);
    });
    expect(await stateOf(sha256)).toEqual({ encryption: "none", has_key: false });
    await expect(service.features.storage.blobs.open(org.org_id, sha256)).rejects.toBeInstanceOf(BlobMissing);
    writeFileSync(pathOf(org.org_id, sha256), backup);
    await expect(processOf(service).blobs.read(org.org_id, sha256)).rejects.toThrow(/has the bytes of/);
    // The same bytes can be stored again, under a new key.
    await storeBlob(service.features.storage, org.org_id, bytes);
    expect(stored(org.org_id, sha256).equals(backup)).toBe(false);
    expect(Buffer.from(await processOf(service).blobs.read(org.org_id, sha256)).equals(bytes)).toBe(true);
  });

  test("that is destroyed while the job encrypts it leaves no bytes behind", async () => {
    const { org_id } = await service.newOrg();
    const sha256 = await plainBlob(org_id);
    const job = processOf(service);
    const { noteDestroyed } = await import("../vault/ends/ending-store.ts");
    const put: BlobStore["put"] = async (...args) => {
      await service.db.tx(org_id, async (tx) => {
        await job.blobs.remove(org_id, sha256);
        await noteDestroyed(tx, org_id, sha256);
      });
      return job.blobs.put(...args);
    };
    await encryptBlobs({ ...job, blobs: { ...job.blobs, put } });
    await expect(job.blobs.read(org_id, sha256)).rejects.toBeInstanceOf(BlobMissing);
    expect(await stateOf(sha256)).toEqual({ encryption: "none", has_key: false });
  });

  test("whose bytes are stored again at the same moment keeps those, readable under their key", async () => {
    const { org_id } = await service.newOrg();
    const bytes = document();
    const { noteDestroyed } = await import("../vault/ends/ending-store.ts");
    const storage = processOf(service);
    let isFirst = true;
    const put: BlobStore["put"] = async (...args) => {
      if (isFirst) await service.db.tx(org_id, (tx) => noteDestroyed(tx, org_id, nameBytes(bytes).sha256));
      isFirst = false;
      return storage.blobs.put(...args);
    };
    const { sha256 } = await storeBlob({ ...storage, blobs: { ...storage.blobs, put } }, org_id, bytes);
    expect(await stateOf(sha256)).toEqual({ encryption: "v1", has_key: true });
    expect(Buffer.from(await processOf(service).blobs.read(org_id, sha256)).equals(bytes)).toBe(true);
  });
});

describe("keys", () => {
  test("differ for each blob and org, and a second claim of the same bytes keeps the first", async () => {
    const [one, two] = [await service.newOrg(), await service.newOrg()];
    const bytes = document();
    const { sha256 } = await storeBlob(service.features.storage, one.org_id, bytes);
    const before = stored(one.org_id, sha256);
    await storeBlob(service.features.storage, two.org_id, bytes);
    expect(stored(two.org_id, sha256).equals(before)).toBe(false);
    const key = await service.features.storage.keys.make(one.org_id, sha256);
    const kept = await service.db.tx(one.org_id, (tx) => claimBlob(tx, one.org_id, nameBytes(bytes), key));
    expect(kept?.key_wrapped.equals(key?.key_wrapped ?? Buffer.alloc(0))).toBe(false);
    expect(Buffer.from(await processOf(service).blobs.read(one.org_id, sha256)).equals(bytes)).toBe(true);
  });

  test("of another blob in the row, or a changed one, are damage and not an outage", async () => {
    const { org_id } = await service.newOrg();
    const [one, two] = [
      await storeBlob(service.features.storage, org_id, document()),
      await storeBlob(service.features.storage, org_id, document()),
    ];
    await service.database.owner("update blobs set key_wrapped = (select key_wrapped from blobs where sha256 = $2) where sha256 = $1", [
      one.sha256,
      two.sha256,
    ]);
    await expect(processOf(service).blobs.read(org_id, one.sha256)).rejects.toThrow(/has the bytes of/);
  });

  test("that a key service away would have to unwrap make documents unavailable, never damaged", async () => {
    const { config, db } = service;
    const kms = buildKms([{ kind: "aws", ...peer.settings }], deriveKeys(config.appSecrets));
    const { org_id } = await service.newOrg();
    const { sha256 } = await storeBlob(buildStorage(config, db, orgKeys({ db, kms })), org_id, document());
    const away = buildKms([{ kind: "aws", ...peer.settings, endpoint: "http://127.0.0.1:2" }], deriveKeys(config.appSecrets));
    const storage = buildStorage(config, db, orgKeys({ db, kms: away }));
    await expect(storage.blobs.read(org_id, sha256)).rejects.toBeInstanceOf(StoreUnavailable);
    await expect(storeBlob(storage, org_id, document())).rejects.toMatchObject({ code: "key_service_away" });
    peer.fail("denied", 1);
    await expect(buildStorage(config, db, orgKeys({ db, kms })).blobs.read(org_id, sha256)).rejects.toBeInstanceOf(StoreUnavailable);
    expect((await buildStorage(config, db, orgKeys({ db, kms })).blobs.read(org_id, sha256)).byteLength).toBe(118);
  });
});
