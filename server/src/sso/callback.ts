import { after } from "../accounts/account.ts";
import { appendAudit } from "../audit/append-audit.ts";
import type { Visitor } from "../http/endpoint.ts";
import { asSystem } from "../shared/caller.ts";
import type { OrgId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import { decrypt, newToken, sha256 } from "../shared/secrets.ts";
import { browserOf } from "./browser.ts";
import { type Claims, claimsOf } from "./claims.ts";
import type { SsoDeps } from "./connection.ts";
import { cacheKey, configure, ProviderRefused, redeem } from "./provider.ts";
import { clientOf, redirectUriOf, verifierContext } from "./start.ts";
import { type Attempt, findConnection, keepHandoff, lookUpOrgOfAttempt, takeReturned } from "./store.ts";

const HANDOFF_SECONDS = 60;

/** What the page says if the log-in cannot go on. */
export type CallbackFault = "expired" | "away" | "refused";

/**
 * The provider sent the browser back. Checks what it says, and sends the browser on to a page of the console with a code that works once,
 * for a minute. No session starts here, because another site can send a browser to this address.
 */
export async function returnFromProvider(deps: SsoDeps, visitor: Visitor, org: string, query: string): Promise<string> {
  const page = `${deps.publicUrl}/console/sso`;
  const outcome = await take(deps, visitor, org, query);
  return "code" in outcome ? `${page}#code=${outcome.code}` : `${page}#error=${outcome.fault}`;
}

async function take(
  deps: SsoDeps,
  visitor: Visitor,
  org_id: string,
  query: string,
): Promise<{ readonly code: string } | { readonly fault: CallbackFault }> {
  const [state, ...others] = new URLSearchParams(query).getAll("state");
  const browser = browserOf(deps, visitor);
  if (state === undefined || others.length > 0 || browser === null) return { fault: "expired" };
  const org = await deps.db.lease((read) => lookUpOrgOfAttempt(read, sha256(state)));
  // The code belongs to a provider of the organization in the path, and goes to no other.
  if (org === null || org !== org_id) return { fault: "expired" };
  const attempt = await deps.db.tx(org, (tx) => takeReturned(tx, org, sha256(state), sha256(browser)));
  if (attempt === null) return { fault: "expired" };
  try {
    const claims = await ask(deps, org, attempt, state, query);
    return { code: await handOver(deps, org, attempt, claims) };
  } catch (error) {
    if (error instanceof Problem && error.code === "identity_provider_away") return { fault: "away" };
    if (!(error instanceof ProviderRefused)) throw error;
    const { connection_id, purpose } = attempt;
    const data = { connection_id, purpose, reason: error.message };
    await deps.db.tx(org, (tx) => appendAudit(tx, org, { type: "sso.refused", by: asSystem(visitor), data }));
    return { fault: "refused" };
  }
}

async function ask(deps: SsoDeps, org: OrgId, attempt: Attempt, state: string, query: string): Promise<Claims> {
  const connection = await deps.db.tx(org, (tx) => findConnection(tx, org, attempt.connection_id));
  const key = cacheKey(connection.connection_id, connection.updated_at);
  const configuration = await configure(deps, clientOf(deps, org, connection), key);
  const verifier = decrypt(deps.keys.sso, attempt.verifier_enc, verifierContext(attempt.state_hash));
  const returned = new URL(`${redirectUriOf(deps, org)}?${query}`);
  return claimsOf(await redeem(configuration, returned, { state, nonce: attempt.nonce, verifier }), connection);
}

async function handOver(deps: SsoDeps, org: OrgId, { state_hash }: Attempt, claims: Claims): Promise<string> {
  const code = newToken();
  await deps.db.tx(org, (tx) => keepHandoff(tx, org, state_hash, { hash: sha256(code), until: after(tx.now, HANDOFF_SECONDS), claims }));
  return code;
}
