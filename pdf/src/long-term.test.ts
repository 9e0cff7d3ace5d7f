// Seals that can be verified in the far future: validation data and document time stamps after the seal (PAdES B-LT, B-LTA).

import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { testInAll } from "../../testing/all.ts";
import fc from "../../testing/properties.ts";
import { SHARED_PROCESS } from "../../testing/shared-process.ts";
import { issue, makeOrg, NOW } from "../fixtures/certificates.ts";
import { onePage, text } from "../fixtures/pages.ts";
import { makeCrl, makeOcsp } from "../fixtures/revocation.ts";
import { placed, sealedBy } from "../fixtures/sealed.ts";
import { makeAuthority } from "../fixtures/time-stamp-authority.ts";
import { appendRevision, concat, latin1, type Objects, stream, writePdf } from "../fixtures/writer.ts";
import { objectId, oid, sequence } from "./cms/der.ts";
import { readTimestampAnswer, timestampRequest } from "./cms/timestamp.ts";
import { placeTimeStamp } from "./place-time-stamp.ts";
import { placeValidation } from "./place-validation.ts";
import { createPdfPool } from "./pool.ts";
import { seal } from "./seal.ts";
import { fillTimeStamp, TOKEN_ROOM_BYTES } from "./time-stamp.ts";
import type { ValidationData } from "./validation-data.ts";
import { verifySeals } from "./verify-seal.ts";

const org = await makeOrg();
const otherOrg = await makeOrg();
const authority = await makeAuthority();
const options = { roots: [org.root.certificate], timestamp_roots: [authority.root], at: NOW };

const tokenBy =
  (by: typeof authority) =>
  async (imprint: Uint8Array): Promise<Uint8Array> => {
    const nonce = randomBytes(8);
    return readTimestampAnswer(by.answer(timestampRequest({ imprint, nonce })), { imprint, nonce, roots: [by.root] }).token;
  };

const document = writePdf(onePage());
const { bytes: sealed } = await seal(await placed(document), {
  certificates: [org.seal.certificate],
  sign: org.sign,
  timestamp: tokenBy(authority),
});

const complete: ValidationData = {
  certificates: [org.root.certificate, authority.root],
  crls: [makeCrl(org.root), makeCrl(authority.issuer)],
  ocsps: [],
};

const validated = async (data: ValidationData = complete, bytes = sealed) => (await placeValidation(bytes, data)).bytes;

async function stamped(bytes: Uint8Array, by = authority): Promise<Uint8Array> {
  const place = await placeTimeStamp(bytes, { room: TOKEN_ROOM_BYTES, marker: randomBytes(32) });
  const result = await fillTimeStamp(place, tokenBy(by));
  if ("tsa_error" in result) throw new Error(result.tsa_error);
  return result.bytes;
}

const verdicts = async (bytes: Uint8Array, asked = options) =>
  (await verifySeals(bytes, asked)).map(({ intact, trusted, covers_whole_file, level, fault }) => ({
    intact,
    trusted,
    covers_whole_file,
    level,
    fault,
  }));
const good = { intact: true, trusted: true, covers_whole_file: true, fault: undefined };

