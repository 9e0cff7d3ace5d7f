import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { sql } from "../src/db/sql.ts";
import { advanceLog } from "../src/transparency/advance-log.ts";
import { fillEveryTable } from "./every-table.ts";
import { testService } from "./service.ts";

const service = testService();

/** Tables without an org, each with its reason in docs/database.md. */
const WITHOUT_ORG = [
  "users",
  "orgs",
  "quotas",
  "outbox",
  "worker_heartbeats",
  "log_leaves",
  "log_nodes",
  "checkpoints",
  "checkpoint_tokens",
  "checkpoint_cosignatures",
  "witness_conflicts",
  "sign_in_attempts",
  "operator_sinks",
  "log_origin",
  "log_restarts",
  "log_checks",
  "verify_slices",
  "log_records",
  "log_objects",
  "leaf_rehashes",
  "renewal_notices",
  "password_resets",
  "devices",
  "account_links",
  "email_codes",
  "email_changes",
  "factors",
  "recovery_codes",
  "pending_logins",
  "passkeys",
  "account_challenges",
  "people",
  "person_passkeys",
  "person_codes",
  "person_challenges",
  "person_sessions",
  "installation_mode",
  "instance_setup",
  "instance_keys",
  "root_successions",
  "secret_versions",
  "published_texts",
  "authority_certificates",
  "schema_migrations",
];

async function tables(): Promise<{ name: string; has_org: boolean; secured: boolean; policies: number }[]> {
  return service.database.owner(`
    select c.relname as name, c.relrowsecurity as secured,
      exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'org_id' and not a.attisdropped) as has_org,
      (select count(*)::int from pg_policy p where p.polrelid = c.oid) as policies
    from pg_class c where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace order by 1`);
}

const partitionsOf = (): Promise<{ name: string; secured: boolean; policies: number }[]> =>
  service.database.owner(`
    select c.relname as name, c.relrowsecurity as secured, (select count(*)::int from pg_policy p where p.polrelid = c.oid) as policies
    from pg_class c where c.relispartition and c.relkind = 'r' and c.relnamespace = 'public'::regnamespace order by 1`);

