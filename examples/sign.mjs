// node examples/sign.mjs EMBED_URL: sends the same requests as a signing page. It reads the document and the disclosure, agrees, fills in
// the required fields, and signs with the signer's name. A real page shows all of this and lets the person decide.
import { randomBytes } from "node:crypto";

const [link = ""] = process.argv.slice(2);
if (!URL.canParse(link) || !link.includes("#token=")) {
  console.error("usage: node examples/sign.mjs EMBED_URL   (one of GET /partner/envelopes/:id/signing-links)");
  process.exit(2);
}
const { origin, pathname, hash } = new URL(link);
const base = `${origin}/api/v2/embed${pathname}`;
const token = hash.slice("#token=".length);
// The signing session: all requests with this id are recorded together.
const session = randomBytes(16).toString("hex");

/** @param {string} method @param {string} path @param {object} [body] */
async function call(method, path, body) {
  const response = await fetch(base + path, {
    method,
    headers: { authorization: `Bearer ${token}`, "x-signing-session": session, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const isJson = response.headers.get("content-type")?.includes("json") ?? false;
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  if (!isJson) return response.arrayBuffer();
  return /** @type {{ data: any }} */ (await response.json()).data;
}

/** A value for every type of field. @param {{ type: string, options: string[] | null }} field @param {string} name */
function example({ type, options }, name) {
  if (type === "signature" || type === "initials" || type === "checkbox") return true;
  if (type === "number") return "1200";
  if (type === "date") return new Date().toISOString().slice(0, 10);
  return options?.[0] ?? name;
}

const opened = await call("GET", "");
const { you, envelope, document, consent } = opened;
if (opened.state !== "ready") throw new Error(`${you.email} cannot sign now: ${opened.state}`);
console.log(`${you.name} opens "${envelope.name}" of ${envelope.sender}, ${document.page_count} page(s)`);

// Page 1 must have been shown before the signer can agree.
for (let page = 1; page <= document.page_count; page++) await call("GET", `/pages/${page}`);
const { version, sha256 } = consent.disclosure;
await call("POST", "/consent", { accepted: true, disclosure_version: version, disclosure_sha256: sha256, rendered_pages: [1] });

await call("PUT", "/fields", {
  adopt: {
    signature: { kind: "typed", text: you.name, font: "caveat" },
    initials: { kind: "typed", text: you.name.slice(0, 2), font: "caveat" },
  },
});
/** @type {any[]} */
const empty = opened.fields.filter((/** @type {any} */ { error }) => error?.code === "required");
const saved = await call("PUT", "/fields", {
  values: empty.map((field) => ({ field_id: field.field_id, value: example(field, you.name) })),
});
console.log(`${saved.progress.done} of ${saved.progress.total} required fields are filled in`);

// The hashes prove that the signed document is the one that was read.
const { version: intentVersion, locale, sha256: intentHash, text } = opened.intent;
console.log(text.trim());
const done = await call("POST", "/complete", {
  revision: saved.revision,
  prepared_sha256: document.prepared_sha256,
  state_sha256: document.state_sha256,
  intent: { version: intentVersion, locale, sha256: intentHash },
  timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
});
console.log(`signed at ${done.signed_at}; ${done.signed} of ${done.total} have signed, the envelope is ${done.envelope_status}`);
