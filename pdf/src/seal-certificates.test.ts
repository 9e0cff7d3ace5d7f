import { createHash, randomBytes, X509Certificate } from "node:crypto";
import { expect, test } from "vitest";
import { makeOrg, makeRoot, NOW, signBy, spki } from "../fixtures/certificates.ts";
import { allowsUsage, certificateFields, pathLength } from "./cms/certificate.ts";
import { makeSealCertificate } from "./seal-certificates.ts";

test("the root is a self-signed CA, valid for 20 years, with no CA below it", async () => {
  const root = new X509Certificate((await makeRoot()).certificate);
  const fields = certificateFields(root);
  expect(root.subject).toBe("CN=Test root");
  expect(root.checkIssued(root) && root.verify(root.publicKey)).toBe(true);
  expect(root.ca).toBe(true);
  expect(pathLength(fields)).toBe(0);
  expect([0, 1, 5, 6].map((bit) => allowsUsage(fields, bit))).toEqual([false, false, true, true]);
  expect(new Date(root.validFrom).toISOString()).toBe("2026-03-04T05:06:07.000Z");
  expect(new Date(root.validTo).toISOString()).toBe("2046-03-04T05:06:07.000Z");
});

test("a seal certificate names the organization and its ID, can sign documents and is issued by the root", async () => {
  const org = await makeOrg();
  const [root, seal] = [new X509Certificate(org.root.certificate), new X509Certificate(org.seal.certificate)];
  const fields = certificateFields(seal);
  expect(seal.subject).toBe("CN=Zoë & Söhne document seal\nserialNumber=org_01jz8m4q2v7xk3n5t9w6y0abcd");
  expect(seal.checkIssued(root) && seal.verify(root.publicKey)).toBe(true);
  expect(seal.ca).toBe(false);
  expect(seal.keyUsage).toEqual(["1.3.6.1.5.5.7.3.36"]);
  expect([0, 1, 2, 5].map((bit) => allowsUsage(fields, bit))).toEqual([true, true, false, false]);
  expect(new Date(seal.validTo).toISOString()).toBe("2029-03-04T05:06:07.000Z");
  expect(fields.key_identifier).toHaveLength(20);
});

test("after 2049 the end of validity is written with four digits", async () => {
  const root = new X509Certificate((await makeRoot(new Date("2031-01-01T00:00:00Z"))).certificate);
  expect(new Date(root.validTo).toISOString()).toBe("2051-01-01T00:00:00.000Z");
});

test("a long organization name is cut to the 64 characters of a common name, at a character boundary", async () => {
  const root = await makeRoot();
  const certificate = await makeSealCertificate({
    org_name: "😀".repeat(60),
    org_id: "org_x",
    public_key: spki(root.key),
    root: root.certificate,
    sign: signBy(root.key),
    serial: randomBytes(16),
    not_before: NOW,
  });
  expect(new X509Certificate(certificate).subject).toContain(`CN=${"😀".repeat(50)} document seal`);
});

test("the same request gives the same certificate, except for the signature", async () => {
  const root = await makeRoot();
  const make = (serial: Uint8Array) =>
    makeSealCertificate({
      org_name: "A",
      org_id: "org_a",
      public_key: spki(root.key),
      root: root.certificate,
      sign: (der) => createHash("sha256").update(der).digest(),
      serial,
      not_before: NOW,
    });
  const serial = new Uint8Array(16).fill(0xff);
  expect(await make(serial)).toEqual(await make(serial));
  expect(new X509Certificate(await make(serial)).serialNumber).toBe("FF".repeat(16));
  await expect(make(new Uint8Array(4))).rejects.toThrow("8 to 19");
});
