// PDF/A in, PDF/A out: in the claim and by the rules that our changes could break (fixtures/pdfa-rules.ts).

import { createBudget } from "pako";
import { expect, test } from "vitest";
import { type Archival, ATTACHED, archival } from "../fixtures/archival.ts";
import { makeOrg, NOW } from "../fixtures/certificates.ts";
import { DRAWN } from "../fixtures/marks.ts";
import { pdfaClaim, pdfaFaults } from "../fixtures/pdfa-rules.ts";
import { makePng } from "../fixtures/png.ts";
import { sealedBy } from "../fixtures/sealed.ts";
import { archiveClaim } from "./archive-claim.ts";
import { jobs } from "./jobs.ts";
import { openPdf } from "./open.ts";
import type { Mark } from "./stamp.ts";

const org = await makeOrg();
const opened = (): void => undefined;
const PICTURE = makePng({ width: 20, height: 10, depth: 8, color: 6, pixel: (x) => [0, 0, 128, x * 12] });
const area = { page: 1, x: 0.1, y: 0.1, w: 0.3, h: 0.08 };
const signed = { kind: "mark", field: "f", signer: "s", areas: [area], name: "Ann", time: NOW, reference: "env_1" } as const;
const marks: readonly Mark[] = [
  { kind: "text", field: "f", signer: "s", areas: [area], label: "Name", value: "Ann Łódź" },
  { kind: "cross", field: "f", signer: "s", areas: [area], label: "I agree", value: true },
  { kind: "cross", field: "f", signer: "s", areas: [area], label: "Newsletter", value: false },
  { ...signed, value: DRAWN },
  { ...signed, value: { kind: "typed", text: "Ann", font: "caveat" } },
  { ...signed, value: { kind: "uploaded", png: PICTURE }, initials: true },
];

/** Uploaded, given a signature page, signed and sealed. */
async function throughTheService(upload: Uint8Array): Promise<Uint8Array> {
  const clean = await jobs.ingest(upload, { tags: "document" }, opened);
  const { bytes: longer } = await jobs.prepare(clean.bytes, { signers: [{ signer: "s", label: "Ann" }] }, opened);
  const { bytes } = await jobs.finish(longer, { marks }, opened);
  return sealedBy(org, bytes);
}

const claims: readonly [string, Archival][] = [
  ["1b", { part: 1, level: "B" }],
  ["1a", { part: 1, level: "A" }],
  ["2b", { part: 2, level: "B" }],
  ["2u", { part: 2, level: "U", intent: "cmyk" }],
  ["2a", { part: 2, level: "A" }],
  ["3b", { part: 3, level: "B", intent: null }],
];

test.each(claims)("the fixture of PDF/A-%s keeps the rules itself", async (claim, odd) => {
  expect([await pdfaClaim(archival(odd)), await pdfaFaults(archival(odd))]).toEqual([claim, []]);
});

test.each(claims)("PDF/A-%s stays what it is when it is uploaded, signed and sealed", async (claim, odd) => {
  const sealed = await throughTheService(archival(odd));
  expect([await pdfaClaim(sealed), await pdfaFaults(sealed)]).toEqual([claim, []]);
});

test("PDF/A-1 is compressed like any other file, but for its metadata", async () => {
  const [first, second] = await Promise.all(([1, 2] as const).map((part) => throughTheService(archival({ part, level: "B" }))));
  expect(first?.length).toBeLessThan(1.2 * (second?.length ?? 0));
});

test("PDF/A-3 whose attached file is removed no longer claims it", async () => {
  const upload = archival({ part: 3, level: "B", ...ATTACHED });
  const { bytes, removed } = await jobs.ingest(upload, { tags: "document" }, opened);
  expect(removed["Names/EmbeddedFiles"]).toBe(1);
  expect(await pdfaClaim(bytes)).toBeNull();
});

test("PDF/A-2a with a form becomes 2u, because what is drawn of the form is not in its structure", async () => {
  const upload = archival({ part: 2, level: "A", catalog: "/AcroForm << /Fields [] >>" });
  const { bytes } = await jobs.ingest(upload, { tags: "document" }, opened);
  expect([await pdfaClaim(bytes), await pdfaFaults(bytes)]).toEqual(["2u", []]);
});

test("a marked copy claims nothing", async () => {
  const { bytes } = await jobs.copy(archival({ part: 2, level: "B" }), { band: "COPY", diagonal: "COPY" }, opened);
  expect(await pdfaClaim(bytes)).toBeNull();
});

test("a claim written as attributes, with another prefix, is found and removed too", async () => {
  const upload = archival({ part: 3, level: "B", asAttributes: true, ...ATTACHED });
  expect(archiveClaim(await openPdf(upload, createBudget()))).toEqual({ part: 3, level: "B" });
  const { bytes } = await jobs.ingest(upload, { tags: "document" }, opened);
  expect(archiveClaim(await openPdf(bytes, createBudget()))).toBeNull();
});

test.each([
  ["nothing but a prefix", '<x xmlns:p="http://www.aiim.org/pdfa/ns/id/"/>'],
  ["a part that is no number", '<x xmlns:p="http://www.aiim.org/pdfa/ns/id/"><p:part>NaN</p:part></x>'],
  ["a prefix with special characters", '<x xmlns:p.-_="http://www.aiim.org/pdfa/ns/id/"><p.-_:part>x</p.-_:part></x>'],
  ["bytes", "\xff\xfe\x00\xd8"],
])("metadata with %s is no claim", async (_name, xmp) => {
  const upload = Buffer.from(archival({ part: 2, level: "B", more: {} })).toString("latin1");
  const start = upload.indexOf("<?xpacket");
  const end = upload.indexOf('<?xpacket end="w"?>') + 19;
  const bytes = Buffer.from(upload.slice(0, start) + xmp.padEnd(end - start) + upload.slice(end), "latin1");
  expect(archiveClaim(await openPdf(new Uint8Array(bytes), createBudget()))).toBeNull();
});
