// Makes cli/dist/countersign-dev.mjs, the command for integrators as one file without dependencies, which each instance serves.
import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const dist = fileURLToPath(new URL("../cli/dist/", import.meta.url));
const target = `${dist}countersign-dev.mjs`;

// Vite's bundler, which is installed with it.
const { rolldown } = await import("rolldown");
const build = await rolldown({ input: `${dist}main.js`, platform: "node" });
const { output } = await build.generate({ format: "esm", keepNames: true, codeSplitting: false });
await build.close();
const [chunk, ...more] = output;
if (chunk.type !== "chunk" || more.length > 0) throw new Error("the command did not become one file");
const missing = chunk.imports.filter((name) => !name.startsWith("node:"));
if (missing.length > 0) throw new Error(`the command still imports ${missing.join(", ")}`);

const code = `#!/usr/bin/env node\n${chunk.code}`;
if (!existsSync(target) || readFileSync(target, "utf8") !== code) {
  // Written under a temporary name until it is complete, because the service may be reading it.
  writeFileSync(`${target}.${process.pid}`, code);
  chmodSync(`${target}.${process.pid}`, 0o755);
  renameSync(`${target}.${process.pid}`, target);
}
