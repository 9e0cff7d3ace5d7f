import { pages, text } from "../../pdf/fixtures/pages.ts";
import { stream, writePdf } from "../../pdf/fixtures/writer.ts";

/** Sample documents with tags for fields and signatures. */

const CLAUSES = [
  "The landlord rents the flat on the floor named below to the tenant, including its cellar.",
  "The rent is due on the third working day of each month. It includes water and heating.",
  "The tenant takes care of the flat and reports anything that needs repair immediately.",
  "Either party may end this lease with three months' notice, in writing, to the end of a month.",
  "Verbal agreements are only valid once they are written into this document.",
];

const paragraphs = (from: number): string[] => CLAUSES.map((clause, n) => text(`${n + 1}. ${clause}`, 72, from - 26 * n, 10));

/** A PDF from lists of drawn texts, one list per page. */
export function paper(...contents: readonly (readonly string[])[]): Uint8Array {
  const objects = pages(contents.length);
  for (const [index, content] of contents.entries()) objects[13 + 2 * index] = stream("", content.join("\n"));
  return writePdf(objects);
}

const labelled = (label: string, tag: string, y: number): string[] => [text(label, 72, y, 11), text(`{{${tag}}}`, 200, y, 11)];

/** All field types for the tenant on two pages; the landlord only signs. */
export const lease = paper(
  [
    text("Lease", 72, 720, 24),
    text("between the landlord and the tenant named below", 72, 696, 11),
    ...paragraphs(664),
    ...labelled("Name", "Full name;role=Tenant;required=true;width=220;height=22", 500),
    ...labelled("Rent", "Rent;role=Tenant;type=number;required=true;width=100;height=22", 460),
    ...labelled("Start", "Start;role=Tenant;type=date;required=true;width=120;height=22", 420),
    ...labelled("Floor", "Floor;role=Tenant;type=select;options=first,second;required=true;width=120;height=22", 380),
    ...labelled("Payment", "Payment;role=Tenant;type=radio;options=monthly,yearly;required=true;width=160;height=40", 330),
    ...labelled("Pet", "Pet;role=Tenant;type=checkbox;width=16;height=16", 290),
    ...labelled("Remarks", "Remarks;role=Tenant;width=300;height=60", 220),
    ...labelled("Initials", "Initials;role=Tenant;type=initials;width=80;height=32", 130),
  ],
  [
    text("Lease, page 2", 72, 720, 18),
    ...paragraphs(680),
    ...labelled("Initials", "Initials;role=Tenant;type=initials;width=80;height=32", 460),
    ...labelled("Tenant", "Tenant signature;role=Tenant;type=signature;width=200;height=50", 380),
    ...labelled("Landlord", "Landlord signature;role=Landlord;type=signature;width=200;height=50", 280),
  ],
);

/** One page with a name and a signature, for most tests. */
export const note = paper([
  text("Order", 72, 720, 24),
  ...paragraphs(680),
  ...labelled("Name", "Full name;role=Buyer;required=true;width=220;height=22", 480),
  ...labelled("Buyer", "Buyer signature;role=Buyer;type=signature;width=200;height=50", 400),
]);

/** The same, and a second signer who only signs. */
export const sale = paper([
  text("Sale", 72, 720, 24),
  ...labelled("Name", "Full name;role=Buyer;required=true;width=220;height=22", 480),
  ...labelled("Buyer", "Buyer signature;role=Buyer;type=signature;width=200;height=50", 400),
  ...labelled("Seller", "Seller signature;role=Seller;type=signature;width=200;height=50", 300),
]);

/** Without required fields. */
export const optional = paper([
  text("Receipt", 72, 720, 24),
  ...labelled("First", "First signature;role=Buyer;type=signature;required=false;width=200;height=50", 480),
  ...labelled("Second", "Second signature;role=Buyer;type=signature;required=false;width=200;height=50", 400),
]);

/** Pages of text, with a signature on the last one. */
export function longDocument(count: number): Uint8Array {
  const page = (n: number) => [text(`Page ${n}`, 72, 720, 18), ...paragraphs(680), ...paragraphs(500), ...paragraphs(320)];
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  const last = text("{{Buyer signature;role=Buyer;type=signature;width=200;height=50}}", 72, 120, 11);
  return paper(...numbers.map((n) => (n === count ? [...page(n), last] : page(n))));
}

/** Like `note`, with these texts as field name and option. */
export const named = (field: string, option: string): Uint8Array =>
  paper([
    text("Order", 72, 720, 24),
    ...labelled("Name", `${field};role=Buyer;required=true;width=220;height=22`, 480),
    ...labelled("Kind", `Kind;role=Buyer;type=select;options=${option},other;width=220;height=22`, 440),
    ...labelled("Buyer", "Buyer signature;role=Buyer;type=signature;width=200;height=50", 360),
  ]);

/** A signature, and room above it for fields with settings. */
export const garage = paper([
  text("Garage", 72, 720, 24),
  ...labelled("Buyer", "Buyer signature;role=Buyer;type=signature;width=200;height=50", 120),
]);

const onGarage = (name: string, type: string, y: number, settings: object, h = 0.025) => ({
  ...{ name, type, settings, role: "Buyer" },
  placement: { mode: "absolute", areas: [{ page: 1, x: 0.12, y, w: type === "checkbox" ? 0.03 : 0.3, h }] },
});

/** What tags cannot say: a form, limits and a unit, a group, the day of signing, several lines, and a text of the sender. */
export const fieldsOfGarage = [
  onGarage("Plate", "text", 0.2, { mask: "AA-99" }),
  onGarage("Deposit", "number", 0.25, { min: "100", max: "5000", places: 2, unit: "EUR" }),
  onGarage("Cat", "checkbox", 0.3, { group: "Pets", min: "1", max: "1" }),
  onGarage("Dog", "checkbox", 0.35, { group: "Pets" }),
  onGarage("Story", "text", 0.4, { multiline: true }, 0.1),
  onGarage("Signed on", "date", 0.55, { fill: "signing_day" }),
  {
    ...{ name: "Note", type: "label", default_value: "Pets of the house" },
    placement: { mode: "absolute", areas: [{ page: 1, x: 0.12, y: 0.6, w: 0.3, h: 0.025 }] },
  },
];
