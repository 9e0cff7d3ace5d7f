// A bulk send while the service is killed: a CSV file with rows of which some have mistakes, a real mail server and a receiver of events.
// At the end each good row has one envelope, one event of each kind and one invitation, and all numbers agree.
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { SMTPServer } from "smtp-server";
import { contract } from "../bench/documents.mjs";
import { freePort, root, startDatabase, startService } from "../bench/harness.mjs";
import { startReceiver } from "./receiver.mjs";
import { countOf, startKillable, verdictTable } from "./runner.mjs";

const READY_WITHIN_SECONDS = 180;
const ANSWER_WITHIN_MS = 60_000;
const POLL_MS = 250;
// Without any change of the batch. After a kill, the jobs of the dead process wait for 30 s.
const PROGRESS_WITHIN_MS = 180_000;
const SETTLED_WITHIN_MS = 1_200_000;
const MOST_BAD = 40;
const KILL_WITHIN_MS = 400;
const POOL_SIZE = 16;
const DAMAGED = "this is no address";

/** @typedef {{ status: number, json: any }} Answer status 0: no response */
/** @typedef {(method: string, path: string, body?: object | FormData) => Promise<Answer>} Send */
/**
 * @typedef {object} Outcome
 * @property {number} rows @property {number} bad @property {number} kills @property {number} killed_in_check
 * @property {number} envelopes @property {number} events @property {number} invitations
 * @property {number} repeated messages that the mail server got again with the same Message-ID, because a process died before it recorded the first
 * @property {number} seconds from the start to the last row
 * @property {string[]} found every violation
 */

/**
 * @param {{ end: import("../bench/harness.mjs").Cleanup, folder: string, random: import("./random.mjs").Random,
 *   history: import("./history.mjs").History, rows: number, kills: number }} run
 * @returns {Promise<Outcome>}
 */
export async function attackBulk({ end, folder, random, history, rows, kills }) {
  const mail = await startMailServer(end);
  const stage = await setUp(end, folder, mail.url);
  const bad = Math.min(MOST_BAD, Math.floor(rows / 4));
  /** @type {Outcome} */
  const outcome = { rows, bad, kills: 0, killed_in_check: 0, envelopes: 0, events: 0, invitations: 0, repeated: 0, seconds: 0, found: [] };
  const kill = async () => {
    if (!(await stage.kill())) outcome.found.push("end: the service ended unexpectedly");
    outcome.kills++;
    await history.append({ kind: "kill", target: "service" });
    await stage.ready();
  };
  const { batch_id } = await stage.sure("POST", "/partner/bulk-batches", fileOf(stage.template_id, rows, bad));
  await delay(random.between(0, KILL_WITHIN_MS));
  await kill();
  outcome.killed_in_check = 1;
  const checked = await stage.until(batch_id, "checked", ({ state }) => state === "checked");
  compare(outcome, "check", { ready: rows - bad, invalid: bad, sent: 0 }, checked);

  const began = performance.now();
  await stage.start(batch_id);
  // Spread over the whole run, each at a random moment after some progress.
  while (outcome.kills < kills) {
    const wanted = Math.floor(((rows - bad) * outcome.kills) / kills);
    const reached = await stage.until(batch_id, `${wanted} rows sent`, ({ sent, state }) => sent >= wanted || state !== "running");
    if (reached.state !== "running") break;
    await delay(random.between(0, KILL_WITHIN_MS));
    await kill();
  }
  const ended = await stage.until(batch_id, "ended", ({ state }) => state !== "running");
  outcome.seconds = (performance.now() - began) / 1000;
  compare(outcome, "result", { state: "ended", ready: 0, invalid: bad, sent: rows - bad, failed: 0, skipped: 0 }, ended);
  await stage.settled();
  await check({ stage, mail, outcome, batch_id });
  return outcome;
}

/** @param {Outcome} outcome @param {string} what @param {Record<string, unknown>} wanted @param {Record<string, unknown>} found */
function compare(outcome, what, wanted, found) {
  for (const [name, value] of Object.entries(wanted)) {
    if (found[name] !== value) outcome.found.push(`count: ${what} has ${name} ${JSON.stringify(found[name])} instead of ${value}`);
  }
}

