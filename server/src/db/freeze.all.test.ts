import { rm } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newMemoryFolder } from "../../../testing/memory-folder.ts";
import { until } from "../../test/until.ts";
import { type EmbeddedPostgres, startEmbedded } from "./embedded.ts";
import { migrate } from "./migrate.ts";

/** A server of its own, whose autovacuum looks every second instead of every minute. */
let folder: string;
let server: EmbeddedPostgres;
let pool: pg.Pool;
beforeAll(async () => {
  folder = await newMemoryFolder("freeze-");
  server = await startEmbedded({ dataDir: join(folder, "data"), settings: { autovacuum_naptime: "1s" } });
  await migrate(server.url);
  pool = new pg.Pool({ connectionString: server.url, max: 1 });
}, 120_000);
afterAll(async () => {
  await pool.end();
  await server.stop();
  await rm(folder, { recursive: true });
});

test("rows that are kept for decades are frozen by the vacuum after they were inserted, others are not", async () => {
  await pool.query("insert into orgs (org_id, name) values ('org_a', 'A')");
  const rows = 20_000;
  // Without the entries that the data belong to.
  await pool.query("set session_replication_role = replica");
  await pool.query(
    `insert into audit_entry_data (org_id, subject, seq, salt, data) select 'org_a', 'env_' || n, 1, sha256(n::text::bytea), '{}' from generate_series(1, ${rows}) n`,
  );
  await pool.query(
    `insert into envelope_words (org_id, word, envelope_id) select 'org_a', 'word', 'env_' || n from generate_series(1, ${rows}) n`,
  );
  const stateOf = async (table: string) => {
    const { rows: found } = await pool.query<{ vacuums: number; pages: number; visible: number; frozen: number }>(
      `select autovacuum_count::int as vacuums, relpages as pages, relallvisible as visible, relallfrozen as frozen
       from pg_stat_user_tables s join pg_class c on c.oid = s.relid where s.relname = $1`,
      [table],
    );
    return found[0] ?? expect.fail(`no table ${table}`);
  };
  const vacuumed = async () => (await Promise.all(["audit_entry_data", "envelope_words"].map(stateOf))).every(({ vacuums }) => vacuums > 0);
  await until("both tables to be vacuumed", vacuumed, 60_000);
  const [kept, other] = [await stateOf("audit_entry_data"), await stateOf("envelope_words")];
  expect(kept.pages).toBeGreaterThan(50);
  expect([kept.frozen, other.frozen]).toEqual([kept.pages, 0]);
  expect(other.visible).toBe(other.pages);
}, 120_000);
