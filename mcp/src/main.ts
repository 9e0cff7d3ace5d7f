import { runHere } from "./run.ts";

process.exitCode = await runHere();
