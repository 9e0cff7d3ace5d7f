// Sends a PDF with tags to two signers, signs for them in a sandbox, and downloads the sealed document.
//   COUNTERSIGN_URL=https://sign.example.com COUNTERSIGN_API_KEY=lk_… node run.mjs
// The key belongs to a sandbox and has the scopes envelopes:read, envelopes:write and esign:write.
// lease.pdf is a download of the service: /docs/downloads/lease.pdf
import { Countersign } from "@countersign/client";

// The client waits after 429 as Retry-After says, and while a document is not ready.
const cs = new Countersign({
  baseUrl: process.env.COUNTERSIGN_URL ?? "http://localhost:3000",
  apiKey: process.env.COUNTERSIGN_API_KEY,
  maxRetries: 10,
});

const { template_id } = await cs.templates.create({ name: "Lease", file: { path: "lease.pdf" } });

const { envelope_id } = await cs.envelopes.create({
  envelope_name: "Lease",
  customer_name: "Ann",
  customer_email: "ann@example.com",
  template_id,
});
await cs.envelopes.send(envelope_id, {
  signers: [
    { email: "ann@example.com", name: "Ann", role: "Tenant" },
    { email: "sam@example.com", name: "Sam", role: "Landlord" },
  ],
});
console.log(`${envelope_id} was sent`);

// In a live organization, people sign with the links in their e-mails.
const { status } = await cs.test.envelopes.sign(envelope_id, { values: { "Tenant name": "Ann Example" } });
console.log(`${envelope_id} is ${status}`);

const document = await cs.envelopes.document.get(envelope_id);
await document.saveTo("lease-signed.pdf");
console.log("lease-signed.pdf is saved");
