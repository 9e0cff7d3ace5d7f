import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Administration } from "./administration.ts";
import { askPassword, labelFrom, needed, parse, print, rateFrom, scopesFrom, Usage, type Values } from "./cli-input.ts";
import { type Config, ConfigError, type Environment, readConfig, type SettingName, settingSources } from "./config.ts";
import { DatabaseAway } from "./db/errors.ts";
import type { Tx } from "./db/sql.ts";
import type { Service } from "./service.ts";
import { asSystem, type Caller, systemCaller, systemOrigin } from "./shared/caller.ts";
import { isId, type OrgId } from "./shared/ids.ts";
import { operatorName } from "./shared/operator.ts";
import { Problem } from "./shared/problems.ts";
import { helpersStandBack } from "./shared/stand-back.ts";

const HELP = `countersign: electronic signatures with a compliance vault

  start                      HTTP and worker in one process (npm start)
  serve                      HTTP only
  worker                     jobs only
  migrate                    bring the database to the newest version
  database logins [--print] [--new-passwords]
                             make the two logins that serve and worker use, and print
                             their settings; --print shows the SQL instead of running it
  setup --org NAME --email ADDRESS [--name NAME]
                             make the first organization; the password is read from
                             SETUP_PASSWORD or asked for
  setup-link                 print a new set-up link; the one printed before stops working
  orgs create --name NAME --admin-email ADDRESS
                             another organization; prints the link with which its first
                             admin joins. With a password in ADMIN_PASSWORD (and
                             --admin-name NAME) the admin's account is made at once, if
                             the address has none yet
  orgs invite-admin --org ORG_ID ADDRESS
                             print a link with which a person becomes admin
  orgs list
  users reset-link ADDRESS   print a one-use link for a new password
  users unlock ADDRESS       let an account log in again at once after too many failed
                             log-ins
  users verify ADDRESS       confirm that this account belongs to the owner of the address
  keys create --org ORG_ID --name NAME [--scopes a,b] [--rate-limit N]
  keys list --org ORG_ID
  keys deactivate --org ORG_ID KEY_ID
  restore --org ORG_ID --vault-blob ENVELOPE_ID FILE
                             put back the bytes of a vaulted document that was found
                             damaged; only those with the recorded hash are taken
  vault repair-rows --org ORG_ID ENVELOPE_ID
                             put back rows of a signed document that were changed in the
                             database, from the restored copy of REPAIR_DATABASE_URL; only
                             rows that match the audit trail are taken
  --version
  config                     every setting and where it comes from, without values
  openapi [--write]          print the API's description, or write openapi.json

Settings are environment variables; a file .env in the working folder is read too.
`;

// The service takes more than a second to load, what commands administer a tenth of one. A command loads the one that it needs, and only
// when its arguments and settings have been read, so that help and mistakes are answered at once; for the same reason this file imports
// no feature at its top.
const loadService = () => import("./service.ts");
const administer = async <T>(config: Config, run: (administration: Administration) => Promise<T>): Promise<T> =>
  (await import("./administration.ts")).withAdministration(config, run);

type Command = (args: readonly string[], env: Environment) => Promise<number>;

