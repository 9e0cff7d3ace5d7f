// Location, owner and creation of the cluster. In the data folder: `postgres/` (the cluster), `postgres.password` (of the
// owner), `postgres.logins` (passwords of the service's logins), and `postgres.path` if the cluster is in another folder.
import { createHash, randomBytes } from "node:crypto";
import { access, chown, constants, link, mkdir, open, readdir, readFile, realpath, rename, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { LOGINS, type Login } from "../logins.ts";
import { type Account, canEnter, chooseAccount, isRoot, run } from "./account.ts";
import type { Binaries } from "./binaries.ts";
import {
  ensureTrustedFolder,
  hasCode,
  ifExists,
  lookUpStat,
  lookUpText,
  maybeRename,
  removeAbandonedDrafts,
  syncFolder,
  withDraft,
} from "./files.ts";

export interface Cluster {
  dataDir: string;
  dir: string;
  account: Account | null; // null if PostgreSQL runs under our own account
  password: string;
}

export type Place = Omit<Cluster, "password"> & { exists: boolean };

/** The name of the database and of its owner. */
export const NAME = "countersign";

const POSTGRES_MAJOR = "18";
const CLUSTERS_OF_ROOT = "/var/lib/countersign";

/** The real path of the data folder. The cluster is identified by its path, so the path must be unique. */
export async function ensureDataDir(dataDir: string): Promise<string> {
  try {
    // For root, PostgreSQL's account can pass through the folder to the cluster, but not list it.
    await mkdir(dataDir, { recursive: true, mode: isRoot() ? 0o711 : 0o700 });
    return await realpath(dataDir);
  } catch (error) {
    const advice = `Choose a DATA_DIR that ${nameOf(process.getuid?.())} can write to.`;
    throw new Error(`The data folder ${dataDir} cannot be created: ${error}. ${advice}`, { cause: error });
  }
}

const nameOf = (uid: number | undefined): string => (uid === 0 ? "root" : `uid ${uid}`);

/** Where the cluster is, or where to create it. `dataDir` is a real path. */
export async function locateCluster(dataDir: string): Promise<Place> {
  await refuseForeignFolder(dataDir);
  const found = await lookUpExisting(dataDir);
  if (found === null) return { dataDir, ...(await chooseNewPlace(dataDir)), exists: false };

  await refuseOtherVersion(found);
  return { dataDir, dir: found, account: await ownerOf(found), exists: true };
}

async function ownerOf(dir: string): Promise<Account | null> {
  if (!isRoot()) return null;
  const { uid, gid } = await stat(dir);
  if (uid === 0) {
    const advice = `Change its owner: chown -R postgres ${dir}`;
    throw new Error(`The database in ${dir} belongs to root, and PostgreSQL refuses to run as root. ${advice}`);
  }
  if (await canEnter({ uid, gid }, dir)) return { uid, gid };
  throw new Error(
    `The database in ${dir} belongs to ${nameOf(uid)}, which cannot access it because of the permissions of a parent folder. ` +
      "Allow access to it (chmod o+x), or move the data folder to a place that this user can access.",
  );
}

async function refuseForeignFolder(dataDir: string): Promise<void> {
  const me = process.getuid?.();
  const foreign = (owner: number, cause?: unknown) =>
    new Error(
      `The data folder ${dataDir} belongs to ${nameOf(owner)}, and this process runs as ${nameOf(me)}. ` +
        "Start the service as the user it was first started as, or choose another DATA_DIR.",
      { cause },
    );
  try {
    await access(dataDir, constants.W_OK | constants.X_OK);
  } catch (error) {
    const { uid } = await stat(dataDir);
    if (uid !== me) throw foreign(uid, error);
    throw new Error(`The data folder ${dataDir} is read-only: ${error}. Make it writable, or choose another DATA_DIR.`, { cause: error });
  }
  // For root, the cluster belongs to PostgreSQL's account, so only the password file shows which user created it.
  for (const name of isRoot() ? ["postgres.password"] : ["postgres.password", "postgres"]) {
    const found = await lookUpStat(join(dataDir, name));
    if (found !== null && found.uid !== me) throw foreign(found.uid);
  }
}

async function lookUpExisting(dataDir: string): Promise<string | null> {
  const named = (await lookUpText(join(dataDir, "postgres.path")))?.trim();
  if (named !== undefined) {
    if (await isCluster(named)) return named;
    throw new Error(
      `${join(dataDir, "postgres.path")} names the database folder ${named}, but there is no database. ` +
        "Restore that folder, or remove postgres.path to start with an empty database.",
    );
  }
  const places = isRoot() ? [insidePlace(dataDir), outsidePlace(dataDir)] : [insidePlace(dataDir)];
  for (const dir of places) if (await isCluster(dir)) return dir;
  return null;
}

const insidePlace = (dataDir: string): string => join(dataDir, "postgres");
const outsidePlace = (dataDir: string): string => join(CLUSTERS_OF_ROOT, createHash("sha256").update(dataDir).digest("hex").slice(0, 32));
const isCluster = async (dir: string): Promise<boolean> => (await lookUpStat(join(dir, "PG_VERSION"))) !== null;

async function chooseNewPlace(dataDir: string): Promise<{ dir: string; account: Account | null }> {
  const account = await chooseAccount();
  return { account, dir: (await canEnter(account, dataDir)) ? insidePlace(dataDir) : outsidePlace(dataDir) };
}

async function refuseOtherVersion(dir: string): Promise<void> {
  const major = (await readFile(join(dir, "PG_VERSION"), "utf8")).trim();
  if (major === POSTGRES_MAJOR) return;
  throw new Error(
    `The database in ${dir} was created by PostgreSQL ${major}; this version of Countersign includes PostgreSQL ${POSTGRES_MAJOR}. ` +
      "Use the version of Countersign that made it, or move the data with pg_dump and pg_restore of PostgreSQL.",
  );
}

export async function lookUpPassword(dataDir: string): Promise<string | null> {
  return (await lookUpText(join(dataDir, "postgres.password")))?.trim() ?? null;
}

/** The password is written to disk before its cluster is created, so a cluster without a password has lost it. */
export async function ensurePassword({ dataDir, dir, exists }: Place): Promise<string> {
  const password = await lookUpPassword(dataDir);
  if (password !== null) return password;
  if (exists) throw new Error(lostPassword(dataDir, dir));
  return createPassword(dataDir);
}

export const lostPassword = (dataDir: string, dir: string): string =>
  `${join(dataDir, "postgres.password")} is missing or is not the password of the database in ${dir}. ` +
  `Restore the right file. If the data in that database is no longer needed, remove ${dir} to start with an empty one.`;

const createPassword = (dataDir: string): Promise<string> => createSecret(join(dataDir, "postgres.password"), newSecret());

const newSecret = (): string => randomBytes(32).toString("hex");

/** If two processes create a secret at the same time, the slower one uses the other's, because a link can only be created once. */
async function createSecret(file: string, content: string): Promise<string> {
  await withDraft(file, async (draft) => {
    const handle = await open(join(draft, "secret"), "wx", 0o600);
    await handle.writeFile(content);
    await handle.sync(); // an empty password file after a power failure would lock us out of the database
    await handle.close();
    await maybeLink(join(draft, "secret"), file);
  });
  return readFile(file, "utf8");
}

export type LoginPasswords = Readonly<Record<Login, string>>;

const loginsFile = (dataDir: string): string => join(dataDir, "postgres.logins");

/** One line per login, `name:password`. A lost file is created again with new passwords, which the owner then sets. */
export async function ensureLoginPasswords(dataDir: string): Promise<LoginPasswords> {
  const file = loginsFile(dataDir);
  const lines = LOGINS.map((login) => `${login}:${newSecret()}\n`).join("");
  return parseLogins(file, (await lookUpText(file)) ?? (await createSecret(file, lines)));
}

export async function lookUpLoginPasswords(dataDir: string): Promise<LoginPasswords | null> {
  const text = await lookUpText(loginsFile(dataDir));
  return text === null ? null : parseLogins(loginsFile(dataDir), text);
}

function parseLogins(file: string, text: string): LoginPasswords {
  const found = Object.fromEntries(text.split("\n").map((line) => line.split(":") as [string, string]));
  const damaged = LOGINS.some((login) => !/^[0-9a-f]{64}$/.test(found[login] ?? ""));
  if (damaged) throw new Error(`${file} is damaged. Remove it. The next start creates new passwords for the service's logins.`);
  return found as LoginPasswords;
}

async function maybeLink(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
    await syncFolder(dirname(to));
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  }
}