const addressOf = (/** @type {number} */ n) => `tenant${n}@example.com`;

/** The first rows have mistakes. @param {string} template_id @param {number} rows @param {number} bad */
function fileOf(template_id, rows, bad) {
  const lines = Array.from({ length: rows }, (_, n) => [`Tenant ${n}`, n < bad ? DAMAGED : addressOf(n), `lease-${n}`].join(","));
  const form = new FormData();
  form.append("template_id", template_id);
  form.append("file", new Blob([["Tenant.name,Tenant.email,external_id", ...lines].join("\r\n")], { type: "text/csv" }), "rows.csv");
  return form;
}

/** Keeps the address and the Message-ID of everything that it accepts. @param {import("../bench/harness.mjs").Cleanup} end */
async function startMailServer(end) {
  /** @type {{ to: string, id: string }[]} */
  const accepted = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["AUTH", "STARTTLS"],
    onData(stream, session, done) {
      let text = "";
      stream.setEncoding("utf8");
      stream.on("data", (piece) => {
        text += piece;
      });
      // A sender that was killed leaves half a message, which is not accepted.
      stream.on("end", () => {
        const id = /^message-id:\s*(\S+)/im.exec(text)?.[1] ?? "";
        for (const { address } of session.envelope.rcptTo) accepted.push({ to: address, id });
        done();
      });
    },
  });
  // Connections of killed processes are reset.
  server.on("error", () => undefined);
  const port = await freePort();
  await new Promise((resolve) => server.listen(port, "127.0.0.1", () => resolve(undefined)));
  end.later(() => new Promise((resolve) => server.close(() => resolve(undefined))));
  return { url: `smtp://127.0.0.1:${port}`, accepted };
}

/** @param {import("../bench/harness.mjs").Cleanup} end @param {string} folder @param {string} SMTP_URL */
async function setUp(end, folder, SMTP_URL) {
  const database = await startDatabase(end, folder);
  const port = await freePort();
  const pace = { BULK_ROWS_PER_MINUTE: "1000000", DATABASE_POOL_SIZE: String(POOL_SIZE) };
  const env = { ...database.env, ...pace, SMTP_URL, MAIL_FROM: "countersign@example.com", LOG_LEVEL: "warn" };
  const start = () => startService("start", { folder, port, env });
  const { url, ready, kill } = await startKillable({ start, later: end.later, readyWithinSeconds: READY_WITHIN_SECONDS });
  const admin = { email: "admin@example.com", password: randomBytes(16).toString("hex") };
  const program = join(root, "server/bin/countersign.js");
  await promisify(execFile)(process.execPath, [program, "orgs", "create", "--name", "Acme", "--admin-email", admin.email], {
    cwd: folder,
    env: { ...process.env, ...env, DATA_DIR: join(folder, "data"), ADMIN_PASSWORD: admin.password },
  });
  const { token } = (await sender(url)("POST", "/auth/login", { ...admin, mode: "token" })).json.data;
  const asAdmin = sender(url, { authorization: `Bearer ${token}` });
  const scopes = ["envelopes:read", "envelopes:write"];
  const { json } = await asAdmin("POST", "/partners/keys", { partner_name: "Chaos", scopes, rate_limit_rpm: 100_000 });
  const send = sender(url, { "x-api-key": json.data.api_key });
  const receiver = await startReceiver(end);
  await asAdmin("POST", "/webhooks/endpoints", { url: receiver.url, event_types: ["envelope.created", "envelope.sent"] });
  const template_id = await newTemplate(send);

  /** Until the service has answered. A second answer to an upload would be a second batch, so it is only sent while nothing is killed. @type {(method: string, path: string, body?: object | FormData) => Promise<any>} */
  const sure = async (method, path, body) => {
    const answer = await send(method, path, body);
    if (answer.status >= 300 || answer.status === 0)
      throw new Error(`${method} ${path} got ${answer.status} ${JSON.stringify(answer.json)}`);
    return answer.json.data;
  };
  const read = async (/** @type {string} */ batch_id) => {
    for (;;) {
      const { status, json } = await send("GET", `/partner/bulk-batches/${batch_id}`);
      if (status === 200) return json.data;
      await delay(POLL_MS);
    }
  };
  return {
    database,
    receiver,
    template_id,
    ready,
    kill,
    sure,
    send,
    start: (/** @type {string} */ batch_id) => sure("POST", `/partner/bulk-batches/${batch_id}/start`, { accept_invalid: true }),

    /** Fails if the batch stands still: on a busy machine it is slow. @param {string} batch_id @param {string} what @param {(batch: any) => boolean} holds @returns {Promise<any>} */
    async until(batch_id, what, holds) {
      let [seen, since] = ["", performance.now()];
      for (;;) {
        const batch = await read(batch_id);
        if (holds(batch)) return batch;
        const now = JSON.stringify(batch);
        if (now !== seen) [seen, since] = [now, performance.now()];
        if (performance.now() - since > PROGRESS_WITHIN_MS) throw new Error(`waited too long for ${what}: ${now}`);
        await delay(POLL_MS);
      }
    },

    /** No job waits, every message was sent and every event delivered. */
    async settled() {
      const deadline = performance.now() + SETTLED_WITHIN_MS;
      for (;;) {
        const [left] =
          await database.query(`select (select count(*) from outbox)::int + (select count(*) from graphile_worker.jobs)::int as jobs,
          (select count(*) from mail_messages where sent_at is null)::int as mails,
          (select count(*) from webhook_deliveries where status = 'pending')::int as deliveries`);
        if (left.jobs === 0 && left.mails === 0 && left.deliveries === 0) return;
        if (performance.now() > deadline) throw new Error(`not settled: ${JSON.stringify(left)}`);
        await delay(POLL_MS);
      }
    },
  };
}