const commands: Readonly<Record<string, Command>> = {
  start: (args, env) => serve(args, env, { http: true, worker: true }),
  serve: (args, env) => serve(args, env, { http: true, worker: false }),
  worker: (args, env) => serve(args, env, { http: false, worker: true }),
  migrate: async (args, env) => {
    parse(args, {});
    const config = readConfig(env);
    const { migrateDatabase } = await import("./schema.ts");
    const applied = await migrateDatabase(config, recordMigrations);
    print(applied.length === 0 ? "The database is up to date." : applied.map((name) => `applied ${name}`).join("\n"));
    return 0;
  },
  database: (args, env) => subcommand("database", { logins: loginsCommand }, args, env),
  setup: async (args, env) => {
    const { values } = parse(args, { org: "string", email: "string", name: "string" });
    const email = needed(values, "email");
    const wanted = {
      org_name: needed(values, "org"),
      email,
      name: values.name ?? email,
      password: await askPassword(env.SETUP_PASSWORD),
    };
    const created = await administer(readConfig(withoutSetup(env)), async ({ orgs }) => {
      const { setUpHere } = await import("./orgs/set-up.ts");
      return setUpHere(orgs, here(), wanted);
    });
    print(`Made organization ${created.org_id} with admin ${email}.`);
    return 0;
  },
  "setup-link": setupLinkCommand,
  orgs: (args, env) =>
    subcommand("orgs", { create: createOrgCommand, "invite-admin": inviteAdminCommand, list: listOrgsCommand }, args, env),
  users: (args, env) => subcommand("users", { "reset-link": resetLinkCommand, unlock: unlockCommand, verify: verifyCommand }, args, env),
  keys: (args, env) => subcommand("keys", { create: createKeyCommand, list: listKeysCommand, deactivate: deactivateKeyCommand }, args, env),
  restore: restoreCommand,
  vault: (args, env) => subcommand("vault", { "repair-rows": repairRowsCommand }, args, env),
  config: async (args, env) => {
    parse(args, {});
    for (const { name, source, about } of settingSources(env)) print(`${name.padEnd(24)} ${source.padEnd(48)} ${about}`);
    return 0;
  },
  "--version": async () => {
    const { version } = await import("./version.ts");
    print(version);
    return 0;
  },
  openapi: async (args) => {
    const { values } = parse(args, { write: "boolean" });
    const { apiDocuments } = await import("./main.ts");
    const { api, pages } = apiDocuments();
    const document = `${JSON.stringify(api, null, 2)}\n`;
    if (values.write !== undefined) {
      await writeFile("openapi.json", document);
      await writeFile("openapi-pages.json", `${JSON.stringify(pages, null, 2)}\n`);
    } else process.stdout.write(document);
    return 0;
  },
};

/** The command is given as arguments what a start reads from these settings, of which one alone, here the password, is refused. */
const withoutSetup = (env: Environment): Environment =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith("SETUP_")));

/** Each act of the command line is recorded with the login name of the person at it. */
const here = () => ({ ...systemOrigin("countersign cli", "cli"), operator: operatorName() });
const callerOf = (org: OrgId): Caller => ({ ...systemCaller(org), ...here() });

/** The tables belong to every organization, so each has it in its audit trail. */
async function recordMigrations(tx: Tx, applied: readonly string[]): Promise<void> {
  const { appendAudit } = await import("./audit/append-audit.ts");
  const { listOrgs } = await import("./orgs/store.ts");
  const entry = { type: "database.migrated", by: asSystem(here()), data: { applied: [...applied] } } as const;
  for (const { org_id } of await listOrgs(tx)) await appendAudit(tx, org_id, entry);
}

export async function runCli(argv: readonly string[], env: Environment): Promise<number> {
  const [name = "help", ...args] = argv;
  if (name === "help" || name === "--help") {
    process.stdout.write(HELP);
    return 0;
  }
  try {
    if (existsSync(".env")) process.loadEnvFile(".env");
    return await choose("countersign", commands, name)(args, env);
  } catch (error) {
    return await report(error, name === "migrate" || name === "database" ? "DATABASE_URL" : "DATABASE_APP_URL");
  }
}

/** A mistake that a person can mend gets one sentence; anything else its stack, since it is ours. `login`: the setting the command logs in with. */
async function report(error: unknown, login: SettingName): Promise<number> {
  const node = error as NodeJS.ErrnoException;
  const { EXIT_CONFIG, FenceDown, WrongLogin } = await import("./db/fence.ts");
  if (error instanceof WrongLogin || error instanceof FenceDown) {
    process.stderr.write(`${error.message}\n`);
    return EXIT_CONFIG;
  }
  if (error instanceof Usage || (error instanceof TypeError && node.code?.startsWith("ERR_PARSE_ARGS"))) {
    process.stderr.write(`${(error as Error).message}\n\n${HELP}`);
    return 2;
  }
  if (error instanceof Problem) {
    const details = (error.details ?? []).map(({ field, message }) => `  ${field === null ? "" : `${field} `}${message}`);
    process.stderr.write(`${[error.says, ...details].join("\n")}\n`);
  } else if (error instanceof ConfigError || error instanceof Refused || (await isRefusal(error))) {
    process.stderr.write(`${node.message}\n`);
  } else if (sentenceFor(node, login) !== null) {
    process.stderr.write(`${sentenceFor(node, login)}\n`);
  } else {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  }
  return 1;
}

