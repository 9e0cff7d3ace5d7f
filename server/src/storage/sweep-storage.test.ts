import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { testService } from "../../test/service.ts";
import { until } from "../../test/until.ts";
import { jobHandlers } from "../main.ts";
import type { OrgId } from "../shared/ids.ts";
import { BlobMissing, type BlobStore, StoreUnavailable } from "./blob-store.ts";
import { claimBlob, deleteOrphan, keepBlob } from "./store.ts";
import { storeBlob } from "./store-blob.ts";
import { sweepStorage } from "./sweep-storage.ts";

const service = testService();
const { owner } = service.database;
const nothing = { blobs: 0, stale_puts: 0, away: null };

const sweep = () => sweepStorage(service.features.storage);
const read = (org: OrgId, sha256: string) => service.features.storage.blobs.read(org, sha256);
const keep = (org: OrgId, sha256: string) => service.db.tx(org, (tx) => keepBlob(tx, org, sha256));
const age = (sha256: string, by = "24 hours 1 minute") =>
  owner("update blobs set put_at = now() - $1::interval where sha256 = $2", [by, sha256]);
const claims = async (sha256: string) => (await owner("select kept from blobs where sha256 = $1", [sha256])).map(({ kept }) => kept);

async function orphan(org: OrgId, bytes: Buffer = randomBytes(10)): Promise<string> {
  const { sha256 } = await storeBlob(service.features.storage, org, bytes);
  await age(sha256);
  return sha256;
}

test("unreferenced blobs are removed after a day, in every org; newer and kept ones stay", async () => {
  const [one, two] = [await service.newOrg(), await service.newOrg()];
  const [first, second, young, kept] = [
    await orphan(one.org_id),
    await orphan(two.org_id),
    await orphan(one.org_id),
    await orphan(one.org_id),
  ];
  await age(young, "23 hours 59 minutes");
  await age(kept, "1 hour");
  await keep(one.org_id, kept);
  await age(kept, "1 year");

  expect(await sweep()).toEqual({ ...nothing, blobs: 2 });
  await expect(read(one.org_id, first)).rejects.toBeInstanceOf(BlobMissing);
  await expect(read(two.org_id, second)).rejects.toBeInstanceOf(BlobMissing);
  expect([await claims(first), await claims(second), await claims(young), await claims(kept)]).toEqual([[], [], [false], [true]]);
  expect((await read(one.org_id, young)).byteLength).toBe(10);
  expect((await read(one.org_id, kept)).byteLength).toBe(10);
  expect(await sweep()).toEqual(nothing);
});

test("storing bytes waits for a sweep that removes the same bytes, and then stores and keeps them", async () => {
  const { org_id } = await service.newOrg();
  const bytes = randomBytes(1000);
  const sha256 = await orphan(org_id, bytes);
  const { gated, reached, open } = gateBeforeRemove(service.features.storage.blobs);
  const sweeping = sweepStorage({ db: service.db, blobs: gated });
  await reached;
  const storing = storeBlob(service.features.storage, org_id, bytes);
  await until("the claim to wait on the row", async () => (await waiting()).length === 1);
  open();
  expect(await sweeping).toEqual({ ...nothing, blobs: 1 });
  await storing;
  await keep(org_id, sha256);
  expect(Buffer.from(await read(org_id, sha256)).equals(bytes)).toBe(true);
  expect(await claims(sha256)).toEqual([true]);
});

