import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { onePage, text } from "../../../pdf/fixtures/pages.ts";
import { writePdf } from "../../../pdf/fixtures/writer.ts";
import { form } from "../../test/form.ts";
import { envelopeBody, newTemplate } from "../../test/lease.ts";
import { type TestOrg, testService } from "../../test/service.ts";
import { addTo, draftOfThree, lease, listed, sendDraft } from "../../test/three-documents.ts";
import { until } from "../../test/until.ts";
import { jobHandlers } from "../main.ts";
import type { OrgId } from "../shared/ids.ts";
import { BlobMissing, type BlobStore, StoreUnavailable } from "./blob-store.ts";
import { claimBlob, deleteOrphan, keepBlob, uses } from "./store.ts";
import { storeBlob } from "./store-blob.ts";
import { sweepStorage } from "./sweep-storage.ts";

const service = testService();
const { owner } = service.database;
const nothing = { blobs: 0, stale_puts: 0, shared: 0, away: null };

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

describe("a clock of the database that jumps", () => {
  test("back loses nothing: what was claimed before can be kept, also when it is stored again, and is swept a day after that time", async () => {
    const { org_id } = await service.newOrg();
    const bytes = randomBytes(10);
    const [kept, repeated, left] = [await orphan(org_id), await orphan(org_id, bytes), await orphan(org_id)];
    // As they stand after a clock that was two days ahead.
    for (const sha256 of [kept, repeated, left]) await age(sha256, "-2 days");
    expect(await sweep()).toEqual(nothing);
    await keep(org_id, kept);
    expect((await storeBlob(service.features.storage, org_id, bytes)).sha256).toBe(repeated);
    await keep(org_id, repeated);
    for (const sha256 of [kept, repeated, left]) expect((await read(org_id, sha256)).byteLength).toBe(10);
    await age(left, "-1 day");
    expect(await sweep(), "that time has not come yet").toEqual(nothing);
    await age(left);
    expect(await sweep()).toEqual({ ...nothing, blobs: 1 });
    expect([await claims(kept), await claims(repeated), await claims(left)]).toEqual([[true], [true], []]);
  });

  test("ahead between claim and row lets no row refer to bytes that the sweep may remove; the same bytes can be stored again", async () => {
    const { org_id } = await service.newOrg();
    const bytes = randomBytes(10);
    const sha256 = await orphan(org_id, bytes);
    await expect(keep(org_id, sha256)).rejects.toThrow("cannot be kept");
    expect(await sweep()).toEqual({ ...nothing, blobs: 1 });
    await storeBlob(service.features.storage, org_id, bytes);
    await keep(org_id, sha256);
    expect(Buffer.from(await read(org_id, sha256)).equals(bytes)).toBe(true);
  });
});

