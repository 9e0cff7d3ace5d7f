// Writes a one-page lease to standard output: a PDF whose fields are tags in its text.
//   node examples/make-lease.mjs > lease.pdf
// Any program that creates PDFs works, because a tag is text like {{Tenant signature;role=Tenant;type=signature}}.

/** @type {[size: number, y: number, text: string][]} */
const lines = [
  [20, 740, "Lease"],
  [11, 700, "Acme lets the flat at 12 Harbour Road to the tenant from 1 January 2027, for 900 a month,"],
  [11, 684, "payable on the first. Either side may end the lease with three months' notice."],
  [11, 620, "Tenant's name:  {{Tenant name;role=Tenant;required=true}}"],
  [11, 590, "A pet is kept:  {{Pet;role=Tenant;type=checkbox}}"],
  [11, 530, "Signed by the tenant:  {{Tenant signature;role=Tenant;type=signature}}"],
  [11, 490, "on:  {{Tenant date;role=Tenant;type=date}}"],
  [11, 430, "Signed by the landlord:  {{Landlord signature;role=Landlord;type=signature;width=180;height=40}}"],
];

const escaped = (/** @type {string} */ text) => text.replace(/[\\()]/g, "\\$&");
const content = lines.map(([size, y, text]) => `BT /F1 ${size} Tf 72 ${y} Td (${escaped(text)}) Tj ET`).join("\n");

const objects = [
  "<< /Type /Catalog /Pages 2 0 R >>",
  "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
  "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
  `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
  "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
];

let pdf = "%PDF-1.7\n";
const offsets = objects.map((body, index) => {
  const offset = pdf.length;
  pdf += `${index + 1} 0 obj\n${body}\nendobj\n`;
  return `${String(offset).padStart(10, "0")} 00000 n \n`;
});
const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join("")}`;
process.stdout.write(`${pdf}${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${pdf.length}\n%%EOF\n`);
