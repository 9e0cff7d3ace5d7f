import type { PasskeyAssertion, PasskeyRegistration, PasskeyRegistrationOptions } from "@countersign/client/pages";

/** Passkeys of this browser. The service sends and receives bytes as base64url. */

/** The browser gave no passkey. Its message is for the person. */
export class PasskeyRefused extends Error {}

export const isSupported = typeof PublicKeyCredential === "function" && navigator.credentials !== undefined;

const bytesOf = (base64url: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64url.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));

const textOf = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

const hexBytes = (hex: string): Uint8Array<ArrayBuffer> => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

const descriptorOf = (id: string): PublicKeyCredentialDescriptor => ({ type: "public-key", id: bytesOf(id) });

/** For log-in, with any passkey of this site. */
export const askToLogIn = (challenge: string): Promise<PasskeyAssertion> => ask(bytesOf(challenge), []);

/** Signs an act: the challenge is the hash of what the person decides on. */
export const signAct = (sha256: string, credential_ids: readonly string[]): Promise<PasskeyAssertion> =>
  ask(hexBytes(sha256), credential_ids.map(descriptorOf));

async function ask(challenge: Uint8Array<ArrayBuffer>, allowCredentials: PublicKeyCredentialDescriptor[]): Promise<PasskeyAssertion> {
  const given = await answered(
    navigator.credentials.get({ publicKey: { challenge, rpId: location.hostname, userVerification: "required", allowCredentials } }),
  );
  const { clientDataJSON, authenticatorData, signature, userHandle } = given.response as AuthenticatorAssertionResponse;
  return {
    ...sharedOf(given),
    response: {
      clientDataJSON: textOf(clientDataJSON),
      authenticatorData: textOf(authenticatorData),
      signature: textOf(signature),
      userHandle: userHandle === null ? null : textOf(userHandle),
    },
  };
}

export async function makePasskey(options: PasskeyRegistrationOptions): Promise<PasskeyRegistration> {
  const made = await answered(
    navigator.credentials.create({
      publicKey: {
        ...options,
        challenge: bytesOf(options.challenge),
        user: { ...options.user, id: bytesOf(options.user.id) },
        excludeCredentials: options.excludeCredentials.map(({ id }) => descriptorOf(id)),
      },
    }),
  );
  const { clientDataJSON, attestationObject } = made.response as AuthenticatorAttestationResponse;
  return { ...sharedOf(made), response: { clientDataJSON: textOf(clientDataJSON), attestationObject: textOf(attestationObject) } };
}

const sharedOf = ({ id, rawId }: PublicKeyCredential) => ({ id, rawId: textOf(rawId), type: "public-key" as const });

async function answered(asked: Promise<Credential | null>): Promise<PublicKeyCredential> {
  const given = await asked.catch((error: unknown) => {
    throw new PasskeyRefused(wordsOf(error), { cause: error });
  });
  if (given === null) throw new PasskeyRefused(CANCELLED);
  return given as PublicKeyCredential;
}

const CANCELLED = "No passkey was used: the request was cancelled, took too long, or this device has no passkey for this page.";

/** Browsers do not tell a page why a passkey was not used, except for these two. */
function wordsOf(error: unknown): string {
  const { name = "" } = error instanceof DOMException ? error : {};
  if (name === "InvalidStateError") return "This device already has one of your passkeys.";
  if (name === "SecurityError") return "Passkeys work only on the address of this page that the mail links to.";
  return CANCELLED;
}