describe("levels", () => {
  test("a time-stamped seal alone is B-T", async () => {
    expect(await verdicts(sealed)).toEqual([{ ...good, level: "B-T" }]);
  });

  test("with validation data it is B-LT, and the earlier bytes are kept", async () => {
    const bytes = await validated();
    expect(Buffer.from(bytes).subarray(0, sealed.length).equals(Buffer.from(sealed))).toBe(true);
    expect(await verdicts(bytes)).toEqual([{ ...good, level: "B-LT" }]);
  });

  test("with a document time stamp on top it is B-LTA", async () => {
    const before = await validated();
    const bytes = await stamped(before);
    expect(Buffer.from(bytes).subarray(0, before.length).equals(Buffer.from(before))).toBe(true);
    expect(await verdicts(bytes)).toEqual([
      { ...good, level: "B-LTA" },
      { ...good, level: undefined },
    ]);
    const [, stamp] = await verifySeals(bytes, options);
    expect(stamp).toMatchObject({ field: "Countersign_2", sub_filter: "ETSI.RFC3161", signing_time: NOW.toISOString() });
  });

  test("a document time stamp without validation data leaves it at B-T", async () => {
    expect(await verdicts(await stamped(sealed))).toMatchObject([{ ...good, level: "B-T" }, good]);
  });

  test("validation data that the document time stamp does not cover is only B-LT", async () => {
    expect(await verdicts(await validated(complete, await stamped(sealed)))).toMatchObject([
      { ...good, level: "B-LT" },
      { ...good, covers_whole_file: true },
    ]);
  });

  test("a seal without a time stamp stays B-B, whatever follows", async () => {
    const plain = await sealedBy(org, document);
    expect(await verdicts(await stamped(await validated(complete, plain)))).toMatchObject([{ ...good, level: "B-B" }, good]);
  });

  test("validation data can be renewed: a second one, and a second time stamp", async () => {
    const renewed = await stamped(
      await validated({ ...complete, ocsps: [makeOcsp(org.root, org.seal.certificate)] }, await stamped(sealed)),
    );
    expect(await verdicts(renewed)).toMatchObject([{ ...good, level: "B-LTA" }, good, good]);
  });

  test.each<[string, ValidationData]>([
    ["no revocation data", { ...complete, crls: [] }],
    ["data of the seal's chain only", { ...complete, crls: [makeCrl(org.root)] }],
    ["data of the authority's chain only", { ...complete, crls: [makeCrl(authority.issuer)] }],
    ["a list of another issuer", { ...complete, crls: [makeCrl(otherOrg.root), makeCrl(authority.issuer)] }],
    ["a list that ended before the seal", { ...complete, crls: [makeCrl(org.root, { until: new Date(0) }), makeCrl(authority.issuer)] }],
    [
      "a list that names the seal certificate",
      { ...complete, crls: [makeCrl(org.root, { revoked: [{ certificate: org.seal.certificate, at: NOW }] }), makeCrl(authority.issuer)] },
    ],
    ["an OCSP response that says revoked", { ...complete, ocsps: [makeOcsp(org.root, org.seal.certificate, { revoked: true })] }],
    ["bytes that are no list", { ...complete, crls: [latin1("x"), makeCrl(authority.issuer)] }],
  ])("%s is not B-LT", async (_name, data) => {
    expect(await verdicts(await validated(data))).toEqual([{ ...good, level: "B-T" }]);
  });

  test("a certificate that was revoked after the time stamp does not lower the level", async () => {
    const later = { certificate: org.seal.certificate, at: new Date(NOW.getTime() + 60_000) };
    const data = { ...complete, crls: [makeCrl(org.root, { revoked: [later] }), makeCrl(authority.issuer)] };
    expect(await verdicts(await validated(data))).toEqual([{ ...good, level: "B-LT" }]);
  });

  test("OCSP responses count like lists, by the issuer or a responder that it named", async () => {
    const usage = { id: oid.extendedKeyUsage, critical: false, value: sequence(objectId("1.3.6.1.5.5.7.3.9")) };
    const responder = issue({ issuer: org.root, name: "Responder", extensions: [usage] });
    const stranger = issue({ issuer: org.root, name: "No responder", extensions: [] });
    const levelWith = async (options_: { responder?: typeof responder }) => {
      const ocsps = [makeOcsp(org.root, org.seal.certificate, options_)];
      return (await verdicts(await validated({ ...complete, crls: [makeCrl(authority.issuer)], ocsps })))[0]?.level;
    };
    expect([await levelWith({}), await levelWith({ responder }), await levelWith({ responder: stranger })]).toEqual([
      "B-LT",
      "B-LT",
      "B-T",
    ]);
  });
});

describe("the whole-file rule", () => {
  test("a document time stamp by an unknown authority is no cover", async () => {
    const other = await makeAuthority();
    expect(await verdicts(await stamped(await validated(), other))).toMatchObject([
      { intact: true, trusted: true, covers_whole_file: false },
      { intact: true, trusted: false, fault: "untrusted" },
    ]);
  });

  test("a document time stamp over other bytes is no cover", async () => {
    const place = await placeTimeStamp(await validated(), { room: TOKEN_ROOM_BYTES, marker: randomBytes(32) });
    const token = await tokenBy(authority)(randomBytes(32));
    const bytes = Buffer.from(place.bytes);
    bytes.write(
      Buffer.from(token)
        .toString("hex")
        .padEnd(2 * TOKEN_ROOM_BYTES, "0"),
      place.gap.start + 1,
      "latin1",
    );
    expect(await verdicts(new Uint8Array(bytes))).toMatchObject([
      { intact: true, covers_whole_file: false },
      { intact: false, fault: "digest_mismatch" },
    ]);
  });

  test("a second seal after the first is a signature, not validation data", async () => {
    const other = await makeOrg();
    const twice = await sealedBy(other, await validated());
    const roots = [org.root.certificate, other.root.certificate];
    expect(await verdicts(twice, { ...options, roots })).toMatchObject([
      { intact: true, covers_whole_file: false },
      { intact: true, covers_whole_file: true },
    ]);
  });

  test("white space after the seal is no change, but not covered", async () => {
    expect(await verdicts(concat(await validated(), latin1("\n \n")))).toMatchObject([{ intact: true, covers_whole_file: false }]);
  });

  test.each<[string, Objects]>([["other content", { 4: stream("", text("Sign there")) }]])(
    "%s between validation data and its time stamp is a change",
    async (_name, objects) => {
      const bytes = await stamped(appendRevision(await validated(), objects));
      expect(await verdicts(bytes)).toMatchObject([
        { intact: false, fault: "changed_after_signing" },
        { intact: true, trusted: true },
      ]);
    },
  );

  test("other content after the document time stamp is a change to both", async () => {
    const bytes = appendRevision(await stamped(await validated()), { 4: stream("", text("Sign there")) });
    expect(await verdicts(bytes)).toMatchObject([{ fault: "changed_after_signing" }, { fault: "changed_after_signing" }]);
  });

  testInAll("no flipped byte leaves the seal and the time stamp as they were", async () => {
    const bytes = await stamped(await validated());
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: bytes.length - 1 }), fc.integer({ min: 1, max: 255 }), async (at, mask) => {
        const other = Uint8Array.from(bytes);
        other[at] = (other[at] as number) ^ mask;
        const [first, second] = await verdicts(other).catch(() => []);
        const both = first?.level === "B-LTA" && first.covers_whole_file && second?.intact === true && second.trusted;
        // Only the case of a hexadecimal digit, or a byte of a gap's padding, may differ without any effect.
        expect(both && !isInGap(bytes, at)).toBe(false);
      }),
      { numRuns: 150 },
    );
  });
});

