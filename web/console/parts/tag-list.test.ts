import { expect, test } from "vitest";
import { suggestedTags, withTags } from "./tag-list.ts";

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
