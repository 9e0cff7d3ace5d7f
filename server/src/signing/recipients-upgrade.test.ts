import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { databaseUrl, withClient } from "../../test/global-setup.ts";
import { migrate, readMigrations } from "../db/migrate.ts";
import { isId } from "../shared/ids.ts";

const name = `test_${randomBytes(6).toString("hex")}`;
let url: string;

beforeAll(async () => {
  await withClient(inject("adminUrl"), (client) => client.query(`create database ${name}`));
  url = databaseUrl(inject("adminUrl"), name);
});
afterAll(() => withClient(inject("adminUrl"), (client) => client.query(`drop database if exists ${name} with (force)`)));

interface Upgraded {
  readonly turn: number;
  readonly step: number;
  readonly kind: string;
  readonly recipient_id: string;
  readonly acted_at: Date | null;
}

test("signers from before become recipients with ids, steps by their order, and the time at which they acted", async () => {
  const all = await readMigrations();
  const before = all.findIndex((one) => one.name.endsWith("-add-field-settings.sql"));
  await migrate(url, all.slice(0, before));
  await withClient(url, async (client) => {
    await client.query("insert into orgs (org_id, name) values ('org_a', 'Example')");
    for (const order of ["sequential", "parallel"]) {
      await client.query(
        "insert into envelopes (org_id, envelope_id, envelope_name, status, signing_order) values ('org_a', $1, 'Lease', 'viewed', $2)",
        [`env_${order}`, order],
      );
      await client.query(
        "insert into submissions (org_id, submission_id, envelope_id, provider, signing_order) values ('org_a', $1, $2, 'builtin', $3)",
        [`sub_${order}`, `env_${order}`, order],
      );
      for (const turn of [1, 2]) {
        await client.query(
          `insert into signers (org_id, submission_id, turn, envelope_id, slug, email, name, role, status, signed_at)
           values ('org_a', $1, $2, $3, $4, $5, 'Ann', $6, $7, $8)`,
          [
            ...[`sub_${order}`, turn, `env_${order}`, randomBytes(16).toString("hex"), `p${turn}@example.com`, `Role ${turn}`],
            ...(turn === 1 ? ["signed", "2026-01-01T00:00:00Z"] : ["pending", null]),
          ],
        );
      }
    }
  });
  await migrate(url, all);
  const rows = await withClient(url, async (client) => {
    const found = await client.query<Upgraded>(
      "select turn, step, kind, recipient_id, acted_at from signers order by envelope_id desc, turn",
    );
    return found.rows;
  });
  expect(rows.map(({ turn, step, kind, acted_at }) => [turn, step, kind, acted_at?.toISOString() ?? null])).toEqual([
    [1, 1, "signer", "2026-01-01T00:00:00.000Z"],
    [2, 2, "signer", null],
    [1, 1, "signer", "2026-01-01T00:00:00.000Z"],
    [2, 1, "signer", null],
  ]);
  expect(rows.every(({ recipient_id }) => isId("recipient", recipient_id))).toBe(true);
  expect(new Set(rows.map(({ recipient_id }) => recipient_id)).size).toBe(4);
});
