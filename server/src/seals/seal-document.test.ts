import { execFileSync, spawnSync } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { PDF } from "@libpdf/core";
import { beforeAll, describe, expect, test } from "vitest";
import { onePage, pages } from "../../../pdf/fixtures/pages.ts";
import { writePdf } from "../../../pdf/fixtures/writer.ts";
import { readBlock } from "../../../pdf/src/cms/der.ts";
import { installed, pem, sayInstalled, testFolder } from "../../test/openssl.ts";
import { testService } from "../../test/service.ts";
import { raw, type Sql, sql } from "../db/sql.ts";
import { newId } from "../shared/ids.ts";
import { ensureInstanceKeys } from "./instance-keys.ts";
import { openPrivateKey } from "./seal.ts";
import { sealDocument } from "./seal-document.ts";
import { sealRoots, verifyOwnSeal } from "./verify-own-seal.ts";

const service = testService();
const folder = testFolder();
beforeAll(() => sayInstalled("an org's seals"));

const document = writePdf(onePage());
const seals = () => service.features.seals;
const changed = (bytes: Uint8Array): Uint8Array =>
  Buffer.from(Buffer.from(bytes).toString("latin1").replace("612 792", "613 792"), "latin1");

describe("a sealed document", () => {
  test("is the document and one more revision; the result says with which certificate of the organization, and when", async () => {
    const { org_id } = await service.newOrg("Zoë & Söhne");
    const { bytes, seal } = await sealDocument(seals(), org_id, document, { reason: "Authoritative copy ac_1 of env_1" });
    expect(Buffer.from(bytes.subarray(0, document.length))).toEqual(Buffer.from(document));
    const text = Buffer.from(bytes).toString("latin1");
    expect(text).toContain("/Reason (Authoritative copy ac_1 of env_1)");
    expect(text).toContain("/Name (Zo\xeb & S\xf6hne)");
    const [row] = await service.database.owner<{ seal_id: string; certificate_sha256: string }>(
      "select * from seal_keys where org_id = $1",
      [org_id],
    );
    expect(seal).toEqual({
      seal_id: row?.seal_id,
      certificate_sha256: row?.certificate_sha256,
      subject: `CN=Zoë & Söhne document seal, serialNumber=${org_id}`,
      level: "B-B",
      sealed_at: expect.any(Date),
    });
  });

  test("can state a name other than the organization's", async () => {
    const { org_id } = await service.newOrg();
    const { bytes } = await sealDocument(seals(), org_id, document, { reason: "Copy", name: "Acme Holding" });
    expect(Buffer.from(bytes).toString("latin1")).toContain("/Name (Acme Holding)");
  });

  test("verifies with the organization's roots, and not if one byte is changed", async () => {
    const { org_id } = await service.newOrg();
    const { bytes, seal } = await sealDocument(seals(), org_id, document, { reason: "Copy" });
    const asked = { seal_id: seal.seal_id, at: new Date() };
    expect(await verifyOwnSeal(seals(), org_id, bytes, asked)).toMatchObject({
      valid: true,
      report: { certificate: { subject: seal.subject } },
    });
    expect(await verifyOwnSeal(seals(), org_id, changed(bytes), asked)).toMatchObject({ valid: false, reason: "digest_mismatch" });
    const [report] = await service.features.pdf.verify(bytes, { ...(await sealRoots(seals(), org_id)), at: new Date() });
    expect(report).toMatchObject({ intact: true, trusted: true, covers_whole_file: true });
  });

  test("is not the organization's own if the seal is not on record, belongs to another, is missing, or is not the last revision", async () => {
    const [mine, theirs] = [await service.newOrg(), await service.newOrg()];
    const [sealed, other] = [
      await sealDocument(seals(), mine.org_id, document, { reason: "Copy" }),
      await sealDocument(seals(), theirs.org_id, document, { reason: "Copy" }),
    ];
    const reasonFor = async (bytes: Uint8Array, seal_id = sealed.seal.seal_id) =>
      verifyOwnSeal(seals(), mine.org_id, bytes, { seal_id, at: new Date() });
    expect(await reasonFor(sealed.bytes, newId("seal"))).toMatchObject({ valid: false, reason: "the seal is not on record" });
    expect(await reasonFor(sealed.bytes, other.seal.seal_id)).toMatchObject({ valid: false, reason: "the seal is not on record" });
    expect(await reasonFor(other.bytes)).toMatchObject({ valid: false, reason: "sealed with another certificate than the one on record" });
    expect(await reasonFor(document)).toMatchObject({ valid: false, reason: "there is no seal" });
    expect(await reasonFor(Buffer.concat([sealed.bytes, Buffer.from("\n% more")]))).toMatchObject({
      valid: false,
      reason: "no seal covers the whole file",
    });
    expect(await reasonFor(Buffer.from("a text"))).toMatchObject({ valid: false, reason: "the PDF cannot be read" });
  });

  test("can be sealed again with the same certificate, and both seals are valid", async () => {
    const { org_id } = await service.newOrg();
    const first = await sealDocument(seals(), org_id, writePdf(pages(3)), { reason: "Signed" });
    const second = await sealDocument(seals(), org_id, first.bytes, { reason: "Authoritative copy" });
    expect(second.seal.seal_id).toBe(first.seal.seal_id);
    const reports = await service.features.pdf.verify(second.bytes, { ...(await sealRoots(seals(), org_id)), at: new Date() });
    expect(reports.map(({ intact, trusted }) => [intact, trusted])).toEqual([
      [true, true],
      [true, true],
    ]);
  });

  test("was not encrypted: an encrypted file is never sealed", async () => {
    const { org_id } = await service.newOrg();
    const pdf = await PDF.load(document);
    pdf.setProtection({ userPassword: "secret", ownerPassword: "owner" });
    const sealing = sealDocument(seals(), org_id, await pdf.save(), { reason: "Copy" });
    await expect(sealing).rejects.toMatchObject({ name: "UnreadablePdf", fault: "encrypted" });
  });
});

