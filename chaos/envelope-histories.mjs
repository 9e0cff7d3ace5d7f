// Histories of envelopes. The seed decides what is done to each, and requests and responses are recorded.
import { setTimeout as delay } from "node:timers/promises";
import { contract } from "../bench/documents.mjs";
import { isUnsent, retryAfter } from "./api.mjs";
import { randomFrom } from "./random.mjs";

const POLL_MS = 50;
const BOUNDARY = "----countersign-chaos-3a7e";

/** @typedef {"change" | "attach" | "place" | "send" | "open" | "decline" | "remind" | "correct" | "void" | "discard" | "expire"} Act */

// How often each action is tried before and after sending. Few of them end the envelope, because otherwise all histories would be short.
// Some come at the wrong time and must be refused.
/** @type {Record<Act, number>} */
const EARLY_ACTS = {
  change: 5,
  attach: 6,
  place: 6,
  send: 1,
  open: 0,
  decline: 0,
  remind: 1,
  correct: 0,
  void: 0.5,
  discard: 0.5,
  expire: 0.5,
};
/** @type {Record<Act, number>} */
const LATE_ACTS = { change: 1, attach: 1, place: 1, send: 3, open: 7, decline: 1, remind: 4, correct: 5, void: 1, discard: 0.5, expire: 1 };
const IDEMPOTENT = 0.6;

/**
 * @typedef {object} Step one act of a round; those of a round happen at once
 * @property {Act} act
 * @property {number} signer which of the two, where one acts or is corrected
 * @property {boolean} idempotent repeated with an Idempotency-Key until its fate is known
 */
/**
 * @typedef {object} Plan
 * @property {string} name of the history, and the envelope's `external_id`
 * @property {boolean} fromTemplate
 * @property {"sequential" | "parallel"} signing_order
 * @property {Step[][]} rounds
 */

/** @param {number} seed @param {number} number @returns {Plan} */
export function planHistory(seed, number) {
  const random = randomFrom(seed * 100_003 + number);
  const step = (/** @type {Record<Act, number>} */ acts) => ({
    act: pick(random, acts),
    signer: random.happens(0.5) ? 1 : 0,
    idempotent: random.happens(IDEMPOTENT),
  });
  const round = (/** @type {Record<Act, number>} */ acts) => Array.from({ length: 1 + Math.floor(random.next() * 3) }, () => step(acts));
  const rounds = (/** @type {Record<Act, number>} */ acts, /** @type {number} */ most) =>
    Array.from({ length: Math.floor(random.next() * (most + 1)) }, () => round(acts));
  return {
    name: `history-${number}`,
    fromTemplate: random.happens(0.5),
    signing_order: random.happens(0.5) ? "parallel" : "sequential",
    rounds: [...rounds(EARLY_ACTS, 3), [{ ...step(LATE_ACTS), act: "send" }, ...round(LATE_ACTS).slice(1)], ...rounds(LATE_ACTS, 4)],
  };
}

/** @param {import("./random.mjs").Random} random @param {Record<Act, number>} weights @returns {Act} */
function pick(random, weights) {
  const acts = /** @type {[Act, number][]} */ (Object.entries(weights));
  let at = random.next() * acts.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [act, weight] of acts) {
    at -= weight;
    if (at < 0) return act;
  }
  return "change";
}

/** The signers of an envelope. Only this history uses their addresses. @param {Plan} plan */
export const signersOf = ({ name }) => [
  { email: `ann@${name}.example.com`, name: "Ann", role: "Tenant" },
  { email: `sam@${name}.example.com`, name: "Sam", role: "Landlord" },
];

/** The org of a history: its key, its template and its client. @typedef {{ org_id: string, key: string, template_id: string, send: import("./api.mjs").Send }} Office */

/** @typedef {{ act: Act | "create", fate: "done" | "refused" | "open", status: number, text: string }} Done the result of an action; `open`: unknown */

/**
 * @typedef {object} HistoryResult the results of a finished history
 * @property {Plan} plan @property {Office} office
 * @property {string | null} envelope_id
 * @property {Done[]} done
 */

/**
 * @param {object} run
 * @param {Office} run.office @param {Plan} run.plan
 * @param {import("./history.mjs").History} run.history
 * @param {(text: string, values: unknown[]) => Promise<any[]>} run.query
 * @param {() => boolean} run.stopped
 * @returns {Promise<HistoryResult>}
 */
