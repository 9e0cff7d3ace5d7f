// Checks histories of envelopes with the responses to their clients, the API's lists, and the records that no response shows: the audit
// chains, the events, the outbox and the queue.
import { setTimeout as delay } from "node:timers/promises";
import { firstFault } from "@countersign/evidence";
import { product } from "../bench/harness.mjs";
import { signersOf } from "./envelope-histories.mjs";

// A sweep runs every minute. The jobs of a dead worker are released after 30 s and may fail once more first.
const AT_REST_WITHIN_MS = 240_000;
const POLL_MS = 500;
const PAGE = 100;

/** @typedef {import("./envelope-histories.mjs").HistoryResult} HistoryResult @typedef {import("./envelope-histories.mjs").Office} Office */
/** @typedef {ReturnType<typeof import("./victim.mjs").startVictim>} Victim */
/**
 * @typedef {object} Verdict
 * @property {number} histories @property {number} acts
 * @property {number} open actions whose result is unknown
 * @property {Record<string, number>} answers by status
 * @property {Record<string, number>} ends by status of the envelope
 * @property {number} entries @property {number} sends @property {number} invitations
 * @property {number} replaced jobs that stay in the queue though another has done their work
 * @property {string[]} found every violation
 */

/** The entry that an act leaves. @type {Partial<Record<import("./envelope-histories.mjs").Done["act"], string>>} */
const ENTRY_OF = {
  create: "envelope.created",
  change: "envelope.changed",
  attach: "document.received",
  place: "envelope.fields_placed",
  send: "envelope.sent",
  remind: "envelope.reminded",
  correct: "signer.corrected",
  open: "signer.opened",
  decline: "envelope.declined",
  void: "envelope.voided",
  discard: "envelope.voided",
  expire: "envelope.expired",
};

/** What mail servers say about a message. Each says it once. */
const MAIL_ENTRIES = ["mail.accepted", "mail.failed", "mail.delivered", "mail.bounced", "mail.complained"];

// A conflict, a corrected link (404), a token of a corrected signer (401). Everything else is either a success or a fault.
const REFUSALS = new Set([401, 404, 409]);

/** @param {{ victim: Victim, offices: Office[], results: HistoryResult[] }} run @returns {Promise<Verdict>} */
export async function checkHistories({ victim, offices, results }) {
  const stuck = await waitForRest(victim);
  const records = await readRecords(victim, offices);
  /** @type {Verdict} */
  const verdict = {
    histories: results.length,
    acts: 0,
    open: 0,
    answers: {},
    ends: {},
    entries: 0,
    sends: 0,
    invitations: 0,
    replaced: 0,
    found: [...stuck],
  };
  verdict.replaced = (await victim.query(`select from graphile_worker.jobs where ${REPLACED}`)).length;
  const rules = await product("envelopes/envelope.js");
  for (const one of results) {
    countActs(verdict, one);
    if (one.envelope_id === null) continue;
    const record = records.of(one.envelope_id);
    const name = `${one.plan.name} (${one.envelope_id})`;
    verdict.entries += record.chain.length;
    verdict.ends[record.status] = (verdict.ends[record.status] ?? 0) + 1;
    verdict.sends += countEntries(record, "envelope.sent");
    verdict.invitations += record.mail.get("signing_invitation")?.length ?? 0;
    const faults = [
      ...faultOfChain(record),
      ...faultsOfMoves(rules, one, record),
      ...faultsOfActs(one, record),
      ...faultsOfCounts(one, record),
    ];
    verdict.found.push(...faults.map(({ kind, text }) => `${kind}: ${name}: ${text}`));
  }
  verdict.found.push(...records.faults, ...strangers(results, records));
  return verdict;
}

// If a fan-out was killed while the next one of its org was queued, it has no attempts left, because the queue replaced it with the next
// one. Its work shows in the events.
const REPLACED = "task_identifier = 'webhooks.fan-out' and attempts = max_attempts and key is null";

/** What is still waiting but should not be; empty once everything has settled. @param {Victim} victim @returns {Promise<string[]>} */
async function waitForRest(victim) {
  const waiting = `
    select (select count(*) from outbox)::int as "jobs on their way to the queue",
      (select count(*) from graphile_worker.jobs where not (${REPLACED}))::int as "jobs in the queue",
      (select count(*) from events where fanned_out_at is null)::int as "events that were not fanned out",
      (select count(*) from envelopes where status in ('sent', 'viewed') and expires_at <= now())::int as "envelopes past their time"`;
  const deadline = performance.now() + AT_REST_WITHIN_MS;
  for (;;) {
    const [row] = await victim.query(waiting);
    const left = Object.entries(row).filter(([, n]) => n > 0);
    if (left.length === 0) return [];
    if (performance.now() > deadline) return [...left.map(([what, n]) => `stuck: ${n} ${what}`), ...(await describeJobs(victim))];
    await delay(POLL_MS);
  }
}

/** @param {Victim} victim */
async function describeJobs(victim) {
  const jobs = await victim.query(`
    select task_identifier, key, attempts, max_attempts, locked_by, locked_at, run_at - now() as due_in, last_error
    from graphile_worker.jobs where not (${REPLACED}) order by id`);
  return jobs.map((job) => `stuck: ${JSON.stringify(job)}`);
}