/** Creates the cluster and its database in a draft folder and then renames it, so that a crash leaves nothing that disturbs a later start. */
export async function createCluster(cluster: Cluster, binaries: Binaries): Promise<void> {
  await refuseOccupied(cluster.dir);
  if (dirname(cluster.dir) === CLUSTERS_OF_ROOT) await ensureTrustedFolder(CLUSTERS_OF_ROOT, 0o711);
  await withDraft(cluster.dir, async (draft) => {
    const made = join(draft, "cluster");
    await writePasswordFile(draft, cluster);
    await runInitdb(binaries, draft, made, cluster.account);
    await createDatabase(binaries, made, cluster.account);
    await maybeRename(made, cluster.dir);
  });
}

/** The order matters: a cluster that another process creates in the meantime is complete as soon as the folder is not empty. */
async function refuseOccupied(dir: string): Promise<void> {
  const isEmpty = ((await ifExists(readdir(dir))) ?? []).length === 0;
  if (isEmpty || (await isCluster(dir))) return;
  throw new Error(`${dir} is not empty and holds no PostgreSQL database. Move its contents elsewhere, or choose another DATA_DIR.`);
}

/** initdb reads the password from a file that its account can read. The file is removed with the draft, which that account owns. */
async function writePasswordFile(draft: string, { password, account }: Cluster): Promise<void> {
  const file = join(draft, "password");
  await writeFile(file, password, { mode: 0o600, flag: "wx" });
  if (account === null) return;
  await chown(file, account.uid, account.gid);
  await chown(draft, account.uid, account.gid);
}

