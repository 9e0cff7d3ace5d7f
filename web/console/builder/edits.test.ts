import type { PlaceableFieldType } from "@countersign/client/types";
import { describe, expect, test } from "vitest";
import { alignBoxes, canDistribute, copyToPages, distributeBoxes } from "./arrange.ts";
import {
  addRole,
  clipOf,
  detachFromAnchors,
  editField,
  freePlace,
  hasAnchor,
  moveBoxes,
  moveWith,
  paste,
  placeField,
  removeBoxes,
  renameRole,
} from "./edits.ts";
import type { Box, Doc } from "./field.ts";
import { docOf } from "./wire.ts";

const empty: Doc = { fields: [], boxes: [], roles: [] };
const at = (x: number, y: number, page = 1) => ({ page, x, y, w: 0.2, h: 0.05 });

function placed(...wanted: readonly (readonly [PlaceableFieldType, ReturnType<typeof at>])[]): Doc {
  return wanted.reduce((doc, [type, area]) => placeField(doc, { type, role: "Buyer", area }).doc, empty);
}

const ids = (doc: Doc) => doc.boxes.map(({ id }) => id);
const areas = (boxes: readonly Box[]) => boxes.map(({ page, x, y }) => [page, x, y]);

const number = { type: "number", role: "Tenant", required: true, readonly: true, default_value: null, options: null } as const;
const rent = () => docOf([{ ...number, name: "Rent", areas: [at(0.1, 0.1)] }], []).doc;

describe("placing fields", () => {
  test("names new fields, adds their role, and makes signatures required", () => {
    const doc = placed(["signature", at(0.1, 0.1)], ["signature", at(0.1, 0.2)], ["text", at(0.1, 0.3)]);
    expect(doc.fields.map(({ name, required }) => [name, required])).toEqual([
      ["Signature 1", true],
      ["Signature 2", true],
      ["Text 1", false],
    ]);
    expect(doc.roles).toEqual(["Buyer"]);
  });

  test("by keyboard uses the next free place below", () => {
    const doc = placed(["text", at(0.4, 0.5)]);
    expect(freePlace(doc, at(0.4, 0.5))).toEqual(at(0.4, 0.56));
    expect(freePlace(doc, at(0.4, 0.2))).toEqual(at(0.4, 0.2));
  });
});

describe("moving fields", () => {
  test("several fields keep their distance at the edge of the page", () => {
    const doc = placed(["text", at(0.1, 0.1)], ["text", at(0.7, 0.1)]);
    expect(areas(moveBoxes(doc, ids(doc), 0.3, 0).boxes)).toEqual([
      [1, 0.2, 0.1],
      [1, 0.8, 0.1],
    ]);
  });

  test("to another page also moves the selected fields from the same page", () => {
    const doc = placed(["text", at(0.1, 0.1)], ["text", at(0.3, 0.1)], ["text", at(0.5, 0.1, 2)]);
    const [lead] = doc.boxes;
    expect(areas(moveWith(doc, ids(doc), lead as Box, at(0.15, 0.2, 3)).boxes)).toEqual([
      [3, 0.15, 0.2],
      [3, 0.35, 0.2],
      [2, 0.55, 0.2],
    ]);
  });

  test("by no distance changes nothing, so there is nothing to undo", () => {
    const doc = placed(["text", at(0, 0.1)]);
    expect(moveBoxes(doc, ids(doc), -0.1, 0)).toBe(doc);
  });

  test("aligning uses the field that was selected first", () => {
    const doc = placed(["text", at(0.1, 0.1)], ["text", at(0.3, 0.4)]);
    const [first = "", second = ""] = ids(doc);
    expect(areas(alignBoxes(doc, [second, first], "left").boxes)).toEqual([
      [1, 0.3, 0.1],
      [1, 0.3, 0.4],
    ]);
  });

  test("gets equal gaps between the first and the last, on one page only", () => {
    const doc = placed(["text", at(0.1, 0.1)], ["text", at(0.2, 0.15)], ["text", at(0.5, 0.5)]);
    expect(areas(distributeBoxes(doc, ids(doc), "across").boxes).map(([, x]) => x)).toEqual([0.1, 0.3, 0.5]);
    expect(areas(distributeBoxes(doc, ids(doc), "down").boxes).map(([, , y]) => y)).toEqual([0.1, 0.3, 0.5]);
    expect(canDistribute(doc, ids(doc).slice(1))).toBe(false);
    const apart = placed(["text", at(0.1, 0.1)], ["text", at(0.2, 0.15)], ["text", { ...at(0.5, 0.5), page: 2 }]);
    expect(canDistribute(apart, ids(apart))).toBe(false);
  });

  test("a field keeps its anchor until it is detached", () => {
    const anchor = { match: at(0.1, 0.1), requested: null };
    const { doc, boxes } = placeField(empty, { type: "text", role: "Buyer", area: at(0.1, 0.1), anchor });
    expect(hasAnchor(doc, boxes)).toBe(true);
    expect(hasAnchor(detachFromAnchors(doc, boxes), boxes)).toBe(false);
  });
});

