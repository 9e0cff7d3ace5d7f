#!/usr/bin/env node
import { existsSync } from "node:fs";

const built = new URL("../dist/cli.js", import.meta.url);
if (!existsSync(built)) {
  process.stderr.write("countersign-verify is not built yet. Run: npm run build\n");
  process.exit(2);
}
const { runCli } = await import(built.href);
process.exitCode = await runCli(process.argv.slice(2), (text) => process.stdout.write(text));
