/** A one-page sample contract: a complete PDF written by hand, with tags where the signer fills in and signs. */

export const SAMPLE_NAME = "Sample agreement";
export const SAMPLE_ROLE = "Signer";

type Line = readonly [size_pt: number, y_pt: number, text: string, font?: "F1" | "F2"];

// US Letter is 612 by 792 points; y is measured from the bottom.
const LEFT_PT = 72;

const lines: readonly Line[] = [
  [20, 706, "Sample agreement", "F2"],
  [11, 684, "A sample document for trying things out. It is not legally binding."],
  [12, 640, "1. Agreement", "F2"],
  [11, 620, "The person signing below has read this page and wants to see what it is like to sign"],
  [11, 604, "a document that was sent from the console."],
  [12, 568, "2. What happens next", "F2"],
  [11, 548, "Once everyone has signed, the page is sealed. From then on, even a change of a single"],
  [11, 532, "byte can be detected. Both sides get a copy."],
  [12, 496, "3. Duration", "F2"],
  [11, 476, "This sample is valid until the sender voids it or it is no longer needed."],
  [11, 412, "Name:"],
  [11, 412, `{{Name;role=${SAMPLE_ROLE};type=text;required=true;width=220;height=20}}`],
  [11, 366, "Date:"],
  [11, 366, `{{Date;role=${SAMPLE_ROLE};type=date;required=true;width=220;height=20}}`],
  [11, 304, "Signature:"],
  [11, 304, `{{Signature;role=${SAMPLE_ROLE};type=signature;width=220;height=48}}`],
];

const xOf = (text: string): number => (text.startsWith("{{") ? LEFT_PT + 78 : LEFT_PT);
const escaped = (text: string): string => text.replace(/[\\()]/g, "\\$&");

/** ASCII only, so that one character is one byte and the offsets in the xref table are correct. */
export function samplePdf(): Uint8Array<ArrayBuffer> {
  const content = lines
    .map(([size, y, text, font = "F1"]) => `BT /${font} ${size} Tf ${xOf(text)} ${y} Td (${escaped(text)}) Tj ET`)
    .join("\n");
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R /Lang (en) >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R /F2 6 0 R >> >> >>",
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>",
    `<< /Title (${SAMPLE_NAME}) >>`,
  ];
  let pdf = "%PDF-1.7\n";
  const offsets = objects.map((body, index) => {
    const offset = pdf.length;
    pdf += `${index + 1} 0 obj\n${body}\nendobj\n`;
    return `${String(offset).padStart(10, "0")} 00000 n \n`;
  });
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join("")}`;
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R /Info ${objects.length} 0 R >>\nstartxref\n${pdf.length}\n%%EOF\n`;
  return new TextEncoder().encode(pdf + table + trailer);
}