describe("copying fields", () => {
  test("creates new fields at a small offset", () => {
    const doc = placed(["signature", at(0.1, 0.1)]);
    const pasted = paste(doc, clipOf(doc, ids(doc)), 2);
    expect(pasted.doc.fields.map(({ name }) => name)).toEqual(["Signature 1", "Signature 2"]);
    expect(areas(pasted.doc.boxes)).toEqual([
      [1, 0.1, 0.1],
      [2, 0.12, 0.12],
    ]);
  });

  test("a field that only a tag can create gets another place instead", () => {
    const doc = rent();
    const pasted = paste(doc, clipOf(doc, ids(doc)));
    expect([pasted.doc.fields.length, pasted.doc.boxes.length]).toEqual([1, 2]);
  });

  test("to other pages gives the field more places, and adds none where it already has one", () => {
    const doc = placed(["initials", at(0.1, 0.9)]);
    const copied = copyToPages(doc, ids(doc), [1, 2, 3]);
    expect(copied.doc.fields).toHaveLength(1);
    expect(areas(copied.doc.boxes)).toEqual([
      [1, 0.1, 0.9],
      [2, 0.1, 0.9],
      [3, 0.1, 0.9],
    ]);
    expect(copyToPages(copied.doc, ids(doc), [1, 2, 3])).toEqual({ doc: copied.doc, boxes: [] });
  });

  test("of an anchored field to other pages keeps its anchor and adds a second field of the same name", () => {
    const anchor = { match: at(0.1, 0.1), requested: null };
    const { doc, boxes } = placeField(empty, { type: "text", role: "Buyer", area: at(0.1, 0.1), anchor });
    const copied = copyToPages(doc, boxes, [2, 3]).doc;
    expect(copied.fields.map((field) => [field.name, field.anchor])).toEqual([
      ["Text 1", anchor],
      ["Text 1", null],
    ]);
    expect(copied.boxes.map(({ page, field }) => [page, field === copied.fields[0]?.key])).toEqual([
      [1, true],
      [2, false],
      [3, false],
    ]);
  });
});

describe("fields and roles", () => {
  test("a field is removed with its last box", () => {
    const doc = copyToPages(placed(["text", at(0.1, 0.1)]), [], []).doc;
    const two = copyToPages(doc, ids(doc), [2]).doc;
    const one = removeBoxes(two, ids(two).slice(0, 1));
    expect([one.fields.length, one.boxes.length]).toEqual([1, 1]);
    expect(removeBoxes(one, ids(one)).fields).toEqual([]);
  });

  test("renaming a role updates its fields, and renaming it to an existing role merges the two", () => {
    const doc = addRole(placed(["text", at(0.1, 0.1)]), "Seller");
    const renamed = renameRole(doc, "Buyer", "Tenant");
    expect([renamed.roles, renamed.fields[0]?.role]).toEqual([["Tenant", "Seller"], "Tenant"]);
    expect(renameRole(doc, "Buyer", "Seller").roles).toEqual(["Seller"]);
  });

  test("a field can be assigned to a new role", () => {
    const doc = placed(["text", at(0.1, 0.1)]);
    expect(editField(doc, doc.fields[0]?.key ?? "", { role: "Witness" }).roles).toEqual(["Buyer", "Witness"]);
  });
});