describe("the bytes of documents that were replaced or removed", () => {
  const pdfs = async (envelope_id: string) => {
    const rows = await owner<{ pdf_sha256: string }>("select pdf_sha256 from documents where envelope_id = $1 order by document_no", [
      envelope_id,
    ]);
    return rows.map(({ pdf_sha256 }) => pdf_sha256);
  };

  test("are removed a day later, and those that another row uses are kept again", async () => {
    const draft = await draftOfThree(service);
    const { org, key, at, envelope_id } = draft;
    await key.send("POST", `${at}/documents`, { body: { template_id: await newTemplate(key) } });
    const [first = "", second = "", , ofTemplate = ""] = await pdfs(envelope_id);
    const [one, two, , four] = await listed(draft);
    const file = form({}, { bytes: writePdf(onePage({ content: text("Quiet hours begin at eleven") })) });
    expect((await key.send("PUT", `${at}/documents/${two?.document_id}/file`, file)).status).toBe(200);
    expect((await key.send("DELETE", `${at}/documents/${four?.document_id}`)).status).toBe(200);
    const [, replacement = ""] = await pdfs(envelope_id);
    expect(await sweep(), "younger than a day").toEqual(nothing);
    for (const sha256 of [first, second, ofTemplate, replacement]) await age(sha256);
    await sweep();
    await expect(read(org.org_id, second)).rejects.toBeInstanceOf(BlobMissing);
    const now = [await claims(first), await claims(second), await claims(ofTemplate), await claims(replacement)];
    expect(now).toEqual([[true], [], [true], [true]]);
    expect((await read(org.org_id, ofTemplate)).byteLength).toBeGreaterThan(0);
    expect((await key.send("GET", `${at}/documents/${one?.document_id}/file`)).status).toBe(200);
  });

  test("can be sent by another envelope, also when a day has passed and no sweep has run", async () => {
    const draft = await draftOfThree(service);
    const { key, org, envelope_id } = draft;
    const made = (await key.send("POST", "/partner/envelopes", { body: envelopeBody() })).json.data;
    const other = { org, key, envelope_id: made.envelope_id, at: `/partner/envelopes/${made.envelope_id}` };
    await addTo(other, lease, "Lease");
    const template_id = await newTemplate(key);
    for (const { at } of [draft, other]) await key.send("POST", `${at}/documents`, { body: { template_id } });
    const shared = (await pdfs(envelope_id)).at(-1) ?? "";
    const theirs = (await listed(other)).at(-1);
    expect((await key.send("DELETE", `${other.at}/documents/${theirs?.document_id}`)).status).toBe(200);
    expect(await owner("select kept from blobs where org_id = $1 and sha256 = $2", [org.org_id, shared])).toEqual([{ kept: false }]);
    await age(shared);
    await sendDraft(draft);
    await sweep();
    expect((await read(org.org_id, shared)).byteLength).toBeGreaterThan(0);
  });

  test("of templates are removed too", async () => {
    const org = await service.newOrg();
    const { document_id, template_id, sha256 } = await templateOf(org);
    const file = form({}, { bytes: writePdf(onePage({ content: text("Another text") })) });
    expect((await org.admin("PUT", `/partner/templates/${template_id}/documents/${document_id}/file`, file)).status).toBe(200);
    await age(sha256);
    await sweep();
    expect(await claims(sha256)).toEqual([]);
  });

  async function templateOf(org: TestOrg): Promise<{ document_id: string; template_id: string; sha256: string }> {
    const bytes = writePdf(onePage({ content: text("Only here") }));
    const { template_id } = (await org.admin("POST", "/partner/templates", form({ name: "Rules" }, { bytes }))).json.data;
    const [row] = await owner<{ document_id: string; pdf_sha256: string }>(
      "select document_id, pdf_sha256 from template_documents where template_id = $1",
      [template_id],
    );
    if (row === undefined) throw new Error("the template has no document");
    return { template_id, document_id: row.document_id, sha256: row.pdf_sha256 };
  }

  test("are looked for in every column that refers to blobs", async () => {
    const columns = await owner<{ place: string }>(`
      select k.conrelid::regclass || '.' || a.attname as place
      from pg_constraint k join pg_attribute a on a.attrelid = k.conrelid and a.attnum = any(k.conkey)
      where k.contype = 'f' and k.confrelid = 'blobs'::regclass and a.attname <> 'org_id'`);
    const looked = Object.entries(uses).flatMap(([table, names]) => names.map((name) => `${table}.${name}`));
    expect([...columns.map(({ place }) => place), "document_versions.sha256"].sort()).toEqual(looked.sort());
  });
});

test("storing bytes waits for a sweep that removes the same bytes, and then stores and keeps them", async () => {
  const { org_id } = await service.newOrg();
  const bytes = randomBytes(1000);
  const sha256 = await orphan(org_id, bytes);
  const { gated, reached, open } = gateBeforeRemove(service.features.storage.blobs);
  const sweeping = sweepStorage({ ...service.features.storage, blobs: gated });
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
  expect(await sweepStorage({ ...service.features.storage, blobs: away })).toEqual({ ...nothing, away: outage });
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
  const jobs = jobHandlers(
    { ...service.features, storage: { ...service.features.storage, blobs } },
    { warn: (fields: unknown) => warned.push(fields) },
  );
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