/** Nothing was done, and the message says why. */
class Refused extends Error {}

/** The database stays as it is, and the message says why. */
async function isRefusal(error: unknown): Promise<boolean> {
  const [{ AlreadyRunning }, { MigrationRefused }, { LoginsRefused }] = await Promise.all([
    import("./db/open.ts"),
    import("./db/migrate.ts"),
    import("./db/logins.ts"),
  ]);
  return error instanceof AlreadyRunning || error instanceof MigrationRefused || error instanceof LoginsRefused;
}

/** What operators get wrong, by the code of the failure; null for anything else. */
function sentenceFor(error: NodeJS.ErrnoException & { login?: SettingName }, of: SettingName): string | null {
  const login = error.login ?? of;
  const { code, syscall = "" } = error.cause instanceof Error ? (error.cause as NodeJS.ErrnoException) : error;
  if (code === "EADDRINUSE") return "The port is taken by another program. Stop it, or set PORT to another number.";
  if (code === "42P01") return "The database is empty or half made. Run: countersign migrate";
  if (code === "28P01" || code === "28000") return `The database refuses the login of ${login}. Check user and password.`;
  if (code === "3D000") return `The database that ${login} names does not exist. Create it first.`;
  if (error instanceof DatabaseAway || syscall === "connect")
    return `The database cannot be reached (${code ?? "no answer"}). Check ${login}.`;
  if (code === "ENOTFOUND" || code === "EADDRNOTAVAIL") return "HOST is no address of this machine.";
  if (code === "EEXIST" || code === "ENOTDIR" || code === "EACCES") return `DATA_DIR cannot be used: ${error.message}`;
  return null;
}

async function serve(args: readonly string[], env: Environment, parts: { http: boolean; worker: boolean }): Promise<number> {
  parse(args, {});
  const config = readConfig(env);
  const { startService } = await loadService();
  const stopping = stopSignal();
  helpersStandBack();
  const service = await startService(config, parts);
  print(banner(service, config.dataDir));
  const failure = await Promise.race([stopping.then(() => null), service.failed]);
  await service.stop();
  const code = failure === null ? 0 : await report(failure, "DATABASE_APP_URL");
  setTimeout(() => process.exit(code), LINGER_MS).unref();
  return code;
}

// Everything is closed by then. What was left alone, say a job's end that no database is there to take, must not keep the process.
const LINGER_MS = 500;

// Ctrl-C reaches us twice: from the terminal, which signals the whole group, and from npm, which passes it on. A person who
// means it a second time takes longer than this.
const SAME_SIGNAL_MS = 1_000;

