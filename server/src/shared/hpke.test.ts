import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { describe, expect, test } from "vitest";
import { type Aead, keySchedule, openSealed, sealFor } from "./hpke.ts";

const hex = (text: string): Buffer => Buffer.from(text, "hex");

const privateKey = (raw: string): KeyObject =>
  createPrivateKey({ key: Buffer.concat([hex("302e020100300506032b656e04220420"), hex(raw)]), format: "der", type: "pkcs8" });

// RFC 9180, appendix A.1.1: DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, AES-128-GCM, base mode. The RFC has none with X25519 and AES-256-GCM,
// which differ from this one in two numbers of the suite.
const aes128: Aead = { id: 0x0001, key_bytes: 16, cipher: "aes-128-gcm" };
const rfc = {
  info: hex("4f6465206f6e2061204772656369616e2055726e"),
  ephemeral: privateKey("52c4a758a802cd8b936eceea314432798d5baf2d7e9235dc084ab1b9cfa2f736"),
  enc: "37fda3567bdbd628e88668c3c8d7e97d1d1253b6d4ea6d44c150f741f1bf4431",
  receiver: privateKey("4612c550263fc8ad58375df3f557aac531d26850903e55a9f23f21d8534e8ac8"),
  shared_secret: hex("fe0e18c9f024ce43799ae393c7e8fe8fce9d218875e8227b0187c04e7d2ea1fc"),
  key: "4531685d41d65f03dc48f6b8302c05b0",
  base_nonce: "56d890e5accaaf011cff4b7d",
  plaintext: hex("4265617574792069732074727574682c20747275746820626561757479"),
  aad: hex("436f756e742d30"),
  ciphertext: "f938558b5d72f1a23810b4be2ab4f84331acc02fc97babc53a52ae8218a355a96d8770ac83d07bea87e13c512a",
};

describe("the vector of RFC 9180, A.1.1", () => {
  test("its key schedule", () => {
    const { key, base_nonce } = keySchedule(rfc.shared_secret, rfc.info, aes128);
    expect([key.toString("hex"), base_nonce.toString("hex")]).toEqual([rfc.key, rfc.base_nonce]);
  });

  test("its encapsulation and first ciphertext, in both directions", () => {
    const context = { info: rfc.info, aad: rfc.aad, aead: aes128 };
    const sealed = sealFor(createPublicKey(rfc.receiver), rfc.plaintext, context, rfc.ephemeral);
    expect([sealed.enc.toString("hex"), sealed.ciphertext.toString("hex")]).toEqual([rfc.enc, rfc.ciphertext]);
    expect(openSealed(rfc.receiver, sealed, context)).toEqual(rfc.plaintext);
  });
});

describe("AES-256-GCM", () => {
  const { privateKey: own, publicKey } = generateKeyPairSync("x25519");
  const message = Buffer.from("a key of a package");
  const context = { info: Buffer.from("one context"), aad: Buffer.from("about it") };
  const sealed = sealFor(publicKey, message, context);

  test("opens with the receiver's key under the same context, and no two are alike", () => {
    expect(openSealed(own, sealed, context)).toEqual(message);
    expect(sealFor(publicKey, message, context).ciphertext).not.toEqual(sealed.ciphertext);
  });

  test("opens neither under another info or other additional data, nor with another key, nor after any change", () => {
    expect(openSealed(own, sealed, { ...context, info: Buffer.from("another context") })).toBeNull();
    expect(openSealed(own, sealed, { ...context, aad: Buffer.from("about another") })).toBeNull();
    expect(openSealed(generateKeyPairSync("x25519").privateKey, sealed, context)).toBeNull();
    for (const name of ["enc", "ciphertext"] as const) {
      for (let at = 0; at < sealed[name].length; at++) {
        const changed = Buffer.from(sealed[name]);
        changed[at] = (changed[at] ?? 0) ^ 1;
        expect(openSealed(own, { ...sealed, [name]: changed }, context)).toBeNull();
      }
    }
  });

  test("refuses public keys of small order and pieces that are too short", () => {
    expect(openSealed(own, { ...sealed, enc: Buffer.alloc(32) }, context)).toBeNull();
    expect(openSealed(own, { ...sealed, enc: sealed.enc.subarray(1) }, context)).toBeNull();
    expect(openSealed(own, { ...sealed, ciphertext: sealed.ciphertext.subarray(0, 15) }, context)).toBeNull();
  });
});
