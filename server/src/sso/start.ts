import { after } from "../accounts/account.ts";
import { authenticateSession } from "../accounts/authenticate-session.ts";
import { countAction, QUARTER_SECONDS, takingTurns } from "../accounts/throttle.ts";
import { addressGroup } from "../http/address.ts";
import type { Visitor } from "../http/endpoint.ts";
import { domainOf } from "../orgs/domain.ts";
import { findSecurity } from "../orgs/security-store.ts";
import type { Member } from "../shared/caller.ts";
import { MINUTE_SECONDS } from "../shared/durations.ts";
import type { ConnectionId, OrgId } from "../shared/ids.ts";
import { invalidField, Problem } from "../shared/problems.ts";
import { decrypt, encrypt, sha256 } from "../shared/secrets.ts";
import { browserFor } from "./browser.ts";
import { type Connection, type SsoDeps, secretContext } from "./connection.ts";
import { authorizationUrl, type Client, cacheKey, configure, newJourney, ProviderRefused } from "./provider.ts";
import { findConnection, insertAttempt, lookUpByDomain, lookUpConnection, lookUpOrgOfConnection, type NewAttempt } from "./store.ts";

/** The way of a browser to the identity provider. */

export const CALLBACK_PATH = "/auth/sso/callback";

/**
 * Where an organization's providers send the browser back to. Each organization has its own, so that the provider of one cannot have the
 * provider of another send it a code (RFC 9700, 4.4).
 */
export const redirectUriOf = ({ publicUrl }: Pick<SsoDeps, "publicUrl">, org: OrgId): string => `${publicUrl}${CALLBACK_PATH}/${org}`;

const ATTEMPT_SECONDS = 10 * MINUTE_SECONDS;
const STARTS_PER_ADDRESS = 60;

export interface Started {
  readonly redirect_url: string;
  readonly expires_at: Date;
  /** for the cookie */
  readonly browser: string;
}

interface Wanted {
  readonly email?: string | undefined;
  readonly connection_id?: ConnectionId | undefined;
  readonly purpose?: "login" | "confirm" | undefined;
}

/** For a log-in by address or connection, or for the step-up of a session that began with single sign-on. */
export async function startSso(deps: SsoDeps, visitor: Visitor, { email, connection_id, purpose = "login" }: Wanted): Promise<Started> {
  const group = addressGroup(visitor.ip);
  const inTurn = takingTurns(deps, { known: false, group });
  await countAction(inTurn, `sso:${group}`, STARTS_PER_ADDRESS, QUARTER_SECONDS);
  if (purpose === "confirm") return startConfirm(deps, visitor);
  if (email === undefined && connection_id === undefined)
    throw invalidField("email", "required", "is required, unless connection_id is given");
  const found = await inTurn.db.lease(async (read) => {
    if (connection_id === undefined) return lookUpByDomain(read, domainOf(email ?? ""));
    const org_id = await lookUpOrgOfConnection(read, connection_id);
    return org_id === null ? null : { org_id, connection_id };
  });
  if (found === null) throw new Problem("sso_not_offered");
  const connection = await deps.db.tx(found.org_id, async (tx) => {
    const { sso_mode } = await findSecurity(tx, found.org_id);
    const one = await lookUpConnection(tx, found.org_id, found.connection_id);
    return sso_mode === "off" || one?.state !== "active" ? null : one;
  });
  if (connection === null) throw new Problem("sso_not_offered");
  return begin(deps, visitor, found.org_id, connection, { purpose, session_id: null, user_id: null, login_hint: email ?? null });
}

async function startConfirm(deps: SsoDeps, visitor: Visitor): Promise<Started> {
  const bearer = visitor.bearer ?? "";
  const admission = await deps.db.lease((read) => authenticateSession(deps, read, bearer, visitor));
  if (admission?.session == null) throw new Problem("invalid_session");
  const { org, session } = admission;
  const { sso, session_id, user_id } = session;
  if (sso === undefined) throw invalidField("purpose", "invalid_value", "confirm is only for sessions that began with single sign-on");
  const connection = await deps.db.tx(org, (tx) => findConnection(tx, org, sso));
  return begin(deps, visitor, org, connection, { purpose: "confirm", session_id, user_id, login_hint: null });
}

/** An admin tries the connection, in whatever state it is. */
export async function startTest(deps: SsoDeps, admin: Member, connection_id: ConnectionId): Promise<Started> {
  const connection = await deps.db.tx(admin.org, (tx) => findConnection(tx, admin.org, connection_id));
  const { session_id, user_id } = admin.session;
  return begin(deps, { cookies: {} }, admin.org, connection, { purpose: "test", session_id, user_id, login_hint: null });
}

export function clientOf(deps: SsoDeps, org: OrgId, { issuer, client_id, client_secret_enc, connection_id }: Connection): Client {
  return { issuer, client_id, client_secret: decrypt(deps.keys.sso, client_secret_enc, secretContext(org, connection_id)) };
}

export const verifierContext = (state_hash: Buffer): string => `sso verifier ${state_hash.toString("hex")}`;

type Purposeful = Pick<NewAttempt, "purpose" | "session_id" | "user_id"> & { readonly login_hint: string | null };

/** Asks the provider for its metadata before anything is stored. */
async function begin(
  deps: SsoDeps,
  visitor: Pick<Visitor, "cookies">,
  org: OrgId,
  connection: Connection,
  { login_hint, ...purposeful }: Purposeful,
): Promise<Started> {
  const { connection_id, updated_at, scopes, required_acr } = connection;
  const configuration = await configure(deps, clientOf(deps, org, connection), cacheKey(connection_id, updated_at)).catch(throwAway);
  const journey = await newJourney();
  const again = purposeful.purpose === "confirm";
  const wish = { redirect_uri: redirectUriOf(deps, org), scopes, login_hint, required_acr, again };
  const redirect_url = await authorizationUrl(configuration, journey, wish);
  const [state_hash, browser] = [sha256(journey.state), browserFor(deps, visitor)];
  const verifier_enc = encrypt(deps.keys.sso, journey.verifier, verifierContext(state_hash));
  const expires_at = await deps.db.tx(org, async (tx) => {
    const until = after(tx.now, ATTEMPT_SECONDS);
    const { nonce } = journey;
    const browser_hash = sha256(browser);
    await insertAttempt(tx, org, { ...purposeful, state_hash, connection_id, nonce, verifier_enc, browser_hash, expires_at: until });
    return until;
  });
  return { redirect_url, expires_at, browser };
}

/** Metadata that cannot be used is as good as none for a person who wants to log in. */
export function throwAway(error: unknown): never {
  throw error instanceof ProviderRefused ? new Problem("identity_provider_away", error.message, { cause: error }) : error;
}
