import { createBudget } from "pako";
import { expect, test } from "vitest";
import { type OnePage, onePage } from "../../fixtures/pages.ts";
import { stream, writePdf } from "../../fixtures/writer.ts";
import { openPdf } from "../open.ts";
import { contentFacts } from "./page-facts.ts";

const image = stream("/Type /XObject /Subtype /Image /Width 2550 /Height 3300 /BitsPerComponent 1 /ColorSpace /DeviceGray", "");
const factsOf = async (odd: OnePage) =>
  contentFacts(await openPdf(writePdf(onePage({ resources: "/XObject << /I 10 0 R >>", more: { 10: image }, ...odd })), createBudget()));

test.each([
  ["a scan", { content: "q 612 0 0 792 0 0 cm /I Do Q" }, { has_text: false, scan_dpi: 300 }],
  ["a scan on its side", { content: "q 0 792 -612 0 612 0 cm /I Do Q" }, { has_text: false, scan_dpi: 232 }],
  ["a scan with OCR text", { content: "q 612 0 0 792 0 0 cm /I Do Q BT 3 Tr /F1 9 Tf (x) Tj ET" }, { has_text: true, scan_dpi: 300 }],
  ["an image on a page", { content: "q 300 0 0 400 0 0 cm /I Do Q BT /F1 9 Tf (x) Tj ET" }, { has_text: true, scan_dpi: null }],
  ["spaces only", { content: "BT /F1 9 Tf (   ) Tj ET" }, { has_text: false, scan_dpi: null }],
  ["a large unit", { content: "q 612 0 0 792 0 0 cm /I Do Q", page: "/UserUnit 2" }, { has_text: false, scan_dpi: 150 }],
])("%s", async (_, odd, expected) => {
  expect(await factsOf(odd)).toEqual([expected]);
});
