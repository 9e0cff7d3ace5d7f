import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Administration } from "./administration.ts";
import { askPassword, labelFrom, needed, parse, print, rateFrom, scopesFrom, Usage, type Values } from "./cli-input.ts";
import { type Config, ConfigError, type Environment, readConfig, settingSources } from "./config.ts";
import { DatabaseAway } from "./db/errors.ts";
import { sql } from "./db/sql.ts";
import { systemCaller } from "./shared/caller.ts";
import { isId, type OrgId } from "./shared/ids.ts";
import { operatorName } from "./shared/operator.ts";
import { Problem } from "./shared/problems.ts";
import { helpersStandBack } from "./shared/stand-back.ts";

const HELP = `countersign: electronic signatures with a compliance vault

  start                      HTTP and worker in one process (npm start)
  serve                      HTTP only
  worker                     jobs only
  migrate                    bring the database to the newest version
  setup --org NAME --email ADDRESS [--name NAME]
                             make the first organization; the password is read from
                             SETUP_PASSWORD or asked for
  orgs create --name NAME --admin-email ADDRESS [--admin-name NAME]
                             another organization; a new admin's password is read from
                             ADMIN_PASSWORD or asked for
  orgs list
  users reset-link ADDRESS   print a one-use link for a new password
  users unlock ADDRESS       let an account log in again at once after too many failed
                             log-ins
  keys create --org ORG_ID --name NAME [--scopes a,b] [--rate-limit N]
  keys list --org ORG_ID
  keys deactivate --org ORG_ID KEY_ID
  restore --org ORG_ID --vault-blob ENVELOPE_ID FILE
                             put back the bytes of a vaulted document that was found
                             damaged; only those with the recorded hash are taken
  --version
  config                     every setting and where it comes from, without values
  openapi [--write]          print the API's description, or write openapi.json

Settings are environment variables; a file .env in the working folder is read too.
`;

// The service takes more than a second to load, what commands administer a tenth of one. A command loads the one that it needs, and only
// when its arguments and settings have been read, so that help and mistakes are answered at once; for the same reason this file imports
// no feature at its top.
const loadService = () => import("./main.ts");
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
    const applied = await migrateDatabase(config);
    print(applied.length === 0 ? "The database is up to date." : applied.map((name) => `applied ${name}`).join("\n"));
    return 0;
  },
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
      return setUpHere(orgs, HERE, wanted);
    });
    print(`Made organization ${created.org_id} with admin ${email}.`);
    return 0;
  },
  orgs: (args, env) => subcommand("orgs", { create: createOrgCommand, list: listOrgsCommand }, args, env),
  users: (args, env) => subcommand("users", { "reset-link": resetLinkCommand, unlock: unlockCommand }, args, env),
  keys: (args, env) => subcommand("keys", { create: createKeyCommand, list: listKeysCommand, deactivate: deactivateKeyCommand }, args, env),
  restore: restoreCommand,
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
    const { openApi } = await loadService();
    const document = `${JSON.stringify(openApi(), null, 2)}\n`;
    if (values.write !== undefined) await writeFile("openapi.json", document);
    else process.stdout.write(document);
    return 0;
  },
};

/** The command is given as arguments what a start reads from these settings, of which one alone, here the password, is refused. */
const withoutSetup = (env: Environment): Environment =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith("SETUP_")));

const HERE = { ip: "127.0.0.1", user_agent: "countersign cli", request_id: "cli" };

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
    return await report(error);
  }
}

