// The packages of others that the service runs with, by the lock file.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/**
 * @typedef {{
 *   version: string, license?: string, integrity?: string, link?: boolean, resolved?: string, os?: string[], cpu?: string[],
 *   dependencies?: Record<string, string>, optionalDependencies?: Record<string, string>,
 *   peerDependencies?: Record<string, string>, peerDependenciesMeta?: Record<string, { optional?: boolean }>,
 * }} Locked
 * @typedef {{ path: string, name: string, version: string, license: string, integrity: string, isForOnePlatform: boolean }} Package
 */

/** @type {Record<string, Locked>} */
const lock = JSON.parse(readFileSync(`${root}package-lock.json`, "utf8")).packages;

/** Every package that the service runs with. @returns {Package[]} */
export function packagesOfService() {
  return packagesOf("server");
}

/** Every package of others that a workspace needs, of each platform, in the order of their folders. @param {string} workspace @returns {Package[]} */
export function packagesOf(workspace) {
  const found = new Set();
  follow(workspace, found);
  return [...found]
    .filter((path) => path.includes("node_modules/") && !lockedAt(path).link)
    .sort()
    .map((path) => {
      const { version, license = "unknown", integrity = "", os, cpu } = lockedAt(path);
      const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
      return { path, name, version, license, integrity, isForOnePlatform: os !== undefined || cpu !== undefined };
    });
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
