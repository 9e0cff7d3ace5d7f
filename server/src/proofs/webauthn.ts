// Runs in the threads of the pool. The library takes a third of a second and 27 MiB to load, so only a thread that needs it imports this file.
import { createPublicKey } from "node:crypto";
import { verifyAuthenticationResponse, verifyRegistrationResponse } from "@simplewebauthn/server";
import {
  decodeAttestationObject,
  decodeClientDataJSON,
  decodeCredentialPublicKey,
  isoBase64URL,
  isoCBOR,
} from "@simplewebauthn/server/helpers";
import type { Answers, AssertionResponse, Checked, PasskeyAlgorithm, PasskeyKey, PasskeySite, RegistrationResponse } from "./protocol.ts";

/** The numbers that COSE (RFC 9053) gives the algorithms. */
const coseAlgorithms: Readonly<Record<PasskeyAlgorithm, number>> = { ES256: -7, EdDSA: -8, RS256: -257 };
const MIN_RSA_BITS = 2048;

class Refused extends Error {}

/** Checks the answer to a registration. Only the key is used: which device made it is not asked for, and not believed. */
export function register(site: PasskeySite, challenge: string, given: RegistrationResponse): Promise<Answers["register"]> {
  return checked(async () => {
    refuseFrames(given.response.clientDataJSON);
    refuseCertificates(given.response.attestationObject);
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      // The library's types want each member that browsers may add.
      response: given as never,
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.rp_id,
      requireUserVerification: true,
      supportedAlgorithmIDs: Object.values(coseAlgorithms),
    });
    if (!verified) throw new Refused("the library did not verify it");
    const { credential, credentialBackedUp } = registrationInfo;
    return { credential_id: credential.id, ...keyOf(credential.publicKey), sign_count: credential.counter, backed_up: credentialBackedUp };
  });
}

/** Checks the answer to a log-in. A count that does not grow is refused, unless both are 0: the authenticator may have been copied. */
export function logIn(site: PasskeySite, challenge: string, given: AssertionResponse, passkey: PasskeyKey): Promise<Answers["log_in"]> {
  return checked(async () => {
    refuseFrames(given.response.clientDataJSON);
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: given as never,
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.rp_id,
      requireUserVerification: true,
      credential: { id: given.id, publicKey: coseOf(passkey), counter: passkey.sign_count },
    });
    if (!verified) throw new Refused("the signature does not fit");
    return { sign_count: authenticationInfo.newCounter };
  });
}

/** The library throws an Error for everything that it refuses, and tells nothing apart. */
async function checked<T extends object>(check: () => Promise<T>): Promise<Checked<T>> {
  try {
    return { ok: true, ...(await check()) };
  } catch (error) {
    return { ok: false, why: error instanceof Error ? error.message : String(error) };
  }
}

/** The library allows frames of other sites that some browsers do not name. */
function refuseFrames(clientDataJSON: string): void {
  if (decodeClientDataJSON(clientDataJSON).crossOrigin === true) throw new Refused("it comes from a frame of another site");
}

/**
 * We ask for no attestation. Browsers then send none, or one that the new key signed itself. For any other the library would check
 * certificates, and fetch lists of revoked ones from addresses that the caller chose.
 */
function refuseCertificates(attestationObject: string): void {
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject));
  const isOwn = attestation.get("fmt") === "packed" && attestation.get("attStmt").get("x5c") === undefined;
  if (attestation.get("fmt") !== "none" && !isOwn) throw new Refused("it has an attestation that was not asked for");
}

type Cose = Map<number, number | Uint8Array>;

const KTY = 1;
const ALG = 3;
/** Members by kind of key, with their names in a JSON Web Key. */
const kinds = {
  ES256: { kty: 2, jwk: { kty: "EC", crv: "P-256" }, crv: 1, members: { x: -2, y: -3 } },
  EdDSA: { kty: 1, jwk: { kty: "OKP", crv: "Ed25519" }, crv: 6, members: { x: -2 } },
  RS256: { kty: 3, jwk: { kty: "RSA" }, crv: null, members: { n: -1, e: -2 } },
} as const;

function keyOf(cose: Uint8Array): { readonly spki: Uint8Array; readonly algorithm: PasskeyAlgorithm } {
  const key = decodeCredentialPublicKey(Uint8Array.from(cose)) as unknown as Cose;
  const algorithm = (Object.keys(kinds) as PasskeyAlgorithm[]).find((name) => coseAlgorithms[name] === key.get(ALG));
  if (algorithm === undefined) throw new Refused("the key has another algorithm");
  const { kty, crv, jwk, members } = kinds[algorithm];
  if (key.get(KTY) !== kty || (crv !== null && key.get(-1) !== crv)) throw new Refused("the key does not fit its algorithm");
  const parts = Object.entries(members).map(([name, number]) => [name, Buffer.from(key.get(number) as Uint8Array).toString("base64url")]);
  const made = createPublicKey({ key: { ...jwk, ...Object.fromEntries(parts) }, format: "jwk" });
  if ((made.asymmetricKeyDetails?.modulusLength ?? MIN_RSA_BITS) < MIN_RSA_BITS) throw new Refused("the RSA key is too short");
  return { spki: made.export({ type: "spki", format: "der" }), algorithm };
}

function coseOf({ spki, algorithm }: PasskeyKey): Uint8Array<ArrayBuffer> {
  const { kty, crv, members } = kinds[algorithm];
  const jwk = createPublicKey({ key: Buffer.from(spki), format: "der", type: "spki" }).export({ format: "jwk" }) as Record<string, string>;
  const parts = Object.entries(members).map(
    ([name, number]) => [number, Uint8Array.from(Buffer.from(jwk[name] ?? "", "base64url"))] as const,
  );
  const curve: [number, number][] = crv === null ? [] : [[-1, crv]];
  return isoCBOR.encode(new Map<number, number | Uint8Array>([[KTY, kty], [ALG, coseAlgorithms[algorithm]], ...curve, ...parts]));
}
