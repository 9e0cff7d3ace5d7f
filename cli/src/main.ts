import { runHere } from "./cli.ts";

process.exitCode = await runHere();
