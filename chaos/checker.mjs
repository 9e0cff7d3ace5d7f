// Checks a run with only the clients' history and the public API.
import { setTimeout as delay } from "node:timers/promises";
import { retryAfter } from "./api.mjs";
import { wasMade } from "./clients.mjs";
import { readHistory } from "./history.mjs";

const PAGE = 200;
const AT_ONCE = 16;
// Looking at one key uses one of the admin's 300 calls a minute.
const VIEWS_PER_ORG = 20;

/**
 * @typedef {object} Operation what the history says of one key
 * @property {string} op
 * @property {number} org
 * @property {boolean} idempotent
 * @property {{ key_id: string, api_key: string }[]} acknowledged
 * @property {boolean} made a repeat reported success
 * @property {boolean} open an answer was lost or of no meaning
 */
/**
 * @typedef {object} Verdict
 * @property {number} operations
 * @property {number} acknowledged
 * @property {number} authenticated keys that were tried now
 * @property {number} unknownMade the answer was lost and the key is there
 * @property {number} unknownAbsent the answer was lost and the key is not there
 * @property {Record<string, number>} refused by status
 * @property {string[]} lost @property {string[]} halfMade @property {string[]} twice @property {string[]} odd
 */

/**
 * @param {object} run
 * @param {string} run.file the history
 * @param {import("./clients.mjs").Org[]} run.orgs
 * @param {import("./api.mjs").Send} run.send
 * @param {import("./random.mjs").Random} run.random
 * @param {(key_id: string) => boolean} run.tryKey which acknowledged keys to authenticate with
 * @returns {Promise<Verdict>}
 */
export async function check({ file, orgs, send, random, tryKey }) {
  const history = readHistory(file);
  const operations = operationsOf(history);
  /** @type {Verdict} */
  const verdict = {
    operations: operations.size,
    acknowledged: 0,
    authenticated: 0,
    unknownMade: 0,
    unknownAbsent: 0,
    refused: countRefused(history),
    lost: [],
    halfMade: [],
    twice: [],
    odd: history.filter(isOurFault).map(({ op, request_id }) => `${op}: answered 500, request ${request_id}`),
  };
  await Promise.all(
    orgs.map(async (org) => {
      const ask = asAdmin(org);
      const [keys, trail] = [await all(ask, "/partners/keys"), await all(ask, "/org/audit-trail")];
      const own = [...operations.values()].filter((operation) => operation.org === org.index);
      compareKeysWithTrail(verdict, keys, trail);
      compareKeysWithOperations(verdict, keys.items, own);
      await compareViews(verdict, ask, random.sample(keys.items, VIEWS_PER_ORG));
    }),
  );
  await authenticate(verdict, send, operations, tryKey);
  return verdict;
}

/** @param {import("./history.mjs").Entry[]} history @returns {Map<string, Operation>} */
function operationsOf(history) {
  /** @type {Map<string, Operation>} */
  const operations = new Map();
  for (const { kind, op = "", org = -1, idempotent = false, status = 0, key_id = "", api_key = "", error = "" } of history) {
    if (kind === "invoke") operations.set(op, { op, org, idempotent, acknowledged: [], made: false, open: false });
    const operation = operations.get(op);
    if (operation === undefined) continue;
    if (kind === "lost" || (kind === "answer" && status >= 500)) operation.open = true;
    if (kind === "answer" && status === 201) operation.acknowledged.push({ key_id, api_key });
    if (kind === "answer" && wasMade({ status, error })) operation.made = true;
  }
  return operations;
}

/** @param {import("./history.mjs").Entry[]} history */
function countRefused(history) {
  /** @type {Record<string, number>} */
  const refused = {};
  for (const { kind, status = 0 } of history) {
    if (kind === "answer" && status !== 201) refused[status] = (refused[status] ?? 0) + 1;
  }
  return refused;
}

/** If the database is unavailable, the service responds with 503. A 500 is an unhandled case. @param {import("./history.mjs").Entry} entry */
const isOurFault = ({ kind, status }) => kind === "answer" && status === 500;

/** @typedef {(path: string) => Promise<import("./api.mjs").Answer>} Ask */
/** @typedef {{ items: any[], total: number }} Whole */

/** A GET with the admin's session. Waits if the quota is used up. @param {import("./clients.mjs").Org} org @returns {Ask} */
function asAdmin(org) {
  return async (path) => {
    for (;;) {
      const answer = await org.send("GET", path, { headers: { authorization: `Bearer ${await org.token()}` } });
      if (answer.status !== 429) return answer;
      await delay(retryAfter(answer) * 1000);
    }
  };
}