/**
 * @typedef {object} Entry
 * @property {string} type @property {any} data
 */
/**
 * @typedef {object} EnvelopeRecord
 * @property {string} status as the API lists it
 * @property {Entry[]} chain @property {import("@countersign/evidence").Fault | null} fault
 * @property {Map<string, number>} events by type
 * @property {Map<string, string[]>} mail addresses by kind
 */

/** @param {Victim} victim @param {Office[]} offices */
async function readRecords(victim, offices) {
  /** @type {Map<string, EnvelopeRecord>} */
  const records = new Map();
  const faults = [];
  const { connectDb } = await product("db/connect.js");
  const { readChain } = await product("audit/read-chain.js");
  const database = await victim.database();
  if (database === null) throw new Error("no database is running");
  const db = connectDb({ url: database.appUrl, poolSize: 2 });
  const heads = new Map((await victim.query("select subject, seq, hash, at from audit_heads")).map((row) => [row.subject, row]));
  const chainOf = async (/** @type {string} */ org_id, /** @type {string} */ subject) => {
    /** @type {import("@countersign/evidence").Link[]} */
    const links = await db.tx(org_id, (/** @type {any} */ tx) => readChain(tx, org_id, subject));
    const { seq = 0, hash = "", at = new Date(0) } = heads.get(subject) ?? {};
    const fault = firstFault(links, { org_id, subject, head: { seq, hash, at: at.toISOString() } });
    return { chain: links.map(({ entry, data }) => ({ type: entry.type, data: data?.data })), fault };
  };
  try {
    for (const office of offices) {
      const { fault } = await chainOf(office.org_id, office.org_id);
      if (fault !== null) faults.push(`chain: ${office.org_id}: ${JSON.stringify(fault)}`);
      for (const { envelope_id, status } of await listed(office)) {
        if (records.has(envelope_id)) faults.push(`answer: ${envelope_id} is listed twice`);
        records.set(envelope_id, { status, ...(await chainOf(office.org_id, envelope_id)), events: new Map(), mail: new Map() });
      }
    }
  } finally {
    await db.end();
  }
  const events = "select envelope_id, event_type, count(*)::int as n from events where envelope_id is not null group by 1, 2";
  for (const { envelope_id, event_type, n } of await victim.query(events)) records.get(envelope_id)?.events.set(event_type, n);
  for (const { about, kind, to_address } of await victim.query(
    "select about, kind, to_address from mail_messages where about is not null",
  )) {
    const mail = records.get(about)?.mail;
    mail?.set(kind, [...(mail.get(kind) ?? []), to_address]);
  }
  return {
    faults,
    ids: [...records.keys()],
    of(/** @type {string} */ envelope_id) {
      const none = { status: "nowhere in the list", chain: [], fault: null, events: new Map(), mail: new Map() };
      return records.get(envelope_id) ?? none;
    },
  };
}

/** @param {Office} office @returns {Promise<{ envelope_id: string, status: string }[]>} */
async function listed({ send, key }) {
  const items = [];
  for (let page = 1; ; page++) {
    const { status, json } = await send("GET", `/partner/envelopes?page=${page}&limit=${PAGE}`, { headers: { "x-api-key": key } });
    if (status !== 200) throw new Error(`the list returned ${status} ${JSON.stringify(json)}`);
    items.push(...json.data);
    if (json.data.length === PAGE) continue;
    if (items.length !== json.meta.total) throw new Error(`the list has ${items.length} envelopes, but its total is ${json.meta.total}`);
    return items;
  }
}

/** @param {Verdict} verdict @param {HistoryResult} result */
function countActs(verdict, { plan, done }) {
  for (const { act, fate, status, text } of done) {
    verdict.acts++;
    if (fate === "open") verdict.open++;
    if (status === 0) continue;
    verdict.answers[status] = (verdict.answers[status] ?? 0) + 1;
    // A response of a service whose database was killed. Any other unexpected response is an unhandled case.
    if (fate === "done" || status === 503 || REFUSALS.has(status)) continue;
    verdict.found.push(`answer: ${plan.name}: ${act} got ${status} ${text}`);
  }
}

/** @param {EnvelopeRecord} record @param {string} type */
const countEntries = ({ chain }, type) => chain.filter((entry) => entry.type === type).length;

/** @typedef {{ kind: string, text: string }} Finding */

/** @param {EnvelopeRecord} record @returns {Finding[]} */
function faultOfChain({ chain, fault }) {
  if (chain.length === 0) return [{ kind: "lost", text: "it was acknowledged and has no chain" }];
  return fault === null ? [] : [{ kind: "chain", text: JSON.stringify(fault) }];
}

