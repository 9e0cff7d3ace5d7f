// Work of the PDF engine in a separate process: the CPU time of each run, the first one cold. Loading the libraries is not counted, because
// a thread of the pool does it once in 200 jobs.
import { fork } from "node:child_process";
import { createHash, createPublicKey, generateKeyPairSync, randomBytes, sign, webcrypto } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { CryptoKeySigner, PDF } from "@libpdf/core";
import { engine } from "./harness.mjs";

/** @typedef {"search" | "sanitize" | "takeIn" | "takeInCompared" | "stampFive" | "stampAll" | "seal" | "combine" | "libpdfSign"} Work */
/** @typedef {{ cold_ms: number, warm_ms: number[] }} Times CPU milliseconds, user and system, of all threads */

const AT = new Date("2026-03-04T05:06:07.089Z");
const STAMPED_PAGES = 5;
// Three that are on every page, one that is on every tenth, six that are rare or missing.
const ANCHORS = [
  "Section",
  "the tenant",
  "written notice",
  "Sign here",
  "Section 150",
  "landlord agreement premises",
  "deposit written under",
  "Signed in the presence of",
  "payment month any such other",
  "Initials",
].map((anchor_text) => ({ anchor_text }));

const self = fileURLToPath(import.meta.url);

/**
 * Runs each of `works` in turn on the file, once cold and `warm` times more, in a new process.
 * @param {string} file
 * @param {Work[]} works
 * @param {number} warm
 * @returns {Promise<Record<string, Times>>}
 */
export async function engineTimes(file, works, warm) {
  const child = fork(self, [file, works.join(","), String(warm)]);
  const result = once(child, "message").then(([times]) => times);
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`the PDF engine's run ended with ${code}`);
  return result;
}

/** @typedef {(bytes: Uint8Array) => Promise<unknown>} Run */

async function worksOf() {
  const pdf = await engine("index.js");
  const { compareLook } = await engine("compare-look.js");
  const { removeTagsAndFlatten } = await engine("remove-tags-and-flatten.js");
  const { expectedChanges } = await engine("sanitize/expected-changes.js");
  const fonts = pdf.openFonts();
  const { seal, signer } = await sealKeys(pdf);
  const open = (/** @type {Uint8Array} */ bytes) => pdf.openPdf(bytes, pdf.createBudget());
  const sealed = async (/** @type {Uint8Array} */ bytes) => {
    const room = pdf.roomFor(seal.certificates, false);
    const placed = await pdf.placeSeal(bytes, { name: "Acme", reason: "Authoritative copy", at: AT, room, marker: randomBytes(32) });
    return pdf.seal(placed, seal);
  };
  const stampedAndSealed = async (/** @type {Uint8Array} */ bytes, /** @type {number} */ pages) => {
    const doc = await open(bytes);
    await pdf.stamp(doc, marksOn(Math.min(pages, doc.pages.length)), fonts);
    return sealed(await pdf.save(doc));
  };
  /** What `jobs.ingest` does with an upload whose tags become fields, with or without the comparison. */
  const takenIn = async (/** @type {Uint8Array} */ bytes, /** @type {boolean} */ isCompared) => {
    const doc = await open(bytes);
    pdf.describe(doc);
    const expected = expectedChanges(doc);
    const clean = await pdf.sanitize(doc);
    const { tags, hidden } = pdf.findAll(clean.doc, []);
    const final = await removeTagsAndFlatten(clean, tags.spans, hidden);
    if (isCompared) await compareLook(doc, final, expected, clean.drawn);
    const changed = final.doc.pages.filter(
      (/** @type {any} */ { index }) => final.tags.has(index + 1) || final.hidden.pages.includes(index + 1),
    );
    pdf.contentFacts(final.doc, changed);
    pdf.describe(final.doc);
    return createHash("sha256").update(final.bytes).digest("hex");
  };
  /** @type {Record<Work, Run>} */
  const works = {
    search: async (bytes) => pdf.findAll(await open(bytes), ANCHORS),
    sanitize: async (bytes) => {
      const doc = await open(bytes);
      const expected = expectedChanges(doc);
      const clean = await pdf.sanitize(doc);
      await compareLook(doc, { ...clean, warnings: [], hidden: { pages: [], boxes: new Map() }, tags: new Map() }, expected, clean.drawn);
    },
    takeIn: (bytes) => takenIn(bytes, false),
    takeInCompared: (bytes) => takenIn(bytes, true),
    stampFive: (bytes) => stampedAndSealed(bytes, STAMPED_PAGES),
    stampAll: (bytes) => stampedAndSealed(bytes, Number.POSITIVE_INFINITY),
    seal: sealed,
    combine: (bytes) => combined(pdf, bytes),
    libpdfSign: async (bytes) => (await PDF.load(bytes)).sign({ signer, reason: "Authoritative copy", level: "B-B", signingTime: AT }),
  };
  return works;
}

