import { readFileSync } from "node:fs";

/** The build of the one-file program replaces this file by the version itself. */
export const version: string = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version;