async function runInitdb(binaries: Binaries, draft: string, made: string, account: Account | null): Promise<void> {
  const { code, output } = await run(
    binaries.initdb,
    [
      `--pgdata=${made}`,
      `--username=${NAME}`,
      `--pwfile=${join(draft, "password")}`,
      "--auth=scram-sha-256",
      "--encoding=UTF8",
      // The built-in provider, so that an update of the C library cannot change the sort order, which would corrupt indexes.
      "--locale-provider=builtin",
      "--builtin-locale=C.UTF-8",
      "--locale=C",
      "--data-checksums",
    ],
    { as: account, cwd: draft },
  );
  if (code !== 0)
    throw new Error(`PostgreSQL could not create a database: ${output}. Remove the cause and try again, or set DATABASE_URL.`);
}

/** Runs before the cluster is moved to its folder, so every cluster that can be found has its database. */
async function createDatabase(binaries: Binaries, made: string, account: Account | null): Promise<void> {
  const args = ["--single", "-D", made, "-c", "exit_on_error=on", "-c", "log_checkpoints=off", "template1"];
  const { code, output } = await run(binaries.postgres, args, { as: account, cwd: made, input: `create database ${NAME};\n` });
  if (code !== 0) throw new Error(`PostgreSQL could not create its first database: ${output}. Remove the cause and try again.`);
}

/** Written after the cluster is in its folder, so a postgres.path to a missing folder always means lost data, not an interrupted start. */
export async function rememberPlace({ dataDir, dir }: Cluster): Promise<void> {
  const file = join(dataDir, "postgres.path");
  if (dir === insidePlace(dataDir) || (await lookUpText(file)) !== null) return;
  await withDraft(file, async (draft) => {
    await writeFile(join(draft, "path"), `${dir}\n`, { flush: true });
    await rename(join(draft, "path"), file);
  });
}

export async function removeLeftovers({ dataDir, dir }: Cluster): Promise<void> {
  for (const path of [dir, join(dataDir, "postgres.password"), loginsFile(dataDir), join(dataDir, "postgres.path")])
    await removeAbandonedDrafts(path);
}
