import { readFileSync } from "node:fs";
import pg from "pg";

/**
 * What the roles of the program may do, and which tables show each organization only its own rows.
 * A database that was copied without its roles works for the owner and for no one else.
 */
const LIST = `
with grantee as (
  select oid, rolname::text as name from pg_roles where rolname in ('countersign_app', 'countersign_queue') union all select 0::oid, 'public'),
-- An operator may add extensions, such as pg_stat_statements.
of_extension as (select classid, objid from pg_depend where deptype = 'e'),
granted as (
  select format('table %s', c.relname) as what, a.grantee, a.privilege_type from pg_class c, aclexplode(c.relacl) a
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'S')
      and ('pg_class'::regclass, c.oid) not in (select classid, objid from of_extension)
  union all
  select format('column %s.%s', c.relname, t.attname), a.grantee, a.privilege_type
    from pg_class c join pg_attribute t on t.attrelid = c.oid and not t.attisdropped, aclexplode(t.attacl) a
    where c.relnamespace = 'public'::regnamespace
  union all
  select format('function %s%s', p.oid::regprocedure, case when p.prosecdef then ' as the owner' else '' end), a.grantee, a.privilege_type
    from pg_proc p, aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a
    where p.pronamespace = 'public'::regnamespace and ('pg_proc'::regclass, p.oid) not in (select classid, objid from of_extension))
select format('%s: %s may %s', what, g.name, string_agg(lower(privilege_type), ', ' order by privilege_type)) as line
  from granted join grantee g on g.oid = grantee group by what, g.name
union all
select format('table %s: row-level security', c.relname) from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relrowsecurity and not c.relispartition
union all
-- Their names differ from one installation to the next. No role has rights on them, and with no policy the security hides every row.
select format('partition %s: no row-level security', c.relname) from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relispartition and c.relkind = 'r' and not c.relrowsecurity
union all
select format('policy %s on %s for %s', policyname, tablename, lower(cmd)) from pg_policies where schemaname = 'public'
order by 1`;

const FILE = new URL("../../data/rights.txt", import.meta.url);

/** As a freshly migrated database has them. A test compares the file with one. */
export const expectedRights = (): string[] => readFileSync(FILE, "utf8").trimEnd().split("\n");

/** Types of other schemas would be written with their names otherwise. */
const IN_PUBLIC = "set search_path = public";

export const listRights = (ownerUrl: string): Promise<string[]> => listNames(ownerUrl, LIST);

/** Indexes that an interrupted creation left behind, which no query uses. */
export const listInvalidIndexes = (ownerUrl: string): Promise<string[]> =>
  listNames(ownerUrl, "select c.relname as line from pg_index i join pg_class c on c.oid = i.indexrelid where not i.indisvalid order by 1");

async function listNames(ownerUrl: string, statement: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: ownerUrl, application_name: "countersign verify-install" });
  // The running query reports a lost connection too. Without a listener the error would end the process.
  client.on("error", () => undefined);
  await client.connect();
  try {
    await client.query(IN_PUBLIC);
    const { rows } = await client.query<{ line: string }>(statement);
    return rows.map(({ line }) => line);
  } finally {
    await client.end();
  }
}
