import { expect, test } from "vitest";
import { faultsIn, isChecked } from "./check-english.mjs";

const found = (name: string, text: string) => faultsIn(name, text).map(({ line, found }) => `${line} ${found}`);

test("phrases that are not plain English are found in documents, with their line", () => {
  const text =
    "# Title\nThe key is to be had once.\n\nIt ends by itself. Somebody waits for it, whoever that is. Nobody does, besides.\nValues parted by commas.\n";
  expect(found("docs/a.md", text)).toEqual([
    "2 is to be had",
    "4 by itself",
    "4 whoever",
    "4 Somebody",
    "4 Nobody",
    "4 besides",
    "4 waits for",
    "5 parted by",
  ]);
});

test("code in documents, names and plain sentences are left alone", () => {
  const text =
    "Besides metrics, PostgreSQL runs as `nobody`.\n```bash\n# it waits for the port\n```\nThe program waits until the port is open.\n";
  expect(found("docs/a.md", text)).toEqual([]);
});

test("sentences in code are found, also between tags; comments and names are not", () => {
  const code =
    'const a = "Nothing waits for you.";\n// It waits for the lock.\nconst b = ["nobody"];\nconst c = <p>Somebody must sign.</p>;\n';
  expect(found("web/console/a.tsx", code)).toEqual(["1 waits for", "4 Somebody"]);
  expect(
    found(
      "server/src/a.ts",
      `const d: Map<string, number> = new Map(); // waits for\nconst e = \`Signed by \${name}, whoever that is\`;\n`,
    ),
  ).toEqual(["2 whoever"]);
});

test("descriptions of the API are found", () => {
  expect(found("openapi.json", '{\n  "description": "It waits for `somebody`."\n}')).toEqual(["2 waits for"]);
});

test("what is over is not checked: decisions, the changelog, frozen rules, and tests", () => {
  const names = [
    "docs/decisions/0001-a.md",
    "CHANGELOG.md",
    "evidence/src/rules/1/a.ts",
    "server/src/a.test.ts",
    "web/test/a.test.ts",
    "client/src/generated/types.ts",
  ];
  expect(names.filter(isChecked)).toEqual([]);
  expect(
    ["README.md", "docs/guides/errors.md", "openapi.json", "web/console/words/keys/en.ts", "server/src/shared/problems.ts"].every(
      isChecked,
    ),
  ).toBe(true);
});
