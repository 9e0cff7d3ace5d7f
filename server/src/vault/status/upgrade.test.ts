import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { databaseUrl, withClient } from "../../../test/global-setup.ts";
import { migrate, readMigrations } from "../../db/migrate.ts";

const name = `test_${randomBytes(6).toString("hex")}`;
let url: string;

beforeAll(async () => {
  await withClient(inject("adminUrl"), (client) => client.query(`create database ${name}`));
  url = databaseUrl(inject("adminUrl"), name);
});
afterAll(() => withClient(inject("adminUrl"), (client) => client.query(`drop database if exists ${name} with (force)`)));

const HASH = "9f2c41d003aaf0ff1f2c41d003aaf0ff2f2c41d003aaf0ff3f2c41d003aaf0ff";

test("copies that were vaulted before get a code each, and their organizations show no parties", async () => {
  const all = await readMigrations();
  const before = all.findIndex((one) => one.name.endsWith("-add-status-page.sql"));
  await migrate(url, all.slice(0, before));
  await withClient(url, async (owner) => {
    await owner.query("insert into orgs (org_id, name) values ('org_a', 'Example')");
    await owner.query("insert into org_settings (org_id) values ('org_a')");
    await owner.query("insert into blobs (org_id, sha256, size, kept) values ('org_a', $1, 1, true)", [HASH]);
    await owner.query(
      `insert into seal_keys (org_id, seal_id, certificate, certificate_sha256, issuers, not_before, not_after)
       values ('org_a', 'seal_a', 'x', $1, array['x'::bytea], now(), now())`,
      [HASH],
    );
    for (const n of [1, 2, 3]) {
      await owner.query("insert into envelopes (org_id, envelope_id, envelope_name, status) values ('org_a', $1, 'Lease', 'vaulted')", [
        `env_${n}`,
      ]);
      await owner.query(
        `insert into authoritative_copies (org_id, copy_id, envelope_id, sha256, size, content_sha256, parent_sha256, source, seal_id,
           seal_level, sealed_at, retention_until, lock_until, score, vault_no)
         values ('org_a', $1, $2, $3, 1, $3, $3, 'signed_here', 'seal_a', 'B-B', now(), now(), now(), 100, $4)`,
        [`ac_${n}`, `env_${n}`, HASH, n],
      );
    }
  });

  await migrate(url, all);

  const { rows } = await withClient(url, (owner) =>
    owner.query<{ verify_code: string; found: string }>(
      `select verify_code, (select envelope_id = c.envelope_id from find_status(c.verify_code)) as found from authoritative_copies c`,
    ),
  );
  expect(rows.map(({ verify_code, found }) => [/^[0-9a-f]{32}$/.test(verify_code), found])).toEqual([1, 2, 3].map(() => [true, true]));
  expect(new Set(rows.map(({ verify_code }) => verify_code)).size).toBe(3);
  const settings = await withClient(url, (owner) => owner.query("select status_shows_parties from org_settings"));
  expect(settings.rows).toEqual([{ status_shows_parties: false }]);
});
