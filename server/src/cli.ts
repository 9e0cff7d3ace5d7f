import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { backupCommand, holdCommand, releaseCommand, restoreCommand, verifyBackupCommand, verifyInstallCommand } from "./cli/backup.ts";
import { administer, type Command, choose, here, Refused, subcommand, withoutSetup } from "./cli/command.ts";
import { loginsCommand, migrateCommand } from "./cli/database.ts";
import { listInstanceKeysCommand, listSealsCommand, revokeSealCommand, rotateInstanceKeyCommand } from "./cli/instance-keys.ts";
import { discardJobCommand, listJobsCommand, retryJobsCommand } from "./cli/jobs.ts";
import { createKeyCommand, deactivateKeyCommand, listKeysCommand } from "./cli/keys.ts";
import { restartLogCommand, showLogCommand } from "./cli/log.ts";
import { clearAddressesCommand, createOrgCommand, inviteAdminCommand, listOrgsCommand, ssoOffCommand } from "./cli/orgs.ts";
import { retireSecretCommand, reWrapCommand, rotateSecretCommand, secretStatusCommand } from "./cli/secrets.ts";
import { codeCommand, resetFactorsCommand, resetLinkCommand, unlockCommand, verifyCommand } from "./cli/users.ts";
import { reEvaluateCommand, repairByRestore, repairCommand, repairRowsCommand } from "./cli/vault.ts";
import { askPassword, needed, parse, print, Usage } from "./cli-input.ts";
import { ConfigError, type Environment, readConfig, type SettingName, settingSources } from "./config.ts";
import { DatabaseAway } from "./db/errors.ts";
import type { Service } from "./service.ts";
import { lowerHelperThreads } from "./shared/lower-helper-threads.ts";
import { operatorName } from "./shared/operator.ts";
import { Problem } from "./shared/problems.ts";

const HELP = `countersign: electronic signatures with a compliance vault

  start                      HTTP and worker in one process (npm start)
  serve                      HTTP only
  worker                     jobs only
  migrate [--contract | --status]
                             update the database schema. What a version before still uses
                             stays until --contract, which refuses while one runs.
                             --status: what is missing, which processes run, and what jobs
                             still fill in; changes nothing
  database logins [--print] [--new-passwords]
                             create the two logins that serve and worker use, and print
                             their settings; --print shows the SQL instead of running it
  setup --org NAME --email ADDRESS [--name NAME]
                             create the first organization; the password is read from
                             SETUP_PASSWORD or asked for
  setup-link                 print a new set-up link, which works for 24 hours; the previous
                             one stops working
  orgs create --name NAME --admin-email ADDRESS
                             create another organization and print an invitation link for
                             its first admin. With a password in ADMIN_PASSWORD (and
                             --admin-name NAME) the admin's account is created at once,
                             if the address has none yet
  orgs invite-admin --org ORG_ID ADDRESS
                             print an invitation link for another admin
  orgs sso-off ORG_ID        let members log in without single sign-on, when the identity
                             provider of their organization fails
  orgs clear-addresses ORG_ID
                             let members log in from all addresses, when the list of their
                             organization keeps everyone out
  orgs list
  users reset-link ADDRESS   print a one-time link to set a new password
  users reset-factors ADDRESS
                             remove the second factors of a person who lost them
  users code ADDRESS         print a code with which a person sets up the second factor
                             that their organization requires
  users unlock ADDRESS       let an account log in again after too many failed log-ins
  users verify ADDRESS       confirm that this account belongs to the owner of the address
  keys create --org ORG_ID --name NAME [--scopes a,b] [--rate-limit N]
  keys list --org ORG_ID
  keys deactivate --org ORG_ID KEY_ID
  instance-keys list         list the keys of this installation with their generations
  instance-keys rotate root|records|log|vault [--old-key-lost]
                             replace a key; what the old one signed stays valid.
                             --old-key-lost (root only): the old root cannot sign that the
                             new one follows it, so readers must be told the new one
  secrets status             list the versions of APP_SECRET, and how many values are encrypted
                             under each
  secrets rotate             replace APP_SECRET in DATA_DIR by a new version while the
                             service is stopped, and encrypt all values again
  secrets re-wrap            encrypt values of earlier versions again, as the worker does
  secrets retire VERSION [--now] [--lost]
                             stop accepting a version that no value needs, seven days after
                             it was replaced. --now: at once, because others may know it.
                             --lost: its secret is gone, and values under it are given up
  seals list --org ORG_ID    the seal certificates of an organization, with their ids
  seals revoke SEAL_ID --reason superseded|affiliation_changed|key_compromise
      [--invalid-from TIME]  revoke a seal certificate. After key_compromise, seals made
                             from TIME on are not valid, and earlier ones only count if a
                             time stamp or a witness shows them; else from now on
  jobs list [--failed] [--org ORG_ID] [--task TASK] [--json]
                             list jobs that failed several times or are not retried any more
  jobs retry ID… | --task TASK --all
                             try them again, within seconds
  jobs discard ID --reason TEXT
                             give up a job that is not retried any more
  backup --to DIR [--no-database] [--no-blobs] [--skip-missing]
                             write a backup of the database and the documents; DIR gets it
                             when it is complete. Without APP_SECRET, which is kept apart.
                             --skip-missing: also if the store lacks documents, which are
                             then listed
  verify-backup --from DIR [--json]
                             check a backup in its folder: its signature, every table and
                             every document, and APP_SECRET if it is set
  restore --from DIR         fill an empty database and document store from a backup. The
                             restored installation is held
  verify-install [--sample N | --all] [--json]
                             compare the installation with what this program needs and with
                             what it recorded; changes no row or document. N documents and
                             audit trails are read and hashed (100)
  hold                       send nothing more: no mail, no webhook, no other request
  release [--cancel-mail-before TIME] [--cancel-deliveries] [--accept-older] [--yes]
                             show what waits, and send again
  vault repair --org ORG_ID ENVELOPE_ID FILE
                             restore the damaged file of a vaulted document; only a file
                             with the recorded hash is accepted
  vault re-evaluate [--org ORG_ID] [--dry-run]
                             evaluate the vaulted records again whose certificate has no
                             grades yet: a new certificate and an event for each. Can be
                             interrupted and run again. --dry-run says what would change
  vault repair-rows --org ORG_ID ENVELOPE_ID
                             restore rows of a signed document that were changed in the
                             database, from the restored copy in REPAIR_DATABASE_URL; only
                             rows that match the audit trail are accepted
  log show                   print the public name of the log and its keys, for witnesses
  log restart --reason TEXT [--last-note FILE]
                             give the log a new name, after a backup was accepted that is
                             older than what was published
  --version
  config                     list every setting and its source, without values
  openapi [--write]          print the API description, or write openapi.json

Settings are environment variables; a .env file in the working folder is read too.
`;

