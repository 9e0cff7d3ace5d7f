import * as asn1 from "asn1js";
import { beforeAll, describe, expect, test } from "vitest";
import { type Holder, issue, makeRoot } from "../../../pdf/fixtures/certificates.ts";
import { onePage } from "../../../pdf/fixtures/pages.ts";
import { writePdf } from "../../../pdf/fixtures/writer.ts";
import { oid } from "../../../pdf/src/cms/der.ts";
import { installed, sayInstalled, testFolder } from "../../test/openssl.ts";
import { runCommand } from "../../test/process.ts";
import { testService } from "../../test/service.ts";
import { ConfigError, type Environment, readConfig } from "../config.ts";
import { buildFeatures } from "../features.ts";
import { sealReadiness } from "./readiness.ts";
import type { SealDeps } from "./seal.ts";
import { sealDocument } from "./seal-document.ts";
import { sealRoots, verifyOwnSeal } from "./verify-own-seal.ts";

const service = testService();
const folder = testFolder();
beforeAll(() => sayInstalled("bought certificates (openssl writes the files)"));

const document = writePdf(onePage());
const PASSWORD = "grün & long";

const mayIssue = {
  id: oid.basicConstraints,
  critical: true,
  value: new asn1.Sequence({ value: [new asn1.Boolean({ value: true })] }),
};
const maySign = { id: oid.keyUsage, critical: true, value: new asn1.BitString({ valueHex: Uint8Array.of(0b1100_0000), unusedBits: 6 }) };
const mayEncrypt = { id: oid.keyUsage, critical: true, value: new asn1.BitString({ valueHex: Uint8Array.of(0b0010_0000), unusedBits: 5 }) };

const authority = (issuer: Holder | null, name: string): Holder => issue({ issuer, name, extensions: [mayIssue] });

/** As sold by a certificate authority: root, intermediate, certificate. */
function bought(): { root: Holder; middle: Holder; own: Holder } {
  const root = authority(null, "Bought root");
  const middle = authority(root, "Bought intermediate");
  return { root, middle, own: issue({ issuer: middle, name: "Acme Ltd", extensions: [maySign] }) };
}

const envWith = (env: Environment): Environment => ({ APP_SECRET: service.config.appSecrets[0].secret, DATA_DIR: folder.path, ...env });
/** As the service does on start. */
const start = (env: Environment): SealDeps => {
  const { seals, pdf } = buildFeatures(readConfig(envWith(env)), service.db);
  void pdf.close();
  return { ...seals, pdf: service.features.pdf };
};
const startWith = (file: string, password = PASSWORD): SealDeps => start({ SEAL_P12_FILE: file, SEAL_P12_PASSWORD: password });

