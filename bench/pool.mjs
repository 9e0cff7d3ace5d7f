import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { call } from "./ceremony.mjs";
import { atMost } from "./figure.mjs";
import { answersAt, freePort, product, scratchFolder, startDatabase, startService } from "./harness.mjs";
import { createOrgs, logIn } from "./offices.mjs";
import { cpuSecondsOf, databaseCpuSeconds } from "./process-use.mjs";

const NOTES = 1_000;
const GOAL_SECONDS = 60;
const READY_WITHIN_SECONDS = 180;
const DONE_WITHIN_MS = 600_000;
const POLL_MS = 100;

/** @typedef {import("./offices.mjs").Office} Office */

/**
 * POOL: a lender assigns 1,000 notes of one bank to another by one call. Both banks are organizations of the installation, and an admin of
 * each confirms once. From the request to the signed report, in which every note is done. The notes are rows as vaulting leaves them,
 * without stored files; their evaluation, which follows the report, is not measured.
 * @param {import("./figure.mjs").Bench} bench
 * @returns {Promise<import("./figure.mjs").Figure[]>}
 */
export async function measurePool({ end }) {
  const folder = await scratchFolder(end);
  const database = await startDatabase(end, folder);
  const { connectDb } = await product("db/connect.js");
  const db = connectDb({ url: database.appUrl, poolSize: 2 });
  end.later(() => db.end());
  const passwords = await createOrgs(db, ["lender", "seller", "buyer"]);
  const service = startService("start", { folder, port: await freePort(), env: database.env });
  end.later(() => service.stop());
  await answersAt(service, "/readyz", READY_WITHIN_SECONDS);
  const [lender, seller, buyer] = [
    await logIn(service.url, "lender", passwords),
    await logIn(service.url, "seller", passwords),
    await logIn(service.url, "buyer", passwords),
  ];
  const [from, to] = [await addParty(service.url, lender, seller), await addParty(service.url, lender, buyer)];
  await vaultNotes(database, db, lender, from);

  const used = () => [cpuSecondsOf(service.pid), databaseCpuSeconds(database.pid)];
  const [began, before] = [performance.now(), used()];
  const body = { kind: "assign", filter: { controller_party_id: from }, party_id: to, reason: "Sale of the pool" };
  const { control_batch_id, act_id } = await ask(service.url, lender, "POST", "/partner/control-batches", body, 201);
  const proposed = performance.now();
  for (const bank of [seller, buyer]) {
    const { sha256 } = await ask(service.url, bank, "GET", `/partner/acts/${act_id}`);
    await ask(service.url, bank, "POST", `/partner/acts/${act_id}/decision`, { decision: "confirm", sha256 });
  }
  const confirmed = performance.now();
  await untilDone(service.url, lender, control_batch_id);
  const done = performance.now();
  const cpu = used().map((value, n) => value - (before[n] ?? 0));
  const { document } = await ask(service.url, lender, "GET", `/partner/control-batches/${control_batch_id}/report`);
  if (document.done !== NOTES) throw new Error(`${document.done} of ${NOTES} notes were assigned, ${document.skipped} skipped`);
  const seconds = (/** @type {number} */ a, /** @type {number} */ b) => ((b - a) / 1000).toFixed(1);
  const total = (done - began) / 1000;
  const info = { id: "POOL", goal: "", verdict: /** @type {const} */ ("info") };
  return [
    {
      id: "POOL",
      name: `${NOTES} notes assigned: 1 call, 1 confirmation of each party, signed report`,
      measured: `${total.toFixed(1)} s`,
      goal: `< ${GOAL_SECONDS} s`,
      verdict: atMost(total, GOAL_SECONDS),
      values: { total, cpu },
    },
    {
      ...info,
      name: "  time by part: proposed + confirmed + all records and report",
      measured: `${seconds(began, proposed)} + ${seconds(proposed, confirmed)} + ${seconds(confirmed, done)} s`,
    },
    { ...info, name: "  CPU of service + PostgreSQL", measured: `${cpu.map((value) => value.toFixed(1)).join(" + ")} s` },
  ];
}

