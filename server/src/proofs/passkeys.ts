import { randomBytes } from "node:crypto";
import type { PasskeySite } from "./protocol.ts";

/** What browsers are asked for, in the JSON form that `PublicKeyCredential.parse…OptionsFromJSON` reads. Bytes are base64url. */

/** How long a browser waits for the person, and how long a challenge works. */
export const CEREMONY_SECONDS = 300;
const timeout = CEREMONY_SECONDS * 1000;

/** Pages at this URL use passkeys of its host, or of a domain above it. */
export function siteOf(url: string, domain: string | null = null): PasskeySite {
  const { hostname, origin } = new URL(url);
  return { rp_id: domain ?? hostname, origin };
}

/** 256 random bits. */
export const newChallenge = (): string => randomBytes(32).toString("base64url");

/** In the order in which authenticators should choose: ES256, EdDSA, RS256. */
const algorithms = [-7, -8, -257];

export interface RegistrationOptions {
  readonly challenge: string;
  readonly rp: { readonly id: string; readonly name: string };
  readonly user: { readonly id: string; readonly name: string; readonly displayName: string };
  readonly pubKeyCredParams: { readonly type: "public-key"; readonly alg: number }[];
  readonly excludeCredentials: { readonly type: "public-key"; readonly id: string }[];
  readonly authenticatorSelection: {
    readonly residentKey: "required";
    readonly requireResidentKey: true;
    readonly userVerification: "required";
  };
  readonly attestation: "none";
  readonly timeout: number;
}

/**
 * For a new passkey. `handle` identifies the person to the authenticator and must not contain personal data; `name` is what the person sees
 * there. The person's existing passkeys are excluded, so that none is made twice.
 */
export const registrationOptions = (
  { rp_id }: PasskeySite,
  challenge: string,
  user: { readonly handle: string; readonly name: string },
  existing: readonly string[],
): RegistrationOptions => ({
  challenge,
  rp: { id: rp_id, name: "Countersign" },
  user: { id: handleOf(user.handle), name: user.name, displayName: user.name },
  pubKeyCredParams: algorithms.map((alg) => ({ type: "public-key", alg })),
  excludeCredentials: existing.map((id) => ({ type: "public-key", id })),
  authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
  attestation: "none",
  timeout,
});

/** The user handle as browsers return it. */
export const handleOf = (handle: string): string => Buffer.from(handle).toString("base64url");

export interface AssertionOptions {
  readonly challenge: string;
  readonly rpId: string;
  readonly userVerification: "required";
  readonly timeout: number;
}

/** For a log-in with any passkey of the site. It names no passkey, so it tells nothing about who has one. */
export const assertionOptions = ({ rp_id }: PasskeySite, challenge: string): AssertionOptions => ({
  challenge,
  rpId: rp_id,
  userVerification: "required",
  timeout,
});

/** The challenge that a browser says it answered; null if it says none. */
export function challengeIn(clientDataJSON: string): string | null {
  try {
    const said: unknown = JSON.parse(Buffer.from(clientDataJSON, "base64url").toString("utf8"));
    const { challenge } = Object(said) as { challenge?: unknown };
    return typeof challenge === "string" ? challenge : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
