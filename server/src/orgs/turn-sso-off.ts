import { appendAudit } from "../audit/append-audit.ts";
import type { Tx } from "../db/sql.ts";
import { asSystem, type Origin } from "../shared/caller.ts";
import type { OrgId } from "../shared/ids.ts";
import { lockSecurity, type Security, updateSecurity } from "./security-store.ts";

/** For the operator, when an identity provider fails and no break-glass admin can log in. Returns the mode before. */
export async function turnSsoOff(tx: Tx, org: OrgId, by: Origin): Promise<Security["sso_mode"]> {
  const before = await lockSecurity(tx, org);
  if (before.sso_mode === "off") return "off";
  await updateSecurity(tx, org, { ...before, sso_mode: "off" });
  const changes = { sso_mode: { from: before.sso_mode, to: "off" } };
  await appendAudit(tx, org, { type: "security.changed", by: asSystem(by), data: { changes } });
  return before.sso_mode;
}