describe("row-level security", () => {
  test("is on for every table with an org, and every other table is on the list", async () => {
    for (const { name, has_org, secured, policies } of await tables()) {
      if (name === "orgs" || !has_org) expect(WITHOUT_ORG, name).toContain(name);
      else expect([name, secured, policies > 0]).toEqual([name, true, true]);
    }
  });

  test("lets the app's role reach partitions only through their tables, whose policies apply", async () => {
    const { org_id } = await service.newOrg();
    await service.database.owner("select add_partition('events', first_event_id(now() + interval '1 year'))");
    const all = await partitionsOf();
    expect(new Set(all.map(({ name }) => name.replace(/_(?:oldest|from_\w+)$/, "")))).toEqual(
      new Set(["events", "log_leaves", "webhook_attempts", "webhook_deliveries"]),
    );
    for (const { name, secured, policies } of all) {
      expect([name, secured, policies]).toEqual([name, true, 0]);
      for (const text of [`select from ${name}`, `delete from ${name}`, `drop table ${name}`]) {
        const asApp = service.db.tx(org_id, (tx) => tx.query({ name: text, text, values: [] }));
        await expect(asApp, text).rejects.toThrow(/permission denied|must be owner/);
      }
    }
  });

  test("shows no row of another org in any table, even without the app's own filter", async () => {
    const [theirs, mine] = [await service.newOrg(), await service.newOrg()];
    await fillEveryTable(service, theirs);
    // The app's role can only add to the queue of the log.
    for (const { name } of (await tables()).filter((table) => table.has_org && !["orgs", "log_queue"].includes(table.name))) {
      const all = await service.database.owner(`select from ${name} where org_id = $1`, [theirs.org_id]);
      expect(all.length, `${name} has a row to hide`).toBeGreaterThan(0);
      const seen = await service.db.tx(mine.org_id, (tx) =>
        tx.query<{ org_id: string }>({ name: `all-${name}`, text: `select org_id from ${name}`, values: [] }),
      );
      expect(
        seen.rows.filter((row) => row.org_id !== mine.org_id),
        name,
      ).toEqual([]);
      const none = await service.db.system((tx) => tx.query({ name: `none-${name}`, text: `select org_id from ${name}`, values: [] }));
      expect(none.rows, `${name} without an org`).toEqual([]);
    }
  });

  test("refuses to write a row of another org", async () => {
    const [theirs, mine] = [await service.newOrg(), await service.newOrg()];
    const insert = service.db.tx(mine.org_id, (tx) =>
      tx.query(sql`insert into members (org_id, user_id, role) values (${theirs.org_id}, ${mine.user_id}, 'admin')`),
    );
    await expect(insert).rejects.toThrow(/row-level security/);
  });

  test("the app's role owns nothing, cannot read a password hash and cannot change an audit entry", async () => {
    const { org_id } = await service.newOrg();
    const asApp = (text: string) => service.db.tx(org_id, (tx) => tx.query({ name: text, text, values: [] }));
    await expect(asApp("select password_hash from users")).rejects.toThrow(/permission denied/);
    await expect(asApp("update audit_entries set type = 'x.y'")).rejects.toThrow(/permission denied/);
    await expect(asApp("delete from audit_entry_data")).rejects.toThrow(/permission denied/);
    for (const table of [
      "factors",
      "recovery_codes",
      "pending_logins",
      "passkeys",
      "account_challenges",
      "people",
      "person_passkeys",
      "person_codes",
      "person_challenges",
      "person_sessions",
    ]) {
      await expect(asApp(`select from ${table}`), table).rejects.toThrow(/permission denied/);
    }
    await expect(asApp("select from quotas")).rejects.toThrow(/permission denied/);
    await expect(asApp("select notes from customers")).rejects.toThrow(/permission denied/);
    await expect(asApp("select from outbox")).rejects.toThrow(/permission denied/);
    await expect(asApp("update authoritative_copies set sha256 = ''")).rejects.toThrow(/permission denied/);
    await expect(asApp("update custodian_permissions set user_id = ''")).rejects.toThrow(/permission denied/);
    await expect(asApp("update document_fingerprints set value = ''")).rejects.toThrow(/permission denied/);
    await expect(asApp("delete from duplicate_reviews")).rejects.toThrow(/permission denied/);
    await expect(asApp("update assignments set party = '{}'")).rejects.toThrow(/permission denied/);
    for (const table of ["authoritative_copies", "custodian_permissions", "assignments", "certificates", "vault_exports", "legal_holds"]) {
      await expect(asApp(`delete from ${table}`)).rejects.toThrow(/permission denied/);
    }
    const owned = await service.database.owner("select from pg_class where relowner = 'countersign_app'::regrole");
    expect(owned).toEqual([]);
  });

  test("the log gets hashes only from the queue, and the app's role can add to it but change nothing", async () => {
    const { org_id } = await service.newOrg();
    await advanceLog(service.features.log);
    const asApp = (text: string) => service.db.tx(org_id, (tx) => tx.query({ name: text, text, values: [] }));
    const denied = [
      "select from log_queue",
      "delete from log_queue",
      "insert into log_leaves values (1000000, repeat('0', 64))",
      ...["log_queue", "log_leaves", "log_nodes"].map((table) => `update ${table} set hash = repeat('0', 64)`),
      "update checkpoints set signature = signature",
      "update checkpoint_tokens set error = ''",
      "update log_checks set fault = null",
      ...["log_leaves", "log_nodes", "checkpoints", "checkpoint_tokens", "log_checks"].flatMap((table) => [
        `delete from ${table}`,
        `truncate ${table}`,
      ]),
    ];
    for (const statement of denied) await expect(asApp(statement), statement).rejects.toThrow(/permission denied/);
    await expect(asApp("insert into log_queue (hash) values ('no hash')")).rejects.toThrow(/check constraint/);
  });

  test("the log's tables contain only numbers, times, hashes and signatures; the queue before them also whose entry it is", async () => {
    const columns = await service.database.owner<{ name: string }>(`
      select table_name || '.' || column_name || ' ' || data_type as name from information_schema.columns
      where table_name in ('log_queue', 'log_leaves', 'log_nodes', 'checkpoints') order by table_name, ordinal_position`);
    expect(columns.map(({ name }) => name)).toEqual([
      "checkpoints.tree_size bigint",
      "checkpoints.bytes bytea",
      "checkpoints.signature bytea",
      "checkpoints.note bytea",
      "log_leaves.leaf_index bigint",
      "log_leaves.hash text",
      "log_nodes.level smallint",
      "log_nodes.node_index bigint",
      "log_nodes.hash text",
      "log_queue.log_queue_id bigint",
      "log_queue.hash text",
      "log_queue.org_id text",
      "log_queue.subject text",
      "log_queue.seq integer",
    ]);
    const { org_id } = await service.newOrg();
    await advanceLog(service.features.log);
    const [latest] = await service.database.owner<{ body: string }>(
      "select convert_from(bytes, 'utf8') as body from checkpoints order by tree_size desc limit 1",
    );
    expect(Object.keys(JSON.parse(latest?.body ?? ""))).toEqual(["at", "key_id", "log_id", "root", "tree_size", "type"]);
    expect(latest?.body).not.toContain(org_id);
  });

  test("a connection that served one org never answers for it again unless the org is set", async () => {
    const one = await service.newOrg();
    await one.newKey();
    for (let i = 0; i < 20; i++) {
      await one.admin("GET", "/partners/keys");
      const { rows } = await service.db.system((tx) => tx.query<{ n: number }>(sql`select count(*)::int as n from api_keys`));
      expect(rows).toEqual([{ n: 0 }]);
    }
  });
});

test("every function that runs with the owner's rights is in docs/database.md, has a pinned search path and is not executable by the public", async () => {
  const functions = await service.database.owner<{ name: string; config: string[] | null; public: boolean }>(`
    select p.proname as name, p.proconfig as config, has_function_privilege('public', p.oid, 'execute') as public
    from pg_proc p where p.prosecdef and p.pronamespace = 'public'::regnamespace order by 1`);
  for (const { name, config, public: isPublic } of functions) {
    // A function may also say how its statements are planned.
    const pinned = config?.filter((setting) => !/^enable_\w+=off$/.test(setting));
    expect([name, pinned, isPublic]).toEqual([name, ["search_path=public, pg_temp"], false]);
  }
  const documented = [...readFileSync(new URL("../../docs/database.md", import.meta.url), "utf8").matchAll(/^\| `(\w+)\(/gm)].map(
    (match) => match[1],
  );
  expect(documented.sort()).toEqual(functions.map((one) => one.name));
});
