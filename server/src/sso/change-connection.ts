import { appendAudit } from "../audit/append-audit.ts";
import type { Tx } from "../db/sql.ts";
import { refuseHigherRole } from "../orgs/member-changes.ts";
import { lockSecurity } from "../orgs/security-store.ts";
import { lockAdmins } from "../orgs/store.ts";
import type { Member } from "../shared/caller.ts";
import { type ConnectionId, newId, type OrgId } from "../shared/ids.ts";
import { invalidField, Problem } from "../shared/problems.ts";
import { encrypt } from "../shared/secrets.ts";
import { CONNECTIONS_PER_ORG, type Connection, type ConnectionSettings, type SsoDeps, secretContext } from "./connection.ts";
import { type Client, configure, ProviderRefused } from "./provider.ts";
import { clientOf } from "./start.ts";
import {
  deleteConnection,
  endSessionsOfConnection,
  findConnection,
  forgetIdentities,
  insertConnection,
  listConnections,
  lockConnection,
  setTested,
  updateConnection,
} from "./store.ts";

/**
 * Connections to identity providers. The choice of the provider decides who logs in as an admin, so only admins make it. The permission to
 * manage security is not enough.
 */

export interface NewConnection extends ConnectionSettings {
  readonly client_secret: string;
}

/** Asks the provider, before the transaction. */
export async function checkConnection(deps: SsoDeps, admin: Member, { client_secret, ...settings }: NewConnection): Promise<void> {
  refuseHigherRole(admin, ["admin"]);
  refuseWrongScopes(settings);
  await requireProvider(deps, { ...settings, client_secret });
}

/** After `checkConnection`. */
export async function createConnection(deps: SsoDeps, admin: Member, { client_secret, ...settings }: NewConnection): Promise<Connection> {
  const { org } = admin;
  return deps.db.tx(org, async (tx) => {
    // Two who create at once take turns, so that neither exceeds the limit.
    await lockSecurity(tx, org);
    if ((await listConnections(tx, org)).length >= CONNECTIONS_PER_ORG) throw new Problem("too_many_connections");
    const connection_id = newId("ssoConnection", tx.now.getTime());
    const client_secret_enc = encrypt(deps.keys.sso, client_secret, secretContext(org, connection_id));
    await insertConnection(tx, org, { ...settings, connection_id, client_secret_enc });
    await appendAudit(tx, org, { type: "sso.created", by: admin, data: { connection_id, ...recorded(settings) } });
    return findConnection(tx, org, connection_id);
  });
}

export type ConnectionChange = { readonly [K in keyof NewConnection]?: NewConnection[K] | undefined } & {
  readonly state?: "active" | "disabled" | undefined;
};

/** What the provider and the test depend on. After a change of it, a test says nothing any more. */
const TESTED: readonly (keyof NewConnection)[] = [
  "issuer",
  "client_id",
  "client_secret",
  "scopes",
  "role_claim",
  "role_map",
  "default_role",
  "trust_email",
  "required_acr",
  "required_amr",
];

export async function changeConnection(
  deps: SsoDeps,
  admin: Member,
  connection_id: ConnectionId,
  { client_secret, state, ...change }: ConnectionChange,
): Promise<Connection> {
  const { org } = admin;
  const known = await deps.db.tx(org, (tx) => findConnection(tx, org, connection_id));
  refuseHigherRole(admin, ["admin"]);
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as Partial<ConnectionSettings>;
  refuseWrongScopes({ ...known, ...given });
  const isOtherProvider = given.issuer !== undefined || given.client_id !== undefined || client_secret !== undefined;
  if (isOtherProvider) {
    const now = clientOf(deps, org, known);
    await requireProvider(deps, { ...now, ...given, client_secret: client_secret ?? now.client_secret });
  }
  return deps.db.tx(org, async (tx) => {
    if (state === "disabled") await requireOtherWayIn(tx, org, connection_id);
    const before = await lockConnection(tx, org, connection_id);
    const differs = ([name, value]: [string, unknown]) => !isSame(value, before[name as keyof ConnectionSettings]);
    const changed = Object.entries(given).filter(differs);
    const isNewState = state !== undefined && state !== before.state;
    if (changed.length === 0 && client_secret === undefined && !isNewState) return before;
    const secret =
      client_secret === undefined ? before.client_secret_enc : encrypt(deps.keys.sso, client_secret, secretContext(org, connection_id));
    await updateConnection(tx, org, { ...before, ...given, client_secret_enc: secret, state: state ?? before.state });
    const isUntested = client_secret !== undefined || changed.some(([name]) => TESTED.includes(name as keyof NewConnection));
    if (isUntested) await setTested(tx, org, connection_id, null);
    const ended = await forgetPeople(tx, org, before, given);
    // The secret itself is in no entry.
    const changes = {
      ...Object.fromEntries(changed.map(([name, to]) => [name, { from: before[name as keyof ConnectionSettings], to }])),
      ...(client_secret !== undefined && { client_secret: { changed: true } }),
    };
    if (Object.keys(changes).length > 0)
      await appendAudit(tx, org, { type: "sso.changed", by: admin, data: { connection_id, changes, ...(ended !== null && { ended }) } });
    if (isNewState) await recordState(tx, admin, connection_id, state);
    return findConnection(tx, org, connection_id);
  });
}

