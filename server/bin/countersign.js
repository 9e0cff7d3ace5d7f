#!/usr/bin/env node
import { existsSync } from "node:fs";
import { bundleFolder } from "./bundle.js";

const compiled = new URL("../dist/cli.js", import.meta.url);
const program = bundled() ?? compiled;
if (!existsSync(program)) {
  process.stderr.write("Countersign is not built yet. Run: npm run build\n");
  process.exit(1);
}
const { runCli } = await import(program.href);
process.exitCode = await runCli(process.argv.slice(2), process.env);

/** null: of this code no bundle was made, say by `tsc --build` alone. Its files then run as they are, after a longer start. */
function bundled() {
  const folder = bundleFolder();
  if (folder === null || !existsSync(folder)) return null;
  // So that a failure names the line of the source.
  process.setSourceMapsEnabled(true);
  return new URL("cli.js", folder);
}