/** The first SIGTERM or SIGINT asks for an orderly stop; a later one ends the process at once. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let asked_at: number | null = null;
    const ask = () => {
      if (asked_at !== null && Date.now() - asked_at > SAME_SIGNAL_MS) process.exit(1);
      asked_at ??= Date.now();
      resolve();
    };
    process.on("SIGTERM", ask);
    process.on("SIGINT", ask);
  });
}

function banner({ url, setup, clusterDir }: Pick<Service, "url" | "setup" | "clusterDir">, dataDir: string): string {
  const lines = [url === null ? "Countersign's worker is running." : `Countersign is running at ${url}`];
  if (url !== null) lines.push(`API reference: ${url}/docs`);
  if (clusterDir !== null && !clusterDir.startsWith(dataDir)) lines.push(`Database files: ${clusterDir}`);
  if (setup !== null) lines.push("", ...setupLines(setup));
  return `\n${lines.join("\n")}\n`;
}

function setupLines(setup: NonNullable<Service["setup"]>): string[] {
  if ("link" in setup) return ["Set up your organization with this link (it works once, and is printed once):", setup.link];
  return [
    `No organization is set up yet. The set-up link was printed at ${setup.printed_at.toISOString()}.`,
    "If you no longer have it, print a new one with: countersign setup-link",
  ];
}

async function setupLinkCommand(args: readonly string[], env: Environment): Promise<number> {
  parse(args, {});
  const link = await administer(readConfig(withoutSetup(env)), async ({ orgs }) => {
    const { printSetupLink } = await import("./orgs/set-up.ts");
    return printSetupLink(orgs, operatorName());
  });
  if (link === null) throw new Problem("setup_done");
  print(`Set up your organization with this link. It works once, and the link that was printed before works no more:\n${link}`);
  return 0;
}

function subcommand(group: string, known: Readonly<Record<string, Command>>, args: readonly string[], env: Environment): Promise<number> {
  return choose(`countersign ${group}`, known, args[0] ?? "")(args.slice(1), env);
}

function choose(group: string, known: Readonly<Record<string, Command>>, name: string): Command {
  const command = Object.hasOwn(known, name) ? known[name] : undefined;
  if (command === undefined) throw new Usage(`${group} knows no "${name}". It needs one of: ${Object.keys(known).join(", ")}`);
  return command;
}

async function loginsCommand(args: readonly string[], env: Environment): Promise<number> {
  const { values } = parse(args, { print: "boolean", "new-passwords": "boolean" });
  const wanted = { print: values.print !== undefined, newPasswords: values["new-passwords"] !== undefined };
  const { databaseLogins } = await import("./schema.ts");
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

async function createOrgCommand(args: readonly string[], env: Environment): Promise<number> {
  const { values } = parse(args, { name: "string", "admin-email": "string", "admin-name": "string", "admin-password": "string" });
  const email = needed(values, "admin-email");
  const password = values["admin-password"] ?? env.ADMIN_PASSWORD;
  const [org_name, name] = [needed(values, "name"), values["admin-name"] ?? email];
  const made = await administer(readConfig(env), async ({ orgs }) => {
    const [{ createOrg, createOrgByInvitation }, { claimSetup }] = await Promise.all([
      import("./orgs/create-org.ts"),
      import("./orgs/store.ts"),
    ]);
    const made = await orgs.db.system(async (tx) => {
      // An operator who makes organizations here needs no set-up link any more; left open, it would let a stranger in.
      await claimSetup(tx);
      if (password === undefined) return createOrgByInvitation(orgs, tx, here(), { org_name, email });
      return { ...(await createOrg(orgs, tx, here(), { org_name, email, name, password }).catch(sayPasswordIsUnused)), accept_url: null };
    });
    return { ...made, account: await accountOf(orgs, email) };
  });
  if (made.accept_url === null) print(`Made organization ${made.org_id} with admin ${email}.`);
  else {
    print(`Made organization ${made.org_id}. It has no members yet.`);
    printInvitation(email, made.accept_url, made.account);
  }
  return 0;
}

/** The password would not be the account's, and the account might not be its owner's. */
function sayPasswordIsUnused(error: unknown): never {
  if (!(error instanceof Problem) || error.code !== "account_exists") throw error;
  throw new Refused(
    "This e-mail address already has an account, so the password would not be used, and no organization was made.\n" +
      "Run the command without a password: it prints an invitation link, which the owner of the account accepts after signing in.",
  );
}

async function inviteAdminCommand(args: readonly string[], env: Environment): Promise<number> {
  const { values, positionals } = parse(args, { org: "string" }, 1);
  const email = positionals[0];
  if (email === undefined) throw new Usage("countersign orgs invite-admin needs an e-mail address");
  const { accept_url, account } = await inOrg(env, values, async ({ orgs }, org) => {
    const { inviteAdmin } = await import("./orgs/invite-member.ts");
    const invited = await orgs.db.tx(org, (tx) => inviteAdmin(orgs, tx, org, here(), email));
    return { ...invited, account: await accountOf(orgs, email) };
  });
  printInvitation(email, accept_url, account);
  return 0;
}

type Account = "none" | "verified" | "unverified";

/** `none` also for one that is in no organization: accepting makes it anew. */
async function accountOf({ db }: Administration["orgs"], email: string): Promise<Account> {
  const { isEmailVerified, listMemberships, lookUpLogin } = await import("./orgs/store.ts");
  return db.system(async (tx) => {
    const login = await lookUpLogin(tx, email);
    if (login === null || (await listMemberships(tx, login.user_id)).length === 0) return "none";
    return (await isEmailVerified(tx, login.user_id)) ? "verified" : "unverified";
  });
}