/** @param {string} url @param {Record<string, string>} [credential] @returns {Send} */
function sender(url, credential = {}) {
  return async (method, path, body) => {
    const isForm = body instanceof FormData;
    const headers = { ...credential, ...(body !== undefined && !isForm && { "content-type": "application/json" }) };
    const sent = body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) };
    try {
      const answer = await fetch(`${url}/api/v2${path}`, { method, headers, ...sent, signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
      return { status: answer.status, json: await answer.json() };
    } catch (error) {
      // `fetch` rejects with a TypeError if the connection is refused or the response is cut off. Anything else is our own bug.
      if (error instanceof TypeError) return { status: 0, json: null };
      throw error;
    }
  };
}

/** One signer with a place to sign. @param {Send} send @returns {Promise<string>} */
async function newTemplate(send) {
  const placement = { mode: "absolute", areas: [{ page: 1, x: 0.1, y: 0.8, w: 0.3, h: 0.05 }] };
  const form = new FormData();
  form.append("name", "Lease");
  form.append("fields_json", JSON.stringify([{ name: "Signature", type: "signature", role: "Tenant", placement }]));
  form.append("file", new Blob([Uint8Array.from(contract(1, "simple"))], { type: "application/pdf" }), "lease.pdf");
  const { status, json } = await send("POST", "/partner/templates", form);
  if (status !== 200) throw new Error(`the template got ${status} ${JSON.stringify(json)}`);
  return json.data.template_id;
}

