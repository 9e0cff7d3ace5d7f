// node scripts/sign-release.mjs --key FILE [--from FOLDER]: signs the files that scripts/build-release.mjs wrote, with an ed25519 key in PEM
// format that is kept outside the repository (openssl genpkey -algorithm ed25519 -out release.key).
//   SHA256SUMS.sig           the signature of SHA256SUMS
//   provenance.intoto.jsonl  the statement of provenance, signed
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { signRelease } from "./provenance.mjs";

const { values } = parseArgs({ options: { key: { type: "string" }, from: { type: "string" } } });
try {
  if (values.key === undefined) throw new Error("name the file of the key: node scripts/sign-release.mjs --key release.key");
  const folder = values.from ?? fileURLToPath(new URL("../dist/release", import.meta.url));
  console.log(`Signed with the key ${signRelease(folder, readFileSync(values.key, "utf8"))}.`);
} catch (error) {
  console.error(`Not signed: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}