describe.skipIf(!installed.openssl)("a certificate from SEAL_P12_FILE", () => {
  test("seals the documents of every organization in place of their own, with its chain in the file", async () => {
    const { root, middle, own } = bought();
    const deps = startWith(folder.p12(own, [middle, root], PASSWORD));
    const orgs = [await service.newOrg(), await service.newOrg()];
    for (const { org_id } of orgs) {
      const { bytes, seal } = await sealDocument(deps, org_id, document, { reason: "Copy" });
      expect(seal).toMatchObject({ subject: "CN=Acme Ltd", level: "B-B" });
      expect(await verifyOwnSeal(deps, org_id, bytes, { seal_id: seal.seal_id, at: seal.sealed_at })).toMatchObject({ valid: true });
      const [report] = await service.features.pdf.verify(bytes, { roots: [root.certificate], at: new Date() });
      expect(report).toMatchObject({ intact: true, trusted: true });
    }
    const rows = await service.database.owner("select generation, private_key_enc from seal_keys where org_id = any($1)", [
      orgs.map(({ org_id }) => org_id),
    ]);
    expect(rows).toEqual([
      { generation: null, private_key_enc: null },
      { generation: null, private_key_enc: null },
    ]);
  });

  test("is recorded once per organization, also with concurrent seals, and still verifies after it was replaced or removed", async () => {
    const [first, second] = [bought(), bought()];
    const { org_id } = await service.newOrg();
    const before = startWith(folder.p12(first.own, [first.middle, first.root], PASSWORD));
    const sealed = await Promise.all(Array.from({ length: 8 }, () => sealDocument(before, org_id, document, { reason: "Copy" })));
    expect(new Set(sealed.map(({ seal }) => seal.seal_id)).size).toBe(1);
    const after = startWith(folder.p12(second.own, [second.middle, second.root], PASSWORD));
    const [old] = sealed;
    const other = await sealDocument(after, org_id, document, { reason: "Copy" });
    const own = await sealDocument(service.features.seals, org_id, document, { reason: "Copy" });
    expect(new Set([old?.seal.seal_id, other.seal.seal_id, own.seal.seal_id]).size).toBe(3);
    for (const deps of [before, after, service.features.seals]) {
      for (const one of [old, other, own]) {
        if (one === undefined) throw new Error("nothing was sealed");
        const verdict = await verifyOwnSeal(deps, org_id, one.bytes, { seal_id: one.seal.seal_id, at: one.seal.sealed_at });
        expect(verdict).toMatchObject({ valid: true });
      }
      expect((await sealRoots(deps, org_id)).roots).toHaveLength(3);
    }
  });

  test("can have an RSA key", async () => {
    const root = await makeRoot();
    folder.put("ca.key", root.key.export({ type: "pkcs8", format: "pem" }));
    folder.put("ca.der", root.certificate);
    folder.openssl("x509", "-inform", "DER", "-in", "ca.der", "-out", "ca.pem");
    folder.openssl("req", "-newkey", "rsa:2048", "-nodes", "-keyout", "rsa.key", "-out", "rsa.csr", "-subj", "/CN=RSA seal");
    folder.put("usage.cnf", "keyUsage=critical,digitalSignature,nonRepudiation\n");
    const issued = ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "30", "-extfile", "usage.cnf"];
    folder.openssl("x509", "-req", "-in", "rsa.csr", "-out", "rsa.pem", ...issued);
    const exported = ["-inkey", "rsa.key", "-in", "rsa.pem", "-certfile", "ca.pem", "-out", "rsa.p12", "-passout", `pass:${PASSWORD}`];
    folder.openssl("pkcs12", "-export", ...exported);
    const deps = startWith(`${folder.path}/rsa.p12`);
    const { org_id } = await service.newOrg();
    const { bytes, seal } = await sealDocument(deps, org_id, document, { reason: "Copy" });
    expect(await verifyOwnSeal(deps, org_id, bytes, { seal_id: seal.seal_id, at: seal.sealed_at })).toMatchObject({ valid: true });
    expect(await sealReadiness(deps, () => undefined)()).toBeNull();
  });

  test("can come without its root: then the last issuer in the file is trusted", async () => {
    const { middle, own } = bought();
    const deps = startWith(folder.p12(own, [middle], PASSWORD));
    const { org_id } = await service.newOrg();
    const { bytes, seal } = await sealDocument(deps, org_id, document, { reason: "Copy" });
    expect(await verifyOwnSeal(deps, org_id, bytes, { seal_id: seal.seal_id, at: seal.sealed_at })).toMatchObject({ valid: true });
  });

  test("passes the self-test, and readiness reports when it expires while the service runs, which then seals nothing", async () => {
    const { root, middle, own } = bought();
    const deps = startWith(folder.p12(own, [middle, root], PASSWORD));
    let now = Date.now();
    const ready = sealReadiness(
      deps,
      () => undefined,
      () => now,
    );
    expect(await ready()).toBeNull();
    now = Date.parse("2041-01-01T00:00:00Z");
    expect(await ready()).toBe("the certificate of SEAL_P12_FILE has expired (2040-01-01T00:00:00.000Z); set another");
    const { org_id } = await service.newOrg();
    const over = { ...deps, bought: deps.bought && { ...deps.bought, not_after: new Date("2026-03-05T00:00:00Z") } };
    await expect(sealDocument(over, org_id, document, { reason: "Copy" })).rejects.toMatchObject({ name: "SealUnavailable" });
  });
});

