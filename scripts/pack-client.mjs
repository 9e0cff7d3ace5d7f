// Packs the compiled client into client/dist/countersign-client.tgz, which the service offers for download, with the contents of `npm
// pack`. Uses only Node's own modules, and creates the same bytes for the same files.
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const BLOCK = 512;
// The same as npm's. Some archive formats cannot store a time before 1980.
const MTIME_SECONDS = 499_162_500;

const client = fileURLToPath(new URL("../client/", import.meta.url));
const target = `${client}dist/countersign-client.tgz`;

/** @param {string} folder */
const filesIn = (folder) => readdirSync(client + folder, { recursive: true, encoding: "utf8" });

const modules = filesIn("src")
  .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
  .flatMap((name) => [".d.ts", ".js"].map((end) => `dist/${name.replaceAll("\\", "/").replace(/\.ts$/, end)}`));
const names = ["LICENSE", "README.md", "package.json", ...modules].sort();
// npm would also pack files that were compiled from deleted sources.
for (const name of filesIn("dist").filter((each) => /\.(js|d\.ts)$/.test(each) && !modules.includes(`dist/${each.replaceAll("\\", "/")}`)))
  rmSync(`${client}dist/${name}`);

const archive = Buffer.concat([
  ...names.flatMap((name) => entryOf(`package/${name}`, readFileSync(client + name))),
  Buffer.alloc(2 * BLOCK),
]);
const packed = gzipSync(archive, { level: 9 });
// The byte for the operating system, which zlib sets.
packed[9] = 255;

if (!existsSync(target) || !readFileSync(target).equals(packed)) {
  // Written under a temporary name until it is complete, because the service may be reading it.
  writeFileSync(`${target}.${process.pid}`, packed);
  renameSync(`${target}.${process.pid}`, target);
}

/** One file of a tar archive: POSIX.1-1988, ustar. @param {string} name @param {Buffer} bytes */
function entryOf(name, bytes) {
  const head = Buffer.alloc(BLOCK);
  if (Buffer.byteLength(name) > 100) throw new Error(`${name} is too long for the archive`);
  head.write(name, 0);
  writeOctal(head, 100, 8, 0o644);
  writeOctal(head, 108, 8, 0);
  writeOctal(head, 116, 8, 0);
  writeOctal(head, 124, 12, bytes.length);
  writeOctal(head, 136, 12, MTIME_SECONDS);
  head.write("        0", 148);
  head.write("ustar\u000000", 257);
  const sum = head.reduce((total, byte) => total + byte, 0);
  writeOctal(head, 148, 7, sum);
  return [head, bytes, Buffer.alloc((BLOCK - (bytes.length % BLOCK)) % BLOCK)];
}

/** @param {Buffer} head @param {number} at @param {number} length @param {number} value */
function writeOctal(head, at, length, value) {
  head.write(`${value.toString(8).padStart(length - 1, "0")}\0`, at);
}
