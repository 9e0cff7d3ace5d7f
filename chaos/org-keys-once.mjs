// node org-keys-once.mjs STATEMENTS, with the database settings, APP_SECRETS and KMS of a service: has the key service that KMS names first wrap the
// keys of all organizations, next to that service, and kills itself with SIGKILL after this many SQL statements; 0: never. Prints how many keys it
// renewed.
import { writeSync } from "node:fs";
import { product } from "../bench/harness.mjs";
import { dieAfter } from "./die-after.mjs";

const statementsSoFar = dieAfter(Number(process.argv[2] ?? "0"));

const { readConfig } = await product("config.js");
const { connectDb } = await product("db/connect.js");
const { deriveKeys } = await product("shared/secrets.js");
const { buildKms } = await product("secrets/build-kms.js");
const { reWrapOrgKeys } = await product("secrets/re-wrap-org-keys.js");

const config = readConfig(process.env);
const db = connectDb({ url: config.databaseAppUrl, poolSize: 1 });
const { renewed, unreadable } = await reWrapOrgKeys({ db, kms: buildKms(config.kms, deriveKeys(config.appSecrets)) });
await db.end();
writeSync(
  1,
  `${JSON.stringify({ renewed, unreadable: unreadable.map((/** @type {any} */ { org_id }) => ({ sha256: `the key of ${org_id}` })), statements: statementsSoFar() })}\n`,
);
