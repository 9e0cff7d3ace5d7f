// Checks an envelope that everyone has signed: the API's responses and downloads, and the records that no response shows.
import { createHash } from "node:crypto";
import { COPY_MARK, firstFault } from "@countersign/evidence";
import { lookAt, SIGNATURES_PER_SIGNER } from "../bench/ceremony.mjs";
import { product } from "../bench/harness.mjs";

const PAGE = 200;

/** @typedef {import("./signing.mjs").Signed} Signed */
/** @typedef {{ type: string, data: any }} TrailItem */

/**
 * @param {object} place
 * @param {import("../bench/ceremony.mjs").Office} place.office @param {string} place.org_id @param {string} place.dataDir
 * @param {string} place.appUrl of the database, for the login that serves @param {(text: string, values?: unknown[]) => Promise<any[]>} place.query
 * @param {(undo: () => unknown) => void} place.later
 */
export async function openChecker({ office, org_id, dataDir, appUrl, query, later }) {
  const { readConfig } = await product("config.js");
  const { connectDb } = await product("db/connect.js");
  const { buildFeatures } = await product("features.js");
  const { readChain } = await product("audit/read-chain.js");
  const { sealRoots } = await product("seals/verify-own-seal.js");
  const db = connectDb({ url: appUrl, poolSize: 2 });
  later(() => db.end());
  const { pdf, seals } = buildFeatures(readConfig({ DATA_DIR: dataDir }), db);
  later(() => pdf.close());

  /** @param {Signed} signed @returns {Promise<string[]>} */
  async function check(signed) {
    const { envelope_id } = signed;
    const trail = await readTrail(envelope_id);
    const faults = [
      ...(await faultsOfSigning(signed, trail)),
      ...(await faultsOfChain(envelope_id)),
      ...(signed.is_finished ? await faultsOfDocument(signed, trail) : []),
    ];
    const place = signed.point === undefined ? "" : ` (killed at point ${signed.point})`;
    return faults.map((fault) => `${fault}, ${envelope_id}${place}`);
  }

  /** @param {string} envelope_id @returns {Promise<TrailItem[]>} */
  async function readTrail(envelope_id) {
    const { status, json } = await lookAt(office, envelope_id, `/audit-trail?limit=${PAGE}`);
    if (status !== 200 || json.meta.total !== json.data.length) throw new Error(`reading an audit trail returned ${status}`);
    return json.data;
  }

  /** @param {Signed} signed @param {TrailItem[]} trail */
  async function faultsOfSigning({ envelope_id, signers }, trail) {
    const { json } = await lookAt(office, envelope_id, "/status");
    const jobs = await query("select 1 from outbox where task = 'envelopes.finish-document' and payload->>'envelope_id' = $1", [
      envelope_id,
    ]);
    const signatures = trail.filter(({ type }) => type === "signature.applied");
    const fields = new Set(signatures.map(({ data }) => data.position));
    return [
      ...counted("count", "signature.applied", signatures.length, signers.length * SIGNATURES_PER_SIGNER),
      ...counted("count", "field with a signature", fields.size, signers.length * SIGNATURES_PER_SIGNER),
      ...counted("count", "envelope.completed", countIn(trail, "envelope.completed"), 1),
      ...counted("count", "job to finish it", jobs.length, 1),
      ...(json.data.status === "completed" ? [] : [`count: everyone signed, but it is ${json.data.status}`]),
    ];
  }

  /** Recomputed from the rows, up to the recorded head. @param {string} subject */
  async function faultsOfChain(subject) {
    /** @type {import("@countersign/evidence").Link[]} */
    const links = await db.tx(org_id, (/** @type {any} */ tx) => readChain(tx, org_id, subject));
    const [head] = await query("select seq, hash, at from audit_heads where org_id = $1 and subject = $2", [org_id, subject]);
    const fault = firstFault(links, { org_id, subject, head: { ...head, at: head.at.toISOString() } });
    return fault === null ? [] : [`chain: ${JSON.stringify(fault)}`];
  }

  /** @param {Signed} signed @param {TrailItem[]} trail */
  async function faultsOfDocument({ envelope_id, signers, is_vaulted }, trail) {
    const mails = await query("select to_address from mail_messages where kind = 'signing_completed' and to_address = any($1)", [
      signers.map(({ email }) => email),
    ]);
    const addresses = new Set(mails.map(({ to_address }) => to_address));
    const versions = await query("select kind from document_versions where envelope_id = $1 and kind in ('stamped', 'signed')", [
      envelope_id,
    ]);
    return [
      ...counted("document", "document.stamped", countIn(trail, "document.stamped"), 1),
      ...counted("document", "document.sealed", countIn(trail, "document.sealed"), is_vaulted ? 0 : 1),
      ...counted("document", "version", versions.length, is_vaulted ? 1 : 2),
      ...counted("document", "completion mail", mails.length, signers.length),
      ...counted("document", "notified signer", addresses.size, signers.length),
      ...(await faultsOfBytes(envelope_id, is_vaulted, trail)),
    ];
  }

  /** @param {string} envelope_id @param {boolean} is_vaulted @param {TrailItem[]} trail */
  async function faultsOfBytes(envelope_id, is_vaulted, trail) {
    const { status, headers, bytes } = await lookAt(office, envelope_id, "/document");
    if (status !== 200) return [`bytes: reading the document returned ${status} ${bytes.toString("utf8", 0, 200)}`];
    const rendition = headers.get("x-document-rendition");
    const wanted = is_vaulted ? "copy" : "signed";
    return [
      ...(rendition === wanted ? [] : [`bytes: handed out as ${rendition} and not as ${wanted}`]),
      ...(is_vaulted ? await faultsOfCopy(bytes) : faultsOfHashes(bytes, trail)),
      ...(await faultsOfSeal(bytes)),
    ];
  }

  /** Marked on every page. @param {Buffer} bytes */
  async function faultsOfCopy(bytes) {
    const pages = await Promise.all([1, 2].map((page) => pdf.text(bytes, { page })));
    return pages.every(({ blocks }) => blocks.join(" ").includes(COPY_MARK)) ? [] : ["bytes: a copy does not say so on every page"];
  }

  /** @param {Buffer} bytes */
  async function faultsOfSeal(bytes) {
    const reports = await pdf.verify(bytes, { ...(await sealRoots(seals, org_id)), at: new Date() });
    const isGood = reports.length === 1 && reports[0].intact && reports[0].trusted && reports[0].covers_whole_file;
    return isGood ? [] : [`seal: ${JSON.stringify(reports)}`];
  }

  return { check };
}

/** The download is the sealed version, which was made from the stamped one. @param {Buffer} bytes @param {TrailItem[]} trail */
function faultsOfHashes(bytes, trail) {
  const dataOf = (/** @type {string} */ type) => trail.find((item) => item.type === type)?.data;
  const [stamped, sealed] = [dataOf("document.stamped"), dataOf("document.sealed")];
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return [
    ...(sealed?.sha256 === sha256 ? [] : [`bytes: ${sha256} was handed out and ${sealed?.sha256} was sealed`]),
    ...(sealed?.parent_sha256 === stamped?.sha256 ? [] : [`bytes: ${sealed?.parent_sha256} was sealed and ${stamped?.sha256} was stamped`]),
  ];
}

/** @param {TrailItem[]} trail @param {string} wanted */
const countIn = (trail, wanted) => trail.filter(({ type }) => type === wanted).length;

/** @param {string} kind @param {string} what @param {number} found @param {number} expected */
const counted = (kind, what, found, expected) => (found === expected ? [] : [`${kind}: ${found} × ${what} and not ${expected}`]);