/** Only a person who owns the address may join, so the operator is told when an account of it may be a stranger's. */
function printInvitation(email: string, accept_url: string, account: Account): void {
  print(`Give ${email} this link to join as admin. It works once, for 7 days:\n${accept_url}`);
  if (account === "none") return;
  print("The address already has an account. Its owner signs in and then accepts; until then the account gets nothing.");
  if (account === "verified") return;
  print(
    "The address of that account was never verified, so another person may have made the account. It cannot join before its owner has " +
      `set a new password: by the mail of "Forgotten the password?", or by a link that you print with: countersign users reset-link ${email}`,
  );
}

async function listOrgsCommand(_args: readonly string[], env: Environment): Promise<number> {
  const { listOrgs } = await import("./orgs/store.ts");
  const found = await administer(readConfig(env), ({ orgs }) => orgs.db.system(listOrgs));
  for (const { org_id, name, members } of found) print(`${org_id}  ${name}  (${members} members)`);
  return 0;
}

async function resetLinkCommand(args: readonly string[], env: Environment): Promise<number> {
  const { positionals } = parse(args, {}, 1);
  const email = positionals[0];
  if (email === undefined) throw new Usage("countersign users reset-link needs an e-mail address");
  const link = await administer(readConfig(env), async ({ orgs }) => {
    const { printResetLink } = await import("./orgs/print-reset-link.ts");
    return orgs.db.system((tx) => printResetLink(orgs, tx, here(), email));
  });
  if (link === null) throw new Refused(NO_ACCOUNT);
  print(`This link sets a new password. It works once, for one hour:\n${link.url}`);
  if (link.entries === 0) print(NO_ENTRY);
  return 0;
}

const NO_ACCOUNT = "No account has this e-mail address.";
const NO_ENTRY = "The account is in no organization, so no audit trail has an entry of this.";

async function verifyCommand(args: readonly string[], env: Environment): Promise<number> {
  const { positionals } = parse(args, {}, 1);
  const email = positionals[0];
  if (email === undefined) throw new Usage("countersign users verify needs an e-mail address");
  const verified = await administer(readConfig(env), async ({ orgs }) => {
    const { verifyByOperator } = await import("./orgs/email-verification.ts");
    return orgs.db.system((tx) => verifyByOperator(tx, here(), email));
  });
  if (verified === null) throw new Refused(NO_ACCOUNT);
  if (!verified.isNew) print(`The address ${email} was verified before.`);
  else {
    print(`The address ${email} is verified. The account keeps its password and can now join other organizations.`);
    print(verified.orgs.length === 0 ? NO_ENTRY : `It is in: ${verified.orgs.join(", ")}`);
    print(`If you do not know who made this account, take it back for its owner with: countersign users reset-link ${email}`);
  }
  return 0;
}

async function unlockCommand(args: readonly string[], env: Environment): Promise<number> {
  const { positionals } = parse(args, {}, 1);
  const email = positionals[0];
  if (email === undefined) throw new Usage("countersign users unlock needs an e-mail address");
  const found = await administer(readConfig(env), async ({ orgs }) => {
    const { unlockLogIn } = await import("./orgs/unlock-log-in.ts");
    return unlockLogIn(orgs, here(), email);
  });
  if (!found) {
    process.stderr.write("No account has this e-mail address.\n");
    return 1;
  }
  print(`${email} can log in again from every browser.`);
  return 0;
}

async function createKeyCommand(args: readonly string[], env: Environment): Promise<number> {
  const { values } = parse(args, { org: "string", name: "string", scopes: "string", "rate-limit": "string" });
  const wanted = {
    partner_name: labelFrom(needed(values, "name")),
    scopes: scopesFrom(values.scopes),
    rate_limit_rpm: rateFrom(values["rate-limit"]),
  };
  const key = await inOrg(env, values, async ({ keys }, org) => {
    const { createKey } = await import("./keys/create-key.ts");
    return createKey(keys, callerOf(org), wanted);
  });
  print(`${key.key_id}  ${key.partner_name}\nThe key is shown only now: ${key.api_key}`);
  return 0;
}

async function listKeysCommand(args: readonly string[], env: Environment): Promise<number> {
  const { values } = parse(args, { org: "string" });
  const { items } = await inOrg(env, values, async ({ keys }, org) => {
    const { listKeys } = await import("./keys/store.ts");
    return keys.db.tx(org, (tx) => listKeys(tx, org, { page: 1, limit: 1000 }));
  });
  for (const key of items) {
    print(
      `${key.key_id}  ${key.key_hint}  ${key.deactivated_at === null ? "active" : "deactivated"}  ${key.partner_name}  ${key.scopes.join(",")}`,
    );
  }
  return 0;
}

