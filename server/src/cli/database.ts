import { parse, print, Usage } from "../cli-input.ts";
import { type Environment, readConfig } from "../config.ts";
import type { Tx } from "../db/sql.ts";
import { asSystem } from "../shared/caller.ts";
import { here } from "./command.ts";

/** The tables belong to all organizations, so every audit trail gets an entry. An interrupted restore gets its own before. */
export async function recordMigrations(tx: Tx, applied: readonly string[]): Promise<void> {
  const { recordRestored } = await import("../backup/record-restored.ts");
  await recordRestored(tx, (_org, run) => run(tx));
  if (applied.length === 0) return;
  const { appendAudit } = await import("../audit/append-audit.ts");
  const { listOrgs } = await import("../orgs/store.ts");
  const entry = { type: "database.migrated", by: asSystem(here()), data: { applied: [...applied] } } as const;
  for (const { org_id } of await listOrgs(tx)) await appendAudit(tx, org_id, entry);
}

export async function migrateCommand(args: readonly string[], env: Environment): Promise<number> {
  const { values } = parse(args, { contract: "boolean", status: "boolean" });
  if (values.contract !== undefined && values.status !== undefined) throw new Usage("--contract and --status do not go together");
  const config = readConfig(env);
  const { migrateDatabase, schemaStatus } = await import("../schema.ts");
  if (values.status === undefined) {
    const { applied, waiting } = await migrateDatabase(config, recordMigrations, values.contract === undefined ? undefined : "demand");
    for (const name of applied) print(`applied ${name}`);
    for (const name of waiting) print(`waits   ${name}`);
    if (waiting.length > 0) print("When no process of an earlier version runs any more: countersign migrate --contract");
    else if (applied.length === 0) print("The database is up to date.");
    return 0;
  }
  const { database, program, missing, waiting, processes, backfills } = await schemaStatus(config);
  const { processText } = await import("../db/reason-to-wait.ts");
  print(`database  ${database ?? "no migration yet"}`);
  print(`program   ${String(program).padStart(4, "0")}`);
  for (const name of missing) print(`missing   ${name}: run countersign migrate`);
  for (const { name, works_with } of waiting)
    print(`waits     ${name}: for countersign migrate --contract, without processes from before ${String(works_with).padStart(4, "0")}`);
  for (const one of processes)
    print(`runs      ${processText(one)}${one.migration === null ? "" : `, program ${String(one.migration).padStart(4, "0")}`}`);
  for (const { name, orgs } of backfills) print(`fills in  ${name} for ${orgs} organizations`);
  return 0;
}

export async function loginsCommand(args: readonly string[], env: Environment): Promise<number> {
  const { values } = parse(args, { print: "boolean", "new-passwords": "boolean" });
  const wanted = { print: values.print !== undefined, newPasswords: values["new-passwords"] !== undefined };
  const { databaseLogins } = await import("../schema.ts");
  const done = await databaseLogins(readConfig(env), wanted);
  const say = (line: string) => process.stderr.write(`${line}\n`);
  if (done === null) {
    say("The embedded database already has both logins. They are created at each start.");
    return 0;
  }
  // Standard output contains only what is piped elsewhere: the SQL statements, or the settings.
  const { settings, kept, statements } = done;
  if (wanted.print) print(statements.length === 0 ? "-- Nothing to do." : statements.map((line) => `${line};`).join("\n"));
  for (const login of kept) say(`${login} keeps its password. To change it, run: countersign database logins --new-passwords`);
  if (settings.length === 0) return 0;
  say(
    `${wanted.print ? "After running these statements, pass" : "Pass"} these settings to serve and worker. The passwords are shown only once.`,
  );
  if (wanted.print) say(settings.join("\n"));
  else print(settings.join("\n"));
  return 0;
}
