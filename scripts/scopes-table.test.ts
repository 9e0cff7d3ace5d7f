import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readApi, scopesTable, withScopes } from "./scopes-table.mjs";

const api = readApi();
const scopes = api.components.schemas.Scope?.enum ?? [];

test("docs/guides/authentication.md has the scopes with their operations (if not, run npm run openapi)", () => {
  const text = readFileSync(new URL("../docs/guides/authentication.md", import.meta.url), "utf8");
  expect(withScopes(text, api)).toBe(text);
});

test("the table has every scope, and an operation under each scope that it takes", () => {
  const table = scopesTable(api);
  expect(scopes.length).toBeGreaterThan(15);
  for (const scope of scopes) expect(table, scope).toContain(`### \`${scope}\`\n| request | does |\n|---|---|\n| \``);
  expect(table.match(/^\| `POST \/embed\/token` \|/gm), "of esign:write and of vault:read").toHaveLength(2);
  expect(table).toContain("Any key, whatever its scopes: `GET /partner/me`.");
});
