// Kills processes while records move between two installations: each process does the next steps of one side, and dies after a random number
// of SQL statements, often in the middle of a transaction. After each death the databases of both sides are compared: never two originals,
// and always one side that is entitled. The same records go there and back; some transfers are cancelled or refused on the way. After each move
// the evidence bundles of both sides are verified and compared.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { contract } from "../bench/documents.mjs";
import { answersAt, fillDatabase, freePort, product, startDatabase, startService } from "../bench/harness.mjs";
import { countOf, runToItsEnd, verdictTable } from "./runner.mjs";

const READY_WITHIN_SECONDS = 180;
const DIES_WITHIN_MS = 120_000;
// About as many as the longest stretch of one side has.
const MOST_STATEMENTS = 90;
// Then both sides finish without kills, so that a run always ends.
const KILLS_PER_RUN = 12;
// The bundle of a record carries those of all vaults before.
const MOVES_PER_RECORD = 6;
const POLL_MS = 100;
const SCOPES = ["envelopes:write", "envelopes:read", "customers:read", "customers:write", "documents:write", "vault:write", "vault:read"];
const LIVE = "('active', 'escrowed', 'papering', 'tampered')";

/** @typedef {{ name: string, folder: string, env: Record<string, string>, database: import("../bench/harness.mjs").Database, url: string,
 *   org_id: string, key: string, db: any, features: any, vault_id: string, customer_id: string, user_id: string }} Side */
/** @typedef {{ runs: number, kills: number, finished: number, moved: number, cancelled: number, refused: number, records: number, bundles: number,
 *   compared: number, found: string[] }} Outcome */

/**
 * @param {{ end: import("../bench/harness.mjs").Cleanup, folder: string, random: import("./random.mjs").Random,
 *   history: import("./history.mjs").History, runs: number, deadline: number }} run
 * @returns {Promise<Outcome>}
 */
export async function attackLinks({ end, folder, random, history, runs, deadline }) {
  const [one, two] = [await openSide(end, join(folder, "one")), await openSide(end, join(folder, "two"))];
  await pinEachOther(one, two);
  /** @type {Outcome} */
  const outcome = { runs: 0, kills: 0, finished: 0, moved: 0, cancelled: 0, refused: 0, records: 0, bundles: 0, compared: 0, found: [] };
  let [at, moves] = [{ side: one, envelope_id: await newRecord(one, 1) }, 0];
  outcome.records = 1;
  for (let number = 1; number <= runs && performance.now() < deadline; number++) {
    const from = at.side;
    const to = from === one ? two : one;
    const moved = await oneRun({ end, from, to, envelope_id: at.envelope_id, random, outcome, history });
    outcome.runs = number;
    if (moved !== null) {
      const sent = { side: from, envelope_id: at.envelope_id };
      await checkBundles(sent, { side: to, envelope_id: moved }, join(folder, "bundles"), outcome);
      at = { side: to, envelope_id: moved };
      moves += 1;
    }
    if (moves >= MOVES_PER_RECORD) {
      [moves, outcome.records] = [0, outcome.records + 1];
      at = { side: one, envelope_id: await newRecord(one, outcome.records) };
    }
    process.stderr.write(`run ${number} of ${runs}: ${outcome.kills} kills, ${outcome.found.length} violations\n`);
  }
  return outcome;
}

