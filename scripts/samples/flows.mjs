// What each flow of docs/samples must do. A flow that does something else throws.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { webhookTestHeaders } from "@countersign/client";
import { freePort } from "../../bench/harness.mjs";
import { environmentOf, fileOf } from "./languages.mjs";
import { runProgram, startCgi, startServer } from "./run-program.mjs";

/** @typedef {import("./languages.mjs").Language} Language */
/**
 * @typedef {object} Place where a sample runs
 * @property {import("@countersign/client").Countersign} cs with the key of a sandbox
 * @property {string} url
 * @property {string} apiKey
 * @property {string} folder with lease.pdf, note.pdf and countersign-verify.mjs
 * @property {{ envelope_id: string, root: string }} vaulted an envelope of the sandbox, and the SHA-256 of the root of test records
 */

const SIGNED = /^env_\w+ is completed$/m;
const SENT = /^env_\w+ was sent$/m;
const DELIVERED_WITHIN_MS = 30_000;

/** @type {Readonly<Record<string, (place: Place, language: Language) => Promise<void>>>} */
export const flows = {
  "quick-start": async (place, language) => {
    assert.match(await finished("quick-start", place, language), SIGNED);
    const pdf = (await readFile(join(place.folder, "lease-signed.pdf"))).toString("latin1");
    assert.ok(pdf.startsWith("%PDF-") && pdf.includes("/Sig"), "lease-signed.pdf is not sealed");
  },

  "tagged-pdf": async (place, language) => {
    const said = await finished("tagged-pdf", place, language);
    assert.match(said, SENT);
    for (const word of ["Tenant name", "Tenant signature", "Landlord signature", "checkbox"]) assert.ok(said.includes(word), said);
  },

  "template-prefilled": async (place, language) => {
    const said = await finished("template-prefilled", place, language);
    assert.match(said, /^tmpl_\w+ has its fields$/m);
    assert.match(said, SENT);
    const [envelope_id = ""] = /env_\w+/.exec(said) ?? [];
    const { fields } = await place.cs.envelopes.fields.get(envelope_id);
    assert.deepEqual(
      fields.map(({ name, readonly, prefilled }) => [name, readonly, prefilled]),
      [
        ["Borrower", true, "Ann Example"],
        ["Amount", true, "12000.00"],
        ["Due on", false, "2027-12-31"],
        ["Borrower signature", false, undefined],
      ],
    );
  },

  embed: async (place, language) => {
    const envelope_id = await sentLease(place.cs);
    const wanted = { ENVELOPE_ID: envelope_id, SIGNER_EMAIL: "ann@example.com" };
    if (language.serve === undefined && language.file === "run.sh") {
      return assertOpens(place, await finished("embed", place, language, wanted), envelope_id);
    }
    await serving("embed", place, language, wanted, async (address) => {
      const page = await fetch(address);
      assert.equal(page.status, 200, await page.clone().text());
      await assertOpens(place, await page.text(), envelope_id);
      const renew = (/** @type {string} */ site) => fetch(`${address}/embed-url`, { method: "POST", headers: { "sec-fetch-site": site } });
      assert.equal((await renew("cross-site")).status, 403);
      await assertOpens(place, await (await renew("same-origin")).text(), envelope_id);
    });
  },

  "receive-webhooks": async (place, language) => {
    const { cs } = place;
    const port = await freePort();
    const { endpoint_id, secret } = await cs.webhookEndpoints.create({ url: `http://localhost:${port}/`, event_types: ["webhook.test"] });
    try {
      await serving("receive-webhooks", place, language, { WEBHOOK_SECRET: secret, PORT: String(port) }, async (address, said) => {
        await cs.webhookEndpoints.test(endpoint_id);
        const first = await delivered(cs, endpoint_id, 1);
        await cs.deliveries.replay(first.delivery_id);
        await delivered(cs, endpoint_id, 2);

        const body = JSON.stringify({ event_type: "webhook.test", event_id: "evt_00000000000000000000000000" });
        const forged = await webhookTestHeaders(body, "whsec_c29tZW9uZSBlbHNl");
        assert.equal(
          (await fetch(address, { method: "POST", headers: { ...forged }, body })).status,
          400,
          "a forged delivery was accepted",
        );
        const old = await webhookTestHeaders(body, secret, { at: new Date(Date.now() - 3_600_000) });
        assert.equal((await fetch(address, { method: "POST", headers: { ...old }, body })).status, 400, "an old delivery was accepted");

        const log = join(place.folder, "seen/events.log");
        const told = said() + (existsSync(log) ? await readFile(log, "utf8") : "");
        assert.equal(told.match(new RegExp(`(webhook.test|Z) ${first.event_id}`, "g"))?.length, 1, `not handled once: ${told}`);
      });
    } finally {
      await cs.webhookEndpoints.delete(endpoint_id);
    }
  },

  "download-and-verify": async (place, language) => {
    const { envelope_id, root } = place.vaulted;
    const wanted = { ENVELOPE_ID: envelope_id };
    const said = await finished("download-and-verify", place, language, wanted, ["--root", root, "--allow-test"]);
    assert.match(said, /^VERIFIED, TEST RECORD$/m);
    assert.match(said, /^exit code 0$/m);
    assert.ok(said.includes((await place.cs.vault.get(envelope_id)).hash), "the hash of the record");
    for (const file of ["copy.pdf", "certificate.pdf", "evidence.zip"]) assert.ok(existsSync(join(place.folder, file)), file);
    const test = await started("download-and-verify", place, language, wanted, []);
    // `go run` ends with 1, whatever its program ended with.
    assert.notEqual(test.code, 0, "a record of a sandbox was taken for a real one");
    assert.match(test.out, /^exit code 5$/m);
  },
};

