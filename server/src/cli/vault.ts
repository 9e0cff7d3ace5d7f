import { readFile } from "node:fs/promises";
import type { Administration } from "../administration.ts";
import { needed, parse, print, Usage, type Values } from "../cli-input.ts";
import { type Config, type Environment, readConfig } from "../config.ts";
import type { Db } from "../db/connect.ts";
import type { OrgValues } from "../secrets/org-values.ts";
import { isId, type OrgId } from "../shared/ids.ts";
import { deriveKeys } from "../shared/secrets.ts";
import type { StorageDeps } from "../storage/store-blob.ts";
import type { ReEvaluated } from "../vault/re-evaluate.ts";
import { administer, callerOf, inOrg, orgFrom, Refused } from "./command.ts";

export async function repairCommand(args: readonly string[], env: Environment): Promise<number> {
  const { values, positionals } = parse(args, { org: "string" }, 2);
  return repair(env, values, positionals[0] ?? "", positionals[1]);
}

/** The earlier form of `vault repair`, kept for one release. */
export async function repairByRestore(args: readonly string[], env: Environment): Promise<number> {
  const { values, positionals } = parse(args, { org: "string", "vault-blob": "string" }, 1);
  process.stderr.write("This form is going to be removed. Use: countersign vault repair --org ORG_ID ENVELOPE_ID FILE\n");
  return repair(env, values, needed(values, "vault-blob"), positionals[0]);
}

async function repair(env: Environment, values: Values, envelope_id: string, file: string | undefined): Promise<number> {
  if (!isId("envelope", envelope_id)) throw new Usage("countersign vault repair needs the id of an envelope (env_ and 26 characters)");
  if (file === undefined) throw new Usage("countersign vault repair needs a file");
  const bytes = await readFile(file);
  const wrong = await inOrg(env, values, async ({ orgs: { db } }, org) => {
    const [{ restoreCopy }, storage] = await Promise.all([import("../vault/keeping/restore-copy.ts"), openStorage(readConfig(env), db)]);
    return restoreCopy({ db, storage }, callerOf(org), envelope_id, bytes);
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
  const { rows, left } = await withOwner(config, async (live) =>
    repairRows({ values: await valuesAsOwner(config, live) }, { live, copy }, callerOf(org), envelope_id),
  );
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

/** What people entered is encrypted, also in the copy, under the keys of this installation. */
async function valuesAsOwner({ kms, appSecrets, encryptBlobs }: Config, url: string): Promise<OrgValues> {
  const [{ buildKms }, { orgKeys }, { orgValues }, { ownerTx }] = await Promise.all([
    import("../secrets/build-kms.ts"),
    import("../secrets/org-keys.ts"),
    import("../secrets/org-values.ts"),
    import("../db/owner-tx.ts"),
  ]);
  const keys = orgKeys({
    db: {
      near: (run) => ownerTx(url, run),
      system: (run) => ownerTx(url, (tx) => run({ ...tx, forOrg: (_org, inside) => inside(tx) })),
    },
    kms: buildKms(kms, deriveKeys(appSecrets)),
  });
  return orgValues({ orgKeys: keys, isOn: encryptBlobs });
}

export async function reEvaluateCommand(args: readonly string[], env: Environment): Promise<number> {
  const { values } = parse(args, { org: "string", "dry-run": "boolean" });
  const dry_run = values["dry-run"] !== undefined;
  const config = readConfig(env);
  const records = await inOrgs(env, values, async ({ orgs: { db } }, orgs) => {
    const [{ buildFeatures, closeFeatures }, { countToEvaluate, reEvaluate }, { StoreUnavailable }] = await Promise.all([
      import("../features.ts"),
      import("../vault/re-evaluate.ts"),
      import("../storage/blob-store.ts"),
    ]);
    const features = buildFeatures(config, db);
    const done: ReEvaluated[] = [];
    try {
      const total = await countToEvaluate({ db }, orgs);
      print(`Records without grades: ${total}.${dry_run ? " Dry run: nothing is written." : ""}`);
      const onRecord = (record: ReEvaluated) => {
        done.push(record);
        printRecord(record, total);
      };
      await reEvaluate(features.vault, { orgs, callerOf, dry_run, onRecord });
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      throw new Refused(`${summaryOf(done, dry_run)}\nThe document store is not available: ${error.message}. Run the command again later.`);
    } finally {
      await closeFeatures(features);
    }
    return done;
  });
  print(summaryOf(records, dry_run));
  return records.some(({ failure }) => failure !== null) ? 1 : 0;
}

/** One organization, or all of them. */
async function inOrgs<T>(
  env: Environment,
  values: Values,
  run: (administration: Administration, orgs: readonly OrgId[]) => Promise<T>,
): Promise<T> {
  if (values.org !== undefined) return inOrg(env, values, (administration, org) => run(administration, [org]));
  return administer(readConfig(env), async (administration) => {
    const { listOrgs } = await import("../orgs/store.ts");
    const orgs = await administration.orgs.db.system(listOrgs);
    return run(
      administration,
      orgs.map(({ org_id }) => org_id),
    );
  });
}

function printRecord({ org_id, envelope_id, number, score_before, now, lost, failure }: ReEvaluated, total: number): void {
  const which = `${number} of ${total}  ${org_id}  ${envelope_id}`;
  if (now !== null) {
    const less = lost.length === 0 ? "" : `  no longer satisfied: ${lost.join(", ")}`;
    print(`${which}  ${score_before} -> ${now.score} points, ${wordsOf(now.standing)}, proven ${now.proven_score} of 100${less}`);
    return;
  }
  const why = failure instanceof Error ? failure.message : "its audit trail is damaged";
  process.stderr.write(`${which}  not evaluated: ${why}\n`);
}

const wordsOf = (standing: string): string => standing.replaceAll("_", " ");

function summaryOf(records: readonly ReEvaluated[], dry_run: boolean): string {
  const judged = records.flatMap(({ now }) => now ?? []);
  const standings = [...new Set(judged.map(({ standing }) => standing))].sort();
  const counts = standings.map((standing) => `${judged.filter((one) => one.standing === standing).length} ${wordsOf(standing)}`);
  const failed = records.length - judged.length;
  return [
    `${dry_run ? "Would be evaluated" : "Evaluated"}: ${judged.length}${counts.length === 0 ? "" : ` (${counts.join(", ")})`}.`,
    `With fewer satisfied checks than before: ${records.filter(({ lost }) => lost.length > 0).length}.`,
    ...(failed === 0 ? [] : [`Not evaluated: ${failed}. The reasons are above; run the command again after you have corrected them.`]),
  ].join(" ");
}

async function openStorage(config: Config, db: Db): Promise<StorageDeps> {
  const [{ buildStorage }, { buildKms }, { orgKeys }] = await Promise.all([
    import("../storage/build-storage.ts"),
    import("../secrets/build-kms.ts"),
    import("../secrets/org-keys.ts"),
  ]);
  return buildStorage(config, db, orgKeys({ db, kms: buildKms(config.kms, deriveKeys(config.appSecrets)) }));
}
