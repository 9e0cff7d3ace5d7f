// Packs the compiled client into client/dist/countersign-client.tgz, which the service offers for download, with the contents of `npm
// pack`. Uses only Node's own modules, and creates the same bytes for the same files.
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { tarOf } from "./tar.mjs";

const client = fileURLToPath(new URL("../client/", import.meta.url));
const target = `${client}dist/countersign-client.tgz`;

/** @param {string} folder */
const filesIn = (folder) => readdirSync(client + folder, { recursive: true, encoding: "utf8" });

const modules = filesIn("src")
  .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
  .flatMap((name) => [".d.ts", ".js"].map((end) => `dist/${name.replaceAll("\\", "/").replace(/\.ts$/, end)}`));
const names = ["LICENSE", "README.md", "package.json", ...modules].sort();
// npm would also pack files that were compiled from deleted sources.
for (const name of filesIn("dist").filter((each) => /\.(js|d\.ts)$/.test(each) && !modules.includes(`dist/${each.replaceAll("\\", "/")}`)))
  rmSync(`${client}dist/${name}`);

const archive = tarOf(names.map((name) => ({ name: `package/${name}`, bytes: readFileSync(client + name) })));
const packed = gzipSync(archive, { level: 9 });
// The byte for the operating system, which zlib sets.
packed[9] = 255;

if (!existsSync(target) || !readFileSync(target).equals(packed)) {
  // Written under a temporary name until it is complete, because the service may be reading it.
  writeFileSync(`${target}.${process.pid}`, packed);
  renameSync(`${target}.${process.pid}`, target);
}
