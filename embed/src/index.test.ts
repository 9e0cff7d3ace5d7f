import { expect, test } from "vitest";
import { CountersignSign, CountersignVault } from "./index.ts";

test("a server that renders pages can import the elements: nothing is defined and nothing is thrown", () => {
  expect(globalThis.HTMLElement).toBeUndefined();
  expect([CountersignSign.name, CountersignVault.name]).toEqual(["CountersignSign", "CountersignVault"]);
});
