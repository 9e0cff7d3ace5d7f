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

test("challenges and results of identity questions from before are kept, as those of the method kba", async () => {
  const all = await readMigrations();
  const before = all.findIndex((one) => one.name.endsWith("-rename-identity-tables.sql"));
  await migrate(url, all.slice(0, before));
  const slug = randomBytes(16).toString("hex");
  await withClient(url, async (client) => {
    await client.query("insert into orgs (org_id, name) values ('org_a', 'Example')");
    await client.query(
      "insert into envelopes (org_id, envelope_id, envelope_name, status, kba_required) values ('org_a', 'env_a', 'Lease', 'viewed', true)",
    );
    await client.query(
      "insert into submissions (org_id, submission_id, envelope_id, provider, signing_order) values ('org_a', 'sub_a', 'env_a', 'builtin', 'parallel')",
    );
    await client.query(
      `insert into signers (org_id, submission_id, turn, envelope_id, slug, email, name, role, recipient_id, step)
       values ('org_a', 'sub_a', 1, 'env_a', $1, 'ann@example.com', 'Ann', 'Tenant', 'rcp_a', 1)`,
      [slug],
    );
    await client.query(
      "insert into kba_challenges (org_id, challenge_id, slug, session, round, set_no) values ('org_a', 'one', $1, 'visit', 1, 1)",
      [slug],
    );
    await client.query(
      `insert into kba_results (org_id, challenge_id, slug, session, round, passed, outcomes)
       values ('org_a', 'one', $1, 'visit', 1, true, '[{"question": 1, "right": true}]')`,
      [slug],
    );
  });
  await migrate(url, all);
  const { rows } = await withClient(url, (client) =>
    client.query(
      `select c.slug, c.method as asked, c.sends, r.method, r.try_no, r.passed, r.outcomes
       from identity_challenges c join identity_results r using (org_id, challenge_id)`,
    ),
  );
  expect(rows).toEqual([
    { slug, asked: "kba", sends: 0, method: "kba", try_no: 1, passed: true, outcomes: [{ question: 1, right: true }] },
  ]);
});
