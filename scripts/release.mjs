// node scripts/release.mjs 0.2.0: updates the version everywhere and adds a section to the changelog. docs/releasing.md describes the steps
// before and after. It changes files in the working directory, and neither commits nor tags.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { shapeOfDocument } from "./compare-openapi.mjs";

const NOTHING = "**Do this**: nothing.";
const HEADINGS = ["Do this", "New", "Fixed", "For integrators"];

const [version = ""] = process.argv.slice(2);
const root = readJson("package.json");
const old = String(root.version);
const changelog = readFileSync("CHANGELOG.md", "utf8");
const fault = faultOfRelease();
if (fault !== null) {
  console.error(fault);
  process.exit(1);
}

// pdf/inflate replaces another package and has that package's version.
const folders = /** @type {string[]} */ (root.workspaces).filter((folder) => folder !== "pdf/inflate");
for (const path of ["package.json", ...folders.map((folder) => `${folder}/package.json`)])
  changeJson(path, (manifest) => setVersion(manifest, path));
changeJson("package-lock.json", (lock) => {
  setVersion(lock, "package-lock.json");
  for (const folder of ["", ...folders]) setVersion(lock.packages[folder], `package-lock.json: ${folder}`);
});
replaceOnce("client/src/version.ts", `"${old}"`, `"${version}"`);
replaceOnce("docs/webhooks.md", `Countersign-Webhooks/${old}`, `Countersign-Webhooks/${version}`);
replaceOnce("deploy/helm/Chart.yaml", `\nversion: ${old}\n`, `\nversion: ${version}\n`);
replaceOnce("deploy/helm/Chart.yaml", `\nappVersion: "${old}"\n`, `\nappVersion: "${version}"\n`);
writeFileSync("CHANGELOG.md", cutChangelog());
keepDocument();
console.log(`${old} → ${version}. Next: npm run build && npm run openapi, then npm test (docs/releasing.md).`);

/** Why this version cannot be released; null if it can. */
function faultOfRelease() {
  if (!/^\d+\.\d+\.\d+$/.test(version)) return "Name the new version: node scripts/release.mjs 0.2.0";
  if (!isNewer()) return `${version} is not newer than ${old}.`;
  const unreleased = sectionOf("Unreleased");
  if (unreleased === null) return 'CHANGELOG.md has no section "## Unreleased".';
  if (["", NOTHING].includes(unreleased.trim())) return "Nothing is under Unreleased in CHANGELOG.md.";
  if (!/^\*\*Do this\*\*/.test(unreleased.trim())) return 'Unreleased must begin with **Do this**: what the upgrade asks, or "nothing".';
  const headings = [...unreleased.matchAll(/^\*\*([^*]+)\*\*/gm)].map(([, heading = ""]) => heading);
  const odd = headings.find((heading) => !HEADINGS.includes(heading));
  if (odd !== undefined) return `CHANGELOG.md: ${odd} is none of ${HEADINGS.join(", ")}.`;
  return null;
}

function isNewer() {
  const [a, b] = [version, old].map((text) => text.split(".").map(Number));
  for (const n of [0, 1, 2]) if (a?.[n] !== b?.[n]) return (a?.[n] ?? 0) > (b?.[n] ?? 0);
  return false;
}

/** The text below a heading of the changelog. @param {string} name @returns {string | null} */
function sectionOf(name) {
  const at = changelog.split(/^## /m).find((section) => section.split("\n")[0]?.trim() === name);
  return at === undefined ? null : at.slice(at.indexOf("\n"));
}

/** Moves the unreleased changes to a section with number and date, below a new empty section. */
function cutChangelog() {
  const day = new Date().toISOString().slice(0, 10);
  return changelog.replace(/^## Unreleased$/m, `## Unreleased\n${NOTHING}\n\n## ${version} (${day})`);
}

/** Keeps the API of this release, with which later ones are compared (docs/versions.md). What was accepted since the last release is now part of it. */
function keepDocument() {
  const { info, ...document } = shapeOfDocument(readJson("openapi.json"));
  for (const name of readdirSync("compat").filter((one) => one.startsWith("openapi-"))) rmSync(`compat/${name}`);
  writeFileSync(`compat/openapi-${version}.json`, `${JSON.stringify({ ...document, info: { ...info, version } })}\n`);
  writeFileSync("compat/accepted.json", "[]\n");
}

/** Updates its own version and the versions of our packages that it depends on. @param {any} manifest @param {string} where */
function setVersion(manifest, where) {
  if (manifest.version !== old) throw new Error(`${where} has the version ${manifest.version}, not ${old}`);
  manifest.version = version;
  for (const needs of [manifest.dependencies ?? {}, manifest.devDependencies ?? {}])
    for (const name of Object.keys(needs)) if (name.startsWith("@countersign/") && needs[name] === old) needs[name] = version;
}

/** @param {string} path @returns {any} */
function readJson(path) {
  return JSON.parse(readFileSync(path, "utf8"));
}

/** @param {string} path @param {(value: any) => void} change */
function changeJson(path, change) {
  const value = readJson(path);
  change(value);
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
}

/** @param {string} path @param {string} from @param {string} to */
function replaceOnce(path, from, to) {
  const text = readFileSync(path, "utf8");
  if (text.split(from).length !== 2) throw new Error(`${path} does not have ${from} once`);
  writeFileSync(path, text.replace(from, to));
}
