// node rotate-once.mjs STATEMENTS, with the database settings and APP_SECRETS of a service: encrypts all values again next to that service, and
// kills itself with SIGKILL after this many SQL statements; 0: never. Prints how many values it renewed.
import { writeSync } from "node:fs";
import { product } from "../bench/harness.mjs";
import { dieAfter } from "./die-after.mjs";

const statementsSoFar = dieAfter(Number(process.argv[2] ?? "0"));

const { readConfig } = await product("config.js");
const { connectDb } = await product("db/connect.js");
const { deriveKeys } = await product("shared/secrets.js");
const { reWrap } = await product("secrets/re-wrap.js");

const config = readConfig(process.env);
const db = connectDb({ url: config.databaseAppUrl, poolSize: 1 });
const { renewed, unreadable } = await reWrap({ db, keys: deriveKeys(config.appSecrets) });
await db.end();
writeSync(1, `${JSON.stringify({ renewed, unreadable: unreadable.length, statements: statementsSoFar() })}\n`);
