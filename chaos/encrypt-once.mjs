// node encrypt-once.mjs STATEMENTS MS, with the database settings, the secret and DATA_DIR of a service: encrypts stored documents next to that
// service, and kills itself with SIGKILL after this many SQL statements, or after this many milliseconds of work, which is often while a file
// is written; 0: never. Prints how many documents it encrypted.
import { writeSync } from "node:fs";
import { product } from "../bench/harness.mjs";
import { dieAfter } from "./die-after.mjs";

const [statements = 0, ms = 0] = process.argv.slice(2).map(Number);

const { readConfig } = await product("config.js");
const { connectDb } = await product("db/connect.js");
const { deriveKeys } = await product("shared/secrets.js");
const { buildKms } = await product("secrets/build-kms.js");
const { orgKeys } = await product("secrets/org-keys.js");
const { buildStorage } = await product("storage/build-storage.js");
const { encryptBlobs } = await product("storage/encrypt-blobs.js");

dieAfter(statements);
if (ms > 0) setTimeout(() => process.kill(process.pid, "SIGKILL"), ms);
const config = readConfig(process.env);
const db = connectDb({ url: config.databaseAppUrl, poolSize: 2 });
const storage = buildStorage(config, db, orgKeys({ db, kms: buildKms(config.kms, deriveKeys(config.appSecrets)) }));
let encrypted = 0;
/** @type {unknown[]} */
const unreadable = [];
for (let before = -1; before < encrypted; ) {
  before = encrypted;
  const run = await encryptBlobs(storage);
  if (run.away !== null) throw run.away;
  if (run.failed.length > 0) throw run.failed[0].cause;
  encrypted += run.encrypted;
  unreadable.push(...run.unreadable);
}
await db.end();
writeSync(1, `${JSON.stringify({ encrypted, unreadable })}\n`);
process.exit(0);
