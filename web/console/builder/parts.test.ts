import { expect, test } from "vitest";
import { bodyOf } from "./body.ts";
import { placeField, splitByPart } from "./edits.ts";
import { inPart, inWhole, partAt, partsOf } from "./parts.ts";
import { docOf } from "./wire.ts";

const sheet = { w_pt: 612, h_pt: 792 };
const parts = partsOf([
  { document_no: 1, name: "Contract", pages: [sheet, sheet] },
  { document_no: 2, name: "Annex", pages: [sheet] },
]);
const at = (page: number) => ({ page, x: 0.1, y: 0.1, w: 0.2, h: 0.05 });
const empty = docOf([], ["Buyer"]).doc;

test("pages count through all documents in the builder and within each in requests", () => {
  expect([1, 2, 3].map((page) => partAt(parts, page).no)).toEqual([1, 1, 2]);
  expect(inPart(parts, at(3)).page).toBe(1);
  expect(inWhole(parts, 2, at(1)).page).toBe(3);
});

test("a field names its document, and a field on two documents becomes two fields of one name", () => {
  const { doc } = placeField(empty, { type: "text", role: "Buyer", area: at(2) });
  const [field] = doc.fields;
  const both = { ...doc, boxes: [...doc.boxes, { ...at(3), id: "other", field: field?.key ?? "" }] };
  const split = splitByPart(both, parts);
  expect(split.fields.map(({ name }) => name)).toEqual([field?.name, field?.name]);
  const body = bodyOf(split, new Map(), parts);
  expect(body.map(({ document, placement }) => [document, placement?.mode === "absolute" && placement.areas])).toEqual([
    [undefined, [at(2)]],
    [2, [at(1)]],
  ]);
  expect(splitByPart(doc, parts), "nothing changes for a field on one document").toBe(doc);
});

test("a stored field that is moved to another document names it", () => {
  const stored = {
    name: "Name",
    type: "text",
    role: "Buyer",
    required: true,
    readonly: false,
    default_value: null,
    options: null,
  } as const;
  const { doc, known } = docOf([{ ...stored, areas: [at(1)] }], []);
  expect(bodyOf(doc, known, parts)).toEqual([{ keep: { position: 0, name: "Name" } }]);
  const moved = { ...doc, boxes: doc.boxes.map((box) => ({ ...box, ...at(3) })) };
  expect(bodyOf(moved, known, parts)).toEqual([{ keep: { position: 0, name: "Name" }, areas: [at(1)], document: 2 }]);
});
