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
