// node scripts/verify-release.mjs --key release.pub [FOLDER]: verifies the files of a release in a folder (dist/release): the signatures of
// SHA256SUMS and of the statement of provenance, that both are about the same files, and the hash of each file that is there.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { verifyRelease } from "./provenance.mjs";

const { values, positionals } = parseArgs({ options: { key: { type: "string" } }, allowPositionals: true });
try {
  if (values.key === undefined) throw new Error("name the file of the public key: node scripts/verify-release.mjs --key release.pub");
  const folder = positionals[0] ?? fileURLToPath(new URL("../dist/release", import.meta.url));
  const { names, commit } = verifyRelease(folder, readFileSync(values.key, "utf8"));
  for (const name of names) console.log(`ok: ${name}`);
  console.log(`Built from commit ${commit}.`);
} catch (error) {
  console.error(`Not verified: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}
