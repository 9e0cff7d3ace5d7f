// node scripts/run-samples.mjs [--flow NAME] [--language NAME] [--required] [--database]: runs the samples of docs/samples, unchanged, against a fresh
// instance, and the commands of the quick start guide. Samples in curl, TypeScript and Python must run; those in Go, PHP and Java run where the program exists, and the last lines
// name those that did not.
//   --required  only those that must run
//   --database  use the migrated, empty PostgreSQL of DATABASE_APP_URL and DATABASE_QUEUE_URL instead of an embedded one
import { createHash, randomBytes, X509Certificate } from "node:crypto";
import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { cleanup } from "../bench/harness.mjs";
import { setUpService, withKey, withSession } from "../demo/api.mjs";
import { makeFolder, startInstance } from "../demo/instance.mjs";
import { flows, sentLease } from "./samples/flows.mjs";
import { exists, languages } from "./samples/languages.mjs";
import { walkQuickStart } from "./samples/walk-guide.mjs";

/** @typedef {import("./samples/flows.mjs").Place} Place */

const isFlag = /** @type {const} */ ({ type: "boolean", default: false });
const { values } = parseArgs({
  options: { flow: { type: "string" }, language: { type: "string" }, required: isFlag, database: isFlag },
});
const isNamed = (/** @type {string} */ name) => values.language === undefined || name.toLowerCase() === values.language.toLowerCase();
const wanted = languages.filter(({ name, isRequired }) => isNamed(name) && (isRequired || !values.required));
const chosen = Object.entries(flows).filter(([name]) => values.flow === undefined || name === values.flow);
if (wanted.length === 0 || chosen.length === 0) {
  console.error(`--flow: ${Object.keys(flows).join(", ")}. --language: ${languages.map(({ name }) => name).join(", ")}.`);
  process.exit(2);
}
const present = wanted.filter(exists);
const missing = wanted.filter((language) => !present.includes(language));

const end = cleanup();
try {
  process.exitCode = (await runAll()) ? 0 : 1;
} finally {
  await end.run();
}

/** @returns {Promise<boolean>} whether everything that had to run did */
async function runAll() {
  const folder = await makeFolder(end, { keep: false });
  const instance = await startInstance(end, { folder, database: values.database });
  const place = await prepare(instance, folder);
  let failed = 0;
  /** @param {string} name @param {(place: Place) => Promise<unknown>} run */
  const told = async (name, run) => {
    const began = performance.now();
    const own = { ...place, folder: join(folder, "documents", name.replaceAll(" ", "-")) };
    await fill(place.folder, own.folder);
    try {
      await run(own);
      console.log(`✓ ${name} ${((performance.now() - began) / 1000).toFixed(1)} s`);
    } catch (error) {
      failed++;
      console.log(`✗ ${name}`);
      console.error(error instanceof Error ? error.message : error);
    }
  };
  if (values.flow === undefined && values.language === undefined) await told("the quick start guide", readQuickStart);
  for (const [flow, run] of chosen) for (const language of present) await told(`${flow} in ${language.name}`, (own) => run(own, language));
  for (const { name, version, isRequired } of missing) {
    console.log(`Not run: ${name}, because ${version[0]} is not installed${isRequired ? ", although it is required" : ""}`);
  }
  return failed === 0 && !missing.some(({ isRequired }) => isRequired);
}

/** A sandbox with a key and a vaulted envelope. @param {{ url: string, setupToken: string }} instance @param {string} folder @returns {Promise<Place>} */
async function prepare({ url, setupToken }, folder) {
  const admin = { org_name: "Acme", name: "Ada", email: "ada@example.com", password: randomBytes(12).toString("base64url") };
  const { token } = await setUpService(url, { token: setupToken, ...admin });
  const { org_id } = await withSession(url, token).cs.sandboxes.create({ name: "Samples" });
  const { refresh_token } = await logIn(url, admin);
  const session = await withSession(url, "").cs.sessions.refresh({ refresh_token, org_id });
  /** @type {Parameters<import("@countersign/client").Countersign["apiKeys"]["create"]>[0]["scopes"]} */
  const scopes = ["envelopes:read", "envelopes:write", "esign:write", "vault:read", "vault:write", "webhooks:read", "webhooks:write"];
  const { api_key } = await withSession(url, session.token).cs.apiKeys.create({ partner_name: "Samples", scopes, rate_limit_rpm: 10_000 });
  const { cs } = withKey(url, api_key);

  const files = join(folder, "documents/files");
  await mkdir(files);
  for (const name of ["lease.pdf", "note.pdf"])
    await copyFile(fileURLToPath(new URL(`../docs/samples/${name}`, import.meta.url)), join(files, name));
  const verifier = await fetch(`${url}/docs/downloads/countersign-verify.mjs`);
  await writeFile(join(files, "countersign-verify.mjs"), Buffer.from(await verifier.arrayBuffer()));
  return { cs, url, apiKey: api_key, folder: files, vaulted: await vault(url, cs) };
}

/** @param {string} url @param {{ email: string, password: string }} admin */
async function logIn(url, { email, password }) {
  const answered = await withSession(url, "").cs.sessions.logIn({ email, password, mode: "token" });
  if (!("refresh_token" in answered) || answered.refresh_token === undefined) throw new Error("the log-in has no refresh token");
  return { refresh_token: answered.refresh_token };
}

/** @param {string} url @param {import("@countersign/client").Countersign} cs @returns {Promise<Place["vaulted"]>} */
async function vault(url, cs) {
  const envelope_id = await sentLease(cs);
  await cs.test.envelopes.sign(envelope_id, { values: { "Tenant name": "Ann Example" } });
  const { terms_version } = await cs.certificationTerms.get();
  await cs.vault.depositSigned(envelope_id, { certification: { accepted: true, terms_version } });
  await cs.envelopes.waitFor(envelope_id, { until: "vaulted", timeoutMs: 60_000 });
  const trust = await fetch(`${url}/.well-known/countersign-test-trust.json`);
  const { root_certificate } = /** @type {{ root_certificate: string }} */ (await trust.json());
  const { raw } = new X509Certificate(Buffer.from(root_certificate, "base64"));
  return { envelope_id, root: createHash("sha256").update(raw).digest("hex") };
}

/** @param {Place} place */
async function readQuickStart(place) {
  const said = await walkQuickStart(place);
  if (!said.includes("CONSISTENT, SIGNER NOT PINNED")) throw new Error(`the evidence is not verified: ${said}`);
}

/** @param {string} from @param {string} to */
async function fill(from, to) {
  await mkdir(to);
  for (const name of ["lease.pdf", "note.pdf", "countersign-verify.mjs"]) await copyFile(join(from, name), join(to, name));
}
