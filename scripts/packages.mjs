// The packages of others that the service runs with, and those in the files that it hands out, by the lock file.
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/**
 * @typedef {{
 *   version: string, license?: string, integrity?: string, link?: boolean, resolved?: string, os?: string[], cpu?: string[],
 *   dependencies?: Record<string, string>, optionalDependencies?: Record<string, string>,
 *   peerDependencies?: Record<string, string>, peerDependenciesMeta?: Record<string, { optional?: boolean }>,
 * }} Locked
 * @typedef {{
 *   path: string, name: string, version: string, license: string, integrity: string, isForOnePlatform: boolean, inside?: string,
 * }} Package inside: the package that has a copy of this one in its own files
 */

/** @type {Record<string, Locked>} */
const lock = JSON.parse(readFileSync(`${root}package-lock.json`, "utf8")).packages;

/** Every package that the service runs with. @returns {Package[]} */
export function packagesOfService() {
  return packagesOf("server");
}

/** Where a build writes down which packages are in the file that it made. */
export const INSIDE = { mcp: "mcp/dist/packages-inside.json", verify: "verify/dist/packages-inside.json" };

/**
 * Every package that is in a release: what the service runs with, and what is in the files that it hands out, which install nothing. Those are
 * the pages, the verifier as a command and as a page, the server for AI agents, and the search of the documentation.
 * @returns {Package[]}
 */
export function packagesOfRelease() {
  const inFiles = Object.values(INSIDE).flatMap((file) => {
    if (!existsSync(root + file)) throw new Error(`${file} is not there. Run: npm run build`);
    return /** @type {Package[]} */ (JSON.parse(readFileSync(root + file, "utf8")));
  });
  const all = [...packagesOfService(), ...packagesOf("web"), ...inFiles, ...packagesAround(["node_modules/minisearch/package.json"])];
  // The first of several copies of one version has its hash.
  const unique = new Map(all.toReversed().map((one) => [`${one.name}@${one.version}`, one]));
  return all.filter((one) => unique.get(`${one.name}@${one.version}`) === one);
}

/** The packages to which files belong, without ours. @param {readonly string[]} files by their paths from the root @returns {Package[]} */
export function packagesAround(files) {
  const folders = files.map((file) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? "");
  return [...new Set(folders)]
    .filter((path) => path !== "" && !lockedAt(path).link)
    .sort()
    .map(packageAt);
}

/** Every package of others that a workspace needs, of each platform, in the order of their folders. @param {string} workspace @returns {Package[]} */
export function packagesOf(workspace) {
  const found = new Set();
  follow(workspace, found);
  return [...found]
    .filter((path) => path.includes("node_modules/") && !lockedAt(path).link)
    .sort()
    .map(packageAt);
}

/** @param {string} path @returns {Package} */
function packageAt(path) {
  const { version, license = "unknown", integrity = "", os, cpu } = lockedAt(path);
  const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
  return { path, name, version, license, integrity, isForOnePlatform: os !== undefined || cpu !== undefined };
}

/** @param {string} path @param {Set<string>} found */
function follow(path, found) {
  if (found.has(path)) return;
  found.add(path);
  const locked = lockedAt(path);
  if (locked.link) return follow(locked.resolved ?? "", found);
  const peers = Object.keys(locked.peerDependencies ?? {}).filter((name) => !locked.peerDependenciesMeta?.[name]?.optional);
  for (const name of [...Object.keys(locked.dependencies ?? {}), ...peers, ...Object.keys(locked.optionalDependencies ?? {})]) {
    const installed = folderOf(path, name);
    if (installed !== null) follow(installed, found);
    else if (!(name in (locked.optionalDependencies ?? {}))) throw new Error(`${path} needs ${name}, which is not in the lock file`);
  }
}

/** Where Node finds a package: in the nearest `node_modules` above. @param {string} from @param {string} name */
function folderOf(from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/")))) {
    const path = `${folder === "" ? "" : `${folder}/`}node_modules/${name}`;
    if (path in lock) return path;
    if (folder === "") return null;
  }
}

/** @param {string} path */
function lockedAt(path) {
  const locked = lock[path];
  if (locked === undefined) throw new Error(`The lock file has no ${path}`);
  return locked;
}
