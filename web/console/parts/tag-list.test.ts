import { expect, test } from "vitest";
import { matchingTags, suggestedTags, withTags } from "./tag-list.ts";

test("a text with commas adds each tag once, whatever its case", () => {
  expect(withTags(["Urgent"], " Lease , urgent,, North,lease")).toEqual(["Urgent", "Lease", "North"]);
  expect(withTags(["Urgent"], " , ")).toEqual(["Urgent"]);
});

test("suggestions contain the text, begin with it first, and leave out what is chosen", () => {
  const known = ["Big lease", "Lease", "lease 2026", "North"];
  expect(suggestedTags(known, ["LEASE"], "lea")).toEqual(["lease 2026", "Big lease"]);
  expect(suggestedTags(known, [], "")).toEqual(known);
  expect(
    suggestedTags(
      Array.from({ length: 500 }, (_, n) => `Tag ${n}`),
      [],
      "tag",
    ),
  ).toHaveLength(8);
});

test("of 10,000 tags, all that contain the text are counted, and those that begin with it come first", () => {
  const known = Array.from({ length: 10_000 }, (_, n) => `${n % 2 === 0 ? "Tag" : "Old tag"} ${n}`);
  const found = matchingTags(known, [], "TAG 99");
  expect(found).toHaveLength(111);
  expect(found.slice(0, 2)).toEqual(["Tag 990", "Tag 992"]);
  expect(found.at(-1)).toBe("Old tag 9999");
});