async function deactivateKeyCommand(args: readonly string[], env: Environment): Promise<number> {
  const { values, positionals } = parse(args, { org: "string" }, 1);
  const key_id = positionals[0] ?? "";
  if (!isId("key", key_id)) throw new Usage("countersign keys deactivate needs the id of a key (lk_ and 26 characters)");
  await inOrg(env, values, async ({ keys }, org) => {
    const { deactivateKey } = await import("./keys/deactivate-key.ts");
    return deactivateKey(keys, callerOf(org), key_id);
  });
  print(`${key_id} is deactivated.`);
  return 0;
}

async function restoreCommand(args: readonly string[], env: Environment): Promise<number> {
  const { values, positionals } = parse(args, { org: "string", "vault-blob": "string" }, 1);
  const [envelope_id, file] = [needed(values, "vault-blob"), positionals[0]];
  if (!isId("envelope", envelope_id)) throw new Usage("--vault-blob needs the id of an envelope (env_ and 26 characters)");
  if (file === undefined) throw new Usage("countersign restore needs the file with the bytes");
  const bytes = await readFile(file);
  const wrong = await inOrg(env, values, async ({ orgs: { db } }, org) => {
    const [{ restoreCopy }, blobs] = await Promise.all([import("./vault/keeping/restore-copy.ts"), openStore(readConfig(env))]);
    return restoreCopy({ db, storage: { db, blobs } }, callerOf(org), envelope_id, bytes);
  });
  if (wrong === null) print(`${envelope_id} is as it was stored.`);
  else process.stderr.write(`The bytes are back, but ${wrong} of ${envelope_id} is still not as it was recorded.\n`);
  return wrong === null ? 0 : 1;
}

async function repairRowsCommand(args: readonly string[], env: Environment): Promise<number> {
  const { values, positionals } = parse(args, { org: "string" }, 1);
  const envelope_id = positionals[0] ?? "";
  if (!isId("envelope", envelope_id)) throw new Usage("countersign vault repair-rows needs the id of an envelope (env_ and 26 characters)");
  const org = orgFrom(values);
  const config = readConfig(env);
  const copy = config.repairDatabaseUrl;
  if (copy === null) throw new Usage("Set REPAIR_DATABASE_URL to a restored copy of the database.");
  const [{ repairRows }, { withOwner }] = await Promise.all([import("./vault/keeping/repair-rows.ts"), import("./schema.ts")]);
  const { rows, left } = await withOwner(config, (live) => repairRows({ live, copy }, callerOf(org), envelope_id));
  if (left === null) {
    print(`The record of ${envelope_id} matches its audit trail. Rows put back: ${rows}.`);
    return 0;
  }
  const whose = left.signer === null ? "" : ` of ${left.signer}`;
  const why =
    left.what === "audit_trail"
      ? `The audit trail of ${envelope_id} is not as it was written, and rows are repaired by it.`
      : `${left.what}${whose} does not match the audit trail of ${envelope_id}, in this database and in the restored copy.`;
  process.stderr.write(`Nothing was changed. ${why}\n`);
  return 1;
}

async function openStore({ s3, dataDir }: Config) {
  if (s3 !== null) return (await import("./storage/s3.ts")).s3Store(s3);
  return (await import("./storage/filesystem.ts")).filesystemStore(join(dataDir, "blobs"));
}

function orgFrom(values: Values): OrgId {
  const org = needed(values, "org");
  if (!isId("org", org)) throw new Usage("--org needs the id of an organization (see: countersign orgs list)");
  return org;
}

async function inOrg<T>(env: Environment, values: Values, run: (administration: Administration, org: OrgId) => Promise<T>): Promise<T> {
  const org = orgFrom(values);
  return administer(readConfig(env), async (administration) => {
    const { isOrg } = await import("./orgs/store.ts");
    if (!(await administration.orgs.db.system((tx) => isOrg(tx, org))))
      throw new Usage("There is no such organization (see: countersign orgs list)");
    return run(administration, org);
  });
}