// The service takes more than a second to load, the administration code a tenth of that. A command loads only what it needs, after its
// arguments and settings have been read, so that help and usage errors appear at once. For the same reason this file imports no feature
// statically.
const loadService = () => import("./service.ts");

const commands: Readonly<Record<string, Command>> = {
  start: (args, env) => serve(args, env, { http: true, worker: true }),
  serve: (args, env) => serve(args, env, { http: true, worker: false }),
  worker: (args, env) => serve(args, env, { http: false, worker: true }),
  migrate: migrateCommand,
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
      const { setUpLocally } = await import("./orgs/setup.ts");
      return setUpLocally(orgs, here(), wanted);
    });
    print(`Created organization ${created.org_id} with admin ${email}.`);
    return 0;
  },
  "setup-link": setupLinkCommand,
  orgs: (args, env) =>
    subcommand(
      "orgs",
      {
        create: createOrgCommand,
        "invite-admin": inviteAdminCommand,
        "sso-off": ssoOffCommand,
        "clear-addresses": clearAddressesCommand,
        list: listOrgsCommand,
      },
      args,
      env,
    ),
  users: (args, env) =>
    subcommand(
      "users",
      {
        code: codeCommand,
        "reset-factors": resetFactorsCommand,
        "reset-link": resetLinkCommand,
        unlock: unlockCommand,
        verify: verifyCommand,
      },
      args,
      env,
    ),
  keys: (args, env) => subcommand("keys", { create: createKeyCommand, list: listKeysCommand, deactivate: deactivateKeyCommand }, args, env),
  "instance-keys": (args, env) =>
    subcommand("instance-keys", { list: listInstanceKeysCommand, rotate: rotateInstanceKeyCommand }, args, env),
  secrets: (args, env) =>
    subcommand(
      "secrets",
      { status: secretStatusCommand, rotate: rotateSecretCommand, "re-wrap": reWrapCommand, retire: retireSecretCommand },
      args,
      env,
    ),
  seals: (args, env) => subcommand("seals", { list: listSealsCommand, revoke: revokeSealCommand }, args, env),
  jobs: (args, env) => subcommand("jobs", { list: listJobsCommand, retry: retryJobsCommand, discard: discardJobCommand }, args, env),
  backup: backupCommand,
  restore: (args, env) => (args.some((one) => one.startsWith("--vault-blob")) ? repairByRestore : restoreCommand)(args, env),
  "verify-backup": verifyBackupCommand,
  "verify-install": verifyInstallCommand,
  hold: holdCommand,
  release: releaseCommand,
  vault: (args, env) =>
    subcommand("vault", { repair: repairCommand, "re-evaluate": reEvaluateCommand, "repair-rows": repairRowsCommand }, args, env),
  log: (args, env) => subcommand("log", { show: showLogCommand, restart: restartLogCommand }, args, env),
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

/** Commands that work with the owner's login. */
const OF_OWNER = new Set(["migrate", "database", "backup", "restore", "verify-install"]);

const SERVICES = new Set(["start", "serve", "worker"]);

