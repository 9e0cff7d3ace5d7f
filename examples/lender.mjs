// A lender's integration, from a borrower to a promissory note with verified evidence and a custody transfer.
//   COUNTERSIGN_URL=http://localhost:3000 COUNTERSIGN_API_KEY=lk_… node examples/lender.mjs
// The key needs the scopes envelopes:*, customers:*, esign:write, vault:read, compliance:read, custody:write and webhooks:write.
//   COUNTERSIGN_ROOT     the SHA-256 of the service's root certificate, from its operator; without it the signer of the evidence is not pinned
//   PORT                 the port for webhooks (default 4000)
//   CUSTODIAN_USER_ID    the colleague who becomes the custodian; without it custody is not transferred
import { once } from "node:events";
import { createServer } from "node:http";
import { ConflictError, Countersign, CountersignError, isCode, RateLimitError, WebhookVerificationError } from "@countersign/client";
import { unzipBundle, verifyBundle } from "@countersign/verify";

const {
  COUNTERSIGN_URL = "http://localhost:3000",
  COUNTERSIGN_API_KEY,
  COUNTERSIGN_ROOT = null,
  CUSTODIAN_USER_ID,
  PORT = "4000",
} = process.env;
const cs = new Countersign({ baseUrl: COUNTERSIGN_URL, apiKey: COUNTERSIGN_API_KEY });

const LENDER = { name: "First Example Bank, N.A.", address: "1 Example Square" };
const BORROWER = { client_id: "borrower-17", email: "ann@example.com", name: "Ann" };
const SIGNING_MS = 10 * 60_000;

try {
  await lend();
} catch (error) {
  if (!(error instanceof CountersignError)) throw error;
  // The client has already retried where that can help. Other errors need a person.
  const hint =
    error instanceof RateLimitError ? `try again in ${error.retryAfterMs / 1000} s` : `quote ${error.requestId} when you ask for help`;
  console.error(`${error.name} (${error.code}): ${error.message}; ${hint}`);
  process.exitCode = 1;
}

async function lend() {
  const { endpoint_id, secret } = await cs.webhookEndpoints.create({ url: `http://localhost:${PORT}/`, description: "Loan desk" });
  const receiver = await listen(secret);
  try {
    const customer_id = await ensureCustomer();
    const { template_id } = await cs.templates.create({ name: "Promissory note", file: { data: notePdf(), name: "note.pdf" } });
    await changeOfMind(template_id);

    const envelope_id = await sendNote(template_id);
    console.log(`${envelope_id} was sent to ${BORROWER.email}, customer ${customer_id}`);
    const { embed_url } = await cs.embed.createToken({ envelope_id, user_email: BORROWER.email, widget_type: "sign" });
    console.log(`show this in your page: ${embed_url}`);

    await cs.envelopes.waitFor(envelope_id, { until: "vaulted", timeoutMs: SIGNING_MS });
    const { hash } = await receiver.stored(envelope_id);
    await checkVault(envelope_id, hash);
    await transferCustody(envelope_id);
  } finally {
    await cs.webhookEndpoints.delete(endpoint_id);
    receiver.close();
  }
}

/** The client_id is your own number for the borrower, so a second run finds the same customer. */
async function ensureCustomer() {
  try {
    return (await cs.customers.create(BORROWER)).customer_id;
  } catch (error) {
    if (!isCode(error, "client_id_taken")) throw error;
    return (await cs.customers.lookUp({ client_id: BORROWER.client_id })).customer_id;
  }
}

/** With auto-vault, a person of your company accepts the vault terms, and the service records who. @param {string} template_id */
async function sendNote(template_id) {
  const { envelope_id } = await cs.envelopes.create({
    envelope_name: "Promissory note 17",
    customer_email: BORROWER.email,
    customer_name: BORROWER.name,
    external_id: "loan-17",
    template_id,
    secured_party: LENDER,
    auto_vault_enabled: true,
  });
  const { terms_version } = await cs.certificationTerms.get();
  const accepted_by = { name: "Lee", email: "lee@example.com" };
  const signers = [{ email: BORROWER.email, name: BORROWER.name, role: "Borrower" }];
  await cs.envelopes.send(envelope_id, { signers, certification: { accepted: true, terms_version, accepted_by } });
  return envelope_id;
}

