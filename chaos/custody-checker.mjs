// Checks a copy after the races, with only the public API and the offline verifier.
import { createDecipheriv, createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { verifyWebhook } from "@countersign/client";
import { canonicalize } from "@countersign/evidence";
import { unzipBundle, verifyBundle } from "../verify/dist/index.js";
import { pinnedRoot } from "./vault-checker.mjs";

const PAGE = 100;
const ARRIVES_WITHIN_MS = 120_000;
const POLL_MS = 250;
// docs/vault-api.md: CSVX1\n, nonce, ciphertext, tag.
const [MAGIC_BYTES, NONCE_BYTES, TAG_BYTES] = [6, 12, 16];

/** @typedef {import("./custody-stage.mjs").Send} Send */

/** @param {{ giver: Send, taker: Send, url: string, secret: string, receiver: { arrived: import("./receiver.mjs").Arrived[] } }} place */
export async function openCustodyChecker({ giver, taker, url, secret, receiver }) {
  const root = await pinnedRoot(url);
  /** @type {Set<string>} */
  const transfers = new Set();
  const counts = { exported: 0, opened: 0 };

  /** @param {string} path @returns {Promise<any>} */
  async function data(path) {
    const { status, json, bytes } = await giver("GET", path);
    if (status !== 200) throw new Error(`${path} returned ${status}: ${bytes.toString("utf8", 0, 300)}`);
    return json.data;
  }

  /** All pages, newest first. @param {string} path @returns {Promise<any[]>} */
  async function listed(path) {
    const all = [];
    for (let page = 1; ; page++) {
      const some = await data(`${path}${path.includes("?") ? "&" : "?"}limit=${PAGE}&page=${page}`);
      all.push(...some);
      if (some.length < PAGE) return all;
    }
  }

  /** @param {{ envelope_id: string }} copy @returns {Promise<string[]>} */
  async function check({ envelope_id }) {
    const path = `/partner/envelopes/${envelope_id}`;
    const [record, moves, exports, trail] = await Promise.all([
      data(`${path}/vault`),
      listed(`/partner/custody-transfers?envelope_id=${envelope_id}`),
      listed(`/partner/vault-exports?envelope_id=${envelope_id}`),
      listed(`${path}/audit-trail`),
    ]);
    for (const { permission_id } of moves) transfers.add(permission_id);
    const faults = [
      ...faultsOfCustody(record, moves, trail),
      ...faultsOfLeaving(record, moves, exports, trail),
      ...(await faultsOfEvidence(path)),
      ...(await faultsOfPackage(exports)),
    ];
    return faults.map((fault) => `${fault}, ${envelope_id}`);
  }

  /** The verifier replays custody from the chain: there is one custodian at every moment until the copy is exported. @param {string} path */
  async function faultsOfEvidence(path) {
    const { status, bytes } = await giver("GET", `${path}/vault/evidence`);
    if (status !== 200) return [`evidence: reading it returned ${status} ${bytes.toString("utf8", 0, 200)}`];
    const { outcome, steps } = await verifyBundle(() => unzipBundle(bytes), { root, tsa_roots: null });
    return outcome === "VERIFIED" ? [] : [`evidence: ${outcome} ${JSON.stringify(steps.at(-1))}`];
  }

  /** Every export can be opened and verified. @param {any[]} exports */
  async function faultsOfPackage(exports) {
    const left = exports.find(({ status }) => status === "acknowledged");
    if (left === undefined) return [];
    counts.exported++;
    const { export_id, copy_id, package_sha256 } = left;
    const path = `/partner/vault-exports/${export_id}`;
    const packed = (await giver("GET", `${path}/package`)).bytes;
    if (createHash("sha256").update(packed).digest("hex") !== package_sha256) return ["record: the package is not what was packed"];
    const { key, receipt } = (await taker("POST", `${path}/acknowledge`, { package_sha256 })).json.data;
    const nonce = packed.subarray(MAGIC_BYTES, MAGIC_BYTES + NONCE_BYTES);
    const aad = Buffer.from(canonicalize({ copy_id, export_id, sha256: receipt.document.sha256 }));
    const cipher = createDecipheriv("aes-256-gcm", Buffer.from(key, "hex"), nonce).setAAD(aad).setAuthTag(packed.subarray(-TAG_BYTES));
    const zip = Buffer.concat([cipher.update(packed.subarray(MAGIC_BYTES + NONCE_BYTES, -TAG_BYTES)), cipher.final()]);
    const { outcome, steps } = await verifyBundle(() => unzipBundle(zip), { root, tsa_roots: null });
    if (outcome !== "VERIFIED") return [`evidence: of the package ${outcome} ${JSON.stringify(steps.at(-1))}`];
    counts.opened++;
    return [];
  }

  /** One event for each transfer that was started, and no other events. */
  async function checkEvents() {
    /** @type {Set<string>} */
    const announced = new Set();
    /** @type {string[]} */
    const faults = [];
    /** @type {Map<string, string>} */
    const eventOf = new Map();
    let read = 0;
    const late = Date.now() + ARRIVES_WITHIN_MS;
    do {
      for (; read < receiver.arrived.length; read++) {
        const { body, headers, at } = /** @type {import("./receiver.mjs").Arrived} */ (receiver.arrived[read]);
        const { event_id, data: said } = await verifyWebhook(body, headers, secret, { now: at });
        const permission_id = String(said.permission_id);
        if ((eventOf.get(permission_id) ?? event_id) !== event_id) faults.push(`event: two for ${permission_id}`);
        eventOf.set(permission_id, event_id);
        announced.add(permission_id);
      }
      if ([...transfers].every((id) => announced.has(id))) break;
      await delay(POLL_MS);
    } while (Date.now() < late);
    faults.push(...[...transfers].filter((id) => !announced.has(id)).map((id) => `event: none for ${id}`));
    faults.push(...[...announced].filter((id) => !transfers.has(id)).map((id) => `event: for ${id}, which has no record`));
    return { events: eventOf.size, faults };
  }

  return { check, checkEvents, seen: () => ({ ...counts, transfers: transfers.size }) };
}

/** @param {any} record @param {any[]} moves newest first @param {any[]} trail newest first */
function faultsOfCustody({ state, custodian }, moves, trail) {
  const pending = moves.filter(({ status }) => status === "pending").length;
  const accepted = trail.filter(({ type }) => type === "custody.accepted");
  const keeper = (accepted[0] ?? trail.find(({ type }) => type === "custody.assigned"))?.data.user_id;
  const ends = trail.filter(({ type }) => /^custody\.(accepted|rejected|cancelled|expired)$/.test(type)).length;
  const begun = trail.filter(({ type }) => type === "custody.initiated").length;
  return [
    ...(pending <= 1 && (pending === 0 || state === "active") ? [] : [`record: ${pending} pending transfers of a copy that is ${state}`]),
    ...(begun === moves.length && ends + pending === begun ? [] : [`record: ${begun} begun, ${ends} ended, ${moves.length} listed`]),
    ...(state === "exported" || custodian?.user_id === keeper ? [] : [`record: ${custodian?.user_id} keeps it and not ${keeper}`]),
    ...(moves.filter(({ status }) => status === "accepted").length === accepted.length
      ? []
      : ["record: accepted transfers and entries differ"]),
  ];
}

/** @param {any} record @param {any[]} moves @param {any[]} exports @param {any[]} trail */
function faultsOfLeaving({ state, custodian }, moves, exports, trail) {
  const count = (/** @type {string} */ wanted) => exports.filter(({ status }) => status === wanted).length;
  const [escrowed, left] = [count("escrowed"), count("acknowledged")];
  const leavings = trail.filter(({ type }) => type === "vault.exported").length;
  const isWhole = left <= 1 && escrowed <= 1 && left + escrowed <= 1 && leavings === left;
  const isSaid =
    (state === "exported") === (left === 1) && (state === "escrowed") === (escrowed === 1) && (custodian === null) === (left === 1);
  const isBoth = escrowed === 1 && moves.some(({ status }) => status === "pending");
  return isWhole && isSaid && !isBoth ? [] : [`record: ${state}, ${escrowed} packed, ${left} left, ${leavings} entries of leaving`];
}
