// Everything `npm test` promises, cheapest first: types, lint and format, then the tests on a real PostgreSQL.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const only = process.argv.slice(2);

const steps = [
  ["types", "node_modules/typescript/bin/tsc", ["--project", "tsconfig.tests.json"]],
  ["lint", "node_modules/@biomejs/biome/bin/biome", ["check", "--error-on-warnings", "."]],
  ["tests", "node_modules/vitest/vitest.mjs", ["run", ...only]],
];

for (const [name, program, args] of steps) {
  if (only.length > 0 && name !== "tests") continue;
  const began = performance.now();
  const { status } = spawnSync(process.execPath, [root + program, ...args], { cwd: root, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
  console.log(`${name}: ok (${((performance.now() - began) / 1000).toFixed(1)} s)`);
}