/** An installation with one organization. @param {import("../bench/harness.mjs").Cleanup} end @param {string} folder @returns {Promise<Side>} */
async function openSide(end, folder) {
  await mkdir(folder, { recursive: true });
  const database = await startDatabase(end, folder);
  const { scopes } = await product("shared/scopes.js");
  const wanted = scopes.filter(
    (/** @type {string} */ scope) => SCOPES.includes(scope) || scope.startsWith("vault") || scope.startsWith("esign"),
  );
  const { org_id, keys } = await fillDatabase(database, { envelopes: 0, keys: 1, scopes: wanted });
  const port = await freePort();
  const env = { ...database.env, APP_SECRET: "52".repeat(32).replace(/^.{16}/, "0123456789abcdef"), LOG_LEVEL: "silent" };
  const serve = startService("serve", { folder, port, env });
  end.later(() => serve.stop());
  await answersAt(serve, "/readyz", READY_WITHIN_SECONDS);
  const { readConfig } = await product("config.js");
  const { connectDb } = await product("db/connect.js");
  const { buildFeatures, closeFeatures } = await product("features.js");
  const db = connectDb({ url: database.appUrl, poolSize: 4 });
  const features = buildFeatures(readConfig({ ...env, DATA_DIR: join(folder, "data") }), db);
  end.later(async () => {
    await closeFeatures(features);
    await db.end();
  });
  const [member] = await database.query("select user_id from members where org_id = $1", [org_id]);
  const { newId } = await product("shared/ids.js");
  const customer_id = newId("customer");
  await database.query("insert into customers (org_id, customer_id) values ($1, $2)", [org_id, customer_id]);
  return {
    name: folder,
    folder,
    env,
    database,
    url: serve.url,
    org_id,
    db,
    features,
    key: keys[0] ?? "",
    vault_id: "",
    customer_id,
    user_id: member.user_id,
  };
}

/** @param {Side} one @param {Side} two */
async function pinEachOther(one, two) {
  const { pinVault } = await product("vault/links/pin-vault.js");
  const { systemCaller } = await product("shared/caller.js");
  for (const [side, other] of /** @type {[Side, Side][]} */ ([
    [one, two],
    [two, one],
  ])) {
    /** @type {any} */
    const trust = await (await fetch(`${other.url}/.well-known/countersign-trust.json`)).json();
    const input = { url: other.url, root_sha256: trust.keys.root_sha256, org_id: other.org_id };
    const fetched = await pinVault.prepare(side.features.vault, input);
    side.vault_id = (await pinVault.save(side.features.vault, systemCaller(side.org_id), input, fetched)).vault_id;
  }
}

/**
 * A paper original, uploaded and deposited over HTTP; each has other words, because a vault refuses a document that it already has. No worker
 * runs, so that nothing happens in the background: this runs the vault's job.
 * @param {Side} side @param {number} number
 */
async function newRecord({ url, key, database, org_id, features, customer_id }, number) {
  const headers = { "x-api-key": key };
  const form = new FormData();
  form.append("file", new Blob([Uint8Array.from(contract(1, "simple", number))], { type: "application/pdf" }), "note.pdf");
  const uploaded = await fetch(`${url}/api/v2/partner/customers/${customer_id}/documents`, { method: "POST", headers, body: form });
  if (!uploaded.ok) throw new Error(`the upload returned ${uploaded.status}: ${await uploaded.text()}`);
  const { envelope_id } = /** @type {any} */ (await uploaded.json()).data;
  /** @type {any} */
  const terms = await (await fetch(`${url}/api/v2/partner/certification-terms`, { headers })).json();
  const certification = { accepted: true, terms_version: terms.data.terms_version };
  const deposit = fetch(`${url}/api/v2/partner/envelopes/${envelope_id}/vault-in-upload`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ source: "paper_upload", certification }),
  });
  // A refusal comes at once, an acceptance only when the record is vaulted.
  let refused = "";
  const answered = deposit.then(async (answer) => {
    if (answer.status !== 200) refused = `the deposit returned ${answer.status}: ${await answer.text()}`;
  });
  const { storeEnvelope } = await product("vault/store-envelope.js");
  for (let isVaulted = false; !isVaulted; await delay(POLL_MS)) {
    if (refused !== "") throw new Error(refused);
    await storeEnvelope(features.vault, { org_id, envelope_id });
    const [row] = await database.query("select status from envelopes where envelope_id = $1", [envelope_id]);
    isVaulted = row.status === "vaulted";
  }
  await answered;
  if (refused !== "") throw new Error(refused);
  return envelope_id;
}

/**
 * One transfer with kills. Returns the envelope at the receiver; null if the record stayed.
 * @param {{ end: import("../bench/harness.mjs").Cleanup, from: Side, to: Side, envelope_id: string, random: import("./random.mjs").Random,
 *   outcome: Outcome, history: import("./history.mjs").History }} run
 */
