import { createHash, X509Certificate } from "node:crypto";
import {
  canonicalize,
  isSigned,
  isSignedByRoot,
  readCheckpoint,
  readTrustKeys,
  recordsKeyAt,
  type TrustKeys2,
} from "@countersign/evidence";
import { expect, test } from "vitest";
import { makeAuthority } from "../../../pdf/fixtures/time-stamp-authority.ts";
import { installed, pem, testFolder } from "../../test/openssl.ts";
import { testService } from "../../test/service.ts";
import { ensureSeal } from "../seals/ensure-seal.ts";
import { advanceLog } from "./advance-log.ts";
import { publishTrust, signTrust } from "./trust.ts";

const folder = testFolder();
const tsa = await makeAuthority();
const service = testService({ TSA_CA_FILE: folder.put("tsa.pem", pem(tsa.root)) });
const log = () => service.features.log;
const hashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

interface Served {
  readonly type: string;
  readonly root_certificate: string;
  readonly keys: TrustKeys2;
  readonly signature: string;
}

async function served(): Promise<{ answer: Response; text: string; trust: Served }> {
  const answer = await fetch(`${service.url}/.well-known/countersign-trust.json`);
  const text = await answer.text();
  return { answer, text, trust: JSON.parse(text) };
}

const NOT_REVOKED = { revoked_at: null, invalid_from: null, reason: null };

test("the trust document is public, cached briefly, and contains the keys, certificates and roots of this installation", async () => {
  const orgs = [await service.newOrg(), await service.newOrg()];
  const seals = await Promise.all(orgs.map(({ org_id }) => ensureSeal(service.features.seals, org_id)));
  const { answer, text, trust } = await served();
  expect([answer.status, answer.headers.get("content-type"), answer.headers.get("cache-control")]).toEqual([
    200,
    "application/json; charset=utf-8",
    "public, max-age=60",
  ]);
  const rows = await service.database.owner<{ purpose: string; public_key: Buffer; not_before: Date }>("select * from instance_keys");
  const generation = (purpose: string, algorithm: string) => {
    const row = rows.find((one) => one.purpose === purpose);
    const public_key = row?.public_key ?? Buffer.alloc(0);
    return [
      {
        generation: 1,
        key_id: hashOf(public_key),
        algorithm,
        public_key: public_key.toString("hex"),
        not_before: row?.not_before.toISOString(),
        not_after: null,
        ...NOT_REVOKED,
      },
    ];
  };
  const root = Buffer.from(trust.root_certificate, "base64");
  const validity = (der: Uint8Array) => {
    const { validFrom, validTo } = new X509Certificate(der);
    return { not_before: new Date(validFrom).toISOString(), not_after: new Date(validTo).toISOString(), ...NOT_REVOKED };
  };
  const listed = seals.map(({ certificates: [der] }) => ({ certificate_sha256: hashOf(der), ...validity(der) }));
  expect(trust).toEqual({
    type: "countersign/trust/2",
    root_certificate: expect.any(String),
    roots: null,
    keys: {
      type: "countersign/keys/2",
      log_id: hashOf(root),
      root_sha256: hashOf(root),
      issued_at: expect.stringMatching(/^20/),
      roots: [
        {
          generation: 1,
          certificate_sha256: hashOf(root),
          algorithm: "ES256",
          not_before: rows.find((one) => one.purpose === "root")?.not_before.toISOString(),
          not_after: null,
          ...NOT_REVOKED,
        },
      ],
      records: generation("records", "EdDSA"),
      log: generation("log", "EdDSA"),
      vault: generation("vault", "X25519"),
      seals: listed.sort((a, b) => (a.certificate_sha256 < b.certificate_sha256 ? -1 : 1)),
      tsa_roots: [hashOf(tsa.root)],
    },
    signature: expect.stringMatching(/^[0-9a-f]{128}$/),
  });
  expect(text).toBe(canonicalize(trust));
  // The document does not say which organization a certificate belongs to.
  for (const { org_id } of orgs) expect(text).not.toContain(org_id);
});

test("the root's signature is valid for exactly these keys, always with the low s", async () => {
  for (let n = 0; n < 16; n++) {
    const { root, bytes, signature } = await signTrust(log());
    const certificate = new X509Certificate(root);
    expect(readTrustKeys(bytes)).not.toBeNull();
    expect(isSignedByRoot({ bytes, signature }, certificate)).toBe(true);
    expect(signature.readUInt8(32)).toBeLessThan(0x80);
    const other = Buffer.from(String(bytes).replace('"seals":[', '"seals":[ '));
    expect(isSignedByRoot({ bytes: other, signature }, certificate)).toBe(false);
  }
});

test.skipIf(!installed.openssl)("openssl agrees", async () => {
  const { trust } = await served();
  folder.put("root.der", Buffer.from(trust.root_certificate, "base64"));
  folder.put("root-key.pem", folder.openssl("x509", "-inform", "DER", "-in", "root.der", "-pubkey", "-noout"));
  folder.put("keys.json", canonicalize(trust.keys));
  const integer = (hex: string) => {
    const digits = hex.replace(/^(00)+/, "");
    const bytes = Buffer.from(/^[89a-f]/.test(digits) ? `00${digits}` : digits, "hex");
    return Buffer.concat([Buffer.from([2, bytes.length]), bytes]);
  };
  const halves = Buffer.concat([integer(trust.signature.slice(0, 64)), integer(trust.signature.slice(64))]);
  folder.put("keys.sig", Buffer.concat([Buffer.from([0x30, halves.length]), halves]));
  expect(folder.openssl("dgst", "-sha256", "-verify", "root-key.pem", "-signature", "keys.sig", "keys.json")).toContain("Verified OK");
});

test("with it, anyone who knows only the root can verify a checkpoint", async () => {
  await service.newOrg();
  const checkpoint = await advanceLog(log());
  if (checkpoint === null) throw new Error("no entry");
  const { trust } = await served();
  const content = readCheckpoint(checkpoint.bytes);
  const key = recordsKeyAt(trust.keys, content?.key_id ?? "", content?.at ?? "");
  expect(isSigned(checkpoint, key ?? Buffer.alloc(0))).toBe(true);
  expect(content?.log_id).toBe(trust.keys.log_id);
});

test("it is signed once a minute, however many requests come; a failure is retried immediately", async () => {
  let now = 0;
  let away = true;
  const { db } = log();
  const trust = publishTrust(
    { ...log(), db: { ...db, system: (run) => (away ? Promise.reject(new Error("away")) : db.system(run)) } },
    60,
    () => now,
  );
  await expect(trust()).rejects.toThrow("away");
  away = false;
  const [first, second] = await Promise.all([trust(), trust()]);
  expect(second).toBe(first);
  now = 59_999;
  expect(await trust()).toBe(first);
  now = 60_000;
  expect(await trust()).not.toBe(first);
});

test("without an authority, now or before, no roots of one are listed", async () => {
  const { trust } = await served();
  expect(trust.keys.tsa_roots).toHaveLength(1);
  const { bytes } = await signTrust({ ...log(), tsaRoots: [] });
  expect(readTrustKeys(bytes)?.tsa_roots).toEqual([]);
});