const PARTS = 10;

/** The file is ten equal documents, one after the other. @param {any} pdf @param {Uint8Array} bytes */
async function combined(pdf, bytes) {
  const size = bytes.length / PARTS;
  const budget = pdf.createBudget();
  const parts = [];
  for (let n = 0; n < PARTS; n++) {
    parts.push({ doc: await pdf.openPdf(bytes.subarray(n * size, (n + 1) * size), budget), title: `Document ${n + 1}` });
  }
  const joined = await pdf.combine(parts);
  await pdf.openPdf(joined.bytes, budget);
}

/** A name, a date and a typed signature on each page. @param {number} pages */
function marksOn(pages) {
  return Array.from({ length: pages }, (_, n) => {
    const area = (/** @type {number} */ y) => [{ page: n + 1, x: 0.5, y, w: 0.4, h: 0.04 }];
    const own = { signer: "sig_1", name: "Ann Example", time: AT, reference: "env_1" };
    return [
      { kind: "text", field: `Name ${n}`, signer: "sig_1", areas: area(0.8), value: "Ann Example" },
      { kind: "text", field: `Date ${n}`, signer: "sig_1", areas: area(0.85), value: "2026-03-04" },
      {
        kind: "mark",
        field: `Signature ${n}`,
        areas: area(0.9),
        value: { kind: "typed", text: "Ann Example", font: "caveat" },
        ...own,
      },
    ];
  }).flat();
}

/** One key and its certificate, for us and for libpdf. @param {any} pdf */
async function sealKeys(pdf) {
  const root = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
  const own = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
  const spki = (/** @type {import("node:crypto").KeyObject} */ key) =>
    new Uint8Array(createPublicKey(key).export({ type: "spki", format: "der" }));
  const by = (/** @type {import("node:crypto").KeyObject} */ key) => (/** @type {Uint8Array} */ der) =>
    new Uint8Array(sign("sha256", der, key));
  const dated = { not_before: AT, serial: randomBytes(16), sign: by(root) };
  const rootCertificate = await pdf.makeRootCertificate({ name: "Bench root", public_key: spki(root), ...dated });
  const org = { org_name: "Acme", org_id: "org_bench", public_key: spki(own), root: rootCertificate };
  const certificate = await pdf.makeSealCertificate({ ...org, ...dated });
  const pkcs8 = own.export({ type: "pkcs8", format: "der" });
  const webKey = await webcrypto.subtle.importKey("pkcs8", pkcs8, { name: "ECDSA", namedCurve: "P-256" }, false, ["sign"]);
  return { seal: { certificates: [certificate], sign: by(own) }, signer: new CryptoKeySigner(webKey, certificate, "EC", "ECDSA") };
}

if (process.argv[1] === self && process.send !== undefined) {
  const [file = "", asked = "", warm = "0"] = process.argv.slice(2);
  const works = await worksOf();
  /** @type {Record<string, Times>} */
  const times = {};
  for (let run = 0; run <= Number(warm); run++) {
    for (const name of asked.split(",")) {
      const cpu_ms = await cpuOf(works[/** @type {Work} */ (name)], new Uint8Array(readFileSync(file)));
      if (run === 0) times[name] = { cold_ms: cpu_ms, warm_ms: [] };
      else times[name]?.warm_ms.push(cpu_ms);
    }
  }
  process.send(times, () => process.disconnect());
}

/** @param {Run} run @param {Uint8Array} bytes */
async function cpuOf(run, bytes) {
  const before = process.cpuUsage();
  await run(bytes);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
