import { createPublicKey, generateKeyPairSync, randomBytes } from "node:crypto";
import * as asn1 from "asn1js";
import { describe, expect, test } from "vitest";
import { tries } from "../../testing/all.ts";
import fc from "../../testing/properties.ts";
import { makeOrg, NOW } from "../fixtures/certificates.ts";
import { onePage, pages } from "../fixtures/pages.ts";
import {
  attribute,
  filled,
  hashAround,
  type OtherCms,
  otherCms,
  placed,
  replaced,
  sealedBy,
  signedDirectly,
  withSubFilter,
} from "../fixtures/sealed.ts";
import { makeAuthority } from "../fixtures/time-stamp-authority.ts";
import { concat, latin1, writePdf } from "../fixtures/writer.ts";
import { buildCms, signedAttributes } from "./cms/build-cms.ts";
import { objectId, octetString, oid, sequence, smallInteger, tagged } from "./cms/der.ts";
import { readTimestampAnswer, timestampRequest } from "./cms/timestamp.ts";
import { verifySeals } from "./verify-seal.ts";

const org = await makeOrg();
const options = { roots: [org.root.certificate], at: NOW };
const document = writePdf(onePage());
const sealed = await sealedBy(org, document);

const verdicts = async (bytes: Uint8Array, asked = options) =>
  (await verifySeals(bytes, asked)).map(({ intact, trusted, fault }) => ({ intact, trusted, fault }));
const holds = { intact: true, trusted: true, fault: undefined };
const broken = (fault: string) => ({ intact: false, trusted: false, fault });

describe("our own seal", () => {
  test("is reported as intact and trusted", async () => {
    expect(await verifySeals(sealed, options)).toEqual([
      {
        field: "Countersign_1",
        sub_filter: "ETSI.CAdES.detached",
        covers_whole_file: true,
        intact: true,
        trusted: true,
        signing_time: "2026-03-04T05:06:07.000Z",
        reason: "Authoritative copy",
        level: "B-B",
        certificate: {
          subject: "CN=Zoë & Söhne document seal, serialNumber=org_01jz8m4q2v7xk3n5t9w6y0abcd",
          issuer: "CN=Test root",
          serial: expect.stringMatching(/^[0-9A-F]+$/),
          not_before: "2026-03-04T05:06:07.000Z",
          not_after: "2029-03-04T05:06:07.000Z",
          sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        },
      },
    ]);
  });

  test("is valid in a file with object streams, and in one of 60 pages", async () => {
    expect(await verdicts(await sealedBy(org, writePdf(onePage(), { layout: "streams" })))).toEqual([holds]);
    expect(await verdicts(await sealedBy(org, writePdf(pages(60), { layout: "streams" })))).toEqual([holds]);
  });

  test("stays valid under a second seal, and both are reported", async () => {
    const other = await makeOrg();
    const twice = await sealedBy(other, sealed);
    const reports = await verifySeals(twice, { roots: [org.root.certificate, other.root.certificate], at: NOW });
    expect(reports.map(({ field, covers_whole_file, intact, trusted }) => ({ field, covers_whole_file, intact, trusted }))).toEqual([
      { field: "Countersign_1", covers_whole_file: false, intact: true, trusted: true },
      { field: "Countersign_2", covers_whole_file: true, intact: true, trusted: true },
    ]);
  });

  test("under another root is intact but not trusted", async () => {
    const other = await makeOrg();
    expect(await verdicts(sealed, { ...options, roots: [other.root.certificate] })).toEqual([
      { intact: true, trusted: false, fault: "untrusted" },
    ]);
    expect(await verdicts(sealed, { ...options, roots: [] })).toMatchObject([{ intact: true, trusted: false }]);
  });

  test("is not trusted before or after the validity of its certificate", async () => {
    for (const at of [new Date("2026-03-04T05:06:06Z"), new Date("2029-03-04T05:06:08Z")]) {
      expect(await verdicts(sealed, { ...options, at })).toEqual([
        { intact: true, trusted: false, fault: "certificate_not_valid_at_time" },
      ]);
    }
  });

  test("a document without signatures has no report", async () => {
    expect(await verifySeals(document, options)).toEqual([]);
  });
});