/**
 * At another issuer a subject is someone else, so people are found by their address again, and sessions that the provider before vouched
 * for end. Returns how many; null if the provider is the same.
 */
async function forgetPeople(
  tx: Tx,
  org: OrgId,
  { connection_id, issuer, client_id }: Connection,
  given: Partial<ConnectionSettings>,
): Promise<number | null> {
  const isOtherIssuer = given.issuer !== undefined && given.issuer !== issuer;
  const isOtherClient = given.client_id !== undefined && given.client_id !== client_id;
  if (!isOtherIssuer && !isOtherClient) return null;
  await forgetIdentities(tx, org, connection_id, { removed: isOtherIssuer });
  return endSessionsOfConnection(tx, org, connection_id);
}

/** A connection is turned off because something is wrong with it, so sessions that began with it end. */
async function recordState(tx: Tx, admin: Member, connection_id: ConnectionId, state: "active" | "disabled"): Promise<void> {
  const type = state === "active" ? "sso.enabled" : "sso.disabled";
  const ended = state === "active" ? 0 : await endSessionsOfConnection(tx, admin.org, connection_id);
  await appendAudit(tx, admin.org, { type, by: admin, data: { connection_id, ...(state === "disabled" && { ended }) } });
}

export async function removeConnection(deps: SsoDeps, admin: Member, connection_id: ConnectionId): Promise<void> {
  const { org } = admin;
  await deps.db.tx(org, async (tx) => {
    await findConnection(tx, org, connection_id);
    refuseHigherRole(admin, ["admin"]);
    await requireOtherWayIn(tx, org, connection_id);
    const { name, issuer } = await lockConnection(tx, org, connection_id);
    const ended = await endSessionsOfConnection(tx, org, connection_id);
    await deleteConnection(tx, org, connection_id);
    await appendAudit(tx, org, { type: "sso.removed", by: admin, data: { connection_id, name, issuer, ended } });
  });
}

/** While single sign-on is required, one connection stays active. */
async function requireOtherWayIn(tx: Tx, org: OrgId, connection_id: ConnectionId): Promise<void> {
  await lockAdmins(tx, org);
  const { sso_mode } = await lockSecurity(tx, org);
  const others = (await listConnections(tx, org)).filter((one) => one.connection_id !== connection_id && one.state === "active");
  if (sso_mode !== "required" || others.length > 0) return;
  const message = "the organization requires single sign-on, and this is its only active connection. Change sso_mode first";
  throw new Problem("would_lock_out", "", { details: [{ location: "path", field: "connection_id", code: "would_lock_out", message }] });
}

/** For the entry of the audit trail. */
const recorded = (settings: ConnectionSettings) => ({
  ...settings,
  role_map: settings.role_map.map(({ value, role }) => ({ value, role })),
});

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

function refuseWrongScopes({ scopes }: Pick<ConnectionSettings, "scopes">): void {
  if (!scopes.includes("openid")) throw invalidField("scopes", "invalid_value", "must contain openid");
}

/** Reads the provider's metadata, so that a wrong address is found when it is entered. */
async function requireProvider(deps: SsoDeps, client: Client): Promise<void> {
  const url = URL.canParse(client.issuer) ? new URL(client.issuer) : null;
  if (url === null || url.search !== "" || url.hash !== "" || url.username !== "" || url.password !== "")
    throw invalidField("issuer", "invalid_format", "must be an https address without user, query and fragment");
  try {
    await configure(deps, client, null);
  } catch (error) {
    const isKnown = error instanceof ProviderRefused || (error instanceof Problem && error.code === "identity_provider_away");
    if (!isKnown) throw error;
    const why = error instanceof ProviderRefused ? error.message : "it cannot be reached";
    throw invalidField("issuer", "invalid_value", `does not answer as an OpenID Connect provider: ${why}`);
  }
}
