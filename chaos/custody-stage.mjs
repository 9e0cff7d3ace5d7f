// The service for the custody races: one org with two keys and four members, a receiver of its events, and documents in its vault.
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { contract } from "../bench/documents.mjs";
import { freePort, root, startDatabase, startService } from "../bench/harness.mjs";
import { startReceiver } from "./receiver.mjs";
import { startKillable } from "./runner.mjs";

const SCOPES = ["envelopes:read", "envelopes:write", "customers:write", "vault:read", "vault:write", "vault:release", "custody:write"];
const READY_WITHIN_SECONDS = 180;
const POOL_SIZE = 24;
const ANSWER_WITHIN_MS = 60_000;
const VAULTED_WITHIN_MS = 120_000;
const POLL_MS = 250;

/** @typedef {{ status: number, json: any, bytes: Buffer }} Answer status 0: no response */
/** @typedef {(method: string, path: string, body?: object | FormData) => Promise<Answer>} Send */
/** @typedef {{ envelope_id: string }} Copy */
/** @typedef {Awaited<ReturnType<typeof setUp>>} Stage */

/** @param {import("../bench/harness.mjs").Cleanup} end @param {string} folder */
export async function setUp(end, folder) {
  const database = await startDatabase(end, folder);
  const port = await freePort();
  const env = { ...database.env, DATABASE_POOL_SIZE: String(POOL_SIZE), LOG_LEVEL: "warn" };
  const start = () => startService("start", { folder, port, env });
  const { url, ready, kill } = await startKillable({ start, later: end.later, readyWithinSeconds: READY_WITHIN_SECONDS });
  const admin = { email: "admin@example.com", password: randomBytes(16).toString("hex") };
  const program = join(root, "server/bin/countersign.js");
  await promisify(execFile)(process.execPath, [program, "orgs", "create", "--name", "Acme", "--admin-email", admin.email], {
    cwd: folder,
    env: { ...process.env, ...env, DATA_DIR: join(folder, "data"), ADMIN_PASSWORD: admin.password },
  });
  const { token, user } = (await sender(url)("POST", "/auth/login", { ...admin, mode: "token" })).json.data;
  const asAdmin = sender(url, { authorization: `Bearer ${token}` });
  // Two keys of one person count as one: what one started, the other could not end.
  const colleague = await newColleague(url, asAdmin);
  const [giver, taker] = [await newKey(url, asAdmin), await newKey(url, colleague)];
  const receiver = await startReceiver(end);
  const { secret } = (await asAdmin("POST", "/webhooks/endpoints", { url: receiver.url, event_types: ["custodian.transfer"] })).json.data;
  const people = [user.user_id, await newMember(url, asAdmin, 1), await newMember(url, asAdmin, 2), await newMember(url, asAdmin, 3)];
  const { customer_id } = (await giver("POST", "/partner/customers", { name: "Ann", email: "ann@example.com" })).json.data;
  const { terms_version } = (await giver("GET", "/partner/certification-terms")).json.data;
  return {
    database,
    giver,
    taker,
    people,
    receiver,
    secret,
    customer_id,
    certification: { accepted: true, terms_version },
    url,
    ready,
    kill,
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
      const bytes = Buffer.from(await answer.arrayBuffer());
      const isJson = answer.headers.get("content-type")?.includes("json") ?? false;
      return { status: answer.status, json: isJson ? JSON.parse(bytes.toString("utf8")) : null, bytes };
    } catch (error) {
      // `fetch` rejects with a TypeError if the connection is refused or the response is cut off. Anything else is our own bug.
      if (error instanceof TypeError) return { status: 0, json: null, bytes: Buffer.alloc(0) };
      throw error;
    }
  };
}

/** @param {string} url @param {Send} admin */
async function newKey(url, admin) {
  const { json } = await admin("POST", "/partners/keys", { partner_name: "Chaos", scopes: SCOPES, rate_limit_rpm: 100_000 });
  return sender(url, { "x-api-key": json.data.api_key });
}

/** @param {string} url @param {Send} admin @param {number} n @returns {Promise<string>} */
const newMember = async (url, admin, n) => (await invite(url, admin, { email: `person${n}@example.com`, role: "member" })).user.user_id;

/** Another admin. @param {string} url @param {Send} admin @returns {Promise<Send>} */
async function newColleague(url, admin) {
  const { token } = await invite(url, admin, { email: "colleague@example.com", role: "admin" });
  return sender(url, { authorization: `Bearer ${token}` });
}

/** @param {string} url @param {Send} admin @param {{ email: string, role: string }} invited */
async function invite(url, admin, { email, role }) {
  const { json } = await admin("POST", "/org/invitations", { email, role });
  const token = json.data.accept_url.split("#token=")[1];
  const accepted = { token, name: email, password: randomBytes(16).toString("hex"), mode: "token" };
  return (await sender(url)("POST", "/auth/invitations/accept", accepted)).json.data;
}

let deposits = 0;
/** The vault refuses a document that it already has. */
const newDocument = () => contract(1, "simple", ++deposits);

/** A scanned paper document in the vault. @param {Send} send @param {{ customer_id: string, certification: object }} stage @returns {Promise<Copy>} */
export async function deposit(send, { customer_id, certification }) {
  const form = new FormData();
  form.set("file", new Blob([Uint8Array.from(newDocument())], { type: "application/pdf" }), "contract.pdf");
  const { envelope_id } = (await send("POST", `/partner/customers/${customer_id}/documents`, form)).json.data;
  const path = `/partner/envelopes/${envelope_id}`;
  const taken = await send("POST", `${path}/vault-in-upload`, { source: "paper_upload", certification });
  if (taken.status >= 300) throw new Error(`a deposit returned ${taken.status}: ${taken.bytes}`);
  for (const late = Date.now() + VAULTED_WITHIN_MS; Date.now() < late; await delay(POLL_MS)) {
    if ((await send("GET", `${path}/status`)).json.data.status === "vaulted") return { envelope_id };
  }
  throw new Error("a deposit was not vaulted in time");
}
