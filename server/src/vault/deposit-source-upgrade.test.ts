import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { databaseUrl, withClient } from "../../test/global-setup.ts";
import { migrate, readMigrations } from "../db/migrate.ts";

const name = `test_${randomBytes(6).toString("hex")}`;
let url: string;

beforeAll(async () => {
  await withClient(inject("adminUrl"), (client) => client.query(`create database ${name}`));
  url = databaseUrl(inject("adminUrl"), name);
});
afterAll(() => withClient(inject("adminUrl"), (client) => client.query(`drop database if exists ${name} with (force)`)));

test("the migration sets the source of each deposit from its audit entry and changes nothing else of the envelope", async () => {
  const all = await readMigrations();
  const before = all.findIndex((one) => one.name.endsWith("-add-deposit-source.sql"));
  await migrate(url, all.slice(0, before));
  const envelopes = [
    ["env_paper", "completed", true, { source: "paper_upload" }],
    ["env_elsewhere", "completed", true, { source: "electronic_signed" }],
    ["env_signed_here", "completed", false, { signing_session: "s1" }],
    ["env_waiting", "uploaded", true, null],
  ] as const;
  await withClient(url, async (owner) => {
    await owner.query("insert into orgs (org_id, name) values ('org_a', 'Example')");
    for (const [id, status, is_upload, data] of envelopes) {
      await owner.query(
        `insert into envelopes (org_id, envelope_id, envelope_name, status, is_upload, updated_at) values ('org_a', $1, 'Lease', $2, $3, '2026-01-05')`,
        [id, status, is_upload],
      );
      if (data === null) continue;
      await owner.query(
        `insert into audit_entries (org_id, subject, seq, type, at, actor, commitment, prev, hash)
         values ('org_a', $1, 1, 'envelope.completed', now(), '{"kind":"system","id":"system"}', '', '', '')`,
        [id],
      );
      const detail = "insert into audit_entry_data (org_id, subject, seq, salt, data) values ('org_a', $1, 1, $2, $3)";
      await owner.query(detail, [id, randomBytes(32), data]);
    }
  });

  await migrate(url, all);

  const { rows } = await withClient(url, (owner) =>
    owner.query("select envelope_id, deposit_source, updated_at = '2026-01-05' as untouched from envelopes order by envelope_id"),
  );
  expect(rows).toEqual([
    { envelope_id: "env_elsewhere", deposit_source: "electronic_signed", untouched: true },
    { envelope_id: "env_paper", deposit_source: "paper_upload", untouched: true },
    { envelope_id: "env_signed_here", deposit_source: null, untouched: true },
    { envelope_id: "env_waiting", deposit_source: null, untouched: true },
  ]);
});
