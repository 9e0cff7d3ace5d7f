// Ten small forms, each with one thing that viewers draw in their own ways.

/** @typedef {typeof import("../pdf/fixtures/writer.ts")} Writer */
/** @typedef {{ label: string, fields: string[], form?: string, page?: string, more?: Record<number, string | import("../pdf/fixtures/writer.ts").StreamObject> }} Form */

const utf16 = (/** @type {string} */ text) => `<FEFF${Buffer.from(text, "utf16le").swap16().toString("hex")}>`;
const value = (/** @type {string} */ text) => `/FT /Tx /V ${utf16(text)} /MK << /BC [0 0 0.6] /BG [0.94 0.96 1] >>`;
const tick = "1.5 w 2 2 m 14 14 l 14 2 m 2 14 l S";

const MULTI_LINE = 1 << 12;
const COMB = 1 << 24;
const COMBO = 1 << 17;

/** @param {Writer} writer @returns {Record<string, Form>} */
const forms = ({ stream }) => ({
  euro: { label: "Amount", fields: [value("€ 9,000 – payable")] },
  cyrillic: { label: "Name", fields: [value("Юлія Щербак")] },
  polish: { label: "Name", fields: [value("Łukasz Żółć")] },
  comb: { label: "IBAN", fields: [`${value("DE8937040044")} /Ff ${COMB} /MaxLen 12`] },
  "multi-line": {
    label: "Notes",
    fields: [
      `${value("The tenant pays on the first day\nof each month, and the deposit\nbefore moving in.")} /Ff ${MULTI_LINE} /Rect [90 20 390 90]`,
    ],
  },
  choice: {
    label: "Term",
    fields: [
      `/FT /Ch /Ff ${COMBO} /Opt [(12 months) (24 months)] /V (24 months) /MK << /BC [0 0 0.6] >>`,
      "/FT /Btn /V /Yes /AS /Yes /Rect [90 30 106 46] /AP << /N << /Yes 30 0 R >> >>",
    ],
    more: { 30: stream("/Type /XObject /Subtype /Form /BBox [0 0 16 16]", tick) },
  },
  rotated: { label: "Turned", fields: [`${value("By 90 degrees").replace("/MK <<", "/MK << /R 90")} /Rect [90 10 115 110]`] },
  "read-only": { label: "Reference", fields: [`${value("2026-0042")} /Ff 1 /Q 2`] },
  calculated: {
    label: "Total",
    fields: [
      `${value("1234.5")} /AA << /C << /S /JavaScript /JS (event.value = 1234.5) >> /F << /S /JavaScript /JS (AFNumber_Format) >> >> /AP << /N 30 0 R >>`,
    ],
    form: "/CO [20 0 R]",
    more: {
      30: stream(
        "/Type /XObject /Subtype /Form /BBox [0 0 300 20] /Resources << /Font << /Helv 5 0 R >> >>",
        "/Tx BMC q BT /Helv 12 Tf 0 g 2 6 Td ($1,234.50) Tj ET Q EMC",
      ),
    },
  },
  // The signature is not valid; its picture is what viewers show.
  signed: {
    label: "Signature",
    fields: [
      `/FT /Sig /AP << /N 30 0 R >> /V << /Type /Sig /Filter /Adobe.PPKLite /SubFilter /adbe.pkcs7.detached /ByteRange [0 1 1 0] /Contents <00> >>`,
    ],
    more: {
      30: stream(
        "/Type /XObject /Subtype /Form /BBox [0 0 300 20] /Resources << /Font << /Helv 5 0 R >> >>",
        "0.8 1 0.8 rg 0 0 300 20 re f BT /Helv 10 Tf 0 g 4 6 Td (Digitally signed by Ann Example) Tj ET",
      ),
    },
  },
});

/** Each as a PDF, by its name. @param {Writer} writer @param {typeof import("../pdf/fixtures/pages.ts")} pages @returns {[name: string, file: Uint8Array][]} */
export function sampleForms(writer, { onePage, text }) {
  return Object.entries(forms(writer)).map(([name, { label, fields, form = "", page = "", more = {} }]) => {
    const refs = fields.map((_, index) => `${20 + index} 0 R`).join(" ");
    const widgets = Object.fromEntries(
      fields.map((entries, index) => {
        const rect = entries.includes("/Rect") ? "" : "/Rect [90 60 390 80]";
        return [20 + index, `<< /Type /Annot /Subtype /Widget /T (field${index}) /F 4 /DA (/Helv 12 Tf 0 g) ${rect} ${entries} >>`];
      }),
    );
    const catalog = `/AcroForm << /Fields [${refs}] /NeedAppearances ${name !== "choice" && name !== "signed"} /DA (/Helv 12 Tf 0 g) /DR << /Font << /Helv 5 0 R >> >> ${form} >>`;
    const content = `${text(`Form: ${name}`, 20, 105, 9)} ${text(label, 20, 66, 9)}`;
    const objects = onePage({
      mediaBox: "[0 0 420 120]",
      content,
      catalog,
      page: `/Annots [${refs}] ${page}`,
      more: { ...widgets, ...more },
    });
    return [name, writer.writePdf(objects)];
  });
}
