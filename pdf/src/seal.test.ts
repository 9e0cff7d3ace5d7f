import { generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { PDF } from "@libpdf/core";
import { describe, expect, test } from "vitest";
import { makeOrg, NOW, type TestOrg } from "../fixtures/certificates.ts";
import { onePage, pages } from "../fixtures/pages.ts";
import { pixelsOf } from "../fixtures/pixels.ts";
import { makeAuthority } from "../fixtures/time-stamp-authority.ts";
import { writePdf } from "../fixtures/writer.ts";
import { readTimestampAnswer, timestampRequest } from "./cms/timestamp.ts";
import { placeSeal } from "./place-seal.ts";
import { roomFor, seal } from "./seal.ts";
import { verifySeals } from "./verify-seal.ts";

const document = writePdf(onePage());
const org = await makeOrg();

const place = (bytes: Uint8Array, room = roomFor([org.seal.certificate], true), marker: Uint8Array = randomBytes(32)) =>
  placeSeal(bytes, { name: "Zoë & Söhne", reason: "Authoritative copy ac_1 of env_1", at: NOW, room, marker });

const keysOf = ({ seal: { certificate }, sign: byOrg }: TestOrg) => ({ certificates: [certificate], sign: byOrg });

const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1");

describe("a placed seal", () => {
  test("is one revision after the unchanged bytes, and its byte range excludes exactly the gap", async () => {
    const { bytes, gap } = await place(document);
    const text = latin1(bytes);
    expect(bytes.subarray(0, document.length)).toEqual(document);
    expect(text.match(/%%EOF/g)).toHaveLength(2);
    expect(/ByteRange \[(\d+) (\d+) (\d+) (\d+)\]\s*\//.exec(text)?.slice(1).map(Number)).toEqual([
      0,
      gap.start,
      gap.end,
      bytes.length - gap.end,
    ]);
    expect([text[gap.start], text[gap.end - 1]]).toEqual(["<", ">"]);
  });

  test("contains name, reason and time, in an invisible field on page 1", async () => {
    const text = latin1((await place(document)).bytes);
    expect(text).toContain("/SubFilter /ETSI.CAdES.detached");
    expect(text).toContain("/M (D:20260304050607Z)");
    expect(text).toContain("/Name (Zo\xeb & S\xf6hne)");
    expect(text).toContain("/Reason (Authoritative copy ac_1 of env_1)");
    expect(text).toContain("/T (Countersign_1)");
    expect(text).toContain("/F 132");
    expect(text).toContain("/SigFlags 3");
    expect(text).toContain("/Rect [0 0 0 0]");
    expect(text).not.toContain("DocMDP");
  });

  test("rewrites only catalog, form, page, field, its empty appearance and signature", async () => {
    const { bytes } = await place(document);
    const added = latin1(bytes.subarray(document.length));
    expect([...added.matchAll(/^(\d+) 0 obj/gm)].map((match) => Number(match[1])).sort((a, b) => a - b)).toEqual([1, 3, 6, 7, 8, 9]);
  });

  test("uses a free name, and keeps existing fields and annotations", async () => {
    const taken = writePdf(
      onePage({
        catalog: "/AcroForm << /Fields 10 0 R /SigFlags 4 >>",
        page: "/Annots 11 0 R",
        more: { 10: "[12 0 R]", 11: "[12 0 R]", 12: "<< /Type /Annot /Subtype /Widget /FT /Tx /T (Countersign_1) /Rect [0 0 9 9] >>" },
      }),
    );
    const { bytes } = await place(taken);
    const text = latin1(bytes.subarray(taken.length));
    expect(text).toContain("/T (Countersign_2)");
    expect(text).toContain("/SigFlags 7");
    expect([...text.matchAll(/\[12 0 R (\d+) 0 R\]/g)]).toHaveLength(2);
  });

  test("is not confused by a byte range in the name", async () => {
    const name = "/ByteRange [0 9999999999 9999999999 9999999999]";
    const room = roomFor([org.seal.certificate], false);
    const placed = await placeSeal(document, { name, reason: name, at: NOW, room, marker: randomBytes(32) });
    const { bytes } = await seal(placed, keysOf(org));
    expect(await verifySeals(bytes, { roots: [org.root.certificate], at: NOW })).toMatchObject([{ intact: true, trusted: true }]);
  });

  test("is not possible in an encrypted file", async () => {
    const pdf = await PDF.load(document);
    pdf.setProtection({ userPassword: "", ownerPassword: "owner" });
    await expect(place(await pdf.save())).rejects.toMatchObject({ name: "UnreadablePdf", fault: "encrypted" });
  });

  test.each([
    ["a file without its cross-references", () => latin1(document).replace(/xref[\s\S]*/, "")],
    ["a file that is not a PDF", () => "nothing"],
  ])("rejects %s instead of rewriting it", async (_name, text) => {
    await expect(place(new Uint8Array(Buffer.from(text(), "latin1")))).rejects.toMatchObject({
      name: "UnreadablePdf",
      fault: "unparseable",
    });
  });
});

