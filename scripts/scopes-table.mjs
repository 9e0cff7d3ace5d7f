// node scripts/scopes-table.mjs: writes the operations of each scope into docs/guides/authentication.md, from openapi.json.
// `npm run openapi` runs it. A test fails if the guide has another table.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = new URL("..", import.meta.url);
const guide = new URL("docs/guides/authentication.md", root);
const BEGIN = "<!-- scopes: written by scripts/scopes-table.mjs -->\n";
const END = "<!-- end of scopes -->\n";

/** @typedef {{ summary: string, "x-any-scope"?: string[] }} Operation */
/** @typedef {{ paths: Record<string, Record<string, Operation>>, components: { schemas: Record<string, { enum?: string[] }> } }} Api */

/** One part for each scope, and before them the operations of any key. @param {Api} api */
export function scopesTable(api) {
  const scopes = api.components.schemas.Scope?.enum ?? [];
  const operations = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { summary, "x-any-scope": any }]) =>
      any === undefined ? [] : [{ request: `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ":$1")}`, summary, any }],
    ),
  );
  const ofEvery = operations.filter(({ any }) => any.length === scopes.length);
  const parts = scopes.map((scope) => {
    const own = operations.filter(({ any }) => any.includes(scope) && any.length < scopes.length);
    return `### \`${scope}\`\n${tableOf(own)}`;
  });
  return [`Any key, whatever its scopes: ${ofEvery.map(({ request }) => `\`${request}\``).join(", ")}.\n`, ...parts].join("\n");
}

/** @param {readonly { request: string, summary: string }[]} operations */
function tableOf(operations) {
  const rows = operations.map(({ request, summary }) => `| \`${request}\` | ${summary} |\n`);
  return `| request | does |\n|---|---|\n${rows.join("")}`;
}

/** The guide with the table between its two marks. @param {string} text @param {Api} api */
export function withScopes(text, api) {
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`${fileURLToPath(guide)} has no place for the table`);
  return `${text.slice(0, begin + BEGIN.length)}${scopesTable(api)}${text.slice(end)}`;
}

/** As `npm run openapi` wrote it. @returns {Api} */
export const readApi = () => JSON.parse(readFileSync(new URL("openapi.json", root), "utf8"));

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(guide, withScopes(readFileSync(guide, "utf8"), readApi()));
}