/** An envelope that is sent, reminded and voided. Actions that its status does not allow throw a ConflictError. @param {string} template_id */
async function changeOfMind(template_id) {
  const envelope_id = await sendNote(template_id);
  try {
    const { reminded } = await cs.envelopes.remind(envelope_id);
    console.log(`reminded ${reminded.join(", ")}`);
  } catch (error) {
    if (!isCode(error, "reminded_already")) throw error;
    console.log("not reminded: the e-mail with the link was just sent");
  }
  await cs.envelopes.void(envelope_id, { reason: "wrong amount" });
  await cs.envelopes.void(envelope_id, { reason: "wrong amount" }).catch((error) => {
    if (!(error instanceof ConflictError && error.code === "envelope_wrong_status")) throw error;
    console.log(`${envelope_id} is voided`);
  });
}

/** Reads the vault record and verifies its evidence locally. @param {string} envelope_id @param {string} hash */
async function checkVault(envelope_id, hash) {
  const record = await cs.vault.get(envelope_id);
  if (record.hash !== hash) throw new Error(`the webhook said ${hash}, the vault ${record.hash}`);
  const { outcome, steps } = await cs.vault.verify(envelope_id, (zip) =>
    verifyBundle(() => unzipBundle(zip), { root: COUNTERSIGN_ROOT, tsa_roots: null }),
  );
  if (outcome === "FAILED") throw new Error(`the evidence is not valid: ${steps.at(-1)?.says}`);
  console.log(`${record.hash.slice(0, 16)}…, ${record.size} bytes: ${outcome}`);
}

/** The colleague accepts the transfer in the console or with a different key. @param {string} envelope_id */
async function transferCustody(envelope_id) {
  if (CUSTODIAN_USER_ID === undefined) return;
  const { permission_id } = await cs.custody.transfers.create(envelope_id, { to_user_id: CUSTODIAN_USER_ID, reason: "Loan desk" });
  console.log(`${permission_id} is waiting for ${CUSTODIAN_USER_ID}`);
}

/** A webhook receiver. A real one is part of your backend and stores the ids of events in its database. @param {string} secret */
async function listen(secret) {
  const stored = new Map();
  const arrivals = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    try {
      const event = await cs.webhooks.unwrap(Buffer.concat(chunks), request.headers, secret);
      if (event.event_type === "vault.stored") stored.set(event.envelope_id, event.data);
      response.writeHead(204).end();
      arrivals.emit("event");
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error;
      response.writeHead(400).end(error.reason);
    }
  });
  arrivals.listen(Number(PORT), "127.0.0.1");
  await once(arrivals, "listening");
  return {
    /** @param {string} envelope_id */
    stored: async (envelope_id) => {
      while (!stored.has(envelope_id)) await once(arrivals, "event");
      return stored.get(envelope_id);
    },
    close: () => arrivals.close(),
  };
}

/** Any PDF with tags in its text works. */
function notePdf() {
  const lines = [
    "Promissory note: 12,000, payable in 48 months.",
    "Signed by the borrower: {{Borrower signature;role=Borrower;type=signature}}",
  ];
  const content = lines.map((line, index) => `BT /F1 11 Tf 72 ${700 - 80 * index} Td (${line}) Tj ET`).join("\n");
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ];
  let pdf = "%PDF-1.7\n";
  const offsets = objects.map((body, index) => {
    const offset = pdf.length;
    pdf += `${index + 1} 0 obj\n${body}\nendobj\n`;
    return `${String(offset).padStart(10, "0")} 00000 n \n`;
  });
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join("")}`;
  return new TextEncoder().encode(
    `${pdf}${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${pdf.length}\n%%EOF\n`,
  );
}
