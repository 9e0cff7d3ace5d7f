// Writes client/src/generated/ from openapi.json and openapi-pages.json.
//   node client/generate.mjs [--check] [--from FOLDER] [--to FOLDER]
//   --check   writes nothing; fails if a file is out of date
//   --from    folder of the two documents; default: the root of the repository
//   --to      output folder; default: client/src/generated
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { filesOf } from "./generator/files.mjs";

const here = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url));
const { values } = parseArgs({ options: { check: { type: "boolean", default: false }, from: { type: "string" }, to: { type: "string" } } });
const [from, to] = [values.from ?? here(".."), values.to ?? here("src/generated")];
const read = (/** @type {string} */ name) => JSON.parse(readFileSync(join(from, name), "utf8"));

const files = filesOf(read("openapi.json"), read("openapi-pages.json"));
mkdirSync(to, { recursive: true });
const present = readdirSync(to);
const stale = present.filter((name) => files[name] === undefined);
const changed = Object.keys(files).filter((name) => !present.includes(name) || readFileSync(join(to, name), "utf8") !== files[name]);

if (!values.check) {
  for (const name of changed) writeFileSync(join(to, name), files[name] ?? "");
  for (const name of stale) rmSync(join(to, name));
} else if (changed.length + stale.length > 0) {
  process.stderr.write(`Not up to date: ${[...changed, ...stale].join(", ")}. Run npm run generate.\n`);
  process.exitCode = 1;
}
