// node scripts/pack-release.mjs, after `npm run build`: the files of a release, in dist/release. docs/releasing.md says what each is for.
// Uses only Node's own modules, and creates the same bytes for the same files.
//   --tree FOLDER  the files of the archive for this platform, in a folder, and no archive
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { bundleFolder, NAME_IN_RELEASE } from "../server/bin/bundle.js";
import { packagesOfRelease, packagesOfService } from "./packages.mjs";
import { billOfMaterials, licenceTexts } from "./release-lists.mjs";
import { tarOf } from "./tar.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const target = `${root}dist/release/`;
/** A replacement of a public package by one of ours, which its users must find under the public name. */
const OWN_PACKAGES = { pako: "pdf/inflate" };
// Source maps and types of packages are for development. What @types packages hold is nothing else, but others name them as needed.
const LEFT_OUT = /\.(map|d\.[cm]?ts|markdown|flow)$|(^|\/)(test|tests|__tests__|example|examples|bench|benchmark|\.github)\//;

const { version, license, engines, description } = readJson("server/package.json");
const packages = packagesOfService();
const named = packagesOfRelease();
const everywhere = packages.filter(({ isForOnePlatform }) => !isForOnePlatform);
const platforms = packages.filter(({ isForOnePlatform }) => isForOnePlatform);
const bundle = builtBundle();

const lists = [
  { name: "THIRD-PARTY-LICENSES.txt", bytes: Buffer.from(licenceTexts(root, named)) },
  { name: "sbom.cdx.json", bytes: Buffer.from(billOfMaterials({ version, license, description }, named)) },
];
const manifest = { name: "package.json", bytes: Buffer.from(`${JSON.stringify(manifestOfRelease(), null, 2)}\n`) };
const tree = [...ownFiles(), ...lists, manifest, ...everywhere.flatMap(({ path }) => filesOf(path)), ...ownPackages()];
// npm installs those of this machine only.
const installed = platforms.filter(({ path }) => existsSync(root + path)).flatMap(({ path }) => filesOf(path));

const { values } = parseArgs({ options: { tree: { type: "string" } } });
if (values.tree === undefined) packAll();
else for (const file of [...tree, ...installed]) writeInto(values.tree, file);

function packAll() {
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  pack(`countersign-${version}.tgz`, "package", tree);
  pack(`countersign-${version}-${process.platform}-${process.arch}.tar.gz`, `countersign-${version}`, [...tree, ...installed]);
  for (const { name, bytes } of lists) writeFileSync(target + name, bytes);
  writeSums();
}

/** What `npm install` of the archive needs to know. Everything but the packages of one platform is inside. */
function manifestOfRelease() {
  const own = Object.entries(OWN_PACKAGES).map(([name, folder]) => [name, readJson(`${folder}/package.json`).version]);
  const top = everywhere.filter(({ path, name }) => path === `node_modules/${name}`).map(({ name, version: one }) => [name, one]);
  const dependencies = Object.fromEntries([...top, ...own].sort(([a], [b]) => (a < b ? -1 : 1)));
  return {
    name: "countersign",
    version,
    description,
    license,
    type: "module",
    engines,
    bin: { countersign: "server/bin/countersign.js" },
    dependencies,
    bundleDependencies: Object.keys(dependencies),
    optionalDependencies: Object.fromEntries(platforms.map(({ name, version: one }) => [name, one])),
  };
}

/** The service as built, with what it reads from its folder. */
function ownFiles() {
  return [
    ...["LICENSE", "CHANGELOG.md", "server/package.json", "verify/package.json", ".env.example"].map(fileOf),
    ...[
      "server/bin/bundle.js",
      "client/dist/countersign-client.tgz",
      "clients/python/countersign.py",
      "cli/dist/countersign-dev.mjs",
      "mcp/dist/countersign-mcp.mjs",
      "verify/dist/package/countersign-verify.js",
    ].map(fileOf),
    { ...fileOf("server/bin/countersign.js"), isProgram: true },
    { name: NAME_IN_RELEASE, bytes: Buffer.from(`${basename(bundle)}\n`) },
    ...["server/migrations", "server/texts", "server/data", "pdf/fonts", "pdf/cmaps", "web/dist", "site/dist", "docs", "deploy"]
      .filter(exists)
      .flatMap(filesIn)
      .filter(({ name }) => !name.includes(".test.")),
    ...filesIn(bundle.slice(root.length).replace(/\/$/, "")),
  ];
}

function ownPackages() {
  return Object.entries(OWN_PACKAGES).flatMap(([name, folder]) =>
    filesIn(folder).map(({ name: path, bytes }) => ({ name: path.replace(folder, `node_modules/${name}`), bytes })),
  );
}

function builtBundle() {
  const place = bundleFolder();
  const folder = place === null ? null : fileURLToPath(place);
  if (folder === null || !existsSync(folder) || !existsSync(`${root}web/dist`) || !existsSync(`${root}site/dist`)) {
    console.error("Nothing is built. Run: npm run build");
    process.exit(1);
  }
  return folder;
}

/** @param {string} name @param {string} folder @param {readonly import("./tar.mjs").Entry[]} files */
function pack(name, folder, files) {
  const sorted = [...files].sort((a, b) => (a.name < b.name ? -1 : 1)).map((file) => ({ ...file, name: `${folder}/${file.name}` }));
  const packed = gzipSync(tarOf(sorted), { level: 9 });
  // The byte for the operating system, which zlib sets.
  packed[9] = 255;
  writeFileSync(target + name, packed);
  console.log(`${name}  ${(packed.length / 1e6).toFixed(1)} MB, ${files.length} files`);
}

/** Of a package: what runs, and its licence. @param {string} path */
function filesOf(path) {
  const inside = (/** @type {string} */ name) => name.slice(path.length + 1);
  return filesIn(path).filter(({ name }) => !inside(name).startsWith("node_modules/") && !LEFT_OUT.test(inside(name)));
}

/** @param {string} folder */
function filesIn(folder) {
  return readdirSync(root + folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => fileOf(`${entry.parentPath.slice(root.length)}/${entry.name}`));
}

/** @param {string} name */
function fileOf(name) {
  return { name, bytes: readFileSync(root + name), isProgram: (statSync(root + name).mode & 0o100) !== 0 };
}

/** @param {string} name */
function exists(name) {
  return existsSync(root + name);
}

/** @param {string} name */
function readJson(name) {
  return JSON.parse(readFileSync(root + name, "utf8"));
}

/** @param {string} folder @param {import("./tar.mjs").Entry} file */
function writeInto(folder, { name, bytes, isProgram = false }) {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes, { mode: isProgram ? 0o755 : 0o644 });
}

/** For `sha256sum -c`. */
function writeSums() {
  const lines = readdirSync(target).sort();
  const sums = lines.map(
    (name) =>
      `${createHash("sha256")
        .update(readFileSync(target + name))
        .digest("hex")}  ${name}\n`,
  );
  writeFileSync(`${target}SHA256SUMS`, sums.join(""));
}
