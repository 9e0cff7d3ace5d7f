import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testService } from "../../test/service.ts";
import type { BlobStore } from "./blob-store.ts";
import { StoreUnavailable } from "./blob-store.ts";
import { nameBytes } from "./hash.ts";
import { claimBlob, keepBlob } from "./store.ts";
import { storeBlob } from "./store-blob.ts";

const service = testService();
const { owner } = service.database;

const ledger = (sha256: string) => owner("select org_id, size::int, kept from blobs where sha256 = $1 order by org_id", [sha256]);

test("bytes and files are claimed and stored, and kept once a row references them", async () => {
  const { org_id } = await service.newOrg();
  const bytes = randomBytes(1000);
  const path = join(service.config.dataDir, "upload");
  await writeFile(path, bytes);
  const name = await storeBlob(service.features.storage, org_id, bytes);
  expect(name).toEqual(nameBytes(bytes));
  expect(await storeBlob(service.features.storage, org_id, { file: path })).toEqual(name);
  expect(Buffer.from(await service.features.storage.blobs.read(org_id, name.sha256)).equals(bytes)).toBe(true);
  expect(await ledger(name.sha256)).toEqual([{ org_id, size: 1000, kept: false }]);

  await service.db.tx(org_id, (tx) => keepBlob(tx, org_id, name.sha256));
  expect(await ledger(name.sha256)).toEqual([{ org_id, size: 1000, kept: true }]);
});

test("a kept blob stays kept when it is stored again", async () => {
  const { org_id } = await service.newOrg();
  const { sha256 } = await storeBlob(service.features.storage, org_id, randomBytes(10));
  await service.db.tx(org_id, (tx) => keepBlob(tx, org_id, sha256));
  await service.db.tx(org_id, (tx) => claimBlob(tx, org_id, { sha256, size: 10 }));
  expect(await ledger(sha256)).toEqual([{ org_id, size: 10, kept: true }]);
});

test("the same bytes of two orgs are two blobs", async () => {
  const [one, two] = [await service.newOrg(), await service.newOrg()];
  const bytes = randomBytes(10);
  const { sha256 } = await storeBlob(service.features.storage, one.org_id, bytes);
  const keep = service.db.tx(two.org_id, (tx) => keepBlob(tx, two.org_id, sha256));
  await expect(keep).rejects.toThrow(/not claimed/);
  await storeBlob(service.features.storage, two.org_id, bytes);
  expect(await ledger(sha256)).toHaveLength(2);
});

test("the claim is committed before the first byte is stored, so that a crash leaves no bytes without a claim", async () => {
  const { org_id } = await service.newOrg();
  const bytes = randomBytes(10);
  const failing: BlobStore = {
    ...service.features.storage.blobs,
    put: async (_org, content) => {
      expect(await ledger(nameBytes(content).sha256)).toHaveLength(1);
      throw new StoreUnavailable("power cut");
    },
  };
  await expect(storeBlob({ ...service.features.storage, blobs: failing }, org_id, bytes)).rejects.toThrow("power cut");
  expect(await ledger(nameBytes(bytes).sha256)).toEqual([{ org_id, size: 10, kept: false }]);
});

test("inside an enclosing transaction nothing is stored, because its rollback would undo the claim but not the bytes", async () => {
  const { org_id } = await service.newOrg();
  const bytes = randomBytes(10);
  const store = service.db.enclosing(org_id, () => storeBlob(service.features.storage, org_id, bytes));
  await expect(store).rejects.toThrow("inside an enclosing transaction only tx() of its org is allowed");
  expect(await ledger(nameBytes(bytes).sha256)).toEqual([]);
});

test("a blob without a claim, or with one so old that a sweep may be removing it, cannot be kept", async () => {
  const { org_id } = await service.newOrg();
  const keep = (sha256: string) => service.db.tx(org_id, (tx) => keepBlob(tx, org_id, sha256));
  await expect(keep("0".repeat(64))).rejects.toThrow(/not claimed/);
  const { sha256 } = await storeBlob(service.features.storage, org_id, randomBytes(10));
  const age = (by: string) => owner("update blobs set put_at = now() - $1::interval where sha256 = $2", [by, sha256]);
  await age("24 hours 1 minute");
  await expect(keep(sha256)).rejects.toThrow(/not claimed/);
  await age("23 hours 59 minutes");
  await keep(sha256);
  await age("1 year");
  await keep(sha256);
});
