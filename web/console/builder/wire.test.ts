import { describe, expect, test } from "vitest";
import { copyToPages } from "./arrange.ts";
import { bodyOf, fieldErrorsOf, hasFieldsOf, isUnchanged } from "./body.ts";
import { detachFromAnchors, editField, moveBoxes, placeField, removeBoxes } from "./edits.ts";
import { docOf, type PresentField } from "./wire.ts";
import { beginWork, changed, isUnsaved, redone, saved, undone } from "./work.ts";

const at = (page: number, x: number, y: number) => ({ page, x, y, w: 0.2, h: 0.05 });
const match = { page: 1, x: 0.117647, y: 0.7, w: 0.081, h: 0.0152 };

const present = (more: Partial<PresentField>): PresentField => ({
  name: "Floor",
  type: "select",
  role: "Tenant",
  required: true,
  readonly: false,
  default_value: null,
  options: ["first", "second"],
  areas: [at(1, 0.123456, 0.2)],
  ...more,
});
/** Locked by a tag, so only a tag can create it. */
const floor = present({ readonly: true });
const anchored = present({ name: "Sign", type: "signature", options: null, anchor_match: match, areas: [at(1, 0.1, 0.7)] });

const idsOf = (doc: { boxes: readonly { id: string }[] }) => doc.boxes.map(({ id }) => id);

describe("the request", () => {
  test("keeps unchanged fields", () => {
    const { doc, known } = docOf([floor, anchored], []);
    expect(bodyOf(doc, known, [])).toEqual([{ keep: { position: 0, name: "Floor" } }, { keep: { position: 1, name: "Sign" } }]);
  });

  test("contains only the changes of a field from a tag", () => {
    const { doc, known } = docOf([floor], []);
    const [key = ""] = doc.fields.map((field) => field.key);
    const moved = moveBoxes(
      editField(doc, key, { name: "Storey", role: "Buyer", required: false, default_value: "first" }),
      idsOf(doc),
      0.1,
      0,
    );
    expect(bodyOf(moved, known, [])).toEqual([
      {
        keep: { position: 0, name: "Floor" },
        name: "Storey",
        role: "Buyer",
        required: false,
        default_value: "first",
        areas: [at(1, 0.223456, 0.2)],
      },
    ]);
  });

  test("contains the areas of a field that was detached from its anchor, even if it did not move", () => {
    const { doc, known } = docOf([anchored], []);
    expect(bodyOf(detachFromAnchors(doc, idsOf(doc)), known, [])).toEqual([
      { keep: { position: 0, name: "Sign" }, areas: [at(1, 0.1, 0.7)] },
    ]);
  });

  test("contains a new field completely, with its areas or its anchor", () => {
    const { doc, known } = docOf([], []);
    const { doc: one } = placeField(doc, { type: "date", role: "Buyer", area: at(1, 0.1, 0.1) });
    const requested = { anchor_text: "Sign here", occurrence: 2, offset_x: 0, offset_y: 0.01, w: 0.2, h: 0.05 };
    const { doc: both } = placeField(one, { type: "signature", role: "Buyer", area: at(1, 0.1, 0.7), anchor: { match, requested } });
    const wanted = copyToPages(both, idsOf(one), [2]).doc;
    expect(bodyOf(wanted, known, [])).toEqual([
      {
        name: "Date 1",
        type: "date",
        role: "Buyer",
        required: false,
        placement: { mode: "absolute", areas: [at(1, 0.1, 0.1), at(2, 0.1, 0.1)] },
      },
      { name: "Signature 1", type: "signature", role: "Buyer", required: true, placement: { mode: "anchor", ...requested } },
    ]);
  });

  test("is used to match the API's errors to fields", () => {
    const { doc } = docOf([floor, anchored], []);
    const details = [
      { field: "fields[1].placement.areas[0].page", message: "the document has 2 pages" },
      { field: "fields[7].name", message: "is required" },
      { field: null, message: "something" },
    ];
    expect(fieldErrorsOf(details, doc)).toEqual([
      { field: doc.fields[1]?.key, part: "placement.areas[0].page", message: "the document has 2 pages" },
    ]);
  });
});

