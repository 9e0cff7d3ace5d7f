import { expect, inject, test } from "vitest";
import { testDatabase } from "../../test/database.ts";
import { withClient } from "../../test/global-setup.ts";
import { expectedRights, listInvalidIndexes, listRights } from "./rights.ts";

const database = testDatabase();

test("data/rights.txt lists the rights, policies and functions of a migrated database; after a new migration: npx vitest run server/src/db/rights.test.ts -u", async () => {
  await expect(`${(await listRights(database.url)).join("\n")}\n`).toMatchFileSnapshot("../../data/rights.txt");
});

test("a right, a policy or a function that is missing or was added is a difference", async () => {
  const expected = expectedRights();
  const without = async (change: string, back: string): Promise<string[]> => {
    await withClient(database.url, (client) => client.query(change));
    const now = await listRights(database.url);
    await withClient(database.url, (client) => client.query(back));
    return [
      ...expected.filter((line) => !now.includes(line)),
      ...now.filter((line) => !expected.includes(line)).map((line) => `+ ${line}`),
    ];
  };
  expect(inject("adminUrl")).not.toBe(database.url);
  expect(await without("revoke select on envelopes from countersign_app", "grant select on envelopes to countersign_app")).toEqual([
    "table envelopes: countersign_app may insert, select",
    "+ table envelopes: countersign_app may insert",
  ]);
  expect(await without("alter table envelopes disable row level security", "alter table envelopes enable row level security")).toEqual([
    "table envelopes: row-level security",
  ]);
  expect(await without("grant delete on envelopes to countersign_app", "revoke delete on envelopes from countersign_app")).toEqual([
    "table envelopes: countersign_app may insert, select",
    "+ table envelopes: countersign_app may delete, insert, select",
  ]);
  // Those of an extension are not ours.
  expect(await without("create extension pg_stat_statements", "drop extension pg_stat_statements")).toEqual([]);
  expect(await listRights(database.url)).toEqual(expected);
  expect(await listInvalidIndexes(database.url)).toEqual([]);
});
