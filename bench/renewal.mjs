// node bench/renewal.mjs [--records 100000] [--bytes 4096]: renews the evidence of that many vaulted records and prints the time.
// Each record has one stored file and one time stamp. Two parts: every time stamp becomes a leaf of the log (what the daily job does), and
// everything is recorded under SHA-512 (what it does once SHA-256 is for existing records only). Setting up is not counted.
import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { cleanup, fillDatabase, product, scratchFolder, startDatabase } from "./harness.mjs";

const { values } = parseArgs({ options: { records: { type: "string", default: "100000" }, bytes: { type: "string", default: "4096" } } });
const [count, size] = [Number(values.records), Number(values.bytes)];
const BATCH = 5_000;

const end = cleanup();
try {
  const folder = await scratchFolder(end);
  const database = await startDatabase(end, folder);
  const { org_id } = await fillDatabase(database, { envelopes: 0, keys: 0 });
  const { connectDb } = await product("db/connect.js");
  const { readConfig } = await product("config.js");
  const { buildFeatures, closeFeatures } = await product("features.js");
  const { advanceLog } = await product("transparency/advance-log.js");
  const { renewEvidence } = await product("transparency/renew-evidence.js");
  const config = readConfig({ ...database.env, DATA_DIR: join(folder, "data"), APP_SECRET: randomBytes(32).toString("hex") });
  const db = connectDb({ url: database.appUrl, poolSize: 4 });
  end.later(() => db.end());
  const features = buildFeatures(config, db);
  end.later(() => closeFeatures(features));
  const { tree_size } = await advanceLog(features.log);
  await vaultRecords(database, join(config.dataDir, "blobs"), org_id, tree_size);

  const leaves = async () => Number((await database.query("select count(*) as n from log_leaves"))[0]?.n);
  const timed = async (/** @type {string} */ what, /** @type {() => Promise<unknown>} */ run) => {
    const [began, before] = [performance.now(), await leaves()];
    await run();
    await advanceLog(features.log);
    const seconds = (performance.now() - began) / 1000;
    process.stdout.write(`${what}: ${seconds.toFixed(0)} s, ${(await leaves()) - before} new leaves\n`);
  };
  process.stdout.write(`${count} records of ${size} bytes, ${availableParallelism()} cores, Node ${process.version}\n`);
  await timed("time stamps become leaves", () => renewEvidence(features.renewal));
  const algorithms = { ...features.renewal.algorithms, "sha-256": "verify_only" };
  await timed("everything is recorded under SHA-512", async () => {
    for (let more = true; more; ) {
      await database.query("delete from outbox where task = 'log.renew-evidence'");
      await renewEvidence({ ...features.renewal, algorithms });
      more = (await database.query("select from outbox where task = 'log.renew-evidence'")).length > 0;
    }
  });
  const [found] = await database.query(`
    select (select count(*) from audit_entries where type = 'evidence.rehashed') as files,
      (select count(*) from log_records where kind = 'token') as tokens, (select count(*) from log_records where kind = 'leaves') as blocks`);
  process.stdout.write(`${found.files} files, ${found.tokens} time stamps and ${found.blocks} blocks of leaves recorded\n`);
} finally {
  await end.run();
}

/**
 * Rows and files as if the service had vaulted them, without its durable writes.
 * @param {import("./harness.mjs").Database} database
 * @param {string} blobs
 * @param {string} org_id
 * @param {number} tree_size
 */
async function vaultRecords(database, blobs, org_id, tree_size) {
  const { newId } = await product("shared/ids.js");
  const { blobKey } = await product("storage/blob-store.js");
  for (let done = 0; done < count; done += BATCH) {
    const made = Array.from({ length: Math.min(BATCH, count - done) }, () => {
      const bytes = randomBytes(size);
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      const path = join(blobs, blobKey(org_id, sha256));
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, bytes);
      return { envelope_id: newId("envelope"), sha256 };
    });
    const [ids, hashes] = [made.map((one) => one.envelope_id), made.map((one) => one.sha256)];
    await database.query("insert into blobs (org_id, sha256, size, kept) select $1, unnest($2::text[]), $3, true", [org_id, hashes, size]);
    await database.query(
      `insert into envelopes (org_id, envelope_id, envelope_name, status) select $1, unnest($2::text[]), 'Note', 'vaulted'`,
      [org_id, ids],
    );
    await database.query(
      `insert into document_versions (org_id, envelope_id, kind, sha256, size)
       select $1, id, 'authoritative', hash, $4 from unnest($2::text[], $3::text[]) as made (id, hash)`,
      [org_id, ids, hashes, size],
    );
    // As long as a usual token.
    await database.query(
      "insert into checkpoint_tokens (tree_size, token) select $1, decode(repeat(hash, 80), 'hex') from unnest($2::text[]) as made (hash)",
      [tree_size, hashes],
    );
  }
  await database.query("vacuum analyze");
}
