import { generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { ALGORITHMS, algorithmIds, algorithmOfKey, BadPolicy, outdatedAlgorithms, readPolicy, refusedAlgorithm } from "./algorithms.ts";

const policy = (algorithms: unknown) => JSON.stringify({ type: "countersign/algorithms/1", algorithms });

describe("a policy", () => {
  test("changes the algorithms that it names and keeps the others", () => {
    expect(readPolicy(policy({ "sha-256": "verify_only", "rsa-2048": "refused" }))).toEqual({
      ...ALGORITHMS,
      "sha-256": "verify_only",
      "rsa-2048": "refused",
    });
    expect(readPolicy(policy({}))).toEqual(ALGORITHMS);
  });

  test.each([
    ["no JSON", "sha-256: refused", "is not JSON"],
    ["another type", '{"type":"x","algorithms":{}}', "must be JSON with the members"],
    ["another member", '{"type":"countersign/algorithms/1","algorithms":{},"at":1}', "must be JSON with the members"],
    ["an unknown algorithm", policy({ md5: "refused" }), `names md5; known algorithms are ${algorithmIds.join(", ")}`],
    ["an unknown status", policy({ "sha-256": "weak" }), "the status of sha-256 must be one of: accepted, verify_only, refused"],
    ["a list", "[]", "must be JSON with the members"],
    ["null", "null", "must be JSON with the members"],
  ])("with %s is refused, and the message says what is allowed", (_, text, says) => {
    expect(() => readPolicy(text)).toThrow(BadPolicy);
    expect(() => readPolicy(text)).toThrow(says);
  });

  test("tells refused algorithms from those for existing records only", () => {
    const chosen = readPolicy(policy({ "sha-256": "verify_only", ed25519: "refused" }));
    expect(refusedAlgorithm(chosen, ["sha-256", "ed25519"])).toBe("ed25519");
    expect(refusedAlgorithm(chosen, ["sha-256", "sha-512"])).toBeNull();
    expect(outdatedAlgorithms(chosen, ["sha-512", "sha-256"])).toEqual(["sha-256"]);
  });
});

test("the keys that seal and sign have an id, and others have none", () => {
  const ec = (namedCurve: string) => generateKeyPairSync("ec", { namedCurve }).publicKey;
  expect([ec("P-256"), ec("P-384"), ec("secp256k1")].map(algorithmOfKey)).toEqual(["ecdsa-p256", "ecdsa-p384", null]);
  expect(algorithmOfKey(generateKeyPairSync("ed25519").publicKey)).toBe("ed25519");
  const rsa = (modulusLength: number) => algorithmOfKey(generateKeyPairSync("rsa", { modulusLength }).publicKey);
  expect([rsa(2048), rsa(1024)]).toEqual(["rsa-2048", null]);
});
