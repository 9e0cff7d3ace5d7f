// A contract of two pages for two people, and the calls that a browser makes on the signing page, in the same order.
import { randomBytes } from "node:crypto";
import { contract } from "./documents.mjs";
import { uploadTemplate } from "./upload.mjs";

/** The scopes of the key that sends the envelope, requests the page's tokens and reads the result. */
export const SENDING_SCOPES = ["envelopes:read", "envelopes:write", "esign:write"];

const ANSWER_WITHIN_MS = 20_000;
const ROLES = ["Tenant", "Landlord"];
// The fields of each signer besides the signature, so that both pages get stamped.
const PLACES = ROLES.flatMap((role, index) => [
  { name: `Name of the ${role}`, type: "text", role, placement: at(1, 0.1 + 0.1 * index) },
  { name: `Day that the ${role} reads this`, type: "date", role, placement: at(1, 0.15 + 0.1 * index) },
  { name: `Signature of the ${role}`, type: "signature", role, placement: at(2, 0.5 + 0.2 * index) },
]);
/** The fields that are signed with one click. */
export const SIGNATURES_PER_SIGNER = 1;

/** @param {number} page @param {number} y */
function at(page, y) {
  return { mode: "absolute", areas: [{ page, x: 0.1, y, w: 0.3, h: 0.04 }] };
}

/**
 * @typedef {object} Answer
 * @property {number} status @property {Headers} headers @property {Buffer} bytes
 * @property {any} json null for anything but JSON
 */
/** @typedef {{ url: string, key: string, template_id: string }} Office who sends */
/** @typedef {{ email: string, name: string, role: string }} Signer */
/** @typedef {{ revision: number, prepared_sha256: string, state_sha256: string, intent: object, timezone: string }} Completion */

/** One call of the API. Rejects if the response is incomplete. @param {string} url @param {string} method @param {string} path @param {Record<string, string>} headers @param {unknown} [body] @returns {Promise<Answer>} */
export async function call(url, method, path, headers, body) {
  const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
  const sent =
    body === undefined ? { headers } : { headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body) };
  const answer = await fetch(`${url}/api/v2${path}`, { method, signal, ...sent });
  const bytes = Buffer.from(await answer.arrayBuffer());
  const isJson = answer.headers.get("content-type")?.includes("json") ?? false;
  return { status: answer.status, headers: answer.headers, bytes, json: isJson ? JSON.parse(bytes.toString("utf8")) : null };
}

/** @param {Answer} answer @param {string} what */
function refuseOther({ status, bytes }, what, wanted = 200) {
  if (status !== wanted) throw new Error(`${what} returned ${status}: ${bytes.toString("utf8", 0, 500)}`);
}

/** @param {string} url @param {string} key @returns {Promise<Office>} */
export async function openOffice(url, key, pages = 2) {
  const { status, text } = await uploadTemplate({ url, key, file: contract(pages, "simple"), fields: PLACES });
  if (status !== 200) throw new Error(`creating a template returned ${status}: ${text}`);
  return { url, key, template_id: JSON.parse(text).data.template_id };
}

/** Signers with unique addresses for each envelope, so that their mail can be told apart. @param {string} name @returns {[Signer, Signer]} */
export function twoSigners(name) {
  return [
    { email: `ann-${name}@example.com`, name: "Ann", role: "Tenant" },
    { email: `sam-${name}@example.com`, name: "Sam", role: "Landlord" },
  ];
}

/**
 * @param {Office} office
 * @param {{ signers: readonly Signer[], signing_order?: "sequential" | "parallel", auto_vault_enabled?: boolean }} wanted
 * @returns {Promise<string>} the envelope's id
 */
