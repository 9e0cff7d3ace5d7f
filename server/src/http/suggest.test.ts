import { expect, test } from "vitest";
import { editDistance, suggestionFor } from "./suggest.ts";

const known = ["customer_id", "status", "external_id", "q", "created_from", "expand", "page", "limit", "signers"];

test.each([
  ["stauts", "status"],
  ["Limit", "limit"],
  ["externalId", "external_id"],
  ["external-id", "external_id"],
  ["ExternalID", "external_id"],
  ["signer", "signers"],
  ["pag", "page"],
  ["craeted_from", "created_from"],
])("%s is taken for %s", (given, meant) => expect(suggestionFor(given, known)).toBe(meant));

test.each(["foo", "colour", "id", "a", "", "s".repeat(200)])("%s gets no suggestion", (given) =>
  expect(suggestionFor(given, known)).toBeNull(),
);

test("swapped neighbors count once, as does each added, removed or replaced character", () => {
  const distances = [
    ["", ""],
    ["abc", "abc"],
    ["abc", "acb"],
    ["abc", "abcd"],
    ["abc", "bc"],
    ["abc", "axc"],
    ["kitten", "sitting"],
    ["ab", "ba"],
  ].map(([a = "", b = ""]) => editDistance(a, b));
  expect(distances).toEqual([0, 0, 1, 1, 1, 1, 3, 1]);
});