describe("the certificate of an organization", () => {
  const certificates = async (): Promise<{ seal: Buffer; root: Buffer }> => {
    const { org_id } = await service.newOrg("Acme");
    await sealDocument(seals(), org_id, document, { reason: "Copy" });
    const [row] = await service.database.owner<{ certificate: Buffer; issuers: Buffer[] }>("select * from seal_keys where org_id = $1", [
      org_id,
    ]);
    return { seal: row?.certificate ?? Buffer.alloc(0), root: row?.issuers[0] ?? Buffer.alloc(0) };
  };

  test("lasts three years; its root lasts twenty and can issue no further authorities", async () => {
    const { seal, root } = await certificates();
    const years = ({ validFrom, validTo }: X509Certificate) => new Date(validTo).getUTCFullYear() - new Date(validFrom).getUTCFullYear();
    expect([years(new X509Certificate(seal)), years(new X509Certificate(root))]).toEqual([3, 20]);
    expect(new X509Certificate(root).ca).toBe(true);
  });

  test.skipIf(!installed.openssl)("is for signing documents and nothing else, according to openssl", async () => {
    const { seal, root } = await certificates();
    const shown = (der: Buffer): string => folder.openssl("x509", "-noout", "-text", "-in", folder.put("shown.pem", pem(der)));
    expect(shown(seal)).toMatch(/Key Usage: critical\n\s+Digital Signature, Non Repudiation\n/);
    expect(shown(seal)).toMatch(/Extended Key Usage: ?\n\s+1\.3\.6\.1\.5\.5\.7\.3\.36\n/);
    expect(shown(seal)).toContain("NIST CURVE: P-256");
    expect(shown(root)).toMatch(/CA:TRUE, pathlen:0\n/);
    expect(folder.openssl("verify", "-CAfile", folder.put("root.pem", pem(root)), folder.put("seal.pem", pem(seal)))).toContain("OK");
  });
});

describe("other software", () => {
  const sealedFile = async (): Promise<{ bytes: Uint8Array; root: string }> => {
    const { org_id } = await service.newOrg("Acme");
    const { bytes } = await sealDocument(seals(), org_id, document, { reason: "Copy" });
    const [root] = (await sealRoots(seals(), org_id)).roots;
    return { bytes, root: folder.put("root.pem", pem(root ?? new Uint8Array())) };
  };

  test.skipIf(!installed.openssl)("openssl accepts the signature over the file with only the root, and over no other file", async () => {
    const { bytes, root } = await sealedFile();
    const [, start, end] = (/ByteRange \[0 (\d+) (\d+)/.exec(Buffer.from(bytes).toString("latin1")) ?? []).map(Number);
    const inGap = Buffer.from(Buffer.from(bytes.subarray((start ?? 0) + 1, (end ?? 0) - 1)).toString("latin1"), "hex");
    const cms = folder.put("seal.der", inGap.subarray(0, readBlock(inGap).length));
    const content = folder.put("content.bin", Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)]));
    const verify = (what: string) => {
      const flags = ["-cades", "-binary", "-purpose", "any", "-CAfile", root, "-out", "/dev/null"];
      return spawnSync("openssl", ["cms", "-verify", "-inform", "DER", "-in", cms, "-content", what, ...flags]).status;
    };
    expect(verify(content)).toBe(0);
    expect(verify(folder.put("other.bin", "another document"))).not.toBe(0);
  });

  test.skipIf(!installed.pdfsig)("pdfsig reports it as valid and the whole document as signed", async () => {
    const { bytes } = await sealedFile();
    const printed = execFileSync("pdfsig", ["-nocert", folder.put("sealed.pdf", bytes)], { encoding: "utf8" });
    expect(printed).toContain("Signer Certificate Common Name: Acme document seal");
    expect(printed).toContain("Signature is Valid");
    expect(printed).toContain("Total document signed");
  });
});