describe("sealing", () => {
  test("changes only the gap, and shows nothing on the page", async () => {
    const placed = await place(document);
    const { bytes, level } = await seal(placed, keysOf(org));
    const { start, end } = placed.gap;
    expect(level).toBe("B-B");
    expect(bytes.subarray(0, start + 1)).toEqual(placed.bytes.subarray(0, start + 1));
    expect(bytes.subarray(end - 1)).toEqual(placed.bytes.subarray(end - 1));
    expect(latin1(bytes.subarray(start, end))).toMatch(/^<30[0-9a-f]+0*>$/);
    const [before, after] = await Promise.all([pixelsOf(document), pixelsOf(bytes)]);
    expect(Buffer.compare(after.data, before.data)).toBe(0);
  });

  test("gives seals of the same bytes that differ only in their random parts", async () => {
    const marker = new Uint8Array(32).fill(7);
    const room = roomFor([org.seal.certificate], false);
    const [a, b] = await Promise.all([place(document, room, marker), place(document, room, marker)]);
    const withoutId = (bytes: Uint8Array): string => latin1(bytes).replace(/\/ID \[[^\]]*\]/, "");
    expect(withoutId(a.bytes)).toBe(withoutId(b.bytes));
  });

  test("rejects a signature by another key before it is written", async () => {
    const other = await makeOrg();
    const placed = await place(document);
    await expect(seal(placed, { certificates: [org.seal.certificate], sign: other.sign })).rejects.toThrow("not made with the key");
  });

  test("fails if the signer fails", async () => {
    const failing = () => Promise.reject(new Error("no key today"));
    await expect(seal(await place(document), { certificates: [org.seal.certificate], sign: failing })).rejects.toThrow("no key today");
  });

  test("reports too little space instead of overrunning it", async () => {
    await expect(seal(await place(document, 100), keysOf(org))).rejects.toThrow("100 reserved bytes");
  });

  test("works with an RSA certificate", async () => {
    const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const bought = await makeOrg(NOW, rsa);
    const placed = await place(document, roomFor([bought.seal.certificate], false));
    const { bytes } = await seal(placed, { certificates: [bought.seal.certificate], sign: (der) => sign("sha256", der, rsa.privateKey) });
    expect(await verifySeals(bytes, { roots: [bought.root.certificate], at: NOW })).toMatchObject([{ intact: true, trusted: true }]);
  });

  test("adds less than 12 KB to a document of 60 pages", async () => {
    const long = writePdf(pages(60), { layout: "streams" });
    const placed = await place(long, roomFor([org.seal.certificate], false));
    expect(placed.bytes.length - long.length).toBeLessThan(12_000);
  });
});

describe("with a time-stamp authority", () => {
  const sealStamped = async (timestamp: (imprint: Uint8Array) => Promise<Uint8Array>) =>
    seal(await place(document), { ...keysOf(org), timestamp });

  test("the level is B-T and the token is valid for the signature", async () => {
    const authority = await makeAuthority();
    const { bytes, level } = await sealStamped(async (imprint) => {
      const nonce = randomBytes(8);
      const answer = authority.answer(timestampRequest({ imprint, nonce }));
      return readTimestampAnswer(answer, { imprint, nonce, roots: [authority.root] }).token;
    });
    expect(level).toBe("B-T");
    const [report] = await verifySeals(bytes, { roots: [org.root.certificate], timestamp_roots: [authority.root], at: NOW });
    expect(report).toMatchObject({ intact: true, trusted: true, timestamp: { at: NOW.toISOString(), intact: true, trusted: true } });
    const [unknown] = await verifySeals(bytes, { roots: [org.root.certificate], at: NOW });
    expect(unknown).toMatchObject({ intact: true, trusted: true, timestamp: { intact: true, trusted: false, fault: "untrusted" } });
  });

  test("if the authority is down, the seal is B-B after three attempts, with the reason", async () => {
    let tries = 0;
    const { bytes, level, tsa_error } = await sealStamped(() => Promise.reject(new Error(`down ${++tries}`)));
    expect([level, tsa_error, tries]).toEqual(["B-B", "down 3", 3]);
    const [report] = await verifySeals(bytes, { roots: [org.root.certificate], at: NOW });
    expect(report).toMatchObject({ intact: true, trusted: true });
    expect(report).not.toHaveProperty("timestamp");
  });

  test("the second attempt may succeed", async () => {
    const authority = await makeAuthority();
    let tries = 0;
    const { level } = await sealStamped(async (imprint) => {
      if (++tries < 2) throw new Error("down");
      const nonce = randomBytes(8);
      return readTimestampAnswer(authority.answer(timestampRequest({ imprint, nonce })), { imprint, nonce, roots: [authority.root] }).token;
    });
    expect([level, tries]).toEqual(["B-T", 2]);
  });

  test("a token for something else is never included", async () => {
    const authority = await makeAuthority();
    const { level, tsa_error } = await sealStamped(async () => {
      const [imprint, nonce] = [randomBytes(32), randomBytes(8)];
      return readTimestampAnswer(authority.answer(timestampRequest({ imprint, nonce })), { imprint, nonce, roots: [authority.root] }).token;
    });
    expect([level, tsa_error]).toEqual(["B-B", "the token is not valid: imprint_mismatch"]);
  });

  test("bytes that are not a token, and a token that is too large, give B-B", async () => {
    const authority = await makeAuthority();
    const nonsense = await sealStamped(async () => new Uint8Array(20));
    expect(nonsense).toMatchObject({ level: "B-B", tsa_error: "the token is not valid: unreadable" });
    const huge = await sealStamped(async (imprint) => {
      const nonce = randomBytes(8);
      const answer = authority.answer(timestampRequest({ imprint, nonce }), { padding: 12_000 });
      return readTimestampAnswer(answer, { imprint, nonce, roots: [authority.root] }).token;
    });
    expect(huge).toMatchObject({ level: "B-B", tsa_error: "the token is larger than the room for it" });
  });
});
