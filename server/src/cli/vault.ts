import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { needed, parse, print, Usage } from "../cli-input.ts";
import { type Config, type Environment, readConfig } from "../config.ts";
import { isId } from "../shared/ids.ts";
import { callerOf, inOrg, orgFrom } from "./command.ts";

export async function restoreCommand(args: readonly string[], env: Environment): Promise<number> {
  const { values, positionals } = parse(args, { org: "string", "vault-blob": "string" }, 1);
  const [envelope_id, file] = [needed(values, "vault-blob"), positionals[0]];
  if (!isId("envelope", envelope_id)) throw new Usage("--vault-blob needs the id of an envelope (env_ and 26 characters)");
  if (file === undefined) throw new Usage("countersign restore needs a file");
  const bytes = await readFile(file);
  const wrong = await inOrg(env, values, async ({ orgs: { db } }, org) => {
    const [{ restoreCopy }, blobs] = await Promise.all([import("../vault/keeping/restore-copy.ts"), openStore(readConfig(env))]);
    return restoreCopy({ db, storage: { db, blobs } }, callerOf(org), envelope_id, bytes);
  });
  if (wrong === null) print(`${envelope_id} matches its record.`);
  else process.stderr.write(`The file is restored, but ${wrong} of ${envelope_id} still does not match its record.\n`);
  return wrong === null ? 0 : 1;
}

export async function repairRowsCommand(args: readonly string[], env: Environment): Promise<number> {
  const { values, positionals } = parse(args, { org: "string" }, 1);
  const envelope_id = positionals[0] ?? "";
  if (!isId("envelope", envelope_id)) throw new Usage("countersign vault repair-rows needs the id of an envelope (env_ and 26 characters)");
  const org = orgFrom(values);
  const config = readConfig(env);
  const copy = config.repairDatabaseUrl;
  if (copy === null) throw new Usage("Set REPAIR_DATABASE_URL to a restored copy of the database.");
  const [{ repairRows }, { withOwner }] = await Promise.all([import("../vault/keeping/repair-rows.ts"), import("../schema.ts")]);
  const { rows, left } = await withOwner(config, (live) => repairRows({ live, copy }, callerOf(org), envelope_id));
  if (left === null) {
    print(`The record of ${envelope_id} matches its audit trail. Rows restored: ${rows}.`);
    return 0;
  }
  const whose = left.signer === null ? "" : ` of ${left.signer}`;
  const why =
    left.what === "audit_trail"
      ? `The audit trail of ${envelope_id} has been changed, and rows can be repaired only from an intact audit trail.`
      : `${left.what}${whose} does not match the audit trail of ${envelope_id}, in this database and in the restored copy.`;
  process.stderr.write(`Nothing was changed. ${why}\n`);
  return 1;
}

export async function openStore({ s3, dataDir }: Config) {
  if (s3 !== null) return (await import("../storage/s3.ts")).s3Store(s3);
  return (await import("../storage/filesystem.ts")).filesystemStore(join(dataDir, "blobs"));
}
