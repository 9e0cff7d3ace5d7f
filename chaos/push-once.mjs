// node push-once.mjs STATEMENTS, with the database settings and the secret of a service: sends audit entries to the sinks next to that
// service, and kills itself with SIGKILL after this many SQL statements; 0: never. Prints how many statements there were.
import { writeSync } from "node:fs";
import { product } from "../bench/harness.mjs";
import { dieAfter } from "./die-after.mjs";

const [statements = 0] = process.argv.slice(2).map(Number);

const { readConfig } = await product("config.js");
const { connectDb } = await product("db/connect.js");
const { deriveKeys } = await product("shared/secrets.js");
const { buildKms } = await product("secrets/build-kms.js");
const { orgKeys } = await product("secrets/org-keys.js");
const { makeResolveName } = await product("outbound/name-resolver.js");
const { alwaysLeaves } = await product("shared/departures.js");
const { push } = await product("audit-sinks/push.js");

const count = dieAfter(statements);
const config = readConfig(process.env);
const db = connectDb({ url: config.databaseAppUrl, poolSize: 2 });
await push({
  db,
  mayLeave: alwaysLeaves,
  orgKeys: orgKeys({ db, kms: buildKms(config.kms, deriveKeys(config.appSecrets)) }),
  fence: { loopback: true, plainHttp: true, allowedNetworks: [] },
  resolve: makeResolveName(),
  limits: { connect_ms: 5_000, exchange_ms: 30_000, body_ms: 2_000, body_bytes: 1_024 },
  retrySchedule: [],
  version: "0",
  host: "localhost",
  syslogCa: null,
  operatorSyslog: null,
});
await db.end();
writeSync(1, `${count()}\n`);
process.exit(0);
