import { after } from "../accounts/account.ts";
import { isOwnPage } from "../accounts/devices.ts";
import { type SignedIn, startSession } from "../accounts/start-session.ts";
import { findUser, listMemberships, markSessionConfirmed } from "../accounts/store.ts";
import { appendAudit } from "../audit/append-audit.ts";
import { isUniqueViolation } from "../db/errors.ts";
import type { SystemTx } from "../db/sql.ts";
import type { Visitor } from "../http/endpoint.ts";
import { findSecurity } from "../orgs/security-store.ts";
import { asSystem } from "../shared/caller.ts";
import { HOUR_SECONDS, MINUTE_SECONDS } from "../shared/durations.ts";
import type { OrgId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import type { Role } from "../shared/scopes.ts";
import { sha256 } from "../shared/secrets.ts";
import { browserOf } from "./browser.ts";
import { type Claims, isStrongEnough, roleOf } from "./claims.ts";
import { type Connection, demandsStrength, type SsoDeps } from "./connection.ts";
import { addressOf, memberOf } from "./member-of.ts";
import { notProvisioned, type Refusal } from "./refusals.ts";
import { type Attempt, lookUpIdentity, lookUpLockedConnection, lookUpOrgOfAttempt, setTested, takeHandoff } from "./store.ts";

/** The last step: a page of ours hands in the code that the browser got after the provider. */

/** As long as `authenticate_session` accepts a confirmation. */
const CONFIRMED_SECONDS = 10 * MINUTE_SECONDS;
// Between the clocks of the provider and of the database.
const CLOCK_TOLERANCE_SECONDS = 60;

/** What the provider said in a test, and what it would mean. */
export interface Tested {
  readonly subject: string;
  readonly email: string;
  readonly role: Role | null;
}

export type Finished =
  | { readonly kind: "login"; readonly signed: SignedIn }
  | { readonly kind: "confirm"; readonly confirmed_until: Date }
  | { readonly kind: "test"; readonly tested: Tested };

type Outcome = Finished | { readonly kind: "refused"; readonly refusal: Refusal } | { readonly kind: "gone" };

export async function finishSso(deps: SsoDeps, visitor: Visitor, code: string): Promise<Finished> {
  // A page of another site must not log its visitors in to an account of its own choice.
  if (!isOwnPage(deps, visitor)) throw new Problem("origin_refused");
  const browser = browserOf(deps, visitor);
  const org = browser === null ? null : await deps.db.lease((read) => lookUpOrgOfAttempt(read, sha256(code)));
  if (browser === null || org === null) throw new Problem("invalid_sso_code");
  const run = () => deps.db.system((tx) => finish(deps, tx, visitor, org, sha256(code), sha256(browser)));
  // Someone made an account with the same address since this transaction looked: an invitation, or another connection. It is there now.
  const outcome = await run().catch((error) => (isUniqueViolation(error) ? run() : Promise.reject(error)));
  if (outcome.kind === "gone") throw new Problem("invalid_sso_code");
  if (outcome.kind === "refused") throw notProvisioned(outcome.refusal);
  return outcome;
}

/** A refusal must be recorded and uses the code up, so the transaction commits before the problem is thrown. */
async function finish(deps: SsoDeps, tx: SystemTx, visitor: Visitor, org: OrgId, code: Buffer, browser: Buffer): Promise<Outcome> {
  const taken = await tx.forOrg(org, () => takeHandoff(tx, org, code, browser));
  if (taken === null) return { kind: "gone" };
  const { connection_id, purpose } = taken;
  const connection = await tx.forOrg(org, () => lookUpLockedConnection(tx, org, connection_id));
  if (connection === null || (purpose !== "test" && connection.state !== "active")) return { kind: "gone" };
  // The claims can be those of another provider, or were read by other rules.
  if (connection.updated_at > taken.created_at) return { kind: "gone" };
  const { claims } = taken;
  const outcome = await judge(deps, tx, visitor, org, connection, taken, claims);
  if (outcome.kind === "refused") {
    const data = { connection_id, purpose, reason: outcome.refusal, subject: claims.subject, email: claims.email };
    await tx.forOrg(org, () => appendAudit(tx, org, { type: "sso.refused", by: asSystem(visitor), data }));
  }
  return outcome;
}

async function judge(
  deps: SsoDeps,
  tx: SystemTx,
  visitor: Visitor,
  org: OrgId,
  connection: Connection,
  attempt: Attempt,
  claims: Claims,
): Promise<Outcome> {
  if (claims.groups_left_out) return { kind: "refused", refusal: "groups_left_out" };
  if (!isStrongEnough(claims, connection)) return { kind: "refused", refusal: "too_weak" };
  if (attempt.purpose === "confirm") return confirm(tx, visitor, org, connection, attempt, claims);
  const { sso_mode, second_factor } = await tx.forOrg(org, () => findSecurity(tx, org));
  if (second_factor === "required" && !demandsStrength(connection)) return { kind: "refused", refusal: "no_second_factor" };
  if (attempt.purpose === "test") return test(tx, visitor, org, connection, attempt, claims);
  return sso_mode === "off" ? { kind: "gone" } : logIn(deps, tx, visitor, org, connection, claims);
}

async function logIn(deps: SsoDeps, tx: SystemTx, visitor: Visitor, org: OrgId, connection: Connection, claims: Claims): Promise<Outcome> {
  const found = await memberOf(tx, { org, connection, visitor }, claims);
  if ("refusal" in found) return { kind: "refused", refusal: found.refusal };
  const { user_id } = found;
  const membership = (await listMemberships(tx, user_id)).find((one) => one.org_id === org);
  if (membership === undefined) throw new Error("a person who was let in is no member");
  const user = await findUser(tx, user_id);
  const signed = await tx.forOrg(org, () =>
    startSession(deps, tx, visitor, user, membership, {
      via: `sso:${connection.connection_id}`,
      factors: demandsStrength(connection) ? ["sso"] : [],
      ends_at: after(tx.now, connection.max_hours * HOUR_SECONDS),
    }),
  );
  return { kind: "login", signed };
}

/** The same person logged in to the provider again, since the session asked for it. */
async function confirm(
  tx: SystemTx,
  visitor: Visitor,
  org: OrgId,
  { connection_id }: Connection,
  { session_id, user_id, created_at }: Attempt,
  { subject, auth_time }: Claims,
): Promise<Outcome> {
  if (session_id === null || user_id === null) throw new Error("a confirmation without a session");
  const earliest = created_at.getTime() / 1000 - CLOCK_TOLERANCE_SECONDS;
  if (auth_time === null || auth_time < earliest) return { kind: "refused", refusal: "old_log_in" };
  return tx.forOrg(org, async (): Promise<Outcome> => {
    const identity = await lookUpIdentity(tx, org, connection_id, subject);
    if (identity?.user_id !== user_id) return { kind: "refused", refusal: "other_person" };
    await markSessionConfirmed(tx, org, session_id);
    const by = { ...visitor, actor: { kind: "user", id: user_id } as const };
    await appendAudit(tx, org, { type: "session.confirmed", by, data: { session_id, connection_id } });
    return { kind: "confirm", confirmed_until: after(tx.now, CONFIRMED_SECONDS) };
  });
}

/** Everything that a log-in needs of the provider. Makes and changes no member. */
async function test(
  tx: SystemTx,
  visitor: Visitor,
  org: OrgId,
  connection: Connection,
  { user_id }: Attempt,
  claims: Claims,
): Promise<Outcome> {
  if (user_id === null) throw new Error("a test without an admin");
  const role = roleOf(claims, connection);
  if (connection.role_claim !== null && role === null) return { kind: "refused", refusal: "no_role" };
  return tx.forOrg(org, async (): Promise<Outcome> => {
    const address = await addressOf(tx, org, claims, connection);
    if ("refusal" in address) return { kind: "refused", refusal: address.refusal };
    const { connection_id } = connection;
    await setTested(tx, org, connection_id, user_id);
    const by = { ...visitor, actor: { kind: "user", id: user_id } as const };
    const { email } = address;
    await appendAudit(tx, org, { type: "sso.tested", by, data: { connection_id, subject: claims.subject, email } });
    return { kind: "test", tested: { subject: claims.subject, email, role } };
  });
}
