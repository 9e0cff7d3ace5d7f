// The compiled service and its packages are some two thousand files: to find, read and link them is more than half of what a start costs.
// scripts/bundle.mjs puts them into a few.
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";

const root = new URL("../../", import.meta.url);

// What goes into a bundle shows in one of these: the compiler's records have a hash of every source, the lock file one of every package.
const MADE_OF = [
  "package-lock.json",
  "scripts/bundle.mjs",
  "server/bin/bundle.js",
  "server/dist/.tsbuildinfo",
  "csv/dist/.tsbuildinfo",
  "evidence/dist/.tsbuildinfo",
  "fields/dist/.tsbuildinfo",
  "pdf/dist/.tsbuildinfo",
  "verify/dist/.tsbuildinfo",
  "pdf/inflate/index.js",
  "pdf/inflate/package.json",
];

export const BUNDLES = new URL("server/dist/bundle/", root);

/** In a release, which has one bundle and none of the sources: the file with its name. */
export const NAME_IN_RELEASE = "server/bin/bundle-name";

/** Where the bundle of this very code lies once it is made: that of any other code has another name. null: nothing is compiled. */
export function bundleFolder() {
  const named = new URL(NAME_IN_RELEASE, root);
  if (existsSync(named)) return new URL(`${readFileSync(named, "utf8").trim()}/`, BUNDLES);
  const files = MADE_OF.map((path) => new URL(path, root));
  if (!files.every((file) => existsSync(file))) return null;
  const digest = createHash("sha256");
  for (const file of files) digest.update(createHash("sha256").update(readFileSync(file)).digest());
  return new URL(`${digest.digest("hex").slice(0, 32)}/`, BUNDLES);
}