/** A reader that has enough, such as `head`, closes the pipe. That is no failure of the command. */
function endWithReader(error: NodeJS.ErrnoException): never {
  if (error.code !== "EPIPE") throw error;
  process.exit(0);
}

export async function runCli(argv: readonly string[], env: Environment): Promise<number> {
  const [name = "help", ...args] = argv;
  if (!SERVICES.has(name)) process.stdout.once("error", endWithReader);
  if (name === "help" || name === "--help") {
    process.stdout.write(HELP);
    return 0;
  }
  try {
    if (existsSync(".env")) process.loadEnvFile(".env");
    return await choose("countersign", commands, name)(args, env);
  } catch (error) {
    return await report(error, OF_OWNER.has(name) ? "DATABASE_URL" : "DATABASE_APP_URL");
  }
}

/** Prints one sentence for an error that the user can fix, and the stack for a bug. `login`: the setting with the database login of the command. */
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

/** Whether the database was left unchanged and the message says why. */
async function isRefusal(error: unknown): Promise<boolean> {
  const [{ AlreadyRunning }, { MigrationRefused }, { LoginsRefused }] = await Promise.all([
    import("./db/open.ts"),
    import("./db/migrate.ts"),
    import("./db/logins.ts"),
  ]);
  return error instanceof AlreadyRunning || error instanceof MigrationRefused || error instanceof LoginsRefused;
}

/** A sentence for common configuration errors, by error code. Null for other errors. */
function sentenceFor(error: NodeJS.ErrnoException & { login?: SettingName }, of: SettingName): string | null {
  const login = error.login ?? of;
  const { code, syscall = "" } = error.cause instanceof Error ? (error.cause as NodeJS.ErrnoException) : error;
  if (code === "EADDRINUSE") return "Another program is using the port. Stop it, or set PORT to another number.";
  if (code === "42P01") return "The database is empty or incomplete. Run: countersign migrate";
  if (code === "28P01" || code === "28000") return `The database refuses the login in ${login}. Check user and password.`;
  if (code === "3D000") return `The database in ${login} does not exist. Create it first.`;
  if (error instanceof DatabaseAway || syscall === "connect")
    return `The database cannot be reached (${code ?? "no answer"}). Check ${login}.`;
  if (code === "ENOTFOUND" || code === "EADDRNOTAVAIL") return "HOST is not an address of this machine.";
  if (code === "EEXIST" || code === "ENOTDIR" || code === "EACCES") return `DATA_DIR cannot be used: ${error.message}`;
  return null;
}

async function serve(args: readonly string[], env: Environment, parts: { http: boolean; worker: boolean }): Promise<number> {
  parse(args, {});
  const config = readConfig(env);
  const { startService } = await loadService();
  const stopping = stopSignal();
  lowerHelperThreads();
  const service = await startService(config, parts);
  print(banner(service, config.dataDir));
  const failure = await Promise.race([stopping.then(() => null), service.failed]);
  await service.stop();
  const code = failure === null ? 0 : await report(failure, "DATABASE_APP_URL");
  setTimeout(() => process.exit(code), LINGER_MS).unref();
  return code;
}

// Everything is closed by then. Unfinished work, such as a job's result that cannot be saved without a database, must not keep the process
// running.
const LINGER_MS = 500;

// Ctrl-C arrives twice: from the terminal, which signals the whole process group, and from npm, which forwards it. A person who presses it
// a second time takes longer than this.
const SAME_SIGNAL_MS = 1_000;

/** The first SIGTERM or SIGINT starts an orderly stop. A later one ends the process at once. */
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
  if (url !== null) lines.push(`Documentation: ${url}/docs`);
  if (clusterDir !== null && !clusterDir.startsWith(dataDir)) lines.push(`Database files: ${clusterDir}`);
  if (setup !== null) lines.push("", ...setupLines(setup));
  return `\n${lines.join("\n")}\n`;
}

function setupLines(setup: NonNullable<Service["setup"]>): string[] {
  if ("link" in setup)
    return ["Set up your organization with this link. It works once, for 24 hours, and is printed only once:", setup.link];
  const { printed_at, expired } = setup;
  if (printed_at === null) return ["No organization is set up yet. Print a set-up link with: countersign setup-link"];
  return [
    `No organization is set up yet. The set-up link was printed at ${printed_at.toISOString()}${expired ? " and has expired" : ""}.`,
    `${expired ? "Print" : "If you no longer have it, print"} a new one with: countersign setup-link`,
  ];
}

async function setupLinkCommand(args: readonly string[], env: Environment): Promise<number> {
  parse(args, {});
  const link = await administer(readConfig(withoutSetup(env)), async ({ orgs }) => {
    const { printSetupLink } = await import("./orgs/setup.ts");
    return printSetupLink(orgs, operatorName());
  });
  if (link === null) throw new Problem("setup_done");
  print(`Set up your organization with this link. It works once, for 24 hours, and the previous link no longer works:\n${link}`);
  return 0;
}