const waiting = () =>
  owner(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%into blobs%'`);

function gateBeforeRemove(blobs: BlobStore): { gated: BlobStore; reached: Promise<void>; open: () => void } {
  let [reach, open]: (() => void)[] = [];
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const gated: BlobStore = {
    ...blobs,
    remove: async (org, sha256) => {
      reach?.();
      await opened;
      await blobs.remove(org, sha256);
    },
  };
  return { gated, reached, open: () => open?.() };
}

test("a kept blob always exists, in whatever order the same bytes are swept and stored", async () => {
  const { org_id } = await service.newOrg();
  let swept = 0;
  for (let round = 0; round < 25; round++) {
    const bytes = randomBytes(100);
    const sha256 = await orphan(org_id, bytes);
    const store = async () => {
      await storeBlob(service.features.storage, org_id, bytes);
      await keep(org_id, sha256);
    };
    const [first, second] = await Promise.all([sweep(), sweep(), store(), store()]);
    swept += first.blobs + second.blobs;
    expect(Buffer.from(await read(org_id, sha256)).equals(bytes)).toBe(true);
    expect(await claims(sha256)).toEqual([true]);
  }
  expect(swept, "no blob was swept twice").toBeLessThanOrEqual(25);
});

test("a blob that is kept after the sweep found it stays", async () => {
  const { org_id } = await service.newOrg();
  const sha256 = await orphan(org_id);
  await owner("update blobs set kept = true where sha256 = $1", [sha256]);
  expect(await service.db.tx(org_id, (tx) => deleteOrphan(tx, org_id, sha256))).toBe(false);
  expect(await claims(sha256)).toEqual([true]);
});

function signal() {
  let give: () => void = () => undefined;
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give };
}

test("the sweep skips a blob that is being claimed, without waiting", async () => {
  const { org_id } = await service.newOrg();
  const sha256 = await orphan(org_id);
  const [claimed, swept] = [signal(), signal()];
  const claiming = service.db.tx(org_id, async (tx) => {
    await claimBlob(tx, org_id, { sha256, size: 10 });
    claimed.give();
    await swept.given;
  });
  await claimed.given;
  // Outside the transaction, as another process would.
  await sweep()
    .then((found) => expect(found).toEqual(nothing))
    .finally(swept.give);
  await claiming;
  expect(await sweep()).toEqual(nothing);
  expect((await read(org_id, sha256)).byteLength).toBe(10);
});

test("an unavailable store stops the sweep; no row is deleted, and the next run continues", async () => {
  const { org_id } = await service.newOrg();
  const hashes = [await orphan(org_id), await orphan(org_id)];
  const outage = new StoreUnavailable("no such luck");
  let calls = 0;
  const remove = async () => {
    calls++;
    throw outage;
  };
  const away: BlobStore = { ...service.features.storage.blobs, remove };
  expect(await sweepStorage({ db: service.db, blobs: away })).toEqual({ ...nothing, away: outage });
  expect(calls).toBe(1);
  for (const sha256 of hashes) expect(await claims(sha256)).toEqual([false]);
  expect(await sweep()).toEqual({ ...nothing, blobs: 2 });
});

test("the job logs an outage and does not fail, because it runs again in an hour anyway", async () => {
  const { org_id } = await service.newOrg();
  const sha256 = await orphan(org_id);
  const outage = new StoreUnavailable("no such luck");
  const blobs = { ...service.features.storage.blobs, remove: () => Promise.reject(outage) };
  const warned: unknown[] = [];
  const jobs = jobHandlers({ ...service.features, storage: { db: service.db, blobs } }, { warn: (fields: unknown) => warned.push(fields) });
  await jobs["storage.sweep"]({});
  expect(warned).toEqual([{ err: outage }]);
  await jobHandlers(service.features)["storage.sweep"]({});
  expect(await claims(sha256)).toEqual([]);
});

test("a sweep that was interrupted after it removed the bytes is repeated", async () => {
  const { org_id } = await service.newOrg();
  const sha256 = await orphan(org_id);
  await service.features.storage.blobs.remove(org_id, sha256);
  expect(await sweep()).toEqual({ ...nothing, blobs: 1 });
  expect(await claims(sha256)).toEqual([]);
});

test("referenced bytes are not removed even if a feature forgot to keep them", async () => {
  const { org_id } = await service.newOrg();
  const sha256 = await orphan(org_id);
  await owner(`create table forgetful (org_id text collate "C", sha256 text collate "C", foreign key (org_id, sha256) references blobs)`);
  await owner("insert into forgetful values ($1, $2)", [org_id, sha256]);
  await expect(sweep()).rejects.toThrow(/forgetful/);
  expect((await read(org_id, sha256)).byteLength).toBe(10);
  await owner("drop table forgetful");
  expect(await sweep()).toEqual({ ...nothing, blobs: 1 });
});
