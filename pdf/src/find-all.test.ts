import { createBudget } from "pako";
import { expect, test } from "vitest";
import { onePage, page, pages, text } from "../fixtures/pages.ts";
import { stream, writePdf } from "../fixtures/writer.ts";
import { contentFacts } from "./content/page-facts.ts";
import { findAll } from "./find-all.ts";
import { findTags } from "./find-tags.ts";
import { findAnchors } from "./find-text.ts";
import { openPdf } from "./open.ts";

const queries = [
  { anchor_text: "sign HERE" },
  { anchor_text: "Page", occurrence: 2 },
  { anchor_text: "Page", page: 3 },
  { anchor_text: "Page", page: 9 },
  { anchor_text: "Signature" },
  { anchor_text: " " },
];

const tagged = text("Sign here: {{Signature;role=Buyer;type=signature}} and {{Page;typ=date}}");
const documents = {
  "pages with and without text": { ...pages(4), 15: stream("", ""), 16: page(3, "/Rotate 90") },
  "tags, one of them faulty": onePage({ content: tagged }),
  "a tag that is an annotation": onePage({ page: "/Annots [<< /Subtype /Text /Rect [10 10 90 30] /Contents ({{Date;type=date}}) >>]" }),
  "a page without anything": onePage({ content: "" }),
};

test.each(Object.entries(documents))("one pass finds the same as three: %s", async (_, objects) => {
  const doc = await openPdf(writePdf(objects), createBudget());
  expect(findAll(doc, queries)).toEqual({ tags: findTags(doc), anchors: findAnchors(doc, queries), facts: contentFacts(doc), hidden: [] });
});

test("more than 500 anchors are rejected before a page is read", async () => {
  const doc = await openPdf(writePdf(onePage()), createBudget());
  expect(() =>
    findAll(
      doc,
      Array.from({ length: 501 }, () => ({ anchor_text: "Sign" })),
    ),
  ).toThrow("500 anchors");
});