describe("one byte", () => {
  const gap = { start: Buffer.from(sealed).indexOf("/Contents <") + 10, end: 0 };
  gap.end = Buffer.from(sealed).indexOf(">", gap.start) + 1;

  // An unmatched closing bracket keeps libpdf's parser busy forever; the pool has a deadline for that, a test does not.
  const endless = (before: number, after: number): boolean => before === 0x28 || [0x29, 0x7b, 0x7d].includes(after);
  const flip = (at: number, mask: number): Uint8Array => {
    const before = sealed[at] ?? 0;
    fc.pre(!endless(before, before ^ mask));
    const flipped = Uint8Array.from(sealed);
    flipped[at] = before ^ mask;
    return flipped;
  };

  test("flipped anywhere outside the gap breaks the seal", async () => {
    const outside = fc.nat(sealed.length - 1).filter((at) => at < gap.start || at >= gap.end);
    await fc.assert(
      fc.asyncProperty(outside, fc.integer({ min: 1, max: 255 }), async (at, mask) => {
        const reports = await verifySeals(flip(at, mask), options).catch((error: Error) => {
          expect(error.name).toBe("UnreadablePdf");
          return [];
        });
        expect(reports.filter((report) => report.intact)).toEqual([]);
      }),
      { numRuns: tries(300) },
    );
  });

  // Some bytes of a CMS are not signed (its version, the encoding of lengths), but the signer cannot change.
  test("flipped inside the gap leaves the same valid signature or breaks it", async () => {
    const inside = fc.integer({ min: gap.start, max: gap.end - 1 });
    const [original] = await verifySeals(sealed, options);
    await fc.assert(
      fc.asyncProperty(inside, fc.integer({ min: 1, max: 255 }), async (at, mask) => {
        const reports = await verifySeals(flip(at, mask), options).catch((error: Error) => {
          expect(error.name).toBe("UnreadablePdf");
          return [];
        });
        for (const report of reports) if (report.intact) expect(report).toEqual(original);
      }),
      { numRuns: tries(300) },
    );
  });

  test("changed in the page gives a digest mismatch", async () => {
    expect(await verdicts(replaced(sealed, "(Sign here)", "(Sign hers)"))).toEqual([broken("digest_mismatch")]);
  });

  test("after the signature in the gap is rejected", async () => {
    const padded = Uint8Array.from(sealed);
    padded[gap.end - 2] = "1".charCodeAt(0);
    expect(await verdicts(padded)).toEqual([broken("contents")]);
  });

  test("more or less excluded from the byte range is rejected", async () => {
    const range = /\/ByteRange \[0 (\d+) (\d+) (\d+)\]/.exec(Buffer.from(sealed).toString("latin1"))?.slice(1).map(Number) ?? [];
    const [start = 0, end = 0, tail = 0] = range;
    const spelled = (...numbers: number[]): string => `/ByteRange [${numbers.join(" ")}]`;
    const original = spelled(0, start, end, tail);
    for (const other of [
      [0, start - 1, end, tail],
      [0, start + 1, end, tail],
      [0, start, end + 1, tail - 1],
      [1, start, end, tail],
      [0, start, end, tail + 1],
    ]) {
      expect(await verdicts(replaced(sealed, original, spelled(...other)))).toEqual([broken("byte_range")]);
    }
  });
});