describe("saving", () => {
  const placed = () => {
    const work = beginWork([floor], []);
    const { doc } = placeField(work.history.present, { type: "text", role: "Tenant", area: at(2, 0.1, 0.1) });
    return changed(work, doc);
  };

  test("keeps the saved fields in the next request", () => {
    const work = placed();
    const after = saved(work, work.history.present, [floor, { areas: [at(2, 0.1, 0.1)] }]);
    expect([isUnsaved(work), isUnsaved(after)]).toEqual([true, false]);
    expect(bodyOf(after.history.present, after.known, [])).toEqual([
      { keep: { position: 0, name: "Floor" } },
      { keep: { position: 1, name: "Text 1" } },
    ]);
  });

  test("can be undone, unless it removed a field that only a tag can create", () => {
    const work = placed();
    const after = saved(work, work.history.present, [floor, { areas: [at(2, 0.1, 0.1)] }]);
    expect(undone(after).history.present.fields).toHaveLength(1);
    expect(isUnsaved(undone(after))).toBe(true);
    expect(isUnsaved(redone(undone(after)))).toBe(false);
    const without = changed(after, removeBoxes(after.history.present, idsOf(after.history.present).slice(0, 1)));
    const lost = saved(without, without.history.present, [{ areas: [at(2, 0.1, 0.1)] }]);
    expect(undone(lost).history.present.fields.map(({ name }) => name)).toEqual(["Text 1"]);
  });

  test("leaves later changes unsaved", () => {
    const work = placed();
    const sent = work.history.present;
    const later = changed(work, moveBoxes(sent, idsOf(sent).slice(1), 0.1, 0));
    const after = saved(later, sent, [floor, { areas: [at(2, 0.1, 0.1)] }]);
    expect(isUnsaved(after)).toBe(true);
    expect(bodyOf(after.history.present, after.known, [])[1]).toEqual({ keep: { position: 1, name: "Text 1" }, areas: [at(2, 0.2, 0.1)] });
  });

  test("takes over clipped areas and anchor matches from the API", () => {
    const work = placed();
    const after = saved(work, work.history.present, [floor, { areas: [{ ...at(2, 0.1, 0.1), w: 0.15 }], anchor_match: match }]);
    expect(after.history.present.boxes[1]).toMatchObject({ page: 2, w: 0.15 });
    expect(after.history.present.fields[1]?.anchor?.match).toEqual(match);
  });

  test("an error disappears once its field is changed", () => {
    const work = { ...placed(), fieldErrors: [] as readonly { field: string; part: string; message: string }[] };
    const [first, second] = work.history.present.fields;
    const wrong = {
      ...work,
      fieldErrors: [first, second].map((field) => ({ field: field?.key ?? "", part: "name", message: "is required" })),
    };
    const corrected = changed(wrong, editField(wrong.history.present, second?.key ?? "", { name: "Place" }));
    expect(corrected.fieldErrors.map(({ field }) => field)).toEqual([first?.key]);
  });
});

test("fields that another user added, removed or reordered are detected", () => {
  const one = (name: string): PresentField => present({ name });
  const seen = [one("Name"), one("Street ")];
  const { known } = docOf(seen, []);
  expect(isUnchanged([one("Name"), one("Street")], known)).toBe(true);
  expect(isUnchanged([...seen, one("City")], known)).toBe(false);
  expect(isUnchanged([one("Name")], known)).toBe(false);
  expect(isUnchanged([one("Street"), one("Name")], known)).toBe(false);
  expect(isUnchanged([], docOf([], []).known)).toBe(true);
});

test("a save whose answer was lost is recognized by what the server has now", () => {
  const { doc } = placeField(docOf([floor], []).doc, { type: "text", role: "Tenant", area: at(2, 0.1, 0.1) });
  const text = present({ name: "Text 1", areas: [at(2, 0.1, 0.1)] });
  expect(hasFieldsOf([floor, text], doc)).toBe(true);
  expect(hasFieldsOf([floor], doc)).toBe(false);
  expect(hasFieldsOf([floor, { ...text, name: "Other" }], doc)).toBe(false);
  expect(hasFieldsOf([floor, { ...text, areas: [at(2, 0.4, 0.1)] }], doc)).toBe(false);
});
