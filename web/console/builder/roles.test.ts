import { expect, test } from "vitest";
import { lettersOf, markOf } from "./roles.ts";

test("every role has a different letter", () => {
  expect(lettersOf(["Buyer", "Broker", "Bb", "买方"])).toEqual(["B", "R", "3", "买"]);
});

test("a role's colour and letter depend on its position; a field without a role has a dash", () => {
  const roles = ["A", "B", "C", "D", "E", "F", "G"];
  expect(markOf("B", roles)).toEqual({ letter: "B", colour: 1 });
  expect(markOf("G", roles)).toEqual({ letter: "G", colour: 0 });
  expect(markOf(null, roles)).toEqual({ letter: "–", colour: 0 });
});
