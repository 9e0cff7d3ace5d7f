import { createHash } from "node:crypto";
import { createBudget } from "pako";
import { describe, expect, test } from "vitest";
import { makeOrg } from "../fixtures/certificates.ts";
import { onePage, pages, text } from "../fixtures/pages.ts";
import { makePng } from "../fixtures/png.ts";
import { sealedBy } from "../fixtures/sealed.ts";
import { writePdf } from "../fixtures/writer.ts";
import { type FingerprintRequest, fingerprint } from "./fingerprint.ts";
import { jobs } from "./jobs.ts";
import { openPdf } from "./open.ts";

const of = async (bytes: Uint8Array, request: FingerprintRequest = {}) => fingerprint(await openPdf(bytes, createBudget()), request);
const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
const join = (...parts: (Uint8Array | string)[]): Uint8Array => new Uint8Array(Buffer.concat(parts.map((part) => Buffer.from(part))));

const WORDS = "The borrower promises to pay the amount of this note on the first day of each month. ".repeat(8);
const shown = (words: string) => words.match(/.{1,80}/g)?.map((line, i) => text(line, 30, 760 - 14 * i, 9)) ?? [];
const note = (words = WORDS, more: object = {}) => writePdf(onePage({ content: shown(words).join("\n") }), more);
const MARK = "COPY, not the authoritative copy";
const ID = "env_01jd0000000000000000000000";

describe("a file is recognised", () => {
  test("by its bytes, and without what stands behind its end", async () => {
    const plain = note();
    const longer = join(plain, "\n\0 \r\n");
    expect((await of(plain)).file).toContain(sha256(plain));
    const [one, two] = [await of(plain), await of(longer)];
    expect(two.file).toContain(sha256(longer));
    expect(one.file.filter((hash) => two.file.includes(hash))).toHaveLength(1);
  });

  test("after a seal was appended, and without the seal", async () => {
    const plain = note();
    const sealed = await sealedBy(await makeOrg(), plain);
    const [before, after] = [await of(plain), await of(sealed)];
    expect(after.revisions).toHaveLength(2);
    expect(before.file.some((hash) => after.revisions.includes(hash))).toBe(true);
    expect(after.file.some((hash) => before.file.includes(hash))).toBe(false);
    const told = await of(sealed, { wholes: [plain.length] });
    expect(told.file).toEqual(expect.arrayContaining([...before.file, ...after.file]));
  });

  test("by the identifier of its trailer, unless there is none or it is zeros", async () => {
    const trailer = "/ID [<0A0b> <ffff>]";
    expect((await of(note(WORDS, { trailer }))).pdf_id).toBe("0a0b");
    expect((await of(note())).pdf_id).toBeNull();
    expect((await of(note(WORDS, { trailer: "/ID [<0000> <0000>]" }))).pdf_id).toBeNull();
    expect((await of(note(WORDS, { trailer: "/ID 7" }))).pdf_id).toBeNull();
  });

  test("with no more states than are worth knowing", async () => {
    const many = join(note(), "\n%%EOF".repeat(1_000));
    expect((await of(many)).revisions).toHaveLength(256);
  });
});

describe("words are recognised", () => {
  test("whatever their case, width and spaces are, and however the file was written", async () => {
    const one = await of(note());
    expect(one.text_sha256).toMatch(/^[0-9a-f]{64}$/);
    expect((await of(note(WORDS.toUpperCase()))).text_sha256).toBe(one.text_sha256);
    expect((await of(note(WORDS.replaceAll(" ", "  ")))).text_sha256).toBe(one.text_sha256);
    const { bytes } = await jobs.copy(note(), { band: "-" }, () => undefined);
    expect((await of(bytes)).text_sha256, "saved again").toBe(one.text_sha256);
  });

  test("with another amount, they are another document", async () => {
    const [one, two] = [await of(note(`${WORDS} 1000`)), await of(note(`${WORDS} 2000`))];
    expect(one.text_sha256).not.toBe(two.text_sha256);
  });

  test("from 400 letters and digits on, over all pages", async () => {
    expect((await of(note("a".repeat(399)))).text_sha256).toBeNull();
    expect((await of(note("a".repeat(400)))).text_sha256).not.toBeNull();
    expect((await of(note("!?".repeat(300)))).text_sha256).toBeNull();
    expect((await of(writePdf(pages(99)))).text_sha256, "Page 1 to Page 99").not.toBeNull();
  });
});

describe("a rendition of ours says so", () => {
  test("in its band and its metadata", async () => {
    const { bytes } = await jobs.copy(note(), { band: `${MARK} · ${ID} · Ann`, diagonal: "COPY" }, () => undefined);
    const found = await of(bytes, { marks: [MARK] });
    expect(found.rendition).toBe("copy");
    expect(found.marked).toEqual([expect.stringContaining(ID)]);
  });

  test("in its seal", async () => {
    expect((await of(await sealedBy(await makeOrg(), note()))).reasons).toEqual(["Authoritative copy"]);
  });

  test("and other files do not", async () => {
    expect(await of(note(), { marks: [MARK] })).toMatchObject({ rendition: null, marked: [], reasons: [] });
  });
});

test("an upload is identified as it came, also if it is cleaned or an image", async () => {
  const upload = join(
    writePdf(onePage({ content: shown(WORDS).join("\n"), catalog: "/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>" })),
    "\n\n",
  );
  const { marks, kept, sha256: stored } = await jobs.ingest(upload, { tags: "document", images: true }, () => undefined);
  expect([kept, stored === sha256(upload)]).toEqual([false, false]);
  expect(marks.file).toContain(sha256(upload));
  const picture = makePng({ width: 20, height: 20, depth: 8, color: 0, pixel: (x) => [x] });
  const image = await jobs.ingest(picture, { tags: "document", images: true }, () => undefined);
  expect(image.marks).toEqual({ file: [sha256(picture)], revisions: [], pdf_id: null, reasons: [], rendition: null });
});
