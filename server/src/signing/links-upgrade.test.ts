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

test("links in mailboxes keep working until their envelope expires, at most 30 days; those of ended envelopes stop", async () => {
  const all = await readMigrations();
  const before = all.findIndex((one) => one.name.endsWith("-add-signer-links.sql"));
  await migrate(url, all.slice(0, before));
  const envelopes = [
    ["env_soon", "sent", 5],
    ["env_late", "viewed", 90],
    ["env_done", "completed", 5],
    ["env_void", "voided", 5],
  ] as const;
  await withClient(url, async (client) => {
    await client.query("insert into orgs (org_id, name) values ('org_a', 'Example')");
    await client.query("insert into org_settings (org_id) values ('org_a')");
    for (const [id, status, days] of envelopes) {
      await client.query(
        `insert into envelopes (org_id, envelope_id, envelope_name, status, expires_at)
         values ('org_a', $1, 'Lease', $2, now() + make_interval(days => $3))`,
        [id, status, days],
      );
      await client.query(
        "insert into submissions (org_id, submission_id, envelope_id, provider, signing_order) values ('org_a', $1, $2, 'builtin', 'parallel')",
        [`sub_${id}`, id],
      );
      await client.query(
        `insert into signers (org_id, submission_id, turn, envelope_id, slug, email, name, role)
         values ('org_a', $1, 1, $2, $3, 'ann@example.com', 'Ann', 'Buyer')`,
        [`sub_${id}`, id, id.padEnd(32, "0")],
      );
      await client.query(
        `insert into signing_sessions (org_id, envelope_id, slug, session, credential, ip, user_agent)
         values ('org_a', $1, $2, 's1', 'email_link', '127.0.0.1', ''), ('org_a', $1, $2, 's2', 'embed_token', '127.0.0.1', '')`,
        [id, id.padEnd(32, "0")],
      );
    }
  });
  await migrate(url, all);
  const { rows } = await withClient(url, (client) =>
    client.query<{ envelope_id: string; days: number | null }>(
      "select envelope_id, round(extract(epoch from bare_link_until - now()) / 86400)::int as days from signers order by envelope_id",
    ),
  );
  expect(rows).toEqual([
    { envelope_id: "env_done", days: null },
    { envelope_id: "env_late", days: 30 },
    { envelope_id: "env_soon", days: 5 },
    { envelope_id: "env_void", days: null },
  ]);
  const { rows: sessions } = await withClient(url, (client) =>
    client.query("select distinct credential, link_kind from signing_sessions order by credential"),
  );
  expect(sessions).toEqual([
    { credential: "email_link", link_kind: "shared" },
    { credential: "embed_token", link_kind: null },
  ]);
});
