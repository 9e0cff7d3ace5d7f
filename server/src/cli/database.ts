import { parse, print } from "../cli-input.ts";
import { type Environment, readConfig } from "../config.ts";
import type { Tx } from "../db/sql.ts";
import { asSystem } from "../shared/caller.ts";
import { here } from "./command.ts";

/** The tables belong to every organization, so each has it in its audit trail. */
export async function recordMigrations(tx: Tx, applied: readonly string[]): Promise<void> {
  const { appendAudit } = await import("../audit/append-audit.ts");
  const { listOrgs } = await import("../orgs/store.ts");
  const entry = { type: "database.migrated", by: asSystem(here()), data: { applied: [...applied] } } as const;
  for (const { org_id } of await listOrgs(tx)) await appendAudit(tx, org_id, entry);
}

export async function loginsCommand(args: readonly string[], env: Environment): Promise<number> {
  const { values } = parse(args, { print: "boolean", "new-passwords": "boolean" });
  const wanted = { print: values.print !== undefined, newPasswords: values["new-passwords"] !== undefined };
  const { databaseLogins } = await import("../schema.ts");
  const done = await databaseLogins(readConfig(env), wanted);
  const say = (line: string) => process.stderr.write(`${line}\n`);
  if (done === null) {
    say("The embedded database has both logins. They are made at each start.");
    return 0;
  }
  // Standard output is for what goes elsewhere: the statements to an administrator, or else the settings to where the service reads them.
  const { settings, kept, statements } = done;
  if (wanted.print) print(statements.length === 0 ? "-- There is nothing to do." : statements.map((line) => `${line};`).join("\n"));
  for (const login of kept) say(`${login} keeps its password. For a new one: countersign database logins --new-passwords`);
  if (settings.length === 0) return 0;
  say(
    `${wanted.print ? "Once these statements have been run, give" : "Give"} these settings to serve and worker. The passwords are shown only now.`,
  );
  if (wanted.print) say(settings.join("\n"));
  else print(settings.join("\n"));
  return 0;
}
