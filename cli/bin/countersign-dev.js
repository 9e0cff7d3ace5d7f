#!/usr/bin/env node
import { existsSync } from "node:fs";

const built = new URL("../dist/cli.js", import.meta.url);
if (!existsSync(built)) {
  process.stderr.write("countersign-dev is not built yet. Run: npm run build\n");
  process.exit(2);
}
const { runHere } = await import(built.href);
process.exitCode = await runHere();
