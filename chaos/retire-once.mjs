// node retire-once.mjs STATEMENTS VERSION, with the database settings and APP_SECRETS of a service: retires a version of the secret at once, and
// kills itself with SIGKILL after this many SQL statements; 0: never. Prints how many statements there were.
import { writeSync } from "node:fs";
import { product } from "../bench/harness.mjs";
import { dieAfter } from "./die-after.mjs";

const [statements = 0, version = 0] = process.argv.slice(2).map(Number);
const statementsSoFar = dieAfter(statements);

const { readConfig } = await product("config.js");
const { connectDb } = await product("db/connect.js");
const { retireVersion } = await product("secrets/retire-version.js");

const config = readConfig(process.env);
const db = connectDb({ url: config.databaseAppUrl, poolSize: 1 });
await retireVersion(db, config.appSecrets, { version, now: true, lost: false, record: async () => undefined });
await db.end();
writeSync(1, `${JSON.stringify({ statements: statementsSoFar() })}\n`);