/** A mistake that a person can mend gets one sentence; anything else its stack, since it is ours. */
async function report(error: unknown): Promise<number> {
  const node = error as NodeJS.ErrnoException;
  if (error instanceof Usage || (error instanceof TypeError && node.code?.startsWith("ERR_PARSE_ARGS"))) {
    process.stderr.write(`${(error as Error).message}\n\n${HELP}`);
    return 2;
  }
  if (error instanceof Problem) {
    const details = (error.details ?? []).map(({ field, message }) => `  ${field ?? ""} ${message}`);
    process.stderr.write(`${[error.says, ...details].join("\n")}\n`);
  } else if (error instanceof ConfigError || (await isRefusal(error))) {
    process.stderr.write(`${node.message}\n`);
  } else if (sentenceFor(node) !== null) {
    process.stderr.write(`${sentenceFor(node)}\n`);
  } else {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  }
  return 1;
}

/** The database stays as it is, and the message says why. */
async function isRefusal(error: unknown): Promise<boolean> {
  const [{ AlreadyRunning }, { MigrationRefused }] = await Promise.all([import("./db/open.ts"), import("./db/migrate.ts")]);
  return error instanceof AlreadyRunning || error instanceof MigrationRefused;
}

/** What operators get wrong, by the code of the failure; null for anything else. */
function sentenceFor(error: NodeJS.ErrnoException): string | null {
  const { code, syscall = "", message } = error.cause instanceof Error ? (error.cause as NodeJS.ErrnoException) : error;
  if (code === "EADDRINUSE") return "The port is taken by another program. Stop it, or set PORT to another number.";
  if (code === "42P01" || isWithoutRole(code, message)) return "The database is empty or half made. Run: countersign migrate";
  if (code === "28P01" || code === "28000") return "The database refuses the login of DATABASE_URL. Check user and password.";
  if (code === "3D000") return "The database that DATABASE_URL names does not exist. Create it first.";
  if (error instanceof DatabaseAway || syscall === "connect")
    return `The database cannot be reached (${code ?? "no answer"}). Check DATABASE_URL.`;
  if (code === "ENOTFOUND" || code === "EADDRNOTAVAIL") return "HOST is no address of this machine.";
  if (code === "EEXIST" || code === "ENOTDIR" || code === "EACCES") return `DATA_DIR cannot be used: ${error.message}`;
  return null;
}

// A connection asks for the role that `migrate` makes and grants: it is missing, or another installation's and not granted to this login.
// PostgreSQL, which may speak any language, has no code of its own for either.
const isWithoutRole = (code: string | undefined, message: string): boolean =>
  (code === "22023" || code === "42501") && message.includes("countersign_app");

