#!/usr/bin/env node
import { existsSync } from "node:fs";

const built = new URL("../dist/main.js", import.meta.url);
if (!existsSync(built)) {
  process.stderr.write("countersign-mcp is not built yet. Run: npm run build\n");
  process.exit(2);
}
await import(built.href);
