// Makes a template from a PDF without tags, places fields next to its words, and sends it with values that are filled in.
//   COUNTERSIGN_URL=https://sign.example.com COUNTERSIGN_API_KEY=lk_… node run.mjs
// The key has the scope envelopes:write.
// note.pdf is a download of the service: /docs/downloads/note.pdf
import { Countersign } from "@countersign/client";

// The client waits after 429 as Retry-After says.
const cs = new Countersign({
  baseUrl: process.env.COUNTERSIGN_URL ?? "http://localhost:3000",
  apiKey: process.env.COUNTERSIGN_API_KEY,
});

/** @param {string} anchor_text @param {{ left: number, w: number, h: number }} place */
const nextTo = (anchor_text, { left, w, h }) => ({ mode: /** @type {const} */ ("anchor"), anchor_text, offset_x: left, w, h });
const line = { left: 0.15, w: 0.3, h: 0.02 };
const role = "Borrower";

// The sender fills in the first two fields, and the borrower cannot change them. The date can be changed.
const { template_id } = await cs.templates.create({
  name: "Promissory note",
  file: { path: "note.pdf" },
  fields_json: [
    { name: "Borrower", type: "text", role, settings: { sender_fills: true }, placement: nextTo("Borrower:", line) },
    { name: "Amount", type: "number", role, settings: { sender_fills: true, places: 2, unit: "EUR" }, placement: nextTo("Amount:", line) },
    { name: "Due on", type: "date", role, placement: nextTo("Due on:", line) },
    {
      name: "Borrower signature",
      type: "signature",
      role,
      required: true,
      placement: nextTo("Signature of the borrower:", { left: 0.25, w: 0.3, h: 0.04 }),
    },
  ],
});
console.log(`${template_id} has its fields`);

const { envelope_id } = await cs.envelopes.create({
  envelope_name: "Promissory note 17",
  customer_name: "Ann",
  customer_email: "ann@example.com",
  template_id,
  external_id: "loan-17",
  prefilled_data: { Borrower: "Ann Example", Amount: "12000", "Due on": "2027-12-31" },
});
await cs.envelopes.send(envelope_id, { signers: [{ email: "ann@example.com", name: "Ann", role }] });
console.log(`${envelope_id} was sent`);