async function serve(args: readonly string[], env: Environment, parts: { http: boolean; worker: boolean }): Promise<number> {
  parse(args, {});
  const config = readConfig(env);
  const { startService } = await loadService();
  const stopping = stopSignal();
  helpersStandBack();
  const service = await startService(config, parts);
  print(banner(service.url, service.setupLink, service.clusterDir, config.dataDir));
  await stopping;
  await service.stop();
  setTimeout(() => process.exit(0), LINGER_MS).unref();
  return 0;
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

function banner(url: string | null, setupLink: string | null, clusterDir: string | null, dataDir: string): string {
  const lines = [url === null ? "Countersign's worker is running." : `Countersign is running at ${url}`];
  if (url !== null) lines.push(`API reference: ${url}/docs`);
  if (clusterDir !== null && !clusterDir.startsWith(dataDir)) lines.push(`Database files: ${clusterDir}`);
  if (setupLink !== null) lines.push("", "Set up your organization with this link (it works once):", setupLink);
  return `\n${lines.join("\n")}\n`;
}

function subcommand(group: string, known: Readonly<Record<string, Command>>, args: readonly string[], env: Environment): Promise<number> {
  return choose(`countersign ${group}`, known, args[0] ?? "")(args.slice(1), env);
}

function choose(group: string, known: Readonly<Record<string, Command>>, name: string): Command {
  const command = Object.hasOwn(known, name) ? known[name] : undefined;
  if (command === undefined) throw new Usage(`${group} knows no "${name}". It needs one of: ${Object.keys(known).join(", ")}`);
  return command;
}

async function createOrgCommand(args: readonly string[], env: Environment): Promise<number> {
  const { values } = parse(args, { name: "string", "admin-email": "string", "admin-name": "string", "admin-password": "string" });
  const email = needed(values, "admin-email");
  const given = values["admin-password"] ?? env.ADMIN_PASSWORD;
  const org_name = needed(values, "name");
  const created = await administer(readConfig(env), async ({ orgs }) => {
    const [{ createOrg }, { claimSetup }] = await Promise.all([import("./orgs/create-org.ts"), import("./orgs/store.ts")]);
    const known = await orgs.db.system((tx) => tx.query(sql`select from find_login(${email})`));
    const password = known.rows.length > 0 ? null : await askPassword(given);
    return orgs.db.system(async (tx) => {
      // Whoever makes organizations here needs no set-up link any more; left open, it would let somebody else in.
      await claimSetup(tx);
      return createOrg(orgs, tx, HERE, { org_name, email, name: values["admin-name"] ?? email, password });
    });
  });
  print(`Made organization ${created.org_id} with admin ${email}.`);
  return 0;
}

async function listOrgsCommand(_args: readonly string[], env: Environment): Promise<number> {
  const { rows } = await administer(readConfig(env), ({ orgs }) =>
    orgs.db.system((tx) => tx.query<{ org_id: OrgId; name: string; members: string }>(sql`select org_id, name, members from list_orgs()`)),
  );
  for (const { org_id, name, members } of rows) print(`${org_id}  ${name}  (${members} members)`);
  return 0;
}

async function resetLinkCommand(args: readonly string[], env: Environment): Promise<number> {
  const { positionals } = parse(args, {}, 1);
  const email = positionals[0];
  if (email === undefined) throw new Usage("countersign users reset-link needs an e-mail address");
  const link = await administer(readConfig(env), async ({ orgs }) => {
    const { makeResetLink } = await import("./orgs/reset-password.ts");
    return orgs.db.system((tx) => makeResetLink(orgs, tx, email));
  });
  if (link === null) {
    process.stderr.write("Nobody has this e-mail address.\n");
    return 1;
  }
  print(`This link sets a new password. It works once, for one hour:\n${link.url}`);
  return 0;
}

async function unlockCommand(args: readonly string[], env: Environment): Promise<number> {
  const { positionals } = parse(args, {}, 1);
  const email = positionals[0];
  if (email === undefined) throw new Usage("countersign users unlock needs an e-mail address");
  const found = await administer(readConfig(env), async ({ orgs }) => {
    const { unlockLogIn } = await import("./orgs/unlock-log-in.ts");
    return unlockLogIn(orgs, HERE, operatorName(), email);
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
    return createKey(keys, systemCaller(org), wanted);
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
    return deactivateKey(keys, systemCaller(org), key_id);
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
    return restoreCopy({ db, storage: { db, blobs } }, systemCaller(org), envelope_id, bytes);
  });
  if (wrong === null) print(`${envelope_id} is as it was stored.`);
  else process.stderr.write(`The bytes are back, but ${wrong} of ${envelope_id} is still not as it was recorded.\n`);
  return wrong === null ? 0 : 1;
}

async function openStore({ s3, dataDir }: Config) {
  if (s3 !== null) return (await import("./storage/s3.ts")).s3Store(s3);
  return (await import("./storage/filesystem.ts")).filesystemStore(join(dataDir, "blobs"));
}

async function inOrg<T>(env: Environment, values: Values, run: (administration: Administration, org: OrgId) => Promise<T>): Promise<T> {
  const org = needed(values, "org");
  if (!isId("org", org)) throw new Usage("--org needs the id of an organization (see: countersign orgs list)");
  return administer(readConfig(env), async (administration) => {
    const known = await administration.orgs.db.system((tx) => tx.query(sql`select from orgs where org_id = ${org}`));
    if (known.rows.length === 0) throw new Usage("There is no such organization (see: countersign orgs list)");
    return run(administration, org);
  });
}
