// node links-once.mjs ORG_ID TRANSFER_ID out|in STATEMENTS, with the database settings and DATA_DIR of a service: does the next steps of one
// side of a transfer next to that service, and kills itself with SIGKILL after this many SQL statements; 0: never. Prints how many it ran.
import { writeSync } from "node:fs";
import { product } from "../bench/harness.mjs";
import { dieAfter } from "./die-after.mjs";

const [org_id = "", transfer_id = "", direction = "", statements = "0"] = process.argv.slice(2);
const statementsSoFar = dieAfter(Number(statements));

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
writeSync(1, `${JSON.stringify({ statements: statementsSoFar() })}\n`);
