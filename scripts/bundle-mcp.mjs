// Makes mcp/dist/countersign-mcp.mjs, the server for AI agents as one file, which each instance serves. The licences of the packages in it
// are at its end.
import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { INSIDE, packagesAround } from "./packages.mjs";
import { licenceTexts } from "./release-lists.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = `${root}mcp/dist/`;
const target = `${dist}countersign-mcp.mjs`;

// Vite's bundler, which is installed with it.
const { rolldown } = await import("rolldown");
const build = await rolldown({ input: `${dist}main.js`, platform: "node" });
const { output } = await build.generate({ format: "esm", keepNames: true, codeSplitting: false, comments: { legal: false } });
await build.close();
const [chunk, ...more] = output;
if (chunk.type !== "chunk" || more.length > 0) throw new Error("the server did not become one file");
const missing = chunk.imports.filter((name) => !name.startsWith("node:"));
if (missing.length > 0) throw new Error(`the server still imports ${missing.join(", ")}`);

// Without those that the bundler makes.
const modules = chunk.moduleIds.filter((id) => !id.startsWith("\0")).map((id) => relative(root, id));
const packages = [...packagesAround(modules), ...copiesInside()];
writeFileSync(root + INSIDE.mcp, `${JSON.stringify(packages, null, 1)}\n`);
const code = `#!/usr/bin/env node\n${chunk.code.trimEnd()}\n\n/*\n${notices().replaceAll("*/", "* /")}*/\n`;
if (!existsSync(target) || readFileSync(target, "utf8") !== code) {
  // Written under a temporary name until it is complete, because the service may be reading it.
  writeFileSync(`${target}.${process.pid}`, code);
  chmodSync(`${target}.${process.pid}`, 0o755);
  renameSync(`${target}.${process.pid}`, target);
}

function notices() {
  const texts = licenceTexts(root, packages);
  if (texts.includes("has no file with the text of its licence")) throw new Error("a package in the server has no text of its licence");
  return texts.replace(
    "Countersign contains, or installs for one platform, these packages of others.",
    "This file contains these packages of others.",
  );
}

/**
 * The package of a protocol has copies of others inside, at places that its build has written down. We have these packages too, for other
 * reasons, and so the texts of their licences.
 * @returns {import("./packages.mjs").Package[]}
 */
function copiesInside() {
  const places = modules.flatMap((name) => {
    const [{ name: inside = "" } = {}] = packagesAround([name]);
    const regions = readFileSync(root + name, "utf8").matchAll(
      /^\/\/#region \S*\/\.pnpm\/((?:@[^/+]+\+)?[^@/]+)@([^/(_]+)\S*\/node_modules\/\S+$/gm,
    );
    return [...regions].map(([, folder = "", version = ""]) => ({ name: folder.replace("+", "/"), version, inside }));
  });
  const found = new Map(places.map((one) => [`${one.name}@${one.version}`, one]));
  return [...found.values()]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, version, inside }) => {
      const path = `node_modules/${name}`;
      const { license = "unknown" } = JSON.parse(readFileSync(`${root}${path}/package.json`, "utf8"));
      return { path, name, version, license, integrity: "", isForOnePlatform: false, inside };
    });
}
