// Writes mcp/src/generated/errors.ts, or the file that is named, from docs/errors.md: what explain_error says.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const at = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url));

/** @param {string} text docs/errors.md */
function errorsModule(text) {
  const [problems = "", fields = ""] = text.split("\n## Details\n");
  const rows = (/** @type {string} */ part, /** @type {number} */ columns) =>
    part
      .split("\n")
      .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|")))
      .filter((cells) => cells.length === columns + 2 && /^`[a-z_]+`$/.test(cells[1] ?? ""))
      .map(([, code = "", ...cells]) => [code.slice(1, -1), ...cells]);
  const errors = rows(problems, 4).map(([code, status, says, to_do]) => [code, { status: Number(status), says, to_do }]);
  const details = rows(fields, 2).map(([code, meaning]) => [code, meaning]);
  if (errors.length < 100 || details.length < 30) throw new Error("docs/errors.md has other tables than it had");
  const json = (/** @type {unknown} */ value) => JSON.stringify(value, null, 2);
  return `// Written by \`npm run generate\` from docs/errors.md. Change that instead.

interface Explained {
  readonly status: number;
  /** what the response says */
  readonly says: string;
  readonly to_do: string;
}

export const errors: Readonly<Record<string, Explained>> = ${json(Object.fromEntries(errors))};

/** What a code means that is about one field. */
export const details: Readonly<Record<string, string>> = ${json(Object.fromEntries(details))};
`;
}

const [target = at("src/generated/errors.ts")] = process.argv.slice(2);
writeFileSync(target, errorsModule(readFileSync(at("../docs/errors.md"), "utf8")));
