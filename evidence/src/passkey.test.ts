import { createHash, createPublicKey, generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import fc from "../../testing/properties.ts";
import { type KeyAlgorithm, softwarePasskey, type Told } from "../../testing/software-authenticator.ts";
import { type PasskeyAssertion, type PasskeyExpected, passkeyAlgorithms, passkeyFault, signCountOf } from "./passkey.ts";

const act = createHash("sha256").update('{"act_id":"act_1","kind":"assign"}').digest();
const told: Told = { challenge: act.toString("base64url"), origin: "https://sign.example.com", rp_id: "sign.example.com" };

// An RSA key takes long to make.
const passkeys = new Map(passkeyAlgorithms.map((name) => [name, softwarePasskey(name)]));

function approved(algorithm: KeyAlgorithm, changes: Partial<Told> = {}): { assertion: PasskeyAssertion; expected: PasskeyExpected } {
  const passkey = passkeys.get(algorithm) ?? expect.fail(algorithm);
  const { response } = passkey.approve({ ...told, count: 1, ...changes });
  const bytes = (text: string) => Buffer.from(text, "base64url");
  return {
    assertion: {
      authenticator_data: bytes(response.authenticatorData),
      client_data: bytes(response.clientDataJSON),
      signature: bytes(response.signature),
    },
    expected: { spki: passkey.spki, algorithm, sha256: act.toString("hex"), rp_id: told.rp_id, origin: told.origin },
  };
}

/** The bytes once for each of them, with one of its bits flipped: another one in each. */
function* flipped(bytes: Uint8Array): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at++) {
    const copy = Buffer.from(bytes);
    copy[at] = (copy[at] ?? 0) ^ (1 << (at & 7));
    yield copy;
  }
}

describe.each(passkeyAlgorithms)("an approval with %s", (algorithm) => {
  const { assertion, expected } = approved(algorithm);

  test("is accepted, and says how often the passkey was used", () => {
    expect(passkeyFault(assertion, expected)).toBeNull();
    expect(signCountOf(assertion.authenticator_data)).toBe(1);
  });

  test("is refused with a bit flipped in any byte of its parts or of the key", () => {
    const parts = ["authenticator_data", "client_data", "signature"] as const;
    const changed = parts.flatMap((part) => [...flipped(assertion[part])].map((bytes) => ({ ...assertion, [part]: bytes })));
    expect(changed.length).toBeGreaterThan(200);
    expect(changed.filter((one) => passkeyFault(one, expected) === null)).toEqual([]);
    expect([...flipped(expected.spki)].filter((spki) => passkeyFault(assertion, { ...expected, spki }) === null)).toEqual([]);
  });

  test("is refused for any other act, with any byte changed, cut off or added", () => {
    const parts = ["authenticator_data", "client_data", "signature"] as const;
    fc.assert(
      fc.property(
        fc.constantFrom(...parts),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        fc.uint8Array({ minLength: 32, maxLength: 32 }),
        (part, at, by, other) => {
          const bytes = assertion[part];
          const changed = Buffer.from(bytes);
          changed[at % bytes.length] = (changed[at % bytes.length] ?? 0) ^ by;
          for (const value of [changed, bytes.subarray(0, at % bytes.length), Buffer.concat([bytes, Buffer.from([by])])]) {
            expect(passkeyFault({ ...assertion, [part]: value }, expected)).not.toBeNull();
          }
          expect(passkeyFault(assertion, { ...expected, sha256: Buffer.from(other).toString("hex") })).toBe("challenge");
        },
      ),
    );
  });

  test("is refused with the key of another passkey, and as another algorithm", () => {
    expect(passkeyFault(assertion, { ...expected, spki: softwarePasskey(algorithm).spki })).toBe("signature");
    for (const other of passkeyAlgorithms.filter((name) => name !== algorithm)) {
      expect(passkeyFault(assertion, { ...expected, algorithm: other })).toBe("key");
    }
  });

  test.each<[string, Partial<Told>]>([
    ["origin", { origin: "https://sign.example.com.evil.example" }],
    ["origin", { cross_origin: true }],
    ["rp_id", { rp_id: "example.com" }],
    ["type", { type: "webauthn.create" }],
    ["challenge", { challenge: createHash("sha256").update("another act").digest("base64url") }],
    ["user_not_present", { user_present: false }],
    ["user_not_verified", { user_verified: false }],
  ])("is refused for its %s: %j", (fault, changes) => {
    const other = approved(algorithm, changes);
    expect(passkeyFault(other.assertion, other.expected)).toBe(fault);
  });
});

describe("a key", () => {
  const { assertion, expected } = approved("ES256");
  const spkiOf = (key: Parameters<typeof createPublicKey>[0]) => createPublicKey(key).export({ type: "spki", format: "der" });

  test("is refused in another spelling of the same point", () => {
    const hybrid = Buffer.from(expected.spki);
    hybrid[26] = 0x06 | ((hybrid.at(-1) ?? 0) & 1);
    expect(passkeyFault(assertion, { ...expected, spki: hybrid })).toBe("key");
  });

  test("is refused on another curve, with a short modulus, and if it is none", () => {
    const p384 = spkiOf(generateKeyPairSync("ec", { namedCurve: "P-384" }).privateKey);
    const short = spkiOf(generateKeyPairSync("rsa", { modulusLength: 1024 }).privateKey);
    expect(passkeyFault(assertion, { ...expected, spki: p384 })).toBe("key");
    expect(passkeyFault(assertion, { ...expected, spki: short, algorithm: "RS256" })).toBe("key");
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.constantFrom(...passkeyAlgorithms), (spki, algorithm) => {
        expect(passkeyFault(assertion, { ...expected, spki, algorithm })).toBe("key");
      }),
    );
  });
});

test("data that is not what an authenticator or a browser writes is refused as such", () => {
  const { assertion, expected } = approved("ES256");
  for (const text of ["", "null", "[", '"x"', "\ufeff{}"]) {
    expect(["client_data", "type"]).toContain(passkeyFault({ ...assertion, client_data: Buffer.from(text) }, expected));
  }
  expect(passkeyFault({ ...assertion, client_data: Buffer.from([0x7b, 0xff, 0x7d]) }, expected)).toBe("client_data");
  expect(passkeyFault({ ...assertion, authenticator_data: Buffer.alloc(36) }, expected)).toBe("authenticator_data");
  expect(signCountOf(Buffer.alloc(36))).toBeNull();
  // A backup of a key that cannot have one, data of a registration, and bytes that no flag announces.
  for (const bit of [0x10, 0x40]) {
    const data = Buffer.from(assertion.authenticator_data);
    data[32] = (data[32] ?? 0) | bit;
    expect(passkeyFault({ ...assertion, authenticator_data: data }, expected)).toBe("authenticator_data");
  }
});
