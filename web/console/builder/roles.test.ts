import { expect, test } from "vitest";
import { lettersOf, markOf } from "./roles.ts";

test("no two roles have the same letter", () => {
  expect(lettersOf(["Buyer", "Broker", "Bb", "买方"])).toEqual(["B", "R", "3", "买"]);
});

test("a role has its colour and letter by where it stands; what belongs to nobody yet has a dash", () => {
  const roles = ["A", "B", "C", "D", "E", "F", "G"];
  expect(markOf("B", roles)).toEqual({ letter: "B", colour: 1 });
  expect(markOf("G", roles)).toEqual({ letter: "G", colour: 0 });
  expect(markOf(null, roles)).toEqual({ letter: "–", colour: 0 });
});
