// The steps of the demo, each with one or two calls of the public API. Where a person would act, a program from examples/ sends the same
// requests as the browser.
import { execFile, spawn } from "node:child_process";
import { createHash, randomBytes, X509Certificate } from "node:crypto";
import { once } from "node:events";
import { mkdir, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { root } from "../bench/harness.mjs";
import { readBundle } from "../verify/dist/index.js";
import { setUpService, withKey, withSession } from "./api.mjs";

const VAULTED_WITHIN_MS = 60_000;
const VERIFIES_WITHIN_MS = 60_000;
const REFUSED = 1;
const CHANGED = "copy.pdf";

/** @typedef {import("./api.mjs").Api} Api */
/** @typedef {(line: string) => void} Tell */

const ADMIN = { org_name: "Acme", name: "Ada", email: "ada@example.com" };
/** @type {Parameters<Api["cs"]["apiKeys"]["create"]>[0]["scopes"]} */
const SCOPES = ["envelopes:read", "envelopes:write", "esign:write", "vault:read", "compliance:read", "webhooks:read", "webhooks:write"];
const PARTY = { name: "First Example Bank, N.A.", address: "1 Example Square" };
const ANN = { email: "ann@example.com", name: "Ann", role: "Tenant" };
const SAM = { email: "sam@example.com", name: "Sam", role: "Landlord" };

/** @param {{ url: string, setupToken: string }} instance @param {Tell} tell @returns {Promise<Api>} with the admin's session */
export async function setUp({ url, setupToken }, tell) {
  const password = randomBytes(12).toString("base64url");
  const { token, org } = await setUpService(url, { token: setupToken, ...ADMIN, password });
  tell(`${org.name}, with ${ADMIN.name} as its admin: ${ADMIN.email}, password ${password}`);
  return withSession(url, token);
}

/** @param {Api} admin @param {Tell} tell @returns {Promise<Api>} with a key */
export async function makeKey({ url, cs }, tell) {
  const { key_id, api_key, scopes } = await cs.apiKeys.create({ partner_name: "Demo", scopes: SCOPES, rate_limit_rpm: 1000 });
  tell(`${key_id} with ${scopes.length} scopes, shown only once: ${api_key.slice(0, 8)}…`);
  return withKey(url, api_key);
}

/** @param {Api} api @param {import("./receiver.mjs").Receiver} receiver @param {Tell} tell @returns {Promise<string>} the endpoint's id */
export async function listenForWebhooks({ cs }, receiver, tell) {
  const { endpoint_id, secret } = await cs.webhookEndpoints.create({ url: receiver.url, description: "Demo" });
  receiver.trust(secret);
  tell(`${receiver.url} gets every event, signed with its own secret`);
  return endpoint_id;
}

const run = promisify(execFile);
const example = (/** @type {string} */ name) => join(root, "examples", name);

/** @param {Api} api @param {string} folder @param {Tell} tell @returns {Promise<string>} */
export async function makeTemplate({ cs }, folder, tell) {
  const { stdout: pdf } = await run(process.execPath, [example("make-lease.mjs")], { encoding: "buffer" });
  const path = join(folder, "lease.pdf");
  await writeFile(path, pdf);
  const { template_id, fields } = await cs.templates.create({ name: "Lease", file: { path } });
  tell(`lease.pdf, ${pdf.length} bytes: ${fields.length} tags such as {{Tenant signature;role=Tenant;type=signature}} became fields`);
  return template_id;
}

/** @param {Api} api @param {string} template_id @param {Tell} tell @returns {Promise<string>} */
export async function sendLease(api, template_id, tell) {
  const envelope_id = await draft(api, template_id, { auto_vault_enabled: true, secured_party: PARTY });
  const { terms_version } = await api.cs.certificationTerms.get();
  const accepted_by = { name: ADMIN.name, email: ADMIN.email };
  await api.cs.envelopes.send(envelope_id, { signers: [ANN, SAM], certification: { accepted: true, terms_version, accepted_by } });
  tell(`${envelope_id}: ${ANN.name} signs first, then ${SAM.name}`);
  tell(`vault terms ${terms_version} accepted by ${ADMIN.name}; secured party ${PARTY.name}`);
  return envelope_id;
}

/** @param {Api} api @param {string} template_id @param {object} more */
async function draft({ cs }, template_id, more) {
  const customer = { customer_email: ANN.email, customer_name: ANN.name };
  const { envelope_id } = await cs.envelopes.create({ envelope_name: "Lease", ...customer, template_id, ...more });
  return envelope_id;
}

/** Whose turn it is. @param {Api} api @param {string} envelope_id @param {{ email: string }} who @param {Tell} tell */
async function sign(api, envelope_id, { email }, tell) {
  const link = await signingLink(api, envelope_id, email);
  const { stdout } = await run(process.execPath, [example("sign.mjs"), link.embed_url]);
  const lines = stdout.trimEnd().split("\n");
  for (const line of [lines.at(0), lines.at(1), lines.at(-1)]) tell(line ?? "");
}

/** @param {Api} api @param {string} envelope_id @param {Tell} tell */
export const annSigns = (api, envelope_id, tell) => sign(api, envelope_id, ANN, tell);
/** @param {Api} api @param {string} envelope_id @param {Tell} tell */
export const samSigns = (api, envelope_id, tell) => sign(api, envelope_id, SAM, tell);

/** @param {Api} api @param {string} envelope_id @param {string} email */
async function signingLink({ cs }, envelope_id, email) {
  const { signers } = await cs.embed.listSigningLinks(envelope_id);
  const found = signers.find((signer) => signer.email === email);
  if (found === undefined) throw new Error(`${email} does not sign ${envelope_id}`);
  return found;
}

/** @param {Api} api @param {string} envelope_id @param {Tell} tell */
export async function untilVaulted({ cs }, envelope_id, tell) {
  await cs.envelopes.waitFor(envelope_id, { until: "vaulted", timeoutMs: VAULTED_WITHIN_MS });
  const { score, passed, checks, missing_requirements } = await cs.compliance.get(envelope_id);
  if (!passed) throw new Error(`the score is ${score} instead of 100: ${missing_requirements.join("; ")}`);
  const { hash, size, custodian } = await cs.vault.get(envelope_id);
  tell(`score ${score}: ${checks.map(({ id }) => id.replaceAll("_", " ")).join(", ")}`);
  tell(`authoritative copy ${short(hash)}, ${size} bytes, custodian ${custodian?.user_id}`);
}

/** Shortens hashes to their beginning. @param {string} line */
const short = (line) => line.replace(/[0-9a-f]{64}/g, (hash) => `${hash.slice(0, 16)}…`);

/** @param {import("./receiver.mjs").Receiver} receiver @param {string} envelope_id @param {Tell} tell */
export async function receiveWebhooks(receiver, envelope_id, tell) {
  const events = await receiver.until(envelope_id, /^vault\.compliance\./);
  const types = events.sort((a, b) => a.timestamp.localeCompare(b.timestamp)).map(({ event_type }) => event_type);
  if (receiver.refused > 0) throw new Error(`${receiver.refused} deliveries had an invalid signature`);
  if (!types.includes("vault.stored")) throw new Error(`vault.stored did not arrive. Received: ${types.join(", ")}`);
  tell(types.join(", "));
}

/** @typedef {{ bundle: string, pinned: string }} Evidence pinned: the SHA-256 of the installation's root certificate */

/** @param {Api} api @param {string} envelope_id @param {string} folder @param {Tell} tell @returns {Promise<Evidence>} */
export async function downloadEvidence({ url, cs }, envelope_id, folder, tell) {
  /** @param {import("@countersign/client").Download<unknown>} download @param {string} name */
  const save = async (download, name) => {
    const path = join(folder, name);
    await download.saveTo(path);
    tell(`${name.padEnd(16)} ${String(Math.ceil((await stat(path)).size / 1000)).padStart(4)} kB`);
    return path;
  };
  await save(await cs.vault.copy.get(envelope_id), "lease-copy.pdf");
  await save(await cs.compliance.certificate.get(envelope_id), "certificate.pdf");
  const bundle = await save(await cs.vault.evidence.get(envelope_id), "evidence.zip");
  const trust = await fetch(`${url}/.well-known/countersign-trust.json`);
  const { root_certificate } = /** @type {{ root_certificate: string }} */ (await trust.json());
  const { raw } = new X509Certificate(Buffer.from(root_certificate, "base64"));
  return { bundle, pinned: createHash("sha256").update(raw).digest("hex") };
}

/** Runs the verifier in a process that cannot open a connection and does not know the service. @param {string} bundle @param {string} pinned */
async function verify(bundle, pinned) {
  const alone = ["--import", new URL("without-network.mjs", import.meta.url).href];
  const args = [...alone, join(root, "verify/bin/countersign-verify.js"), bundle, "--root", pinned];
  const child = spawn(process.execPath, args, { env: {}, stdio: ["ignore", "pipe", "pipe"], timeout: VERIFIES_WITHIN_MS });
  const [said, complaint, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { status, lines: said.trimEnd().split("\n"), complaint };
}

/** @param {Evidence} evidence @param {Tell} tell */
export async function verifyOffline({ bundle, pinned }, tell) {
  const { status, lines, complaint } = await verify(bundle, pinned);
  if (status !== 0) throw new Error(`countersign-verify ended with ${status}:\n${lines.join("\n")}${complaint}`);
  for (const line of lines.filter((each) => each !== "")) tell(short(line));
}

/** Flips one bit of the document in the unpacked bundle. A changed ZIP file would already be refused as such. @param {Evidence} evidence @param {string} folder @param {Tell} tell */
export async function refuseFlippedByte({ bundle, pinned }, folder, tell) {
  const changed = join(folder, "evidence-changed");
  for (const { name, bytes } of readBundle(bundle)) {
    const own = Buffer.from(bytes);
    if (name === CHANGED) own[own.length >> 1] = (own[own.length >> 1] ?? 0) ^ 1;
    await mkdir(dirname(join(changed, name)), { recursive: true });
    await writeFile(join(changed, name), own);
  }
  const { status, lines } = await verify(changed, pinned);
  if (status !== REFUSED) throw new Error(`a bundle with a changed ${CHANGED} ended with ${status}:\n${lines.join("\n")}`);
  for (const line of lines.filter((each) => each.includes("FAILED"))) tell(short(line));
}

/** @typedef {{ signing: string, vault: string | null, reference: string }} Links vault: null where this build has no such page */

/**
 * Sends another envelope, for the user of the demo to sign, and checks that the pages respond.
 * @param {Api} api @param {string} template_id @param {string} vaulted_id @param {Tell} tell @returns {Promise<Links>}
 */
export async function makeLinks(api, template_id, vaulted_id, tell) {
  const envelope_id = await draft(api, template_id, {});
  await api.cs.envelopes.send(envelope_id, { signers: [ANN, SAM] });
  const { slug } = await signingLink(api, envelope_id, ANN.email);
  const links = {
    // A link to hand over, which stays valid. An embed_url expires after 15 minutes.
    signing: (await api.cs.envelopes.signers.createLink(envelope_id, slug)).url,
    vault: await vaultLink(api, vaulted_id),
    reference: `${api.url}/docs`,
  };
  for (const address of Object.values(links)) {
    if (address !== null && !(await answers(address))) throw new Error(`${address} does not respond`);
  }
  tell(`${envelope_id} waits for ${ANN.name}`);
  return links;
}

/** Valid for 15 minutes. @param {Api} api @param {string} envelope_id @returns {Promise<string | null>} */
export async function vaultLink({ cs }, envelope_id) {
  const { embed_url } = await cs.embed.createToken({ envelope_id, user_email: ADMIN.email, widget_type: "vault" });
  return (await answers(embed_url)) ? embed_url : null;
}

/** @param {string} address */
const answers = async (address) => (await fetch(address)).ok;