async function oneRun({ end, from, to, envelope_id, random, outcome, history }) {
  const { offerTransfer } = await product("vault/links/offer-transfer.js");
  const { acceptTransfer, refuseTransfer } = await product("vault/links/transfer-decisions.js");
  const { cancelTransfer } = await product("vault/links/ended-transfers.js");
  const { systemCaller } = await product("shared/caller.js");
  const caller = systemCaller(from.org_id);
  const offered = await from.db.tx(from.org_id, (/** @type {any} */ tx) =>
    offerTransfer(tx, from.org_id, { envelope_id, vault_id: from.vault_id, act_id: null, caller }),
  );
  const { transfer_id, lineage_id } = offered;
  const intervention = below(random, 8);
  const when = below(random, KILLS_PER_RUN);
  for (let kill = 0; ; kill++) {
    const isSender = (kill < KILLS_PER_RUN ? below(random, 2) : kill % 2) === 0;
    const [side, direction] = isSender ? [from, "out"] : [to, "in"];
    // Early more often than late: many processes have little to do.
    const statements = kill < KILLS_PER_RUN ? 1 + Math.floor(random.next() ** 2 * MOST_STATEMENTS) : 0;
    const args = [side.org_id, transfer_id, direction, String(statements)];
    const { diedByItself, code, why } = await runToItsEnd({
      program: "links-once.mjs",
      args,
      folder: side.folder,
      env: side.env,
      within_ms: DIES_WITHIN_MS,
      later: end.later,
    });
    if (diedByItself) outcome.kills += 1;
    else if (code === 0) outcome.finished += 1;
    else outcome.found.push(`end: ${why}`);
    const fault = await faultOf(from, to, transfer_id, lineage_id);
    if (fault !== null) outcome.found.push(`copy: ${transfer_id} after ${statements} statements of ${direction}: ${fault}`);
    const states = await statesOf(from, to, transfer_id);
    await history.append({ kind: "kill", transfer_id, direction, statements, died: diedByItself, states });
    if (states.in === "offered" && kill > 1) {
      await acceptTransfer(to.features.vault, systemCaller(to.org_id), transfer_id, {
        customer_id: to.customer_id,
        custodian_user_id: to.user_id,
      });
    }
    if (kill === when && intervention === 0) await quietly(() => cancelTransfer(from.features.vault, caller, transfer_id));
    if (kill === when && intervention === 1) await quietly(() => refuseTransfer(to.features.vault, systemCaller(to.org_id), transfer_id));
    if (isOver(states) || kill > KILLS_PER_RUN + 12) return settle(to, transfer_id, states, outcome);
  }
}

/** @param {import("./random.mjs").Random} random @param {number} limit */
const below = (random, limit) => Math.floor(random.between(0, limit));

/** Too late or too early is an answer too. @param {() => Promise<unknown>} act */
async function quietly(act) {
  const { Problem } = await product("shared/problems.js");
  await act().catch((/** @type {unknown} */ error) => {
    if (!(error instanceof Problem)) throw error;
  });
}

const FINAL = ["done", "confirmed", "cancelled", "refused"];

/** @param {{ out: string, in: string | null }} states */
const isOver = (states) => FINAL.includes(states.out) && (states.in === null || FINAL.includes(states.in));

/** @param {Side} to @param {string} transfer_id @param {{ out: string, in: string | null }} states @param {Outcome} outcome */
async function settle(to, transfer_id, states, outcome) {
  if (!isOver(states)) outcome.found.push(`stuck: ${transfer_id} is ${states.out} and ${states.in}`);
  if (states.out === "cancelled") outcome.cancelled += 1;
  if (states.out === "refused") outcome.refused += 1;
  if (states.out !== "confirmed") return null;
  outcome.moved += 1;
  const [row] = await to.database.query("select envelope_id from vault_transfers where transfer_id = $1 and direction = 'in'", [
    transfer_id,
  ]);
  const { storeEnvelope } = await product("vault/store-envelope.js");
  await storeEnvelope(to.features.vault, { org_id: to.org_id, envelope_id: row.envelope_id });
  const [{ n }] = await to.database.query(
    "select count(*)::int as n from envelopes where org_id = $1 and envelope_id = $2 and status = 'vaulted'",
    [to.org_id, row.envelope_id],
  );
  if (n !== 1) outcome.found.push(`certificate: ${row.envelope_id} is not vaulted`);
  return row.envelope_id;
}

