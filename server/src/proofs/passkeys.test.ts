import { afterAll, describe, expect, test } from "vitest";
import { passkeyAlgorithms, passkeyFault } from "../../../evidence/src/passkey.ts";
import { type SoftwarePasskey, softwarePasskey, type Told } from "../../../testing/software-authenticator.ts";
import { newChallenge, siteOf } from "./passkeys.ts";
import { createProofPool } from "./pool.ts";

const pool = createProofPool({ workers: 1 });
afterAll(() => pool.close());

const site = siteOf("https://sign.example.com:8443/somewhere");
const turn = { known: true, group: "" };
const told = (challenge: string): Told => ({ challenge, ...site });

async function registered(passkey: SoftwarePasskey, changes: Partial<Told> = {}) {
  const challenge = newChallenge();
  return pool.registerPasskey(site, challenge, passkey.register({ ...told(challenge), ...changes }), turn);
}

async function keyOf(passkey: SoftwarePasskey) {
  const made = await registered(passkey);
  return made.ok ? made : expect.fail(made.why);
}

const refusal = { ok: false, why: expect.any(String) };

test("a site is the host of its URL without the port, and the origin with it", () => {
  expect(site).toEqual({ rp_id: "sign.example.com", origin: "https://sign.example.com:8443" });
});

describe.each(passkeyAlgorithms)("a passkey with %s", (algorithm) => {
  const passkey = softwarePasskey(algorithm, { counts: true });

  test("is registered with its key as SPKI, and logs in with it", async () => {
    const { ok, spki, ...rest } = await keyOf(passkey);
    expect([ok, rest]).toEqual([true, { credential_id: passkey.credential_id, algorithm, sign_count: 1, backed_up: false }]);
    expect(Buffer.from(spki)).toEqual(passkey.spki);
    const challenge = newChallenge();
    const answer = passkey.approve(told(challenge));
    expect(await pool.checkPasskey(site, challenge, answer, { spki, algorithm, sign_count: 1 }, turn)).toEqual({ ok: true, sign_count: 2 });
    // Evidence is checked by other code, which agrees.
    const bytes = (text: string) => Buffer.from(text, "base64url");
    const { authenticatorData, clientDataJSON, signature } = answer.response;
    const parts = { authenticator_data: bytes(authenticatorData), client_data: bytes(clientDataJSON), signature: bytes(signature) };
    expect(passkeyFault(parts, { spki, algorithm, sha256: bytes(challenge).toString("hex"), ...site })).toBeNull();
  });
});

const wrong: readonly [string, Partial<Told>][] = [
  ["another challenge", { challenge: newChallenge() }],
  ["another origin", { origin: "https://evil.example" }],
  ["another host", { rp_id: "example.com" }],
  ["a frame of another site", { cross_origin: true }],
  ["no person present", { user_present: false, user_verified: false }],
  ["no check of the person", { user_verified: false }],
];

test.each(wrong)("a registration with %s is refused", async (_, changes) => {
  expect(await registered(softwarePasskey(), changes)).toEqual(refusal);
});

test.each(wrong)("a log-in with %s is refused", async (_, changes) => {
  const passkey = softwarePasskey();
  const key = await keyOf(passkey);
  const challenge = newChallenge();
  const answer = passkey.approve({ ...told(challenge), ...changes });
  expect(await pool.checkPasskey(site, challenge, answer, key, turn)).toEqual(refusal);
});

test("a log-in is refused with another passkey's key, and if the count of signatures does not grow", async () => {
  const passkey = softwarePasskey("ES256", { counts: true });
  const [key, other] = [await keyOf(passkey), await keyOf(softwarePasskey())];
  const challenge = newChallenge();
  const check = (count: number, using = key) =>
    pool.checkPasskey(site, challenge, passkey.approve({ ...told(challenge), count }), using, turn);
  expect(await check(2)).toEqual({ ok: true, sign_count: 2 });
  for (const count of [0, 1]) expect(await check(count), `count ${count}`).toEqual(refusal);
  expect(await check(2, other)).toEqual(refusal);
});

test("an attestation with certificates is refused before anything is fetched, as is anything that is no passkey", async () => {
  const challenge = newChallenge();
  const given = softwarePasskey().register(told(challenge));
  const named = Buffer.from(given.response.attestationObject, "base64url").toString("latin1").replace("dnone", "dtpm!");
  const broken = ["", "!", Buffer.from(named, "latin1").toString("base64url")];
  for (const attestationObject of broken) {
    const changed = { ...given, response: { ...given.response, attestationObject } };
    expect(await pool.registerPasskey(site, challenge, changed, turn), attestationObject).toEqual(refusal);
  }
  expect(await pool.registerPasskey(site, challenge, { ...given, id: "other" }, turn)).toEqual(refusal);
  expect(await pool.registerPasskey(site, challenge, { ...given, response: { ...given.response, clientDataJSON: "!" } }, turn)).toEqual(
    refusal,
  );
  expect(await registered(softwarePasskey())).toMatchObject({ ok: true });
});
