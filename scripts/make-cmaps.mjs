// node scripts/make-cmaps.mjs [folder]: writes pdf/cmaps/ from Adobe's CMap resources (BSD-3-Clause) as Debian's package poppler-data
// installs them. Only cMap/ of that package is read: its cidToUnicode/ has another licence. Run it again only when Adobe publishes new data.

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";
import { parseCMap } from "../pdf/dist/content/cmap.js";

const source = process.argv[2] ?? "/usr/share/poppler/cMap";
const target = fileURLToPath(new URL("../pdf/cmaps/", import.meta.url));

const collections = ["Japan1", "GB1", "CNS1", "Korea1", "KR"];

// The predefined CMaps of ISO 32000-2, table 116, and a few older ones that viewers know too. Those with Unicode codes need no table: the
// CID is found through the text of the collection.
const cmaps = {
  Japan1: [
    ...["83pv-RKSJ-H", "90ms-RKSJ-H", "90ms-RKSJ-V", "90msp-RKSJ-H", "90msp-RKSJ-V", "90pv-RKSJ-H", "90pv-RKSJ-V"],
    ...["Add-H", "Add-V", "Add-RKSJ-H", "Add-RKSJ-V", "EUC-H", "EUC-V", "Ext-H", "Ext-V", "Ext-RKSJ-H", "Ext-RKSJ-V", "H", "V"],
    ...["78-H", "78-V", "78-EUC-H", "78-EUC-V", "78-RKSJ-H", "78-RKSJ-V", "RKSJ-H", "RKSJ-V"],
  ],
  GB1: [
    ...["GB-EUC-H", "GB-EUC-V", "GB-H", "GB-V", "GBpc-EUC-H", "GBpc-EUC-V", "GBK-EUC-H", "GBK-EUC-V", "GBKp-EUC-H", "GBKp-EUC-V"],
    ...["GBK2K-H", "GBK2K-V", "GBT-EUC-H", "GBT-EUC-V"],
  ],
  CNS1: ["B5pc-H", "B5pc-V", "HKscs-B5-H", "HKscs-B5-V", "ETen-B5-H", "ETen-B5-V", "ETenms-B5-H", "ETenms-B5-V", "CNS-EUC-H", "CNS-EUC-V"],
  Korea1: [
    ...["KSC-EUC-H", "KSC-EUC-V", "KSC-H", "KSC-V", "KSCms-UHC-H", "KSCms-UHC-V", "KSCms-UHC-HW-H", "KSCms-UHC-HW-V"],
    ...["KSCpc-EUC-H", "KSCpc-EUC-V", "KSC-Johab-H", "KSC-Johab-V"],
  ],
};

rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
for (const name of collections) write(`Adobe-${name}.text.br`, textsOf(name));
for (const [collection, names] of Object.entries(cmaps)) {
  for (const name of names)
    write(`${name}.cmap.br`, essentialsOf(collection, readFileSync(`${source}/Adobe-${collection}/${name}`, "latin1")));
}
writeFileSync(`${target}LICENSE`, licenceOf(readFileSync(`${source}/Adobe-Japan1/Adobe-Japan1-UCS2`, "latin1")));
const sizes = readdirSync(target).map((name) => readFileSync(target + name).length);
console.log(`${sizes.length} files, ${sizes.reduce((sum, size) => sum + size, 0)} bytes`);

/** The text of every CID from 0 on, separated by U+0000, as UTF-16. @param {string} collection */
function textsOf(collection) {
  const { text } = parseCMap(readFileSync(`${source}/Adobe-${collection}/Adobe-${collection}-UCS2`));
  const texts = Array.from({ length: Math.max(...text.keys()) + 1 }, (_, cid) => text.get(cid) ?? "");
  return Buffer.from(texts.join("\0"), "utf16le");
}

/** A line with the collection, then the CMap without comments, names and white space. @param {string} collection @param {string} cmap */
function essentialsOf(collection, cmap) {
  const lines = cmap.replace(/^%.*$/gm, "");
  const base = /\/(\S+)\s+usecmap/.exec(lines)?.[0] ?? "";
  const direction = /\/WMode\s+\d\s+def/.exec(lines)?.[0] ?? "";
  const sections = lines.match(/\d+\s+begin(codespace|cid)(range|char)[\s\S]*?end\w+/g) ?? [];
  return Buffer.from(`${collection}\n${[base, direction, ...sections].join(" ").replace(/\s+/g, " ")}`, "latin1");
}

/** The notice at the top of Adobe's files. @param {string} file */
function licenceOf(file) {
  const notice = /%%Copyright: -+\n([\s\S]*?)%%Copyright: -+\n/.exec(file)?.[1];
  if (notice === undefined) throw new Error("Adobe's file has no licence at its top");
  return `${notice.replace(/^%%Copyright: ?/gm, "").trim()}\n`;
}

/** @param {string} name @param {Buffer} bytes */
function write(name, bytes) {
  const params = { [constants.BROTLI_PARAM_LGWIN]: 22, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  writeFileSync(target + name, brotliCompressSync(bytes, { params }));
}