export async function liveHistory({ office, plan, history, query, stopped }) {
  /** @type {HistoryResult} */
  const result = { plan, office, envelope_id: null, done: [] };
  const body = {
    envelope_name: "Lease",
    external_id: plan.name,
    customer_email: "ann@example.com",
    customer_name: "Ann",
    ...(plan.fromTemplate && { template_id: office.template_id }),
  };
  const made = await perform("create", `${plan.name}-create`, { method: "POST", path: "/partner/envelopes", body }, true);
  if (made === null) return result;
  const envelope_id = made.json.data.envelope_id;
  result.envelope_id = envelope_id;
  for (const [r, round] of plan.rounds.entries()) {
    if (stopped()) return result;
    await Promise.all(round.map((step, s) => take(step, `${plan.name}-${r}-${s}`)));
  }
  return result;

  /** @param {Step} step @param {string} op */
  async function take({ act, signer, idempotent }, op) {
    const path = `/partner/envelopes/${envelope_id}`;
    switch (act) {
      case "change":
        return perform(act, op, { method: "PATCH", path, body: { envelope_name: `Lease ${op}` } }, false);
      case "attach":
        return perform(act, op, { method: "POST", path: `${path}/upload`, ...form(contract(1, "simple")) }, idempotent);
      case "place":
        return perform(act, op, { method: "POST", path: `${path}/fields`, body: { fields: fieldsOf(op) } }, idempotent);
      case "send": {
        const wanted = { signers: signersOf(plan), signing_order: plan.signing_order };
        return perform(act, op, { method: "POST", path: `${path}/send`, body: wanted }, idempotent);
      }
      case "remind":
        return perform(act, op, { method: "POST", path: `${path}/remind` }, idempotent);
      case "void":
        return perform(act, op, { method: "POST", path: `${path}/void`, body: { reason: op } }, idempotent);
      case "discard":
        return perform(act, op, { method: "DELETE", path }, false);
      case "expire":
        return expire(op);
      case "correct":
        return correct(op, signer);
      case "open":
      case "decline":
        return visit(act, op, signer, idempotent);
    }
  }

  /** @param {string} op @param {number} signer */
  async function correct(op, signer) {
    const slug = await slugOf(op, signer);
    if (slug === null) return;
    const path = `/partner/envelopes/${envelope_id}/signers/${slug}`;
    await perform("correct", op, { method: "PATCH", path, body: { email: `${op}@${plan.name}.example.com` } }, false);
  }

  /** As the signer, with a link that the sender handed over. @param {"open" | "decline"} act @param {string} op @param {number} signer @param {boolean} idempotent */
  async function visit(act, op, signer, idempotent) {
    const slug = await slugOf(op, signer);
    if (slug === null) return;
    const handed = await repeated(op, { method: "POST", path: `/partner/envelopes/${envelope_id}/signers/${slug}/link` });
    if (handed?.status !== 201) return;
    const secret = handed.json.data.url.split("#k=")[1];
    const link = await repeated(op, { method: "POST", path: `/embed/links/${slug}/token`, body: { secret } });
    if (link?.status !== 200) return;
    const path = `/embed/sign/${envelope_id}`;
    const headers = { authorization: `Bearer ${link.json.data.token}`, "x-signing-session": sessionOf(op) };
    // Opening it again in the same session is not recorded again, so it can be repeated.
    if (act === "open") await perform(act, op, { method: "GET", path, headers }, true);
    else await perform(act, op, { method: "POST", path: `${path}/decline`, headers, body: { reason: op } }, idempotent);
  }

  /** Null for a draft. @param {string} op @param {number} signer @returns {Promise<string | null>} */
  async function slugOf(op, signer) {
    const answer = await repeated(op, { method: "GET", path: `/partner/envelopes/${envelope_id}/signers` });
    return answer?.status === 200 ? (answer.json.data.signers[signer]?.slug ?? null) : null;
  }

  /** Instead of waiting, moves the expiry date into the past. The result shows after the next sweep. @param {string} op */
  async function expire(op) {
    while (!stopped()) {
      const due = "update envelopes set expires_at = now() where envelope_id = $1 and status in ('sent', 'viewed') returning 1";
      // Between a kill and the restart there is no database. A second update does no harm.
      const rows = await query(due, [envelope_id]).catch((error) => String(error));
      if (typeof rows === "string") {
        await history.append({ kind: "lost", op, error: rows });
        await delay(POLL_MS);
        continue;
      }
      return note("expire", rows.length === 1 ? "done" : "refused", 0, "");
    }
    note("expire", "open", 0, "");
  }

  /** @param {Done["act"]} act @param {Done["fate"]} fate @param {number} status @param {string} text */
  function note(act, fate, status, text) {
    result.done.push({ act, fate, status, text });
  }

  /** @typedef {{ method: string, path: string, headers?: Record<string, string>, body?: unknown, raw?: Buffer }} Wanted */

  /**
   * Performs an action and notes the result. If it can be repeated, it is, until the result is certain.
   * @param {Act | "create"} act @param {string} op @param {Wanted} wanted @param {boolean} idempotent
   */
  async function perform(act, op, wanted, idempotent) {
    const { method, headers = {} } = wanted;
    const named = { ...wanted, headers: { ...headers, ...(idempotent && method === "POST" && { "idempotency-key": op }) } };
    await history.append({ kind: "invoke", op, act, idempotent });
    const answer = idempotent ? await repeated(op, named) : await once(op, named);
    if (answer === null || answer.status >= 500) note(act, "open", answer?.status ?? 0, textOf(answer));
    else note(act, answer.status < 300 ? "done" : "refused", answer.status, textOf(answer));
    return answer !== null && answer.status < 300 ? answer : null;
  }

  /** Null if the run ends first. @param {string} op @param {Wanted} wanted */
  async function repeated(op, wanted) {
    while (!stopped()) {
      const answer = await once(op, wanted);
      if (answer !== null && isSettled(answer)) return answer;
      // Returned although it could be repeated, because no client should ever see it.
      if (answer !== null && answer.status >= 500 && answer.status !== 503) return answer;
      await delay(POLL_MS);
    }
    return null;
  }

  /** Null if the response was lost. If the connection was refused or the quota used up, nothing has happened, and it asks again. @param {string} op @param {Wanted} wanted */
  async function once(op, { method, path, headers = {}, body, raw }) {
    while (!stopped()) {
      const credential = headers.authorization === undefined && path.startsWith("/partner/") ? { "x-api-key": office.key } : {};
      const options = { headers: { ...credential, ...headers }, ...(body !== undefined && { body }), ...(raw !== undefined && { raw }) };
      const answer = await office.send(method, path, options).catch((error) => ({ error }));
      if ("error" in answer) {
        if (isUnsent(answer.error)) await delay(POLL_MS);
        else {
          await history.append({ kind: "lost", op, error: String(answer.error.code ?? answer.error.message) });
          return null;
        }
        continue;
      }
      const { status, json, headers: got } = answer;
      await history.append({
        kind: "answer",
        op,
        status,
        ...(status >= 300 && { error: json?.error, request_id: String(got["x-request-id"]) }),
      });
      if (status !== 429) return answer;
      await delay(retryAfter(answer) * 1000);
    }
    return null;
  }
}