/** @typedef {Pick<Place, "url" | "apiKey" | "folder">} Where */

/** @param {string} flow @param {Where} place @param {Language} language @param {Record<string, string>} wanted @param {string[]} args */
function started(flow, place, language, wanted, args) {
  return runProgram([...language.start(fileOf(flow, language)), ...args], { cwd: place.folder, env: environment(place, language, wanted) });
}

/** @param {Where} place @param {Language} language @param {Record<string, string>} wanted */
const environment = ({ url, apiKey }, language, wanted) => ({
  ...environmentOf(language),
  COUNTERSIGN_URL: url,
  COUNTERSIGN_API_KEY: apiKey,
  ...wanted,
});

/**
 * What a sample printed that ended well.
 * @param {string} flow @param {Where} place @param {Language} language @param {Record<string, string>} [wanted] @param {string[]} [args]
 */
export async function finished(flow, place, language, wanted = {}, args = []) {
  const { code, out, err } = await started(flow, place, language, wanted, args);
  assert.equal(code, 0, `${out}${err}`);
  return out;
}

/**
 * @param {string} flow @param {Place} place @param {Language} language @param {Record<string, string>} wanted
 * @param {(address: string, said: () => string) => Promise<void>} use
 */
async function serving(flow, place, language, wanted, use) {
  const port = Number(wanted.PORT ?? (await freePort()));
  const options = { cwd: place.folder, env: environment(place, language, { ...wanted, PORT: String(port) }), port };
  const file = fileOf(flow, language);
  const isCgi = language.file === "run.sh";
  const server = isCgi
    ? await startCgi(language.start(file), options)
    : await startServer(language.serve?.(file, port) ?? language.start(file), options);
  try {
    await use(server.url, server.said);
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error}\n${server.said()}`, { cause: error });
  } finally {
    await server.stop();
  }
}

/** @param {Place} place @param {string} text @param {string} envelope_id a page or an answer with an embed_url */
async function assertOpens({ url }, text, envelope_id) {
  const [, token = ""] = /#token=([\w.-]+)/.exec(text) ?? [];
  const headers = { authorization: `Bearer ${token}`, "x-signing-session": "0".repeat(32) };
  const opened = await fetch(`${url}/api/v2/embed/sign/${envelope_id}`, { headers });
  assert.equal(opened.status, 200, text);
}

/** @param {import("@countersign/client").Countersign} cs @param {string} endpoint_id @param {number} attempts that succeeded */
async function delivered(cs, endpoint_id, attempts) {
  for (const until = Date.now() + DELIVERED_WITHIN_MS; Date.now() < until; await delay(100)) {
    const { data } = await cs.deliveries.list(endpoint_id, { status: "succeeded" });
    const [latest] = data;
    if (latest !== undefined && data.length >= attempts) return latest;
  }
  const { data } = await cs.deliveries.list(endpoint_id);
  throw new Error(`the deliveries did not succeed: ${JSON.stringify(data)}`);
}

/** @param {import("@countersign/client").Countersign} cs @returns {Promise<string>} */
export async function sentLease(cs, more = {}) {
  const lease = await readFile(new URL("../../docs/samples/lease.pdf", import.meta.url));
  const { template_id } = await cs.templates.create({ name: "Lease", file: { data: lease, name: "lease.pdf" } });
  const customer = { customer_name: "Ann", customer_email: "ann@example.com" };
  const { envelope_id } = await cs.envelopes.create({ envelope_name: "Lease", ...customer, template_id, ...more });
  const signers = [
    { email: "ann@example.com", name: "Ann", role: "Tenant" },
    { email: "sam@example.com", name: "Sam", role: "Landlord" },
  ];
  await cs.envelopes.send(envelope_id, { signers });
  return envelope_id;
}
