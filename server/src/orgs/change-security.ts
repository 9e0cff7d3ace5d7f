import { admitsAddress } from "../accounts/policy-store.ts";
import { appendAudit } from "../audit/append-audit.ts";
import type { Tx } from "../db/sql.ts";
import { cidrsOf } from "../http/address-list.ts";
import type { Member } from "../shared/caller.ts";
import type { OrgId, UserId } from "../shared/ids.ts";
import { invalidField, Problem } from "../shared/problems.ts";
import type { OrgDeps, SettingsDeps } from "./org.ts";
import { tellMembersInNeed } from "./remind-of-factors.ts";
import { findSecurity, listMembersWithFactor, lockSecurity, type Security, type SecurityRow, updateSecurity } from "./security-store.ts";
import { lockAdmins, setBreakGlass } from "./store.ts";

export type SecurityChange = { readonly [K in keyof Security]?: Security[K] | undefined };

/**
 * Changes the settings that are given and keeps the others. Limits of sessions apply from their next request. Only an admin who has a second
 * factor can require one, so that at least one admin can go on; members who then need one are told by e-mail. Only an admin who has just
 * tested single sign-on can require that. A list of addresses contains the one that the admin uses.
 */
export async function changeSecurity(
  deps: OrgDeps & Pick<SettingsDeps, "hasTestedSso" | "trustProxyHops">,
  admin: Member,
  given: SecurityChange,
  unchanged: (now: SecurityRow) => void,
): Promise<SecurityRow> {
  const change =
    given.allowed_cidrs === undefined ? given : { ...given, allowed_cidrs: cidrsOf(given.allowed_cidrs, admin, deps.trustProxyHops) };
  return deps.db.tx(admin.org, async (tx) => {
    // Before the settings, in the same order as changes of members.
    const admins = await lockAdmins(tx, admin.org);
    const before = await lockSecurity(tx, admin.org);
    unchanged(before);
    const changed = Object.entries(change).filter(([name, value]) => value !== undefined && !isSame(value, before[name as keyof Security]));
    if (changed.length === 0) return before;
    const after: SecurityRow = { ...before, ...Object.fromEntries(changed) };
    const isTurnedOn = after.second_factor === "required" && before.second_factor === "off";
    if (isTurnedOn && !(await listMembersWithFactor(tx)).has(admin.session.user_id)) throw new Problem("factor_missing");
    if (change.break_glass !== undefined) await nameBreakGlass(tx, admin.org, admins, before.break_glass, after.break_glass);
    if (after.sso_mode === "required") await requireWayIn(deps, tx, admin, before, after);
    await updateSecurity(tx, admin.org, after);
    if (change.allowed_cidrs !== undefined && !(await admitsAddress(tx, admin.org, admin.ip)))
      throw lockedOut("allowed_cidrs", `must contain your own address, ${admin.ip}`);
    const changes = Object.fromEntries(changed.map(([name, to]) => [name, { from: before[name as keyof Security], to: to ?? null }]));
    if (isTurnedOn) await tellMembersInNeed(deps, tx, admin.org);
    await appendAudit(tx, admin.org, { type: "security.changed", by: admin, data: { changes } });
    return findSecurity(tx, admin.org);
  });
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

type Admins = Awaited<ReturnType<typeof lockAdmins>>;

async function nameBreakGlass(tx: Tx, org: OrgId, admins: Admins, before: readonly UserId[], after: readonly UserId[]): Promise<void> {
  const withFactor = await listMembersWithFactor(tx);
  for (const [index, user_id] of after.entries()) {
    const field = `break_glass[${index}]`;
    const admin = admins.find((one) => one.user_id === user_id);
    if (admin === undefined) throw invalidField(field, "invalid_value", "must be an admin");
    if (admin.entry === "sso") throw invalidField(field, "invalid_value", "must be an admin who joined by invitation");
    if (!withFactor.has(user_id)) throw invalidField(field, "invalid_value", "must be an admin with a second factor");
  }
  for (const user_id of before) if (!after.includes(user_id)) await setBreakGlass(tx, org, user_id, false);
  for (const user_id of after) if (!before.includes(user_id)) await setBreakGlass(tx, org, user_id, true);
}

/** Without these, a mistake in the settings of the identity provider would keep everyone out. */
async function requireWayIn(
  deps: Pick<SettingsDeps, "hasTestedSso">,
  tx: Tx,
  admin: Member,
  before: SecurityRow,
  after: SecurityRow,
): Promise<void> {
  if (after.break_glass.length === 0)
    throw lockedOut("break_glass", "must name at least one admin with a second factor, who can log in if the identity provider fails");
  if (before.sso_mode === "required") return;
  if (!(await deps.hasTestedSso(tx, admin.org, admin.session.user_id)))
    throw lockedOut("sso_mode", "can be required only within an hour after you tested an active connection");
}

const lockedOut = (field: string, message: string): Problem =>
  new Problem("would_lock_out", "", { details: [{ location: "body", field, code: "would_lock_out", message }] });