describe.skipIf(!installed.openssl)("the service refuses to start, naming the setting but not its value,", () => {
  const refusal = (file: string, password = PASSWORD): string => {
    try {
      startWith(file, password);
    } catch (error) {
      expect(error).toBeInstanceOf(ConfigError);
      const { message } = error as Error;
      expect(message).not.toContain(password);
      expect(message).not.toContain(folder.path);
      return message;
    }
    return "none";
  };

  test("if the file is missing or not PKCS #12, or the password does not open it", () => {
    const { root, middle, own } = bought();
    const file = folder.p12(own, [middle, root], PASSWORD);
    expect(refusal(`${folder.path}/nowhere.p12`)).toBe("SEAL_P12_FILE names a file that cannot be read");
    expect(refusal(folder.path)).toBe("SEAL_P12_FILE names a file that cannot be read");
    expect(refusal(folder.put("text.p12", "a text"))).toBe("SEAL_P12_FILE is not a PKCS #12 file, or is damaged");
    expect(refusal(file, "another password")).toBe("SEAL_P12_PASSWORD is not the password of SEAL_P12_FILE");
    expect(refusal(folder.p12(own, [middle, root], PASSWORD, "-keypbe", "AES-256-OFB"))).toMatch(
      /^SEAL_P12_FILE cannot be read: it is encrypted with an unsupported method/,
    );
  });

  test("if a password is set without a file", () => {
    expect(() => start({ SEAL_P12_PASSWORD: PASSWORD })).toThrow("SEAL_P12_PASSWORD is set, but SEAL_P12_FILE is not");
  });

  test("if the certificate, or an issuer's, has expired", () => {
    const { root, middle } = bought();
    const over = new Date("2026-04-01T00:00:00Z");
    const own = issue({ issuer: middle, name: "Over", extensions: [maySign], not_after: over });
    expect(refusal(folder.p12(own, [middle, root], PASSWORD))).toBe(
      "the certificate of SEAL_P12_FILE has expired (2026-04-01T00:00:00.000Z); set another",
    );
    const oldMiddle = issue({ issuer: root, name: "Old", extensions: [mayIssue], not_after: over });
    const under = issue({ issuer: oldMiddle, name: "Under", extensions: [maySign] });
    expect(refusal(folder.p12(under, [oldMiddle, root], PASSWORD))).toMatch(/^a certificate of an issuer in SEAL_P12_FILE has expired/);
  });

  test("if the chain is missing or not for documents", () => {
    const { root, middle, own } = bought();
    expect(refusal(folder.p12(own, [], PASSWORD))).toBe(
      "SEAL_P12_FILE contains no certificate of the issuer. Export it together with its chain",
    );
    expect(refusal(folder.p12(own, [root], PASSWORD))).toMatch(/^SEAL_P12_FILE contains no certificate of the issuer/);
    const cipher = issue({ issuer: middle, name: "Not for signing", extensions: [mayEncrypt] });
    expect(refusal(folder.p12(cipher, [middle, root], PASSWORD))).toMatch(/^SEAL_P12_FILE cannot be used for documents/);
    // A certificate that may not issue others does not count as an issuer.
    const under = issue({ issuer: own, name: "Issued by a certificate that may not", extensions: [maySign] });
    expect(refusal(folder.p12(under, [own, middle, root], PASSWORD))).toMatch(/^SEAL_P12_FILE contains no certificate of the issuer/);
  });

  test("if the key is missing or of a type that PDF readers do not accept", () => {
    folder.openssl("req", "-x509", "-newkey", "rsa:1024", "-nodes", "-subj", "/CN=Short", "-keyout", "short.key", "-out", "short.pem");
    const exported = ["-inkey", "short.key", "-in", "short.pem", "-out", "short.p12", "-passout", `pass:${PASSWORD}`];
    folder.openssl("pkcs12", "-export", ...exported);
    expect(refusal(`${folder.path}/short.p12`)).toMatch(
      /^SEAL_P12_FILE must contain a key on P-256 or P-384, or an RSA key of at least 2048 bits/,
    );
    for (const [curve, says] of [
      // The chain is checked after the key, so a message about the chain means that the key is accepted.
      ["P-384", /^SEAL_P12_FILE contains no certificate of the issuer/],
      ["secp256k1", /^SEAL_P12_FILE must contain a key on P-256 or P-384/],
    ] as const) {
      const name = ["-nodes", "-subj", "/CN=Curve", "-keyout", "curve.key", "-out", "curve.pem"];
      folder.openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", `ec_paramgen_curve:${curve}`, ...name);
      const curved = ["-inkey", "curve.key", "-in", "curve.pem", "-out", "curve.p12", "-passout", `pass:${PASSWORD}`];
      folder.openssl("pkcs12", "-export", ...curved);
      expect(refusal(`${folder.path}/curve.p12`)).toMatch(says);
    }
    folder.openssl("pkcs12", "-export", "-nokeys", "-in", "short.pem", "-out", "bare.p12", "-passout", `pass:${PASSWORD}`);
    expect(refusal(`${folder.path}/bare.p12`)).toBe("SEAL_P12_FILE must contain exactly one private key");
  });

  test("with one sentence on the command line, with the password from a file", async () => {
    const { root, middle, own } = bought();
    const env = {
      ...service.database.env,
      DATA_DIR: folder.path,
      APP_SECRET: service.config.appSecrets[0].secret,
      PORT: "0",
      SEAL_P12_FILE: folder.p12(own, [middle, root], PASSWORD),
      SEAL_P12_PASSWORD_FILE: folder.put("password", "not this one\n"),
    };
    expect(await runCommand(["serve"], env)).toMatchObject({ code: 1, stderr: "SEAL_P12_PASSWORD is not the password of SEAL_P12_FILE\n" });
  });
});
