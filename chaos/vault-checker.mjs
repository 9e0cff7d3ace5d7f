// Checks a vaulted envelope from outside: with the public API, the requests to a webhook receiver, and the offline verifier.
import { createHash, X509Certificate } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { verifyWebhook } from "@countersign/client";
import { lookAt } from "../bench/ceremony.mjs";
import { unzipBundle, verifyBundle } from "../verify/dist/index.js";

const PAGE = 200;
// An attempt that died with its worker is repeated when its lease of 30 s has expired.
const ARRIVES_WITHIN_MS = 60_000;
const POLL_MS = 200;

/** @typedef {import("./receiver.mjs").Arrived} Arrived */
/** @typedef {{ type: string, data: any }} TrailItem */

/** The SHA-256 of the installation's root certificate, as a verifier would get it from elsewhere. @param {string} url */
export async function pinnedRoot(url) {
  const answer = await fetch(`${url}/.well-known/countersign-trust.json`);
  const { root_certificate } = /** @type {{ root_certificate: string }} */ (await answer.json());
  const { raw } = new X509Certificate(Buffer.from(root_certificate, "base64"));
  return createHash("sha256").update(raw).digest("hex");
}

/** The faults that the offline verifier finds in an envelope's evidence. @param {import("../bench/ceremony.mjs").Office} office @param {string} envelope_id @param {string} root @returns {Promise<string[]>} */
export async function faultsOfEvidence(office, envelope_id, root) {
  const { status, bytes } = await lookAt(office, envelope_id, "/vault/evidence");
  if (status !== 200) return [`evidence: reading it returned ${status} ${bytes.toString("utf8", 0, 200)}`];
  const { outcome, steps } = await verifyBundle(() => unzipBundle(bytes), { root, tsa_roots: null });
  return outcome === "VERIFIED" ? [] : [`evidence: ${outcome} ${JSON.stringify(steps.at(-1))}`];
}

/**
 * @param {object} place
 * @param {import("../bench/ceremony.mjs").Office} place.office @param {string} place.secret of the endpoint
 * @param {{ arrived: Arrived[] }} place.receiver
 */
export async function openVaultChecker({ office, secret, receiver }) {
  const root = await pinnedRoot(office.url);
  /** @type {Map<string, { event: import("@countersign/client").WebhookEvent, body: Buffer }>} by event id */
  const events = new Map();
  /** @type {string[]} */
  const forged = [];
  let [read, duplicates] = [0, 0];

  /** Every event that arrived, once. Duplicates must have the same bytes, and every signature must be valid. */
  async function readArrived() {
    for (; read < receiver.arrived.length; read++) {
      const { headers, body, at } = /** @type {Arrived} */ (receiver.arrived[read]);
      const event = await verifyWebhook(body, headers, secret, { now: at }).catch((error) => String(error));
      if (typeof event === "string") {
        forged.push(`event: a delivery does not verify: ${event}`);
        continue;
      }
      const before = events.get(event.event_id);
      if (before !== undefined) duplicates++;
      if (before !== undefined && !before.body.equals(body)) forged.push(`event: ${event.event_id} came again with other bytes`);
      events.set(event.event_id, { event, body });
    }
  }

  /** @param {string} envelope_id */
  async function vaultEvents(envelope_id) {
    for (const late = Date.now() + ARRIVES_WITHIN_MS; ; await delay(POLL_MS)) {
      await readArrived();
      const own = [...events.values()].map(({ event }) => event).filter((event) => event.envelope_id === envelope_id);
      const vaulted = own.filter(({ event_type }) => event_type.startsWith("vault."));
      if (vaulted.some(({ event_type }) => event_type.startsWith("vault.compliance.")) || Date.now() > late) {
        return vaulted.sort((a, b) => (a.timestamp + a.event_id < b.timestamp + b.event_id ? -1 : 1));
      }
    }
  }

  /** @param {{ envelope_id: string, point: number }} killed @returns {Promise<string[]>} */
  async function check({ envelope_id, point }) {
    const [newestFirst, record, compliance] = await Promise.all([
      data(envelope_id, `/audit-trail?limit=${PAGE}`),
      data(envelope_id, "/vault"),
      data(envelope_id, "/compliance"),
    ]);
    const trail = newestFirst.reverse();
    const vaulted = await vaultEvents(envelope_id);
    const faults = [
      ...faultsOfCopy(trail, record),
      ...faultsOfEvents(vaulted, record),
      ...faultsOfCertificate(trail, record, compliance),
      ...(await faultsOfEvidence(office, envelope_id, root)),
    ];
    return faults.map((fault) => `${fault}, ${envelope_id} (killed at point ${point})`);
  }

  /** @param {string} envelope_id @param {string} path */
  async function data(envelope_id, path) {
    const { status, json, bytes } = await lookAt(office, envelope_id, path);
    if (status !== 200) throw new Error(`${path} returned ${status}: ${bytes.toString("utf8", 0, 300)}`);
    return json.data;
  }

  return { check, checkDeliveries: () => ({ deliveries: receiver.arrived.length, duplicates, faults: forged }) };
}

/** One of each, written together, and the same copy wherever it is named. @param {TrailItem[]} trail @param {any} record */
function faultsOfCopy(trail, record) {
  const together = ["vault.stored", "custody.assigned", "assignment.recorded"];
  const at = trail.findIndex(({ type }) => type === together[0]);
  const isTogether = together.every((type, n) => trail[at + n]?.type === type);
  return [
    ...together.flatMap((type) => counted("copy", type, trail.filter((item) => item.type === type).length)),
    ...(isTogether ? [] : [`copy: ${trail.slice(at, at + 3).map(({ type }) => type)} were written together`]),
    ...(record.hash === trail[at]?.data.hash ? [] : [`copy: ${record.hash} is stored and ${trail[at]?.data.hash} on record`]),
    ...(record.state === "active" && record.custodian !== null ? [] : [`copy: it is ${record.state}, kept by ${record.custodian}`]),
  ];
}

/** @param {import("@countersign/client").WebhookEvent[]} vaulted @param {any} record */
function faultsOfEvents(vaulted, record) {
  const types = vaulted.map(({ event_type }) => event_type).join(", ");
  if (types !== "vault.stored, vault.compliance.passed") return [`event: ${types === "" ? "none" : types}`];
  const [stored, passed] = vaulted;
  return [
    ...(stored?.data.hash === record.hash ? [] : [`event: vault.stored names ${stored?.data.hash}, and ${record.hash} is stored`]),
    ...(passed?.data.certificate_path === record.certificate.path ? [] : [`event: another certificate than ${record.certificate.path}`]),
  ];
}

/** @param {TrailItem[]} trail @param {any} record @param {any} compliance */
function faultsOfCertificate(trail, { certificate }, { score, passed, vaulted, compliant, certificate_path, missing_requirements }) {
  const isGood = score === 100 && passed && vaulted && compliant && certificate.revision === 1 && certificate.path === certificate_path;
  return [
    ...counted("certificate", "vault.certificate.issued", trail.filter(({ type }) => type === "vault.certificate.issued").length),
    ...(isGood ? [] : [`certificate: revision ${certificate.revision}, score ${score}: ${missing_requirements.join("; ")}`]),
  ];
}

/** @param {string} kind @param {string} what @param {number} found */
const counted = (kind, what, found) => (found === 1 ? [] : [`${kind}: ${found} × ${what}`]);
