// node links-once.mjs ORG_ID TRANSFER_ID out|in STATEMENTS, with the database settings and DATA_DIR of a service: does the next steps of one
// side of a transfer next to that service, and kills itself with SIGKILL after this many SQL statements; 0: never. Prints how many it ran.
import { writeSync } from "node:fs";
import pg from "pg";
import { product } from "../bench/harness.mjs";

const [org_id = "", transfer_id = "", direction = "", statements = "0"] = process.argv.slice(2);
const last = Number(statements);
let count = 0;

// The statement has reached the server and its answer this process, which then dies before it can do anything with it.
const query = pg.Client.prototype.query;
pg.Client.prototype.query = /** @type {any} */ (
  function (/** @type {any} */ ...args) {
    /** @type {Promise<unknown> | undefined} */
    // @ts-expect-error: the client that the method is called on
    const sent = query.apply(this, args);
    count += 1;
    if (last > 0 && count === last && typeof sent?.then === "function") {
      const die = () => process.kill(process.pid, "SIGKILL");
      sent.then(die, die);
    }
    return sent;
  }
);

const { readConfig } = await product("config.js");
const { connectDb } = await product("db/connect.js");
const { buildFeatures, closeFeatures } = await product("features.js");
const { continueTransfer } = await product("vault/links/continue-transfer.js");

const config = readConfig(process.env);
const db = connectDb({ url: config.databaseAppUrl, poolSize: 4 });
const features = buildFeatures(config, db);
await continueTransfer(features.vault, { org_id, transfer_id, direction });
await closeFeatures(features);
await db.end();
writeSync(1, `${JSON.stringify({ statements: count })}\n`);
