import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { databaseUrl, withClient } from "../../test/global-setup.ts";
import { migrate, readMigrations } from "../db/migrate.ts";
import { newId } from "../shared/ids.ts";
import { newToken, sha256 } from "../shared/secrets.ts";

/** A database from before unknown fields were rejected, with a key that programs use. */

const name = `test_${randomBytes(6).toString("hex")}`;
const [org_id, old, fresh] = [newId("org"), newId("key"), newId("key")];
const secret = sha256(newToken());
const insertion = `insert into api_keys (org_id, key_id, partner_name, key_hint, scopes, rate_limit_rpm)
  values ($1, $2, 'Partner', 'lk_0…0', '{envelopes:read}', 100)`;
let url: string;

beforeAll(async () => {
  await withClient(inject("adminUrl"), (admin) => admin.query(`create database ${name}`));
  url = databaseUrl(inject("adminUrl"), name);
  const all = await readMigrations();
  const before = all.findIndex((one) => one.name.endsWith("-refuse-unknown-fields.sql"));
  await migrate(url, all.slice(0, before));
  await withClient(url, async (owner) => {
    await owner.query("insert into orgs (org_id, name) values ($1, 'Old')", [org_id]);
    await owner.query(insertion, [org_id, old]);
    await owner.query("insert into api_key_usage (org_id, key_id) values ($1, $2)", [org_id, old]);
    await owner.query("insert into api_key_secrets (org_id, key_id, state, secret_hash) values ($1, $2, 'current', $3)", [
      org_id,
      old,
      secret,
    ]);
  });
  await migrate(url, all);
});
afterAll(() => withClient(inject("adminUrl"), (admin) => admin.query(`drop database if exists ${name} with (force)`)));

test("a key from before the upgrade ignores unknown fields, and a new key rejects them", async () => {
  await withClient(url, async (owner) => {
    await owner.query(insertion, [org_id, fresh]);
    const { rows } = await owner.query("select key_id, lenient_fields from api_keys order by lenient_fields");
    expect(rows).toEqual([
      { key_id: fresh, lenient_fields: false },
      { key_id: old, lenient_fields: true },
    ]);
    const { rows: admitted } = await owner.query("select key_id, accepted, lenient_fields from authenticate_key($1, $2, $3)", [
      secret,
      "192.0.2.1",
      "test",
    ]);
    expect(admitted).toEqual([{ key_id: old, accepted: true, lenient_fields: true }]);
  });
});