/**
 * Both bundles verify against the roots of their installations, and what the receiver's shows of the sender's log contradicts nothing.
 * @param {{ side: Side, envelope_id: string }} sent @param {{ side: Side, envelope_id: string }} received @param {string} folder
 * @param {Outcome} outcome
 */
async function checkBundles(sent, received, folder, outcome) {
  const verifier = (/** @type {string} */ file) => import(new URL(`../verify/dist/${file}`, import.meta.url).href);
  const { verifyBundle, unzipBundle } = await verifier("index.js");
  const { runCompare } = await verifier("compare/compare-command.js");
  await mkdir(folder, { recursive: true });
  const paths = [];
  for (const { side, envelope_id } of [sent, received]) {
    const answer = await fetch(`${side.url}/api/v2/partner/envelopes/${envelope_id}/vault/evidence`, {
      headers: { "x-api-key": side.key },
    });
    const zip = Buffer.from(await answer.arrayBuffer());
    /** @type {any} */
    const trust = await (await fetch(`${side.url}/.well-known/countersign-trust.json`)).json();
    const { outcome: verdict } = await verifyBundle(() => unzipBundle(zip), { root: trust.keys.root_sha256, tsa_roots: null });
    if (answer.status === 200 && verdict === "VERIFIED") outcome.bundles += 1;
    else outcome.found.push(`bundle: ${envelope_id} returned ${answer.status}: ${verdict}`);
    paths.push(join(folder, `${envelope_id}.zip`));
    await writeFile(paths.at(-1) ?? "", zip);
  }
  let said = "";
  const code = await runCompare(paths, (/** @type {string} */ text) => {
    said += text;
  });
  if (code === 0) outcome.compared += 1;
  else outcome.found.push(`bundle: compare says ${said}`);
}

/** @param {Side} from @param {Side} to @param {string} transfer_id */
async function statesOf(from, to, transfer_id) {
  const stateAt = async (/** @type {Side} */ { database }, /** @type {string} */ direction) =>
    (await database.query("select state from vault_transfers where transfer_id = $1 and direction = $2", [transfer_id, direction]))[0]
      ?.state ?? null;
  return { out: await stateAt(from, "out"), in: await stateAt(to, "in") };
}

/** Never two live, always one entitled. @param {Side} from @param {Side} to @param {string} transfer_id @param {string} lineage_id */
async function faultOf(from, to, transfer_id, lineage_id) {
  const liveAt = async (/** @type {Side} */ { database }) =>
    (
      await database.query(`select count(*)::int as n from authoritative_copies where lineage_id = $1 and state in ${LIVE}`, [lineage_id])
    )[0].n;
  const [sender, receiver] = [await liveAt(from), await liveAt(to)];
  const states = await statesOf(from, to, transfer_id);
  if (sender + receiver > 1) return `${sender + receiver} copies are live (${states.out}, ${states.in})`;
  const isReleased = states.out === "released" || states.out === "confirmed";
  if (!isReleased && sender !== 1) return `not released, and the sender has no live copy (${states.out}, ${states.in})`;
  if (isReleased && sender !== 0) return `released, and the sender's copy is live (${states.out}, ${states.in})`;
  if (states.in === "done" && receiver !== 1) return "done, and the receiver has no live copy";
  return null;
}

/** @param {Outcome} outcome */
export function linksTable({ runs, kills, finished, moved, cancelled, refused, records, bundles, compared, found }) {
  return verdictTable(
    [
      ["transfers", String(runs)],
      ["processes killed", String(kills)],
      ["processes that came to their end", String(finished)],
      ["moved / cancelled / refused", `${moved} / ${cancelled} / ${refused}`],
      ["records", String(records)],
      ["bundles verified / pairs compared", `${bundles} / ${compared}`],
      ["two originals, or none", countOf(found, "copy")],
      ["transfers that did not end", countOf(found, "stuck")],
      ["moved and not vaulted", countOf(found, "certificate")],
      ["bundles that do not verify or contradict each other", countOf(found, "bundle")],
      ["unexpected exits", countOf(found, "end")],
    ],
    found,
  );
}
