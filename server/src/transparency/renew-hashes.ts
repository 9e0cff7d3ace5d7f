import {
  appendLeaves,
  blockStart,
  EMPTY_LOG,
  LEAVES_PER_BLOCK,
  rehashOfData,
  rehashOfEntry,
  rehashOfRecord,
  rootBySha512,
  rootOf,
  writeLogRecord,
} from "@countersign/evidence";
import { appendAudit } from "../audit/append-audit.ts";
import type { Tx } from "../db/sql.ts";
import { asSystem, systemOrigin } from "../shared/caller.ts";
import { DAY_SECONDS } from "../shared/durations.ts";
import type { EnvelopeId, OrgId } from "../shared/ids.ts";
import { BlobDamaged, BlobMissing } from "../storage/blob-store.ts";
import { sha512InTurns } from "../storage/hash.ts";
import type { StorageDeps } from "../storage/store-blob.ts";
import { advanceLog } from "./advance-log.ts";
import type { LogDeps } from "./checkpoint.ts";
import {
  type EntryRow,
  type EnvelopeRef,
  findEntriesOfLeaves,
  findEnvelopesToRehash,
  hasEntriesFrom,
  insertLogRecords,
  insertRehashedEnvelopes,
  insertRehashes,
  listEntriesAt,
  listLeavesToRehash,
  listRecordsToRehash,
  listStoredFiles,
  type Rehash,
  readBlock,
  readRehashedSize,
} from "./renewal-store.ts";
import { lookUpLatestCheckpoint, readClock } from "./store.ts";

/** What one run does. Then other jobs get their turn, and the job continues. */
export const OBJECTS_A_RUN = 500;
// In one transaction, and in memory at the same time.
const ENVELOPES_AT_ONCE = 10;
const ENTRIES_A_RUN = 20_000;
const ENTRIES_AT_ONCE = 2_000;

const BY = asSystem(systemOrigin("countersign worker", "log.renew-evidence"));

type RehashDeps = LogDeps & { readonly storage: StorageDeps };

/**
 * Records under SHA-512 what only SHA-256 binds so far, as RFC 4998 (5.3) renews a hash tree: the stored files of finished envelopes, in
 * their chains; every entry and log record; and a root for each block of leaves. Returns whether there is more to do. The entries that
 * name the files come into the log before the roots, which so cover them.
 */
export async function renewHashes(deps: RehashDeps): Promise<boolean> {
  const files = await rehashFiles(deps);
  await advanceLog(deps);
  await rehashRecords(deps);
  const entries = await rehashEntries(deps);
  if (await recordBlock(deps, LEAVES_PER_BLOCK)) return true;
  if (files || entries) return true;
  // Only when nothing is left, the block that is not full yet. It is recorded again when it has grown by entries.
  return recordBlock(deps, 1);
}

/** Returns whether there may be more. */
async function rehashFiles(deps: RehashDeps): Promise<boolean> {
  const envelopes = await deps.db.system((tx) => findEnvelopesToRehash(tx, DAY_SECONDS, OBJECTS_A_RUN));
  let objects = 0;
  for (const { org_id, envelope_ids } of batchesOf(envelopes)) {
    if (objects >= OBJECTS_A_RUN) return true;
    objects += await rehashEnvelopes(deps, org_id, envelope_ids);
  }
  return envelopes.length === OBJECTS_A_RUN;
}

/** Envelopes of one organization at a time, in the order of their ids. */
function batchesOf(envelopes: readonly EnvelopeRef[]): { org_id: OrgId; envelope_ids: EnvelopeId[] }[] {
  const batches: { org_id: OrgId; envelope_ids: EnvelopeId[] }[] = [];
  for (const { org_id, envelope_id } of envelopes) {
    const last = batches.at(-1);
    if (last?.org_id === org_id && last.envelope_ids.length < ENVELOPES_AT_ONCE) last.envelope_ids.push(envelope_id);
    else batches.push({ org_id, envelope_ids: [envelope_id] });
  }
  return batches;
}

