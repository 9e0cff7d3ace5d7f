// What the verifier uses of `node:fs`, for a browser. The build of the page replaces that module by this file.

function noFile(): never {
  throw Object.assign(new Error("a page has no files"), { code: "ENOENT" });
}

/** A page has no files. Tables of Asian character sets are then missing, as in the command that is one file. */
export const readFileSync = noFile;

/** Notes and tiles of a log, which only the command reads. */
export const readdirSync = noFile;