/** @param {string} url @param {Office} office @param {string} method @param {string} path @param {unknown} [body] */
async function ask(url, office, method, path, body, wanted = 200) {
  const { status, json, bytes } = await call(url, method, path, office.headers, body);
  if (status !== wanted) throw new Error(`${method} ${path} returned ${status}: ${bytes.toString("utf8", 0, 500)}`);
  return json.data;
}

/** @param {string} url @param {Office} lender @param {Office} bank @returns {Promise<string>} */
async function addParty(url, lender, bank) {
  const body = { kind: "org", name: `Bank of ${bank.org_id}`, org_id: bank.org_id };
  return (await ask(url, lender, "POST", "/partner/parties", body, 201)).party_id;
}

/**
 * Rows as vaulting leaves them, with the bank as the secured party on record.
 * @param {import("./harness.mjs").Database} database
 * @param {any} db
 * @param {Office} lender
 * @param {string} party_id
 */
async function vaultNotes(database, db, { org_id, user_id }, party_id) {
  const { newId } = await product("shared/ids.js");
  const { recordAssignee } = await product("vault/assignments/record-assignee.js");
  const { setController } = await product("vault/acts/register-store.js");
  const { vaultJobCaller } = await product("vault/copy.js");
  const made = Array.from({ length: NOTES }, (_, n) => ({
    envelope_id: newId("envelope"),
    copy_id: newId("authoritativeCopy"),
    permission_id: newId("custodianPermission"),
    sha256: createHash("sha256").update(`note ${n}`).digest("hex"),
    name: `Promissory note ${n + 1}`,
  }));
  const rows = JSON.stringify(made);
  const from = `from jsonb_to_recordset($2::jsonb) as r (envelope_id text, copy_id text, permission_id text, sha256 text, name text)`;
  await database.query(`insert into blobs (org_id, sha256, size, kept) select $1, r.sha256, 1, true ${from}`, [org_id, rows]);
  await database.query(
    `insert into envelopes (org_id, envelope_id, envelope_name, status, completed_at) select $1, r.envelope_id, r.name, 'vaulted', now() ${from}`,
    [org_id, rows],
  );
  await database.query(
    `insert into authoritative_copies (org_id, copy_id, envelope_id, sha256, size, content_sha256, parent_sha256, source, seal_level, sealed_at,
       stored_at, retention_until, lock_until)
     select $1, r.copy_id, r.envelope_id, r.sha256, 1, r.sha256, r.sha256, 'signed_here', 'B-B', now(), now(), now(), now() ${from}`,
    [org_id, rows],
  );
  await database.query(
    `insert into custodian_permissions (org_id, permission_id, copy_id, envelope_id, user_id, state, expected_version, initiated_by, initiated_at,
       activated_at)
     select $1, r.permission_id, r.copy_id, r.envelope_id, $3, 'active', 1, '{"kind":"system","id":"bench"}', now(), now() ${from}`,
    [org_id, rows, user_id],
  );
  const party = { name: "First Example Bank" };
  for (const { envelope_id } of made) {
    await db.tx(org_id, async (/** @type {any} */ tx) => {
      await recordAssignee(tx, vaultJobCaller(org_id), envelope_id, { party, consent: null, party_id });
      await setController(tx, org_id, envelope_id, party_id);
    });
  }
  await database.query("vacuum analyze");
}

/** @param {string} url @param {Office} lender @param {string} control_batch_id */
async function untilDone(url, lender, control_batch_id) {
  const deadline = performance.now() + DONE_WITHIN_MS;
  while (performance.now() < deadline) {
    if ((await ask(url, lender, "GET", `/partner/control-batches/${control_batch_id}`)).state === "done") return;
    await delay(POLL_MS);
  }
  throw new Error("the batch was not done in time");
}