function isInGap(bytes: Uint8Array, at: number): boolean {
  const file = Buffer.from(bytes).toString("latin1");
  return [...file.matchAll(/\/Contents <[0-9A-Fa-f]+>/g)].some(({ index, 0: found }) => at >= index && at < index + found.length);
}

describe("placing", () => {
  test("validation data has no VRI, and nothing is written twice", async () => {
    const once = await validated();
    const twice = await validated({ ...complete, ocsps: [makeOcsp(org.root, org.seal.certificate)] }, once);
    const appended = Buffer.from(twice).subarray(once.length).toString("latin1");
    expect(Buffer.from(once).toString("latin1")).not.toContain("/VRI");
    expect(appended.match(/ obj/g)?.length).toBeLessThanOrEqual(4);
    expect(await verdicts(twice)).toEqual([{ ...good, level: "B-LT" }]);
  });

  test("a token that does not arrive or does not fit leaves the file at its lower level", async () => {
    const place = await placeTimeStamp(sealed, { room: 100, marker: randomBytes(32) });
    expect(await fillTimeStamp(place, tokenBy(authority))).toEqual({ tsa_error: "the token is larger than the room for it" });
    let tries = 0;
    const failing = async (): Promise<Uint8Array> => {
      tries += 1;
      throw new Error("no route to host");
    };
    expect(await fillTimeStamp(place, failing)).toEqual({ tsa_error: "no route to host" });
    expect(tries).toBe(3);
  });

  test("a token for another file is refused", async () => {
    const place = await placeTimeStamp(sealed, { room: TOKEN_ROOM_BYTES, marker: randomBytes(32) });
    const result = await fillTimeStamp(place, () => tokenBy(authority)(randomBytes(32)));
    expect(result).toMatchObject({ tsa_error: expect.stringContaining("imprint_mismatch") });
  });

  test("the pool does both in a thread", async () => {
    const pool = createPdfPool({ workers: 1, ...SHARED_PROCESS });
    try {
      const { bytes } = await pool.placeValidation(sealed, complete);
      const place = await pool.placeTimeStamp(bytes, { room: TOKEN_ROOM_BYTES, marker: randomBytes(32) });
      const result = await fillTimeStamp(place, tokenBy(authority));
      expect("bytes" in result ? await verdicts(result.bytes) : result).toMatchObject([{ ...good, level: "B-LTA" }, good]);
    } finally {
      await pool.close();
    }
  });
});

describe("a hostile /DSS", () => {
  const withDss = (dss: string, more: Objects = {}): Uint8Array => {
    const written = Buffer.from(sealed).toString("latin1");
    const form = /\/AcroForm (\d+) 0 R/.exec(written)?.[1];
    return appendRevision(sealed, { 1: `<< /Type /Catalog /Pages 2 0 R /AcroForm ${form} 0 R /DSS ${dss} >>`, ...more });
  };

  test.each<[string, string, Objects]>([
    ["that contains itself", "90 0 R", { 90: "<< /Type /DSS /Certs [90 0 R] /CRLs 90 0 R /OCSPs [91 0 R] >>", 91: "[91 0 R]" }],
    ["with 100,000 references to one stream", `<< /CRLs [${"90 0 R ".repeat(100_000)}] >>`, { 90: stream("", "x") }],
    ["with endless nesting in a list", "<< /CRLs [90 0 R] >>", { 90: stream("", Buffer.alloc(100_000, 0x30)) }],
    ["that is a number", "7", {}],
  ])("%s changes nothing about the seal", async (_name, dss, more) => {
    expect(await verdicts(withDss(dss, more))).toMatchObject([{ intact: true, trusted: true, level: "B-T" }]);
  });

  test("with other entries is no validation data", async () => {
    expect(await verdicts(withDss("<< /Certs [] /JS (app.alert\\(1\\)) >>"))).toMatchObject([{ intact: true, covers_whole_file: false }]);
  });

  test("with too much in it is refused when more is to be added", async () => {
    const crls = Array.from({ length: 501 }, (_, index) => latin1(`list ${index}`));
    await expect(placeValidation(sealed, { ...complete, crls })).rejects.toMatchObject({ fault: "too_complex" });
  });
});