describe("a signature of another kind", () => {
  const hashes = {
    sha1: { oid: "1.3.14.3.2.26", name: "sha1" },
    sha256: { oid: "2.16.840.1.101.3.4.2.1", name: "sha256" },
    sha384: { oid: "2.16.840.1.101.3.4.2.2", name: "sha384" },
    sha512: { oid: "2.16.840.1.101.3.4.2.3", name: "sha512" },
  } as const;
  const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const rsaOrg = makeOrg(NOW, rsa);
  const rsaEncryption = sequence(objectId("1.2.840.113549.1.1.1"), new asn1.Null());
  const pss = (hash: { oid: string }, saltLength: number, mask = hash) => {
    const named = sequence(objectId(hash.oid), new asn1.Null());
    const mgf1 = sequence(objectId("1.2.840.113549.1.1.8"), sequence(objectId(mask.oid), new asn1.Null()));
    return sequence(objectId("1.2.840.113549.1.1.10"), sequence(tagged(0, named), tagged(1, mgf1), tagged(2, smallInteger(saltLength))));
  };

  const signedWith = async (subFilter: string, more: Partial<OtherCms> & Pick<OtherCms, "hash" | "algorithm">, ec = false) => {
    const { root, seal } = ec ? org : await rsaOrg;
    const place = withSubFilter(await placed(document), subFilter);
    const cms = otherCms({ key: seal.key, certificate: seal.certificate, digest: hashAround(place, more.hash.name), ...more });
    return verifySeals(filled(place, cms), { roots: [root.certificate], at: NOW });
  };

  test.each([
    ["RSA PKCS #1, SHA-256", hashes.sha256, rsaEncryption, undefined],
    ["RSA PKCS #1, SHA-384", hashes.sha384, sequence(objectId("1.2.840.113549.1.1.12"), new asn1.Null()), undefined],
    ["RSA PSS, SHA-256", hashes.sha256, pss(hashes.sha256, 32), { saltLength: 32 }],
    ["RSA PSS, SHA-512", hashes.sha512, pss(hashes.sha512, 20), { saltLength: 20 }],
  ])("with %s is valid", async (_name, hash, algorithm, salt) => {
    const [report] = await signedWith("adbe.pkcs7.detached", { hash, algorithm, ...(salt === undefined ? {} : { pss: salt }) });
    expect(report).toMatchObject({ intact: true, trusted: true });
    expect(report).not.toHaveProperty("weak");
  });

  test("with ECDSA and SHA-512 is valid", async () => {
    const request = { hash: hashes.sha512, algorithm: sequence(objectId("1.2.840.10045.4.3.4")) };
    expect(await signedWith("adbe.pkcs7.detached", request, true)).toMatchObject([{ intact: true, trusted: true }]);
  });

  test("with SHA-1 is valid but weak", async () => {
    const [report] = await signedWith("adbe.pkcs7.detached", { hash: hashes.sha1, algorithm: rsaEncryption });
    expect(report).toMatchObject({ intact: true, trusted: true, weak: true });
  });

  test("over an embedded SHA-1 of the file is valid but weak", async () => {
    const place = withSubFilter(await placed(document), "adbe.pkcs7.sha1");
    const { root, seal } = await rsaOrg;
    const content = hashAround(place, "sha1");
    const digest = hashAround({ bytes: content, gap: { start: 0, end: 0 } }, "sha256");
    const cms = otherCms({ key: seal.key, certificate: seal.certificate, digest, hash: hashes.sha256, algorithm: rsaEncryption, content });
    const asked = { roots: [root.certificate], at: NOW };
    expect(await verifySeals(filled(place, cms), asked)).toMatchObject([{ intact: true, trusted: true, weak: true }]);
    const other = replaced(filled(place, cms), "(Sign here)", "(Sign hers)");
    expect(await verifySeals(other, asked)).toMatchObject([{ intact: false, fault: "digest_mismatch" }]);
  });

  test("over the file itself, without signed attributes, is valid until a byte changes", async () => {
    const org = await makeOrg();
    const asked = { roots: [org.root.certificate], at: NOW };
    const signed = await signedDirectly(org, document);
    expect(await verifySeals(signed, asked)).toMatchObject([{ intact: true, trusted: true }]);
    const other = replaced(signed, "(Sign here)", "(Sign hers)");
    expect(await verifySeals(other, asked)).toMatchObject([{ intact: false, trusted: false, fault: "signature_invalid" }]);
    const asPades = replaced(signed, "/adbe.pkcs7.detached", "/ETSI.CAdES.detached");
    expect(await verifySeals(asPades, asked)).toMatchObject([{ intact: false, fault: "signature_invalid" }]);
  });

  test("reports the signed time in preference to the dictionary's", async () => {
    const time = attribute(oid.signingTime, new asn1.UTCTime({ valueDate: new Date("2025-01-01T00:00:00Z") }));
    const [report] = await signedWith("adbe.pkcs7.detached", { hash: hashes.sha256, algorithm: rsaEncryption, attributes: [time] });
    expect(report?.signing_time).toBe("2025-01-01T00:00:00.000Z");
  });

  test.each<[string, Parameters<typeof signedWith>, string]>([
    [
      "PAdES without its certificate's hash",
      ["ETSI.CAdES.detached", { hash: hashes.sha256, algorithm: rsaEncryption }],
      "signing_certificate_mismatch",
    ],
    ["two signers", ["adbe.pkcs7.detached", { hash: hashes.sha256, algorithm: rsaEncryption, signers: 2 }], "cms_malformed"],
    [
      "PSS whose mask has another hash",
      ["adbe.pkcs7.detached", { hash: hashes.sha256, algorithm: pss(hashes.sha256, 32, hashes.sha1) }],
      "unsupported",
    ],
    ["an unknown algorithm", ["adbe.pkcs7.detached", { hash: hashes.sha256, algorithm: sequence(objectId("1.3.101.112")) }], "unsupported"],
    [
      "a scheme that was not used",
      ["adbe.pkcs7.detached", { hash: hashes.sha256, algorithm: pss(hashes.sha256, 32) }],
      "signature_invalid",
    ],
    [
      "a key of another kind",
      ["adbe.pkcs7.detached", { hash: hashes.sha256, algorithm: sequence(objectId(oid.ecdsaWithSha256)) }],
      "signature_invalid",
    ],
    [
      "a second digest",
      [
        "adbe.pkcs7.detached",
        { hash: hashes.sha256, algorithm: rsaEncryption, attributes: [attribute(oid.messageDigest, octetString(new Uint8Array(32)))] },
      ],
      "cms_malformed",
    ],
    ["an unknown form", ["adbe.x509.rsa_sha1", { hash: hashes.sha256, algorithm: rsaEncryption }], "unsupported"],
  ])("with %s is not valid", async (_name, request, fault) => {
    expect(await signedWith(...request)).toMatchObject([{ intact: false, trusted: false, fault }]);
  });

  test("that names another certificate is not valid", async () => {
    const other = await makeOrg();
    const place = await placed(document);
    const attributes = signedAttributes(place.digest, other.seal.certificate);
    const cms = buildCms({
      certificates: [org.seal.certificate],
      key: createPublicKey(org.seal.key),
      attributes,
      signature: org.sign(attributes),
      token: null,
    });
    expect(await verdicts(filled(place, cms))).toEqual([broken("signing_certificate_mismatch")]);
  });

  test("that is not CMS is reported as such", async () => {
    const place = await placed(document);
    expect(await verdicts(filled(place, new Uint8Array(0)))).toEqual([broken("cms_malformed")]);
    expect(await verdicts(filled(place, randomBytes(500)))).toMatchObject([{ intact: false }]);
    expect(await verdicts(filled(place, latin1("0\x80".repeat(3_000))))).toMatchObject([{ intact: false }]);
  });

  test("as a document time stamp is verified as a token for the file", async () => {
    const authority = await makeAuthority();
    const place = withSubFilter(await placed(document), "ETSI.RFC3161");
    const nonce = randomBytes(8);
    const asked = { imprint: place.digest, nonce };
    const { token } = readTimestampAnswer(authority.answer(timestampRequest(asked)), { ...asked, roots: [authority.root] });
    const stamped = filled(place, token);
    const [report] = await verifySeals(stamped, { ...options, timestamp_roots: [authority.root] });
    expect(report).toMatchObject({ intact: true, trusted: true, signing_time: NOW.toISOString(), timestamp: { trusted: true } });
    expect(await verdicts(stamped)).toEqual([{ intact: true, trusted: false, fault: "untrusted" }]);
    expect(await verdicts(replaced(stamped, "(Sign here)", "(Sign hers)"))).toMatchObject([{ intact: false, fault: "digest_mismatch" }]);
  });

  test("is rejected if there are 33 of them", async () => {
    const field = (n: number): string => `<< /FT /Sig /T (S${n}) /V << /Type /Sig >> >>`;
    const fields = Array.from({ length: 33 }, (_, n) => field(n)).join(" ");
    const many = writePdf(onePage({ catalog: `/AcroForm << /Fields [${fields}] >>` }));
    await expect(verifySeals(many, options)).rejects.toMatchObject({ fault: "too_complex", limit: "more than 32 signatures" });
    const few = writePdf(onePage({ catalog: `/AcroForm << /Fields [${field(1)}] >>` }));
    expect(await verdicts(few)).toEqual([broken("byte_range")]);
  });

  test("is not searched in bytes that are not a PDF", async () => {
    await expect(verifySeals(concat(latin1("nothing")), options)).rejects.toMatchObject({ name: "UnreadablePdf" });
  });
});