describe("the keys", () => {
  test("are never unencrypted in the database or in requests to a PDF thread", async () => {
    const { org_id } = await service.newOrg();
    const asked: unknown[] = [];
    const { pdf } = service.features;
    const listening: typeof pdf = {
      ...pdf,
      placeSeal: (source, request, turn) => {
        asked.push(request);
        return pdf.placeSeal(source, request, turn);
      },
    };
    await sealDocument({ ...seals(), pdf: listening }, org_id, document, { reason: "Copy" });
    expect(asked).toEqual([
      { name: expect.any(String), reason: "Copy", at: expect.any(Date), room: expect.any(Number), marker: expect.any(Uint8Array) },
    ]);
    const dump = await service.database.owner<{ line: string; key: Buffer }>(
      `select row_to_json(k)::text as line, private_key_enc as key from seal_keys k
       union all select row_to_json(k)::text, private_key_enc from instance_keys k`,
    );
    expect(dump.length).toBeGreaterThanOrEqual(5);
    const [kept] = await service.database.owner<{ private_key_enc: Buffer }>(
      "select private_key_enc from instance_keys where purpose = 'records'",
    );
    const keys = [
      (await ensureInstanceKeys(seals())).vault.open(),
      openPrivateKey(seals(), kept?.private_key_enc ?? Buffer.alloc(0), "instance key records"),
    ];
    const secrets = keys.map((key) => Buffer.from(key.export({ format: "jwk" }).d ?? "", "base64url"));
    for (const { line, key } of dump) {
      for (const secret of secrets) expect(line.includes(secret.toString("hex"))).toBe(false);
      expect(key.includes("PRIVATE KEY")).toBe(false);
      // How PKCS #8 starts for P-256, Ed25519 and X25519.
      expect(line).not.toMatch(/020100301306072a8648ce3d0201|020100300506032b65(70|6e)/);
    }
  });

  test("of another organization cannot be reached, used, changed or deleted by the app", async () => {
    const [mine, theirs] = [await service.newOrg(), await service.newOrg()];
    await sealDocument(seals(), theirs.org_id, document, { reason: "Copy" });
    const asApp = (statement: Sql) => service.db.tx(mine.org_id, (tx) => tx.query(statement));
    expect((await asApp(sql`select * from seal_keys`)).rows).toEqual([]);
    await expect(
      asApp(sql`
        insert into seal_keys (org_id, seal_id, generation, certificate, certificate_sha256, issuers, private_key_enc, not_before, not_after)
        values (${theirs.org_id}, 'seal_x', 9, '', repeat('0', 64), '{x}', '', now(), now())`),
    ).rejects.toThrow(/row-level security/);
    for (const text of [
      "delete from seal_keys",
      "update seal_keys set certificate = ''",
      "update seal_keys set revoked_at = null",
      "delete from instance_keys",
      "update instance_keys set private_key_enc = ''",
      "update instance_keys set not_after = null",
      "update instance_keys set not_before = now()",
      "delete from root_successions",
      "update root_successions set old_signature = null",
    ]) {
      await expect(asApp(raw(text)), text).rejects.toThrow(/permission denied/);
    }
    // Copied into another organization's row, a key cannot be decrypted.
    await sealDocument(seals(), mine.org_id, document, { reason: "Copy" });
    await service.database.owner(
      "update seal_keys set private_key_enc = (select private_key_enc from seal_keys where org_id = $1) where org_id = $2",
      [theirs.org_id, mine.org_id],
    );
    await expect(sealDocument(seals(), mine.org_id, document, { reason: "Copy" })).rejects.toMatchObject({ name: "SealUnavailable" });
  });
});
