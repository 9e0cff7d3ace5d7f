// Sends a PDF with tags once, without a template, and prints the fields that its tags became.
//   COUNTERSIGN_URL=https://sign.example.com COUNTERSIGN_API_KEY=lk_… node run.mjs
// The key has the scopes envelopes:read and envelopes:write.
// lease.pdf is a download of the service: /docs/downloads/lease.pdf
import { Countersign } from "@countersign/client";

// The client waits after 429 as Retry-After says.
const cs = new Countersign({
  baseUrl: process.env.COUNTERSIGN_URL ?? "http://localhost:3000",
  apiKey: process.env.COUNTERSIGN_API_KEY,
});

const { envelope_id } = await cs.envelopes.create({
  envelope_name: "Lease",
  customer_name: "Ann",
  customer_email: "ann@example.com",
});
await cs.envelopes.document.attach(envelope_id, { file: { path: "lease.pdf" } });

// Each tag has become a field.
const { fields } = await cs.envelopes.fields.get(envelope_id);
for (const { role, type, name } of fields) console.log(`${role}: ${type}, ${name}`);

await cs.envelopes.send(envelope_id, {
  signers: [
    { email: "ann@example.com", name: "Ann", role: "Tenant" },
    { email: "sam@example.com", name: "Sam", role: "Landlord" },
  ],
});
console.log(`${envelope_id} was sent`);
