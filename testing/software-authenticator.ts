import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

/** A passkey in software, which does what a person's authenticator and browser do (W3C Web Authentication, Level 3). */

export type KeyAlgorithm = "ES256" | "EdDSA" | "RS256";

export interface Told {
  /** in base64url, as the service sends it */
  readonly challenge: string;
  readonly origin: string;
  readonly rp_id: string;
  readonly type?: string;
  readonly user_present?: boolean;
  readonly user_verified?: boolean;
  readonly cross_origin?: boolean;
  /** instead of one more than the last */
  readonly count?: number;
  /** the user handle that the authenticator returns, in base64url */
  readonly user_handle?: string;
}

export interface SoftwarePasskey {
  readonly algorithm: KeyAlgorithm;
  /** in base64url */
  readonly credential_id: string;
  readonly spki: Buffer;
  /** the answer to `navigator.credentials.create`, in the form of `PublicKeyCredential.toJSON` */
  register(told: Told): RegistrationAnswer;
  /** the answer to `navigator.credentials.get`, in the same form */
  approve(told: Told): AssertionAnswer;
}

export interface RegistrationAnswer {
  id: string;
  rawId: string;
  type: "public-key";
  clientExtensionResults: Record<string, never>;
  response: { clientDataJSON: string; attestationObject: string; transports: string[] };
}

export interface AssertionAnswer {
  id: string;
  rawId: string;
  type: "public-key";
  clientExtensionResults: Record<string, never>;
  response: { clientDataJSON: string; authenticatorData: string; signature: string; userHandle?: string };
}

/** `counts`: whether it counts its signatures. Passkeys that are synchronized between devices do not. */
export function softwarePasskey(algorithm: KeyAlgorithm = "ES256", { counts = false } = {}): SoftwarePasskey {
  const { publicKey, privateKey } = keysOf(algorithm);
  const id = randomBytes(32);
  const credential_id = id.toString("base64url");
  let last = 0;
  const nextCount = ({ count }: Told) => {
    last = count ?? (counts ? last + 1 : 0);
    return last;
  };
  const shared = { id: credential_id, rawId: credential_id, type: "public-key", clientExtensionResults: {} } as const;
  return {
    algorithm,
    credential_id,
    spki: publicKey.export({ type: "spki", format: "der" }),
    register: (told) => {
      const attested = Buffer.concat([Buffer.alloc(16), twoBytes(id.length), id, cbor(coseKey(algorithm, publicKey))]);
      const authData = Buffer.concat([authenticatorData(told, nextCount(told), ATTESTED), attested]);
      const attestationObject = cbor(
        new Map<string, Cbor>([
          ["fmt", "none"],
          ["attStmt", new Map()],
          ["authData", authData],
        ]),
      );
      const response = encoded({ clientDataJSON: clientData(told, "webauthn.create"), attestationObject });
      return { ...shared, response: { ...response, transports: ["internal"] } };
    },
    approve: (told) => {
      const data = authenticatorData(told, nextCount(told), 0);
      const said = clientData(told, "webauthn.get");
      const signed = Buffer.concat([data, createHash("sha256").update(said).digest()]);
      const signature = sign(algorithm === "EdDSA" ? null : "sha256", signed, privateKey);
      const response = encoded({ clientDataJSON: said, authenticatorData: data, signature });
      const handle = told.user_handle === undefined ? {} : { userHandle: told.user_handle };
      return { ...shared, response: { ...response, ...handle } };
    },
  };
}

function keysOf(algorithm: KeyAlgorithm): { publicKey: KeyObject; privateKey: KeyObject } {
  if (algorithm === "ES256") return generateKeyPairSync("ec", { namedCurve: "P-256" });
  return algorithm === "EdDSA" ? generateKeyPairSync("ed25519") : generateKeyPairSync("rsa", { modulusLength: 2048 });
}

const encoded = <N extends string>(parts: Readonly<Record<N, Buffer>>): Record<N, string> =>
  Object.fromEntries(Object.entries<Buffer>(parts).map(([name, bytes]) => [name, bytes.toString("base64url")])) as Record<N, string>;

function clientData({ type, challenge, origin, cross_origin = false }: Told, usual: string): Buffer {
  return Buffer.from(JSON.stringify({ type: type ?? usual, challenge, origin, crossOrigin: cross_origin }));
}

const [PRESENT, VERIFIED, ATTESTED] = [0x01, 0x04, 0x40];

function authenticatorData({ rp_id, user_present = true, user_verified = true }: Told, count: number, more: number): Buffer {
  const flags = (user_present ? PRESENT : 0) | (user_verified ? VERIFIED : 0) | more;
  const counted = Buffer.alloc(4);
  counted.writeUInt32BE(count);
  return Buffer.concat([createHash("sha256").update(rp_id).digest(), Buffer.from([flags]), counted]);
}

/** RFC 9053: the key by the numbers that COSE gives its members. */
function coseKey(algorithm: KeyAlgorithm, key: KeyObject): Map<number, Cbor> {
  const jwk = key.export({ format: "jwk" }) as Record<"x" | "y" | "n" | "e", string>;
  const bytes = (text: string) => Buffer.from(text, "base64url");
  if (algorithm === "ES256")
    return new Map<number, Cbor>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, bytes(jwk.x)],
      [-3, bytes(jwk.y)],
    ]);
  if (algorithm === "EdDSA")
    return new Map<number, Cbor>([
      [1, 1],
      [3, -8],
      [-1, 6],
      [-2, bytes(jwk.x)],
    ]);
  return new Map<number, Cbor>([
    [1, 3],
    [3, -257],
    [-1, bytes(jwk.n)],
    [-2, bytes(jwk.e)],
  ]);
}

type Cbor = number | string | Buffer | Map<number, Cbor> | Map<string, Cbor>;

/** RFC 8949, as far as it is needed here. */
function cbor(value: Cbor): Buffer {
  if (typeof value === "number") return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === "string") return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  const members = [...(value as Map<string | number, Cbor>)].flatMap(([name, inner]) => [cbor(name), cbor(inner)]);
  return Buffer.concat([head(5, value.size), ...members]);
}

function head(kind: number, size: number): Buffer {
  const first = kind << 5;
  if (size < 24) return Buffer.from([first | size]);
  return size < 256 ? Buffer.from([first | 24, size]) : Buffer.concat([Buffer.from([first | 25]), twoBytes(size)]);
}

function twoBytes(size: number): Buffer {
  return Buffer.from([size >> 8, size & 0xff]);
}