/** @param {import("./api.mjs").Answer | null} answer */
const textOf = (answer) =>
  answer === null || answer.status < 300 ? "" : `${answer.json?.error} ${JSON.stringify(answer.json?.details ?? [])}`;

/** A 503 means that the database was unavailable, perhaps after the commit was sent. @param {import("./api.mjs").Answer} answer */
function isSettled({ status, json }) {
  if (status >= 500) return false;
  return status !== 409 || !String(json?.error).startsWith("A request with this Idempotency-Key is still running");
}

/** @param {string} op */
const sessionOf = (op) => Buffer.from(op.padEnd(16, "-").slice(-16)).toString("hex");

/** One field per signer, so that the document has both roles. The names are unique to this action. @param {string} op */
const fieldsOf = (op) =>
  ["Tenant", "Landlord"].map((role, index) => ({
    name: `${op} ${role}`,
    type: "text",
    role,
    placement: { mode: "absolute", areas: [{ page: 1, x: 0.1, y: 0.1 + 0.1 * index, w: 0.3, h: 0.03 }] },
  }));

/** @param {Uint8Array} file */
function form(file) {
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="lease.pdf"\r\nContent-Type: application/pdf\r\n\r\n`;
  return {
    raw: Buffer.concat([Buffer.from(head), file, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]),
    headers: { "content-type": `multipart/form-data; boundary=${BOUNDARY}` },
  };
}