/** Returns how many files were read. A file that is missing or damaged is reported by the sweep, and tried again in a day. */
async function rehashEnvelopes({ db, storage }: RehashDeps, org: OrgId, envelope_ids: readonly EnvelopeId[]): Promise<number> {
  const files = await db.tx(org, (tx) => listStoredFiles(tx, org, envelope_ids));
  const read = await Promise.all(
    files.map(async (file) => {
      const bytes = await storage.blobs.read(org, file.sha256).catch(noBytes);
      return { ...file, sha512: bytes === null ? null : await sha512InTurns(bytes) };
    }),
  );
  const isComplete = (id: EnvelopeId) => read.every(({ envelope_id, sha512 }) => envelope_id !== id || sha512 !== null);
  await db.tx(org, async (tx) => {
    const envelopes = envelope_ids.map((envelope_id) => ({ envelope_id, complete: isComplete(envelope_id) }));
    // The rows first: of two concurrent runs, one appends the entries.
    const ours = await insertRehashedEnvelopes(tx, org, envelopes);
    for (const { envelope_id, sha256, sha512 } of read) {
      if (sha512 === null || !ours.has(envelope_id)) continue;
      await appendAudit(tx, org, { type: "evidence.rehashed", by: BY, envelope_id, data: { sha256, sha512 } });
    }
  });
  return files.length;
}

function noBytes(error: unknown): null {
  if (error instanceof BlobMissing || error instanceof BlobDamaged) return null;
  throw error;
}

/** In the order of the log, from the first block that is not recorded. Returns whether there may be more. */
async function rehashEntries({ db }: RehashDeps): Promise<boolean> {
  const { leaves, entries } = await db.system(async (tx) => {
    const leaves = await listLeavesToRehash(tx, nextBlock(await readRehashedSize(tx)), ENTRIES_A_RUN);
    return { leaves, entries: await findEntriesOfLeaves(tx, leaves) };
  });
  for (let from = 0; from < entries.length; ) {
    const org = entries[from]?.org_id as OrgId;
    const batch = entries.slice(from, from + ENTRIES_AT_ONCE).filter(({ org_id }) => org_id === org);
    await db.tx(org, async (tx) => insertRehashes(tx, (await listEntriesAt(tx, org, batch)).map(rehashOf)));
    from += batch.length;
  }
  return leaves.length === ENTRIES_A_RUN;
}

function rehashOf({ entry, data }: EntryRow): Rehash {
  const data_sha512 = data === null ? null : rehashOfData(data);
  return { hash: entry.hash, data_sha512, sha512: rehashOfEntry(entry, data_sha512) };
}

/** Where the next block begins. One that was recorded before it was full is recorded again. */
const nextBlock = (done: number): number => (done % LEAVES_PER_BLOCK === 0 ? done : blockStart(done));

async function rehashRecords({ db }: Pick<RehashDeps, "db">): Promise<void> {
  for (let count = ENTRIES_AT_ONCE; count === ENTRIES_AT_ONCE; ) {
    count = await db.system(async (tx) => {
      const rows = await listRecordsToRehash(tx, ENTRIES_AT_ONCE);
      const rehashes = rows.map(({ hash, bytes }) => ({ hash, data_sha512: null, sha512: rehashOfRecord(bytes) }));
      if (rehashes.length > 0) await insertRehashes(tx, rehashes);
      return rehashes.length;
    });
  }
}

/**
 * Records the next block of signed leaves, if it has at least this many and something stands for each. Returns whether it was recorded and
 * another block follows.
 */
function recordBlock({ db }: RehashDeps, at_least: number): Promise<boolean> {
  return db.system(async (tx) => {
    const signed = (await lookUpLatestCheckpoint(tx))?.tree_size ?? 0;
    const done = await readRehashedSize(tx);
    const from = nextBlock(done);
    const to = Math.min(from + LEAVES_PER_BLOCK, signed);
    if (to - from < at_least || to <= done || !(await hasEntriesFrom(tx, done))) return false;
    return (await insertBlock(tx, from, to)) && to < signed;
  });
}

/** False if nothing stands for a leaf yet. */
async function insertBlock(tx: Tx, from: number, to: number): Promise<boolean> {
  const leaves = await readBlock(tx, from, to);
  const rehashes = leaves.map(({ sha512 }) => sha512).filter((one) => one !== null);
  // What became a leaf meanwhile. The next run finds it.
  if (rehashes.length < to - from) return false;
  const sha256 = rootOf(
    appendLeaves(
      EMPTY_LOG,
      leaves.map(({ hash }) => hash),
    ).frontier,
  );
  const at = (await readClock(tx)).toISOString();
  const record = writeLogRecord({ kind: "leaves", sha256, sha512: rootBySha512(rehashes), tree_size: to, at });
  await insertLogRecords(tx, [{ ...record, kind: "leaves", tree_size: to }]);
  return true;
}