/** @param {Ask} ask @param {string} path @returns {Promise<Whole>} */
async function all(ask, path) {
  const items = [];
  for (let page = 1; ; page++) {
    const { status, json } = await ask(`${path}?page=${page}&limit=${PAGE}`);
    if (status !== 200) throw new Error(`GET ${path} returned ${status} ${JSON.stringify(json)}`);
    items.push(...json.data);
    if (json.data.length < PAGE) return { items, total: json.meta.total };
  }
}

/** Every key has one entry for its creation, every entry has its key, and the totals match. @param {Verdict} verdict @param {Whole} keys @param {Whole} trail */
function compareKeysWithTrail(verdict, keys, trail) {
  const listed = new Set(keys.items.map(({ key_id }) => key_id));
  /** @type {Map<string, number>} */
  const entries = new Map();
  for (const { type, data } of trail.items) if (type === "key.created") entries.set(data.key_id, (entries.get(data.key_id) ?? 0) + 1);
  for (const key_id of listed) {
    if (entries.get(key_id) !== 1) verdict.halfMade.push(`${key_id} is listed and has ${entries.get(key_id) ?? 0} entries key.created`);
  }
  for (const key_id of entries.keys())
    if (!listed.has(key_id)) verdict.halfMade.push(`${key_id} has an entry key.created and is not listed`);
  if (listed.size !== keys.items.length) verdict.odd.push("a key is listed twice");
  if (keys.total !== entries.size) verdict.odd.push(`the total of the keys is ${keys.total}, the audit trail has ${entries.size}`);
  const sequence = trail.items.map(({ seq }) => seq);
  const expected = sequence.map((_, index) => trail.total - index);
  if (trail.total !== sequence.length || sequence.some((seq, index) => seq !== expected[index]))
    verdict.odd.push("the audit trail has a gap");
}

/** @param {Verdict} verdict @param {any[]} keys @param {Operation[]} operations */
function compareKeysWithOperations(verdict, keys, operations) {
  /** @type {Map<string, any[]>} */
  const byName = new Map();
  for (const key of keys) byName.set(key.partner_name, [...(byName.get(key.partner_name) ?? []), key]);
  const known = new Set(operations.map(({ op }) => op));
  for (const name of byName.keys()) if (!known.has(name)) verdict.odd.push(`a key called ${name} was never requested`);
  for (const { op, acknowledged, made, open } of operations) {
    const found = byName.get(op) ?? [];
    verdict.acknowledged += acknowledged.length;
    if (found.length > 1 || acknowledged.length > 1)
      verdict.twice.push(`${op}: ${found.length} keys, ${acknowledged.length} of them acknowledged`);
    for (const { key_id } of acknowledged) {
      const key = found.find((candidate) => candidate.key_id === key_id);
      if (key?.status !== "active") verdict.lost.push(`${op}: ${key_id} is ${key === undefined ? "not listed" : key.status}`);
    }
    if (made && found.length === 0) verdict.lost.push(`${op}: a repeat reported success, but there is no key`);
    if (acknowledged.length > 0 || made) continue;
    if (!open && found.length > 0) verdict.odd.push(`${op}: refused, but there is a key`);
    if (open && found.length > 0) verdict.unknownMade++;
    if (open && found.length === 0) verdict.unknownAbsent++;
  }
}

/** @param {Verdict} verdict @param {Ask} ask @param {any[]} keys */
async function compareViews(verdict, ask, keys) {
  for (const key of keys) {
    const { status, json } = await ask(`/partners/keys/${key.key_id}`);
    // Another client of this check may have used the key in the meantime.
    const same = status === 200 && JSON.stringify({ ...json.data, last_used_at: null }) === JSON.stringify({ ...key, last_used_at: null });
    if (!same) verdict.halfMade.push(`${key.key_id} is listed, but reading it returns ${status} ${JSON.stringify(json)}`);
  }
}

/** @param {Verdict} verdict @param {import("./api.mjs").Send} send @param {Map<string, Operation>} operations @param {(key_id: string) => boolean} tryKey */
async function authenticate(verdict, send, operations, tryKey) {
  const keys = [...operations.values()].flatMap(({ op, acknowledged }) => acknowledged.map((key) => ({ op, ...key })));
  const waiting = keys.filter(({ key_id }) => tryKey(key_id));
  const tryNext = async () => {
    for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
      const { status } = await send("GET", "/partner/envelopes?limit=1", { headers: { "x-api-key": key.api_key } });
      verdict.authenticated++;
      if (status !== 200) verdict.lost.push(`${key.op}: ${key.key_id} was acknowledged, but gets ${status}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, tryNext));
}
