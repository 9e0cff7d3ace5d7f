import { appendAudit } from "../audit/append-audit.ts";
import type { Tx } from "../db/sql.ts";
import { asSystem, type Origin } from "../shared/caller.ts";
import type { OrgId } from "../shared/ids.ts";
import { lockSecurity, updateSecurity } from "./security-store.ts";

/** For the operator, when no member can reach the organization from an address of its list. Returns the list before. */
export async function clearAddresses(tx: Tx, org: OrgId, by: Origin): Promise<readonly string[]> {
  const before = await lockSecurity(tx, org);
  if (before.allowed_cidrs.length === 0) return [];
  await updateSecurity(tx, org, { ...before, allowed_cidrs: [] });
  const changes = { allowed_cidrs: { from: [...before.allowed_cidrs], to: [] } };
  await appendAudit(tx, org, { type: "security.changed", by: asSystem(by), data: { changes } });
  return before.allowed_cidrs;
}