/** Every entry must have been allowed after the ones before it. @param {any} rules @param {HistoryResult} result @param {EnvelopeRecord} record @returns {Finding[]} */
function faultsOfMoves({ moves, drafts, open }, { plan }, { chain, status }) {
  /** @type {Record<string, string>} */
  const moveOf = {
    "document.received": "attach",
    "envelope.fields_placed": "place",
    "envelope.sent": "send",
    "envelope.viewed": "view",
    "envelope.declined": "decline",
    "envelope.voided": "void",
    "envelope.expired": "expire",
  };
  // Replies and reports come whenever a mail server sends them, also after the end of an envelope.
  const mailed = [...open, "completed", "vaulted", "declined", "voided", "expired"];
  /** @type {Record<string, string[]>} */
  const during = {
    "envelope.changed": drafts,
    "document.prepared": drafts,
    "envelope.reminded": open,
    "signer.corrected": open,
    "signer.link_handed_over": open,
    "token.minted": open,
    "signer.opened": open,
    ...Object.fromEntries(MAIL_ENTRIES.map((type) => [type, mailed])),
  };
  const [first, ...rest] = chain;
  let now = plan.fromTemplate ? "preparing" : "pending";
  const faults =
    first === undefined || first.type === "envelope.created" ? [] : [{ kind: "illegal", text: `it begins with ${first.type}` }];
  for (const { type, data } of rest) {
    const move = moves[type === "envelope.voided" && data?.reason === "discarded" ? "discard" : (moveOf[type] ?? "")];
    const from = move?.from ?? during[type] ?? [];
    if (!from.includes(now)) faults.push({ kind: "illegal", text: `${type} while it was ${now}` });
    now = move?.to ?? now;
  }
  if (chain.length > 0 && now !== status)
    faults.push({ kind: "illegal", text: `its chain leads to ${now}, but it is listed as ${status}` });
  return faults;
}

/** Everything that was acknowledged is on record, and nothing that was not requested. @param {HistoryResult} result @param {EnvelopeRecord} record @returns {Finding[]} */
function faultsOfActs({ done }, record) {
  const faults = [];
  for (const type of new Set(Object.values(ENTRY_OF))) {
    const fates = done.filter(({ act }) => ENTRY_OF[act] === type).map(({ fate }) => fate);
    const acknowledged = fates.filter((fate) => fate === "done").length;
    const possible = acknowledged + fates.filter((fate) => fate === "open").length;
    const found = countEntries(record, type);
    // An expiry date in the past is not an acknowledgement: another action may end the envelope first, and two calls are one expiry.
    if (found < acknowledged && type !== "envelope.expired")
      faults.push({ kind: "lost", text: `${acknowledged} acknowledged, but ${found} entries ${type}` });
    if (found > possible)
      faults.push({ kind: "unasked", text: `${possible} actions may have succeeded, but there are ${found} entries ${type}` });
  }
  return faults;
}

/** One event for each action that has one, and one message to each person concerned. @param {HistoryResult} result @param {EnvelopeRecord} record @returns {Finding[]} */
function faultsOfCounts({ plan }, record) {
  /** @type {Finding[]} */
  const faults = [];
  const expect = (/** @type {string} */ what, /** @type {unknown} */ wanted, /** @type {unknown} */ found) => {
    if (JSON.stringify(found) !== JSON.stringify(wanted))
      faults.push({ kind: "count", text: `${what}: ${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}` });
  };
  const entries = (/** @type {string} */ type) => countEntries(record, type);
  const events = (/** @type {string} */ type) => record.events.get(type) ?? 0;
  const mail = (/** @type {string} */ kind) => [...(record.mail.get(kind) ?? [])].sort();
  if (entries("envelope.sent") > 1) faults.push({ kind: "count", text: "it was sent twice" });
  for (const type of ["envelope.created", "envelope.sent", "envelope.voided"]) expect(`events ${type}`, entries(type), events(type));
  expect("events envelope.reminder_sent", entries("envelope.reminded"), events("envelope.reminder_sent"));

  const signers = signersOf(plan);
  const atTurn = plan.signing_order === "parallel" ? signers : signers.slice(0, 1);
  expect("invitations", entries("envelope.sent") === 0 ? [] : atTurn.map(({ email }) => email).sort(), mail("signing_invitation"));
  const corrected = record.chain.filter(({ type, data }) => type === "signer.corrected" && atTurn.some(({ role }) => role === data?.role));
  expect("new links", corrected.map(({ data }) => data?.to.email).sort(), mail("signing_corrected"));
  const reminded = record.chain.filter(({ type }) => type === "envelope.reminded").flatMap(({ data }) => data?.reminded);
  expect("reminders", reminded.sort(), mail("signing_reminder"));
  const said = record.chain.filter(({ type }) => MAIL_ENTRIES.includes(type)).map(({ type, data }) => `${type} ${data?.message_id}`);
  expect("entries about mail", [...new Set(said)], said);
  return faults;
}

/** Envelopes that no history knows. @param {HistoryResult[]} results @param {{ ids: string[] }} records */
function strangers(results, { ids }) {
  const known = new Set(results.map(({ envelope_id }) => envelope_id));
  // In a run that was cut short, some histories do not know whether their envelope was created.
  const unheard = results.filter(({ envelope_id }) => envelope_id === null).length;
  const unknown = ids.filter((id) => !known.has(id));
  return unknown.length > unheard ? unknown.map((id) => `unasked: no response named ${id}`) : [];
}
