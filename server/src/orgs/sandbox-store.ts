import { type Read, sql, type Tx } from "../db/sql.ts";
import type { OrgId } from "../shared/ids.ts";
import type { Sandbox } from "./org.ts";

/** Its members and demands are copied from the organization. Null if that has as many sandboxes as it may have. */
export async function insertSandbox(tx: Tx, org: OrgId, sandbox: OrgId, name: string, most: number): Promise<Date | null> {
  const { rows } = await tx.query<{ created_at: Date | null }>(sql`
    select create_sandbox(${org}, ${sandbox}, ${name}, ${most}) as created_at`);
  return rows[0]?.created_at ?? null;
}

/** Ends its keys and sessions, and from then on refuses requests that write there. False if the organization has no such sandbox. */
export async function beginReset(tx: Tx, org: OrgId, sandbox: OrgId, isDeleted: boolean): Promise<boolean> {
  const { rows } = await tx.query<{ begun: boolean }>(sql`select begin_sandbox_reset(${org}, ${sandbox}, ${isDeleted}) as begun`);
  return rows[0]?.begun === true;
}

/** Also one that was deleted, until its row is gone; null for any other organization. */
export async function lookUpSandbox(read: Read, org: OrgId, sandbox: OrgId): Promise<Sandbox | null> {
  const { rows } = await read.query<Sandbox>(sql`
    select org_id, name, sandbox_of, created_at, resetting_since from orgs where org_id = ${sandbox} and sandbox_of = ${org}`);
  return rows[0] ?? null;
}

/** Of the organization, or of the one that it is a sandbox of; the oldest first. */
export async function listSandboxes(read: Read, org: OrgId): Promise<Sandbox[]> {
  const { rows } = await read.query<Sandbox>(sql`
    select org_id, name, sandbox_of, created_at, resetting_since from orgs
    where sandbox_of = (select coalesce(o.sandbox_of, o.org_id) from orgs o where o.org_id = ${org}) and deleted_at is null order by org_id`);
  return rows;
}
