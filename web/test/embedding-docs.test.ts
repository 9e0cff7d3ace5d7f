import { readFileSync } from "node:fs";
import { CountersignSign, signEvents, signOptions, vaultEvents, vaultOptions } from "@countersign/embed";
import { expect, test } from "vitest";

const documentation = readFileSync(new URL("../../docs/embedding.md", import.meta.url), "utf8");

/** The rows of the table below this heading, without its head. */
function rowsBelow(heading: string): string[][] {
  const [, section = ""] = documentation.split(`\n## ${heading}\n`);
  const rows = (section.split("\n## ")[0] ?? "").split("\n").filter((line) => line.startsWith("|"));
  return rows.slice(2).map((line) => line.split("|").map((cell) => cell.trim().replaceAll("`", "")));
}

const namesIn = (text: string | undefined): string[] => [...(text ?? "").matchAll(/`([\w-]+)`/g)].map(([, name = ""]) => name);
const camelCase = (name: string): string => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

test("the documentation has a row for each attribute with its property, and for each event", () => {
  const attributes = rowsBelow("Attributes");
  const named = attributes.map(([, attribute]) => attribute).filter((name) => name !== "");
  expect(named.sort()).toEqual([...CountersignSign.observedAttributes].sort());
  expect(attributes.map(([, , property]) => property).sort()).toEqual([...signOptions].sort());
  expect(rowsBelow("Events").map(([, event]) => event)).toEqual([...signEvents]);
});

test("the documentation says what the vault's element does not have", () => {
  const [, without] = /words\. ([^.]*) have no effect on `<countersign-vault>`/.exec(documentation) ?? [];
  const ofVault: readonly string[] = vaultOptions;
  expect(namesIn(without).map(camelCase)).toEqual(signOptions.filter((name) => !ofVault.includes(name)));
  expect(namesIn(/It sends the events ([^.]*)\./.exec(documentation)?.[1])).toEqual([...vaultEvents]);
});
