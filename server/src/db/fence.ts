// Row-level security separates organizations only if it applies to the login. This file checks that: thoroughly at the start, and
// then with every transaction and every authentication, at the cost of one column.
import pg from "pg";
import { APP_ROLE } from "./logins.ts";

/** A column of the first statement of a transaction or authentication. If it is false, `connect.ts` runs no further statement. */
export const FENCED = "row_security_active('public.envelopes') as fenced";

const REMEDY = "Run: countersign database logins";

/** The login in a setting is missing or unsuitable. The process ends with EXIT_CONFIG. */
export class WrongLogin extends Error {
  override readonly name = "WrongLogin";
}

/** Row-level security does not apply to the connection. The connection has not been used and will not be. */
export class FenceDown extends Error {
  override readonly name = "FenceDown";
  constructor() {
    super(`Row-level security does not hold for the database login that the service uses, so it serves nothing. ${REMEDY}`);
  }
}

/** EX_CONFIG of sysexits.h. A restart does not help until the settings or the logins are changed. */
export const EXIT_CONFIG = 78;

export const missingAppUrl = (): WrongLogin => new WrongLogin(`Set DATABASE_APP_URL to a login that owns no table. ${REMEDY}`);
export const missingQueueUrl = (): WrongLogin =>
  new WrongLogin(`Set DATABASE_QUEUE_URL to a login that is used only for the job queue. ${REMEDY}`);
export const missingOwnerUrl = (): WrongLogin => new WrongLogin("Set DATABASE_URL to the login that owns the tables.");

/** The rights of a login. Includes those of the session user and the current user, because `set role none` switches between them. */
const INSPECT_LOGIN = `
with me as (select oid from pg_roles where rolname in (session_user, current_user)),
reach as (select r.* from pg_roles r where exists (select from me where pg_has_role(me.oid, r.oid, 'MEMBER')))
select
  exists (select from pg_roles join me using (oid) where rolsuper) as is_superuser,
  (select rolname from reach where rolsuper order by 1 limit 1) as superuser,
  (select rolname from reach where rolbypassrls order by 1 limit 1) as bypassing,
  (select rolname from reach where rolcreaterole order by 1 limit 1) as creating,
  (select rolname from reach where rolreplication order by 1 limit 1) as replicating,
  (select rolname from reach where rolname in ('pg_execute_server_program', 'pg_read_server_files', 'pg_write_server_files',
     'pg_read_all_data', 'pg_write_all_data') order by 1 limit 1) as predefined,
  exists (select from pg_class c join reach on reach.oid = c.relowner where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace)
    or exists (select from pg_database d join reach on reach.oid = d.datdba where d.datname = current_database()) as is_owner,
  exists (select from reach where rolname = '${APP_ROLE}') as in_app_role,
  (select c.relname from pg_class c where exists (select from pg_policy p where p.polrelid = c.oid)
     and c.relnamespace = 'public'::regnamespace and not row_security_active(c.oid) order by 1 limit 1) as unfenced,
  exists (select from pg_class c where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace
     and c.relname not in ('outbox', 'worker_heartbeats') and has_any_column_privilege(c.oid, 'select, insert, update')) as reads_tables,
  (select setting = '0' from pg_settings where name = 'statement_timeout') as is_unlimited`;

interface Found {
  readonly is_superuser: boolean;
  readonly superuser: string | null;
  readonly bypassing: string | null;
  readonly creating: string | null;
  readonly replicating: string | null;
  readonly predefined: string | null;
  readonly is_owner: boolean;
  readonly in_app_role: boolean;
  readonly unfenced: string | null;
  readonly reads_tables: boolean;
  readonly is_unlimited: boolean;
}

/** The first broken rule of those that apply to both logins; null if none is broken. */
function ruleBroken(found: Found): string | null {
  if (found.is_superuser) return "must not be a superuser";
  if (found.superuser !== null) return `must not be a member of ${found.superuser}, which is a superuser`;
  if (found.bypassing !== null) return "must not have BYPASSRLS, itself or through a role";
  if (found.is_owner) return "must own no table and must not be a member of a role that does";
  if (found.creating !== null) return "must not have CREATEROLE, itself or through a role";
  if (found.replicating !== null) return "must not have REPLICATION, itself or through a role";
  if (found.predefined !== null) return `must not be a member of ${found.predefined}`;
  return null;
}

const serveRule = (found: Found): string | null => {
  if (!found.in_app_role) return `must be a member of ${APP_ROLE}`;
  if (found.unfenced !== null) return `must be held by row-level security, which is off for the table ${found.unfenced}`;
  return found.is_unlimited ? "must have a statement_timeout" : null;
};

const queueRule = (found: Found): string | null => {
  if (found.reads_tables) return "must have no right on any table but the queue's";
  return found.is_unlimited ? "must have a statement_timeout" : null;
};

/** Throws WrongLogin unless the login is suitable for serving. */
export const requireServeLogin = (url: string): Promise<void> => requireRules(url, "DATABASE_APP_URL", serveRule);

/** Throws WrongLogin unless the login is suitable for the queue. */
export const requireQueueLogin = (url: string): Promise<void> => requireRules(url, "DATABASE_QUEUE_URL", queueRule);

async function requireRules(url: string, named: string, ruleOfUse: (found: Found) => string | null): Promise<void> {
  const found = await inspectLogin(url).catch((error: object) => {
    // The error message names the setting to check.
    throw Object.assign(error, { login: named });
  });
  const rule = ruleBroken(found) ?? ruleOfUse(found);
  if (rule !== null) throw new WrongLogin(`The login of ${named} ${rule}. ${REMEDY}`);
}

async function inspectLogin(url: string): Promise<Found> {
  const client = new pg.Client({ connectionString: url, application_name: "countersign fence" });
  // The running query reports a lost connection too. Without a listener the error would end the process.
  client.on("error", () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<Found>(INSPECT_LOGIN);
    return rows[0] ?? Promise.reject(new Error("the inspection of the login returned no row"));
  } finally {
    await client.end();
  }
}
