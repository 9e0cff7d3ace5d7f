import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { withClient } from "../../test/global-setup.ts";
import { testService } from "../../test/service.ts";
import { takeDue } from "../webhooks/delivery-store.ts";
import { DELIVERIES_CLASS, locks, recordLocks } from "./locks.ts";

const service = testService();

/** A call of a lock function in SQL, with its argument. */
const CALL = /pg_(?:try_)?advisory_(?:xact_)?lock(?:_shared)?\s*\(\s*([^;]*?)\)\s*(?:;|then|$)/gim;
const NUMBER = /\b5_?012_?\d{3}\b/;

/** What is wrong with the locks of a function of the database; empty if nothing is. */
function faultsOf(name: string, body: string): string[] {
  return [...body.matchAll(CALL)].flatMap(([, argument = ""]) => {
    if (argument.startsWith(`${DELIVERIES_CLASS},`)) return [];
    const what = /^hashtextextended\('([^']*?) ?'/.exec(argument)?.[1];
    if (what !== undefined && recordLocks.some((known) => known === what)) return [];
    return [`${name} takes the lock ${argument}, which is not in db/locks.ts`];
  });
}

describe("advisory locks", () => {
  test("no number has two uses", () => {
    expect(new Set(Object.values(locks)).size).toBe(Object.keys(locks).length);
    expect(Object.values(locks)).not.toContain(DELIVERIES_CLASS);
  });

  test("no file of the code but db/locks.ts names a lock or calls the functions", () => {
    const folder = new URL("../", import.meta.url);
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
      (name) => /\.ts$/.test(name) && !/\.test\.ts$/.test(name),
    );
    const calling = files.filter((name) => {
      const text = readFileSync(new URL(name, folder), "utf8");
      return /advisory_(?:xact_)?lock|advisory_unlock/.test(text) || NUMBER.test(text);
    });
    expect(files.length).toBeGreaterThan(500);
    expect(calling).toEqual(["db/locks.ts"]);
  });

  test("every function of the database takes only locks that are listed there", async () => {
    const functions = await service.database.owner<{ name: string; body: string }>(
      "select proname as name, prosrc as body from pg_proc where pronamespace = 'public'::regnamespace and prosrc ~ 'advisory' order by proname",
    );
    expect(functions.map(({ name }) => name)).toContain("take_due_deliveries");
    expect(functions.flatMap(({ name, body }) => faultsOf(name, body))).toEqual([]);
  });

  test("the check can fail: a number of another use and an unknown record are found", () => {
    const body =
      "begin\n  perform pg_advisory_xact_lock(5012003);\n  perform pg_advisory_xact_lock(hashtextextended('vault_no ' || new.org_id, 0));\n";
    expect(faultsOf("take", `${body}  if not pg_try_advisory_xact_lock(hashtextextended('buckets', 0)) then return; end if;`)).toEqual([
      "take takes the lock 5012003, which is not in db/locks.ts",
      "take takes the lock hashtextextended('buckets', 0), which is not in db/locks.ts",
    ]);
  });

  test("deliveries are taken while the sequencer of the log works", async () => {
    await withClient(service.database.url, async (sequencer) => {
      await sequencer.query("begin");
      await sequencer.query("select pg_advisory_xact_lock($1)", [locks.log]);
      const due = service.db.system(async (tx) => {
        await tx.query({ name: "no-waiting", text: "set local lock_timeout = '1s'", values: [] });
        return takeDue(tx, { limit: 10, perEndpoint: 1, perOrg: 1 }, 60);
      });
      expect(await due).toEqual([]);
    });
  });
});
