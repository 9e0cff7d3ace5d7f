import type { Configuration } from "openid-client";
import { PeerAway } from "../outbound/make-fenced-fetch.ts";
import { MINUTE_SECONDS } from "../shared/durations.ts";
import type { ConnectionId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import { hasSubject, type Token } from "./claims.ts";
import type { ConnectionSettings, SsoDeps } from "./connection.ts";

/** An identity provider by OpenID Connect: its metadata, the address to send a browser to, and the exchange of a code for an ID token. */

export interface Client extends Pick<ConnectionSettings, "issuer" | "client_id"> {
  readonly client_secret: string;
}

/** What the provider published or sent is not what OpenID Connect asks for, or not for us. `message` is for admins. */
export class ProviderRefused extends Error {
  override readonly name = "ProviderRefused";
}

const METADATA_MS = 10 * MINUTE_SECONDS * 1_000;
// A provider whose clock is further off is told apart from one that sends old tokens no more.
const CLOCK_TOLERANCE_SECONDS = 60;
const KEPT = 1_000;

interface Cached {
  readonly until: number;
  readonly configuration: Configuration;
}

const cache = new Map<string, Cached>();

/** The library takes memory and time to load, and most installations do not use it. */
const library = () => import("openid-client");

/**
 * Metadata is read again after ten minutes. `key` names the connection as it was last changed; null reads it now. Throws
 * `identity_provider_away`, or `ProviderRefused` for metadata of another issuer.
 */
export async function configure(deps: SsoDeps, client: Client, key: string | null): Promise<Configuration> {
  const known = key === null ? undefined : cache.get(key);
  if (known !== undefined && known.until > performance.now()) return known.configuration;
  const configuration = await discover(deps, client);
  if (key !== null) {
    if (cache.size >= KEPT) cache.clear();
    cache.set(key, { until: performance.now() + METADATA_MS, configuration });
  }
  return configuration;
}

export const cacheKey = (connection_id: ConnectionId, updated_at: Date): string => `${connection_id} ${updated_at.getTime()}`;

async function discover({ fetch, localMode }: SsoDeps, { issuer, client_id, client_secret }: Client): Promise<Configuration> {
  const oidc = await library();
  const found = await telling(() =>
    oidc.discovery(new URL(issuer), client_id, { [oidc.clockTolerance]: CLOCK_TOLERANCE_SECONDS }, undefined, {
      execute: localMode ? [oidc.allowInsecureRequests] : [],
      [oidc.customFetch]: (url, options) => fetch(url, options as RequestInit),
    }),
  );
  const metadata = found.serverMetadata();
  // The library accepts some issuers that stand for many tenants. We accept one.
  if (new URL(metadata.issuer).href !== new URL(issuer).href) throw new ProviderRefused("the metadata names another issuer");
  const page = metadata.authorization_endpoint ?? "";
  const isSafe = URL.canParse(page) && (new URL(page).protocol === "https:" || (localMode && new URL(page).protocol === "http:"));
  if (!isSafe) throw new ProviderRefused("the authorization endpoint is not an https address");
  const methods = metadata.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  const authentication = methods.includes("client_secret_basic")
    ? oidc.ClientSecretBasic(client_secret)
    : oidc.ClientSecretPost(client_secret);
  const options = { client_secret, [oidc.clockTolerance]: CLOCK_TOLERANCE_SECONDS };
  const configuration = new oidc.Configuration(metadata, client_id, options, authentication);
  configuration[oidc.customFetch] = (url, given) => fetch(url, given as RequestInit);
  if (localMode) oidc.allowInsecureRequests(configuration);
  // Without it, the library trusts the connection to the token endpoint and does not check the signature of the ID token.
  oidc.enableNonRepudiationChecks(configuration);
  return configuration;
}

export interface Journey {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export async function newJourney(): Promise<Journey> {
  const oidc = await library();
  return { state: oidc.randomState(), nonce: oidc.randomNonce(), verifier: oidc.randomPKCECodeVerifier() };
}

export interface Wish {
  readonly redirect_uri: string;
  readonly scopes: readonly string[];
  readonly login_hint: string | null;
  readonly required_acr: string | null;
  /** the person must log in to the provider again, whatever session they have there */
  readonly again: boolean;
}

/** Where to send the browser. */
export async function authorizationUrl(configuration: Configuration, { state, nonce, verifier }: Journey, wish: Wish): Promise<string> {
  const oidc = await library();
  const url = oidc.buildAuthorizationUrl(configuration, {
    redirect_uri: wish.redirect_uri,
    scope: wish.scopes.join(" "),
    state,
    nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    ...(wish.login_hint !== null && { login_hint: wish.login_hint }),
    ...(wish.required_acr !== null && { acr_values: wish.required_acr }),
    ...(wish.again && { prompt: "login", max_age: "0" }),
  });
  return url.href;
}

/**
 * Exchanges the code in the address that the browser came back to. The ID token was issued by the connection's issuer, for us, for this
 * journey, is signed by a key of the issuer, and has not expired.
 */
export async function redeem(configuration: Configuration, returned: URL, { state, nonce, verifier }: Journey): Promise<Token> {
  const oidc = await library();
  const tokens = await telling(() =>
    oidc.authorizationCodeGrant(configuration, returned, {
      pkceCodeVerifier: verifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
    }),
  );
  const claims = tokens.claims();
  if (claims === undefined) throw new ProviderRefused("there is no ID token");
  if (!hasSubject(claims)) throw new ProviderRefused("the ID token has no usable subject");
  return claims;
}

/** Turns errors of the library into ours: the provider cannot be reached, or what it sent is refused. Anything else is a bug. */
async function telling<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const causes = [...causesOf(error)];
    const away = causes.find((one) => one instanceof PeerAway || one.name === "TimeoutError");
    if (away !== undefined) throw new Problem("identity_provider_away", away.message, { cause: error });
    const oidc = await library();
    const isOfProtocol = [
      oidc.ClientError,
      oidc.AuthorizationResponseError,
      oidc.ResponseBodyError,
      oidc.WWWAuthenticateChallengeError,
    ].some((kind) => error instanceof kind);
    if (isOfProtocol) throw new ProviderRefused(reasonOf(error as Error), { cause: error });
    throw error;
  }
}

function* causesOf(error: unknown): Generator<Error> {
  for (let one = error; one instanceof Error; one = one.cause) yield one;
}

/** In the library's words and the provider's code, without values. */
function reasonOf(error: Error): string {
  const { code, error: answered } = error as { code?: unknown; error?: unknown };
  const parts = [error.message, answered, code].filter((part): part is string => typeof part === "string");
  return [...new Set(parts)]
    .join("; ")
    .slice(0, 300)
    .replace(/[\p{Cc}\p{Cs}]/gu, " ");
}