export async function sendEnvelope({ url, key, template_id }, { signers, signing_order = "sequential", auto_vault_enabled = false }) {
  const headers = { "x-api-key": key };
  const customer = { customer_email: "customer@example.com", customer_name: "Ann" };
  const draft = { envelope_name: "Lease", ...customer, template_id, auto_vault_enabled };
  const made = await call(url, "POST", "/partner/envelopes", headers, draft);
  refuseOther(made, "an envelope", 201);
  const { envelope_id } = made.json.data;
  const terms = auto_vault_enabled ? { certification: await acceptedTerms(url, headers) } : {};
  const sent = await call(url, "POST", `/partner/envelopes/${envelope_id}/send`, headers, { signers, signing_order, ...terms });
  refuseOther(sent, "a send");
  return envelope_id;
}

/** @param {string} url @param {Record<string, string>} headers */
async function acceptedTerms(url, headers) {
  const shown = await call(url, "GET", "/partner/certification-terms", headers);
  refuseOther(shown, "the terms");
  return { accepted: true, terms_version: shown.json.data.terms_version };
}

/** The signing page of one signer. @param {Office} office @param {string} envelope_id @param {Signer} signer */
export async function startSigning({ url, key }, envelope_id, { email: user_email, name }) {
  const wanted = { envelope_id, user_email, widget_type: "sign" };
  const minted = await call(url, "POST", "/embed/token", { "x-api-key": key }, wanted);
  refuseOther(minted, "a token");
  const session = randomBytes(16).toString("hex");
  const own = { authorization: `Bearer ${minted.json.data.token}`, "x-signing-session": session };
  const send = (/** @type {string} */ method, path = "", /** @type {unknown} */ body = undefined, headers = {}) =>
    call(url, method, `/embed/sign/${envelope_id}${path}`, { ...own, ...headers }, body);

  /** @param {string} what @param {Promise<Answer>} asked */
  const data = async (what, asked) => {
    const answer = await asked;
    refuseOther(answer, what);
    return answer.json?.data;
  };
  const open = () => data("the page", send("GET"));

  return {
    /** Everything before the final click: opened, page 1 seen, consent given, mark adopted, fields filled in. @returns {Promise<Completion>} */
    async makeReady() {
      const { document, consent, intent, fields } = await open();
      await data("page 1", send("GET", "/pages/1"));
      const { version: disclosure_version, sha256: disclosure_sha256 } = consent.disclosure;
      await data("consent", send("POST", "/consent", { accepted: true, disclosure_version, disclosure_sha256, rendered_pages: [1] }));
      await data("a mark", send("PUT", "/fields", { adopt: { signature: { kind: "typed", text: `${name} Example`, font: "caveat" } } }));
      const values = fields.map((/** @type {any} */ field) => ({ field_id: field.field_id, value: entryFor(field.type, name) }));
      const { revision } = await data("the fields", send("PUT", "/fields", { values }));
      const { prepared_sha256, state_sha256 } = document;
      const { version, locale, sha256 } = intent;
      return { revision, prepared_sha256, state_sha256, intent: { version, locale, sha256 }, timezone: "Europe/Berlin" };
    },

    /** The final click of the page. Repeating it does not sign twice. @param {Completion} completion */
    press: (completion) => send("POST", "/complete", completion, { "idempotency-key": `${session}-${completion.revision}` }),

    /** The same draft with the document's current state. @param {Completion} completion @returns {Promise<Completion>} */
    async readAgain(completion) {
      const { document } = await open();
      return { ...completion, prepared_sha256: document.prepared_sha256, state_sha256: document.state_sha256 };
    },
  };
}

/** @param {string} type @param {string} name */
function entryFor(type, name) {
  if (type === "signature") return true;
  return type === "date" ? "2026-03-01" : `${name} Example`;
}

/** From opening the page to the final click. @param {Office} office @param {string} envelope_id @param {Signer} signer */
export async function sign(office, envelope_id, signer) {
  const signing = await startSigning(office, envelope_id, signer);
  refuseOther(await signing.press(await signing.makeReady()), "a signature");
}

/** @param {Office} office @param {string} envelope_id @param {string} [path] */
export const lookAt = ({ url, key }, envelope_id, path = "") =>
  call(url, "GET", `/partner/envelopes/${envelope_id}${path}`, { "x-api-key": key });
