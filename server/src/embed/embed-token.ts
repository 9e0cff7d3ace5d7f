import { errors, jwtVerify, SignJWT } from "jose";
import { type TokenHolder, type Widget, widgets } from "../shared/caller.ts";
import { type EnvelopeId, isId, type OrgId } from "../shared/ids.ts";
import { type DerivedKeys, keyNamed, sha256 } from "../shared/secrets.ts";

/** Tokens that a browser holds: specification, "Embed token". A link token is for the holder of a signing link. */

// Long enough to read a page or two before it is renewed, and short enough that a token found in a browser's history is of little use.
export const TOKEN_SECONDS = 900;

// The clocks of several machines differ a little. A token from further in the future was not created by any of them.
const CLOCK_SKEW_SECONDS = 30;

export interface TokenDeps {
  readonly keys: Pick<DerivedKeys, "embed" | "link">;
  readonly embedUrl: string;
}

export interface TokenClaims {
  readonly envelope_id: EnvelopeId;
  readonly org_id: OrgId;
  readonly user_email: string;
  readonly widget: Widget;
  /** in a link token, the SHA-256 of the link's secret; null for an embed token and for links from before they had secrets */
  readonly link: string | null;
}

type Credential = TokenHolder["credential"];

const types: Record<Credential, string> = { embed_token: "embed+jwt", email_link: "link+jwt" };
const keyLabels = { embed_token: "embed", email_link: "link" } as const satisfies Record<Credential, keyof TokenDeps["keys"]>;

export async function signToken(
  deps: TokenDeps,
  credential: Credential,
  claims: TokenClaims,
  now: Date,
): Promise<{ token: string; expires_at: Date }> {
  const iat = Math.floor(now.getTime() / 1000);
  const { envelope_id: envelopeId, org_id: orgId, user_email: userEmail, widget: widgetType, link } = claims;
  const [{ version, key }] = deps.keys[keyLabels[credential]];
  // An embed token has exactly the claims of the specification.
  const more = link === null ? {} : { link };
  const token = await new SignJWT({
    envelopeId,
    orgId,
    userEmail,
    widgetType,
    aud: audienceOf(deps),
    iat,
    exp: iat + TOKEN_SECONDS,
    ...more,
  })
    .setProtectedHeader({ alg: "HS256", typ: types[credential], kid: String(version) })
    .sign(key);
  return { token, expires_at: new Date((iat + TOKEN_SECONDS) * 1000) };
}

export type VerifiedToken = TokenClaims & { readonly credential: Credential; readonly expires_at: Date };

/** Null unless it is a valid token of ours. The state of its envelope is checked in the database. */
export async function verifyToken(deps: TokenDeps, token: string): Promise<VerifiedToken | null> {
  return (await verifyAs(deps, "embed_token", token)) ?? (await verifyAs(deps, "email_link", token));
}

async function verifyAs(deps: TokenDeps, credential: Credential, token: string): Promise<VerifiedToken | null> {
  try {
    const keyOf = ({ kid }: { kid?: string }) => {
      const key = keyNamed(deps.keys[keyLabels[credential]], kid);
      if (key === null) throw new errors.JWKSNoMatchingKey();
      return key;
    };
    const { payload } = await jwtVerify(token, keyOf, {
      algorithms: ["HS256"],
      typ: types[credential],
      audience: audienceOf(deps),
      requiredClaims: ["envelopeId", "orgId", "userEmail", "widgetType", "iat", "exp"],
    });
    const claims = claimsOf(payload);
    return claims === null ? null : { ...claims, credential };
  } catch (error) {
    // jose gives every error about a token a code; other errors are bugs.
    if (typeof (error as { code?: unknown }).code === "string" && (error as { code: string }).code.startsWith("ERR_J")) return null;
    throw error;
  }
}

function claimsOf(payload: Readonly<Record<string, unknown>>): Omit<VerifiedToken, "credential"> | null {
  const { envelopeId, orgId, userEmail, widgetType, iat, exp, link = null } = payload;
  if (typeof envelopeId !== "string" || typeof orgId !== "string" || typeof userEmail !== "string") return null;
  if (link !== null && typeof link !== "string") return null;
  if (!isId("envelope", envelopeId) || !isId("org", orgId) || userEmail === "") return null;
  const widget = widgets.find((one) => one === widgetType);
  if (widget === undefined || !Number.isSafeInteger(iat) || exp !== Number(iat) + TOKEN_SECONDS) return null;
  if (Number(iat) > Date.now() / 1000 + CLOCK_SKEW_SECONDS) return null;
  return { envelope_id: envelopeId, org_id: orgId, user_email: userEmail, widget, link, expires_at: new Date(exp * 1000) };
}

const audienceOf = ({ embedUrl }: TokenDeps): string => new URL(embedUrl).hostname;

/** Hash of the signed part, which is the same for every spelling of the signature. It identifies the token and gives no access. */
export function hashOfToken(token: string): string {
  return sha256(token.slice(0, token.lastIndexOf("."))).toString("hex");
}
