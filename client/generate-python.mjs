// Writes clients/python/countersign.py from openapi.json and clients/python/runtime.py.
//   node client/generate-python.mjs [--check]
//   --check   writes nothing; fails if the file is out of date
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { pythonFileOf } from "./generator/python.mjs";

const read = (/** @type {string} */ path) => readFileSync(fileURLToPath(new URL(path, import.meta.url)), "utf8");
const { values } = parseArgs({ options: { check: { type: "boolean", default: false } } });
const target = fileURLToPath(new URL("../clients/python/countersign.py", import.meta.url));

const written = pythonFileOf(JSON.parse(read("../openapi.json")), read("../clients/python/runtime.py"));
if (!values.check) writeFileSync(target, written);
else if (readFileSync(target, "utf8") !== written) {
  process.stderr.write("Not up to date: clients/python/countersign.py. Run npm run generate.\n");
  process.exitCode = 1;
}