/** @param {{ stage: Awaited<ReturnType<typeof setUp>>, mail: Awaited<ReturnType<typeof startMailServer>>, outcome: Outcome, batch_id: string }} run */
async function check({ stage, mail, outcome, batch_id }) {
  const { rows, bad, found } = outcome;
  const good = rows - bad;
  const listed = await stage.database.query("select row_no, state, envelope_id from bulk_rows where batch_id = $1 order by row_no", [
    batch_id,
  ]);
  if (listed.length !== rows) found.push(`count: ${listed.length} of ${rows} rows are on record`);
  const owned = new Set(listed.filter(({ state }) => state === "sent").map(({ envelope_id }) => envelope_id));
  if (owned.size !== good) found.push(`row: ${owned.size} rows have an envelope of their own instead of ${good}`);

  const envelopes = await stage.database.query(
    `select e.envelope_id, e.status, e.external_id, s.email,
       (select count(*) from events v where v.org_id = e.org_id and v.envelope_id = e.envelope_id and v.event_type = 'envelope.created')::int as created,
       (select count(*) from events v where v.org_id = e.org_id and v.envelope_id = e.envelope_id and v.event_type = 'envelope.sent')::int as sent,
       (select count(*) from audit_entries a where a.org_id = e.org_id and a.subject = e.envelope_id and a.type = 'envelope.sent')::int as entries,
       (select count(*) from mail_messages m where m.org_id = e.org_id and m.envelope_id = e.envelope_id)::int as mails
     from envelopes e join signers s using (org_id, envelope_id) where e.batch_id = $1`,
    [batch_id],
  );
  outcome.envelopes = envelopes.length;
  if (envelopes.length !== good) found.push(`envelope: there are ${envelopes.length} instead of ${good}`);
  const [orphans] = await stage.database.query(
    "select count(*)::int as n from envelopes where batch_id is distinct from $1 or sent_at is null",
    [batch_id],
  );
  if (orphans.n > 0) found.push(`envelope: ${orphans.n} were not sent, or do not belong to the bulk send`);
  for (const { envelope_id, status, external_id, email, created, sent, entries, mails } of envelopes) {
    const n = Number(external_id.slice("lease-".length));
    const isWhole = status === "sent" && email === addressOf(n) && owned.has(envelope_id);
    if (!isWhole) found.push(`envelope: ${envelope_id} is ${status} for ${email}, row ${external_id}`);
    if (created !== 1 || sent !== 1 || entries !== 1)
      found.push(`event: ${envelope_id} has ${created} created, ${sent} sent, ${entries} entries`);
    if (mails !== 1) found.push(`mail: ${envelope_id} has ${mails} messages`);
  }

  const events = new Map();
  for (const { body } of stage.receiver.arrived) {
    const { event_id, event_type, envelope_id, data } = JSON.parse(body.toString("utf8"));
    if (data.batch_id !== batch_id) found.push(`event: ${event_id} names the bulk send ${data.batch_id}`);
    events.set(event_id, `${event_type} ${envelope_id}`);
  }
  outcome.events = events.size;
  if (events.size !== 2 * good || new Set(events.values()).size !== 2 * good) {
    found.push(`event: ${events.size} arrived, about ${new Set(events.values()).size} facts, instead of ${2 * good}`);
  }

  const invitations = mail.accepted.filter(({ to }) => to.startsWith("tenant"));
  const ids = new Map(invitations.map(({ id, to }) => [id, to]));
  outcome.invitations = ids.size;
  outcome.repeated = invitations.length - ids.size;
  if (ids.size !== good || new Set(ids.values()).size !== good) {
    found.push(`mail: ${ids.size} messages to ${new Set(ids.values()).size} people arrived instead of ${good}`);
  }
  const own = mail.accepted.filter(({ to }) => to === "admin@example.com");
  if (new Set(own.map(({ id }) => id)).size < 1) found.push("mail: the author was not notified");
  const endings = await stage.database.query("select count(*)::int as n from audit_entries where type in ('batch.started', 'batch.ended')");
  if (endings[0].n !== 2) found.push(`event: the organization's trail has ${endings[0].n} entries about the bulk send`);
}

/** @param {Outcome} outcome */
export function bulkTable({ rows, bad, kills, killed_in_check, envelopes, events, invitations, repeated, seconds, found }) {
  return verdictTable(
    [
      ["rows, with mistakes", `${rows}, ${bad}`],
      ["kills of the service, of these during the check", `${kills}, ${killed_in_check}`],
      ["seconds from the start to the last row", seconds.toFixed(0)],
      ["envelopes, events received, invitations received", `${envelopes}, ${events}, ${invitations}`],
      ["messages that arrived again with the same Message-ID", String(repeated)],
      ["wrong numbers", countOf(found, "count")],
      ["rows without an envelope of their own", countOf(found, "row")],
      ["wrong envelopes", countOf(found, "envelope")],
      ["missing or extra events and entries", countOf(found, "event")],
      ["missing or extra mail", countOf(found, "mail")],
      ["unexpected exits", countOf(found, "end")],
    ],
    found,
  );
}
