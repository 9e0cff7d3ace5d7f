import { readdirSync } from "node:fs";
import { request } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { createBudget, openPdf, pageText } from "@countersign/pdf";
import { Busboy } from "@fastify/busboy";
import { describe, expect, test, vi } from "vitest";
import { planted } from "../../../pdf/fixtures/active-content.ts";
import { attachmentIcon, wrongPageCount } from "../../../pdf/fixtures/changed-look.ts";
import { formWith, utf16 } from "../../../pdf/fixtures/forms.ts";
import { positionsOffByOne } from "../../../pdf/fixtures/lost-words.ts";
import { onePage, pages, text } from "../../../pdf/fixtures/pages.ts";
import { makePng } from "../../../pdf/fixtures/png.ts";
import { writePdf } from "../../../pdf/fixtures/writer.ts";
import { testInAll } from "../../../testing/all.ts";
import { type FormFile, filePart, form, formHeaders, textPart } from "../../test/form.ts";
import { testProvider } from "../../test/provider.ts";
import { refusedWith } from "../../test/refused-with.ts";
import { type TestKey, testService } from "../../test/service.ts";
import { until } from "../../test/until.ts";
import { MAX_FILE_BYTES } from "../http/form.ts";
import type { OrgId } from "../shared/ids.ts";

const END = Buffer.from("------countersign-test-8d1f--\r\n");

const provider = testProvider();
const service = testService({}, provider);

const plain = writePdf(onePage());
const tagged = writePdf(
  onePage({
    content: `${text("Buyer: {{Buyer signature;role=Buyer;type=signature}} please")} ${text("{{Place;role=Buyer;default=Berlin}}", 72, 600)}`,
  }),
);

const anchored = (more: object = {}) => ({
  name: "Signature",
  type: "signature",
  role: "Buyer",
  placement: { mode: "anchor", anchor_text: "Sign here", w: 0.3, h: 0.05, ...more },
});
const absolute = (more: object = {}, area: object = {}) => ({
  name: "Place",
  type: "text",
  role: "Buyer",
  placement: { mode: "absolute", areas: [{ page: 1, x: 0.1, y: 0.2, w: 0.3, h: 0.05, ...area }] },
  ...more,
});

const newKey = async (): Promise<TestKey> => (await service.newOrg()).newKey();

let shared: Promise<TestKey> | undefined;
/** For tests that only look at their own response: creating an org would take longer than most of them. */
function anyKey(): Promise<TestKey> {
  shared ??= newKey();
  return shared;
}

function create(key: TestKey, parts: Record<string, string>, file: FormFile | null = { bytes: plain }) {
  return key.send("POST", "/partner/templates", form({ name: "Lease", ...parts }, ...(file === null ? [] : [file])));
}

const withFields = (key: TestKey, fields: unknown, bytes = plain) => create(key, { fields_json: JSON.stringify(fields) }, { bytes });

/** Where uploaded files are until the response. */
const uploads = () => readdirSync(join(service.config.dataDir, "uploads"));

/** The service's response to these bytes. */
async function rawAnswer(bytes: Buffer): Promise<string> {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  socket.write(bytes);
  let text = "";
  for await (const chunk of socket.setEncoding("utf8")) text += chunk;
  return text;
}

async function storedPdf(template_id: string): Promise<Uint8Array> {
  const [row] = await service.database.owner<{ org_id: string; document_sha256: string }>(
    "select org_id, pdf_sha256 as document_sha256 from template_documents where template_id = $1",
    [template_id],
  );
  const { org_id, document_sha256: hash } = row as { org_id: OrgId; document_sha256: string };
  return service.features.storage.blobs.read(org_id, hash);
}

describe("a template from a PDF", () => {
  test("with absolute and anchor fields mixed has anchor_match only for anchors", async () => {
    const key = await anyKey();
    const fields = [anchored({ offset_y: 0.1 }), absolute({ required: true })];
    const { status, json } = await withFields(key, fields);
    expect(status).toBe(200);
    const { data } = json;
    expect(Object.keys(data).sort()).toEqual(["fields", "fields_added", "name", "provider_template_id", "template_id"]);
    expect(data).toMatchObject({ name: "Lease", fields_added: 2 });
    expect(Number.isInteger(data.provider_template_id)).toBe(true);
    const [first, second] = data.fields;
    expect(first).toEqual({
      name: "Signature",
      type: "signature",
      role: "Buyer",
      required: false,
      anchor_match: expect.objectContaining({ page: 1 }),
      areas: [expect.objectContaining({ page: 1, w: 0.3, h: 0.05 })],
    });
    expect(first.anchor_match.x).toBeCloseTo(72 / 612, 5);
    expect(first.areas[0].y).toBeCloseTo(first.anchor_match.y + 0.1, 5);
    expect(second).toEqual({
      name: "Place",
      type: "text",
      role: "Buyer",
      required: true,
      areas: [{ page: 1, x: 0.1, y: 0.2, w: 0.3, h: 0.05 }],
    });
  });

  test("with tags and without fields_json has its fields where the tags were, and the tags are removed from its pages", async () => {
    const key = await anyKey();
    const { status, json } = await create(key, {}, { bytes: tagged });
    expect([status, json.data.fields_added]).toEqual([200, 2]);
    const [signature, place] = json.data.fields;
    expect(signature).toMatchObject({ name: "Buyer signature", type: "signature", role: "Buyer", required: true });
    expect(place).toMatchObject({ name: "Place", type: "text", role: "Buyer", required: false });
    expect(place.areas[0].x).toBeCloseTo(72 / 612, 3);
    const stored = await storedPdf(json.data.template_id);
    const { blocks } = await pageText(stored, 1);
    expect(blocks.join(" ").replace(/\s+/g, " ")).toBe("Buyer: please");
    const whole = await key.send("GET", `/partner/templates/${json.data.template_id}`);
    expect(whole.json.data.fields[1]).toMatchObject({ name: "Place", default_value: "Berlin", readonly: false, options: null });
    expect(whole.json.data.roles).toEqual(["Buyer"]);
  });

  test("with tags and with fields_json has the fields of the request, and the tags are only removed", async () => {
    const key = await anyKey();
    const { json } = await withFields(key, [absolute()], tagged);
    expect(json.data.fields.map((field: { name: string }) => field.name)).toEqual(["Place"]);
    const { blocks } = await pageText(await storedPdf(json.data.template_id), 1);
    expect(blocks.join(" ")).not.toContain("{{");
  });

  test("warns about a tag that is not closed, which stays text", async () => {
    const content = [
      text("{{Tenant signature;role=Tenant;type=signature", 72, 700),
      text("{{Term;role=Tenant;type=date}", 72, 600),
      text("{{Floor;role=Tenant}}", 72, 500),
    ].join(" ");
    const { status, json } = await create(await anyKey(), {}, { bytes: writePdf(onePage({ content })) });
    expect([status, json.data.fields.map(({ name }: { name: string }) => name)]).toEqual([200, ["Floor"]]);
    const says = "has no closing braces, so it is text and not a field. Close it with }}";
    expect(json.data.warnings).toEqual([
      { code: "tag_unclosed", message: `Page 1, {{Tenant signature;role=Tenant;type=sign: ${says}` },
      { code: "tag_unclosed", message: `Page 1, {{Term;role=Tenant;type=date: ${says}` },
    ]);
    const { blocks } = await pageText(await storedPdf(json.data.template_id), 1);
    expect(blocks.join(" ")).toContain("{{Term;role=Tenant;type=date}");
  });

  test("has the options that bars separate, if there is no comma", async () => {
    const content = [
      text("{{Floor;role=Tenant;type=select;options=first | second}}", 72, 600),
      text("{{Pay;role=Tenant;type=radio;options=cash|card, later}}", 72, 500),
    ].join(" ");
    const key = await anyKey();
    const { json } = await create(key, {}, { bytes: writePdf(onePage({ content })) });
    expect(json.data).not.toHaveProperty("warnings");
    const whole = await key.send("GET", `/partner/templates/${json.data.template_id}`);
    expect(whole.json.data.fields.map(({ options }: { options: string[] }) => options)).toEqual([
      ["first", "second"],
      ["cash|card", "later"],
    ]);
  });

  test("warns about a choice with one option", async () => {
    const content = text("{{Term;role=Tenant;type=select;options=12 months}}", 72, 500);
    const { status, json } = await create(await anyKey(), {}, { bytes: writePdf(onePage({ content })) });
    expect([status, json.data.warnings]).toEqual([
      200,
      [
        {
          code: "single_option",
          message: "Page 1, {{Term;role=Tenant;type=select;options=1: the field has only one option. Separate options with commas",
        },
      ],
    ]);
  });

  test("says which page cleaning may have changed, or that this could not be seen, and is refused if content would be lost", async () => {
    const key = await anyKey();
    const changed = await create(key, {}, { bytes: writePdf(attachmentIcon()) });
    expect([changed.status, changed.json.data.warnings]).toEqual([
      200,
      [{ code: "look_changed", message: expect.stringContaining("may have changed the look of page 2.") }],
    ]);
    const unseen = await create(key, {}, { bytes: writePdf(wrongPageCount()) });
    expect([unseen.status, unseen.json.data.warnings]).toEqual([
      200,
      [{ code: "look_not_compared", message: expect.stringContaining("its look could not be compared") }],
    ]);
    const lost = await create(key, {}, { bytes: positionsOffByOne() });
    expect([lost.status, lost.json.details]).toEqual([422, [expect.objectContaining({ code: "pdf_content_lost" })]]);
  });

  test("without tags and without fields_json is empty", async () => {
    const { status, json } = await create(await anyKey(), { external_id: "mine-7" });
    expect([status, json.data.fields_added, json.data.fields]).toEqual([200, 0, []]);
  });

  test("declared as image/png is accepted as the PDF that it is", async () => {
    const { status } = await create(await anyKey(), {}, { bytes: plain, name: "lease.png", type: "image/png" });
    expect(status).toBe(200);
  });

  test("cuts an area that extends beyond the page, with a warning", async () => {
    const { json } = await withFields(await anyKey(), [absolute({}, { x: 0.9 })]);
    expect(json.data.fields[0].areas).toEqual([{ page: 1, x: 0.9, y: 0.2, w: 0.1, h: 0.05 }]);
    expect(json.data.warnings).toEqual([{ code: "area_clipped", message: expect.stringContaining("fields_json[0].placement.areas[0]") }]);
  });

  test("with several areas places one field on several pages", async () => {
    const field = absolute();
    field.placement.areas.push({ page: 3, x: 0.5, y: 0.5, w: 0.1, h: 0.1 });
    const { json } = await withFields(await anyKey(), [field], writePdf(pages(3)));
    expect([json.data.fields_added, json.data.fields[0].areas.length]).toEqual([1, 2]);
  });

  test("with an unknown member in a field is 422, and no template is created", async () => {
    const key = await (await service.newOrg()).newKey();
    const { status, json } = await withFields(key, [absolute({ colour: "ultramarine" })]);
    expect([status, json.details]).toEqual([
      422,
      [{ location: "form", field: "fields_json[0].colour", code: "unknown_field", message: "is not a known field" }],
    ]);
    expect((await key.send("GET", "/partner/templates")).json.meta.total).toBe(0);
  });

  test.each(planted.map(({ name, objects }) => [name, objects] as const))("with %s is stored without it", async (_name, objects) => {
    const { status, json } = await create(await anyKey(), {}, { bytes: writePdf(objects) });
    expect(status).toBe(200);
    expect(Buffer.from(await storedPdf(json.data.template_id)).toString("latin1")).not.toContain("PAYLOAD");
  });

  test("is recorded together with its entry and its blob; the counterpart is the provider's number", async () => {
    const org = await service.newOrg();
    const { json } = await create(await org.newKey(), {});
    const rows = await service.database.owner(
      "select b.kept, t.provider_template_id, t.provider from templates t join template_documents d using (org_id, template_id) join blobs b on b.org_id = t.org_id and b.sha256 = d.pdf_sha256 where t.org_id = $1",
      [org.org_id],
    );
    expect(rows).toEqual([{ kept: true, provider: "test", provider_template_id: json.data.provider_template_id }]);
    const entries = await service.database.owner("select type from audit_entries where org_id = $1 and type like 'template.%'", [
      org.org_id,
    ]);
    expect(entries).toEqual([{ type: "template.created" }]);
  });

  test("the same Idempotency-Key creates one template, and repeats its response without the work", async () => {
    const key = await newKey();
    const before = provider.counterparts.size;
    const send = (bytes: Uint8Array) => {
      const { raw, headers } = form({ name: "Lease" }, { bytes });
      return key.send("POST", "/partner/templates", { raw, headers: { ...headers, "idempotency-key": "once" } });
    };
    const [first, again] = [await send(plain), await send(plain)];
    expect([first.status, again.status, again.headers["idempotent-replayed"]]).toEqual([200, 200, "true"]);
    expect(again.text).toBe(first.text);
    expect(provider.counterparts.size).toBe(before + 1);
    expect((await send(tagged)).json.error).toBe("This Idempotency-Key was used with a different request");
  });

  testInAll("of ten at once with one Idempotency-Key, one is created, and no counterpart is left over", async () => {
    const key = await newKey();
    const before = provider.counterparts.size;
    const { raw, headers } = form({ name: "Lease" }, { bytes: plain });
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => key.send("POST", "/partner/templates", { raw, headers: { ...headers, "idempotency-key": "k" } })),
    );
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
    expect(answers[0]?.status).toBe(200);
    expect((await key.send("GET", "/partner/templates")).json.meta.total).toBe(1);
    expect(provider.counterparts.size).toBe(before + 1);
  });
});

describe("a template is refused with", () => {
  test("400: file or name missing, a second file, fields_json that is not JSON, an invalid form", async () => {
    const key = await anyKey();
    const send = (raw: Buffer, headers: Record<string, string> = formHeaders()) => key.send("POST", "/partner/templates", { raw, headers });
    const noFile = await create(key, {}, null);
    expect([noFile.status, noFile.json.error, noFile.json.details[0].field]).toEqual([400, "The form must have: file", "file"]);
    const noName = await create(key, { name: "" });
    expect([noName.status, noName.json.error]).toEqual([400, "The form must have: name"]);
    const both = await send(Buffer.concat([textPart("external_id", "x"), Buffer.from("------countersign-test-8d1f--\r\n")]));
    expect([both.status, both.json.error]).toEqual([400, "The form must have: file and name"]);
    const twice = await key.send("POST", "/partner/templates", form({ name: "Lease" }, { bytes: plain }, { bytes: plain }));
    expect([twice.status, twice.json.error]).toEqual([400, "The form must have a single file"]);
    const notJson = await create(key, { fields_json: "[{]" });
    expect([notJson.status, notJson.json.error]).toEqual([400, "fields_json is not valid JSON"]);
    const deep = await create(key, { fields_json: "[".repeat(500_000) });
    expect([deep.status, deep.json.details], "not parsed at all").toEqual([
      422,
      [{ location: "form", field: "fields_json", code: "invalid_value", message: "must be nested at most 32 levels deep" }],
    ]);
    const textAsFile = await send(
      Buffer.concat([textPart("name", "x"), textPart("file", "%PDF-1.7"), Buffer.from("------countersign-test-8d1f--\r\n")]),
    );
    expect([textAsFile.status, textAsFile.json.error]).toEqual([400, "The form must have: file"]);
    const cut = await send(filePart({ bytes: plain }).subarray(0, 300));
    expect([cut.status, cut.json.error]).toEqual([400, "The request body is not valid multipart/form-data"]);
    const unbounded = await send(Buffer.from("x"), { "content-type": "multipart/form-data" });
    expect(unbounded.status).toBe(400);
    const crowd = await key.send(
      "POST",
      "/partner/templates",
      form(Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`p${n}`, "x"]))),
    );
    expect(crowd.status).toBe(400);
    expect(uploads()).toEqual([]);
  });

  test("400: a form that is cut off anywhere, and nothing of it is stored", async () => {
    const key = await anyKey();
    const { raw, headers } = form({ name: "Lease", external_id: "ORDER-1234" }, { bytes: plain });
    const after = Buffer.concat([filePart({ bytes: plain }), textPart("name", "Lease"), textPart("external_id", "ORDER-1234")]);
    for (const cut of [
      raw.subarray(0, raw.length - 4),
      raw.subarray(0, raw.length - 40),
      after,
      after.subarray(0, after.length - 5),
      after.subarray(0, -60),
    ]) {
      const { status, json } = await key.send("POST", "/partner/templates", { raw: cut, headers });
      expect([status, json.error]).toEqual([400, "The request body is not valid multipart/form-data"]);
    }
    expect(uploads()).toEqual([]);
  });

  test("nothing left behind if its file was complete before the form failed", async () => {
    const key = await anyKey();
    const crowd = Buffer.concat([filePart({ bytes: plain }), ...Array.from({ length: 40 }, (_, n) => textPart(`p${n}`, "x")), END]);
    expect((await key.send("POST", "/partner/templates", { raw: crowd, headers: formHeaders() })).status).toBe(400);
    expect(uploads()).toEqual([]);
    const sending = request(`${service.url}/api/v2/partner/templates`, {
      method: "POST",
      headers: { ...formHeaders(), "x-api-key": key.api_key, "transfer-encoding": "chunked" },
    });
    sending.on("error", () => undefined);
    sending.write(Buffer.concat([filePart({ bytes: plain }), textPart("name", "Lease").subarray(0, 30)]));
    await until("the file to arrive", async () => uploads().length === 1);
    sending.destroy();
    await until("it to be gone", async () => uploads().length === 0);
  });

  test("a form that arrives byte by byte is read correctly, and its parser gets larger pieces", async () => {
    const key = await anyKey();
    const { raw, headers } = form({ name: "Lease" }, { bytes: plain });
    const pieces = [...raw].map((byte) => Buffer.from(`1\r\n${String.fromCharCode(byte)}\r\n`, "latin1"));
    const head = [
      "POST /api/v2/partner/templates HTTP/1.1",
      `Host: ${new URL(service.url).host}`,
      `X-API-Key: ${key.api_key}`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      "Transfer-Encoding: chunked",
      "Connection: close",
    ];
    const written = vi.spyOn(Busboy.prototype, "write");
    const answer = await rawAnswer(Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`), ...pieces, Buffer.from("0\r\n\r\n")]));
    const times = written.mock.calls.length;
    written.mockRestore();
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(raw.length / times).toBeGreaterThan(100);
    const { template_id } = JSON.parse(answer.slice(answer.indexOf("\r\n\r\n"))).data;
    expect((await pageText(await storedPdf(template_id), 1)).blocks).toEqual(["Sign here"]);
  });

  test("a part with the name of an object's built-in member is unknown like any other", async () => {
    const key = await anyKey();
    for (const name of ["constructor", "toString", "__proto__", "hasOwnProperty"]) {
      const { status, json } = await create(key, { [`${name}`]: '{"external_id":"a\\u0000b"}' });
      expect([status, json.details]).toEqual([
        422,
        [{ location: "form", field: name, code: "unknown_field", message: "is not a part of this form" }],
      ]);
    }
  });

  test("422: text that is not UTF-8, or more than 500 anchors; at most 20 mistakes are named", async () => {
    const key = await anyKey();
    const raw = Buffer.concat([
      textPart("name", "Lease"),
      Buffer.from(textPart("external_id", "caf\u00e9").toString("utf8"), "latin1"),
      filePart({ bytes: plain }),
      END,
    ]);
    const odd = await key.send("POST", "/partner/templates", { raw, headers: formHeaders() });
    expect([odd.status, odd.json.details]).toEqual([422, [expect.objectContaining({ field: "external_id", code: "invalid_format" })]]);
    const many = await withFields(
      key,
      Array.from({ length: 501 }, () => anchored()),
    );
    expect([many.status, many.json.details]).toEqual([422, [expect.objectContaining({ field: "fields_json", code: "too_long" })]]);
    const roles = await withFields(key, [absolute(), ...Array.from({ length: 50 }, () => absolute({ role: "BUYER" }))]);
    expect(roles.json.details).toHaveLength(20);
  });

  test("403 before a byte of the body is read", async () => {
    const org = await service.newOrg();
    const key = await org.newKey({ scopes: ["envelopes:read"] });
    const { status, json } = await create(key, {});
    expect([status, json.error]).toEqual([403, "Missing required scope: envelopes:write"]);
  });

  testInAll("413: one byte over 50 MB, and nothing is left on disk or in the database", async () => {
    const org = await service.newOrg();
    const key = await org.newKey();
    const over = await create(key, {}, { bytes: Buffer.concat([plain, Buffer.alloc(MAX_FILE_BYTES + 1 - plain.length)]) });
    expect([over.status, over.json.error]).toEqual([413, "The file is larger than 50 MB"]);
    expect(uploads()).toEqual([]);
    expect(await service.database.owner("select from blobs where org_id = $1", [org.org_id])).toEqual([]);
    expect((await key.send("GET", "/partner/templates")).json.meta.total).toBe(0);
  });

  testInAll("exactly 50 MB is accepted", async () => {
    const exact = await create(await anyKey(), {}, { bytes: Buffer.concat([plain, Buffer.alloc(MAX_FILE_BYTES - plain.length, "%")]) });
    expect(exact.status).toBe(200);
  });

  test("413 at once when the declared length is too large", async () => {
    const key = await anyKey();
    const { status } = await key.send("POST", "/partner/templates", {
      raw: Buffer.alloc(0),
      headers: { ...formHeaders(), "content-length": String(200_000_000), connection: "close" },
    });
    expect(status).toBe(413);
  });

  test.skipIf(process.platform !== "linux")("503 when the disk is full after cleaning: try again; nothing is left", async () => {
    const { pdf } = service.features;
    const { ingestToFile } = pdf;
    const onFullDisk = vi.spyOn(pdf, "ingestToFile");
    onFullDisk.mockImplementation((source, request, turn) => ingestToFile(source, { ...request, into: "/dev/full" }, turn));
    const { status, json, headers } = await create(await anyKey(), {});
    onFullDisk.mockRestore();
    expect([status, json.error, headers["retry-after"]]).toEqual([503, "Not enough disk space for uploads", "5"]);
    expect(uploads()).toEqual([]);
    expect((await create(await anyKey(), {})).status).toBe(200);
  });

  test("415: a text file named .pdf, an image, an empty file, and a body that is not a form", async () => {
    const key = await anyKey();
    for (const bytes of [
      Buffer.from("Dear Sir"),
      makePng({ width: 2, height: 2, depth: 8, color: 0, pixel: () => [0] }),
      Buffer.alloc(0),
    ]) {
      const { status, json } = await create(key, {}, { bytes, name: "lease.pdf", type: "application/pdf" });
      expect([status, json.error]).toEqual([415, "The file is not a PDF"]);
    }
    const wrong = await key.send("POST", "/partner/templates", { body: { name: "x" } });
    expect([wrong.status, wrong.json.error]).toEqual([415, "The body must be multipart/form-data, without a Content-Encoding"]);
    const packed = form({ name: "x" }, { bytes: plain });
    const encoded = await key.send("POST", "/partner/templates", {
      raw: packed.raw,
      headers: { ...packed.headers, "content-encoding": "gzip" },
    });
    expect(encoded.status).toBe(415);
    expect(uploads()).toEqual([]);
  });

  test("422: a PDF that is password-protected or cannot be read", async () => {
    const key = await anyKey();
    const doc = await openPdf(plain, createBudget());
    doc.pdf.setProtection({ userPassword: "secret", ownerPassword: "owner" });
    const locked = await create(key, {}, { bytes: await doc.pdf.save() });
    expect([locked.status, locked.json.error]).toEqual([422, "The PDF is password-protected. Remove the password and upload it again"]);
    const broken = await create(key, {}, { bytes: Buffer.from("%PDF-1.7\nnothing more") });
    expect([broken.status, broken.json.error]).toEqual([422, "The PDF could not be read"]);
  });

  test("422: a form field or an annotation that cannot be drawn is named", async () => {
    const bytes = formWith([
      { entries: `/FT /Tx /T (price) /V ${utf16("9 \u{10FFFD}")}` },
      { entries: `/FT /Tx /T (total) /V ${utf16("\u{10FFFD}")}` },
    ]);
    const { status, json } = await create(await anyKey(), {}, { bytes });
    expect([status, json.error]).toEqual([
      422,
      'The form field "price" on page 1 cannot be drawn as viewers show it. Print the document to PDF and upload that file',
    ]);
    expect(json.details).toEqual(
      ["price", "total"].map((name) => ({
        location: "form",
        field: "file",
        code: "pdf_not_drawable",
        message: `The form field "${name}" on page 1 cannot be drawn: there is no font for the character U+10FFFD`,
      })),
    );
    const note = `<< /Type /Annot /Subtype /FreeText /Rect [72 500 272 540] /Contents ${utf16("\u{10FFFD}")} >>`;
    const noted = await create(await anyKey(), {}, { bytes: writePdf(onePage({ page: "/Annots [10 0 R]", more: { 10: note } })) });
    expect([noted.status, noted.json.error]).toEqual([
      422,
      "The FreeText annotation on page 1 cannot be drawn as viewers show it. Print the document to PDF and upload that file",
    ]);
  });

  test("422: a tag with an unknown attribute names page, tag and attribute", async () => {
    const bytes = writePdf(onePage({ content: text("{{Sig;typ=signature}}") }));
    const { status, json } = await create(await anyKey(), {}, { bytes });
    expect([status, json.error]).toEqual([422, "The document's tags are not valid"]);
    expect(json.details).toEqual([
      {
        location: "form",
        field: "file",
        code: "unknown_field",
        message: expect.stringContaining('Page 1, {{Sig;typ=signature}}: unknown attribute "typ"'),
      },
    ]);
  });

  test.each([
    ["an unknown type", absolute({ type: "stamp" }), "fields_json[0].type", "invalid_value"],
    ["a list without choices", absolute({ type: "select" }), "fields_json[0].options", "invalid_value"],
    ["a type that does not exist", absolute({ type: "stamp" }), "fields_json[0].type", "invalid_value"],
    ["no name", absolute({ name: "" }), "fields_json[0].name", "too_small"],
    ["a blank role", absolute({ role: "  " }), "fields_json[0].role", "invalid_format"],
    ["no placement", absolute({ placement: undefined }), "fields_json[0].placement", "required"],
    ["an unknown mode", absolute({ placement: { mode: "magic" } }), "fields_json[0].placement.mode", "invalid_value"],
    ["an area that rounding reduces to nothing", absolute({}, { x: 0.9999999 }), "fields_json[0].placement.areas[0]", "out_of_range"],
    ["no areas", absolute({ placement: { mode: "absolute", areas: [] } }), "fields_json[0].placement.areas", "too_small"],
    ["x above 1", absolute({}, { x: 1.01 }), "fields_json[0].placement.areas[0].x", "too_big"],
    ["a negative y", absolute({}, { y: -0.1 }), "fields_json[0].placement.areas[0].y", "too_small"],
    ["w above 1", absolute({}, { w: 2 }), "fields_json[0].placement.areas[0].w", "too_big"],
    ["a negative height", absolute({}, { h: -0.1 }), "fields_json[0].placement.areas[0].h", "too_small"],
    ["a width of zero", absolute({}, { w: 0 }), "fields_json[0].placement.areas[0].w", "too_small"],
    ["an area off the page", absolute({}, { x: 1 }), "fields_json[0].placement.areas[0]", "out_of_range"],
    ["a page out of range", absolute({}, { page: 2 }), "fields_json[0].placement.areas[0].page", "out_of_range"],
    ["page 0", absolute({}, { page: 0 }), "fields_json[0].placement.areas[0].page", "too_small"],
    ["coordinates as text", absolute({}, { x: "0.1" }), "fields_json[0].placement.areas[0].x", "invalid_type"],
    ["an anchor that is not found", anchored({ anchor_text: "Nowhere" }), "fields_json[0].placement.anchor_text", "not_found"],
    ["an empty anchor", anchored({ anchor_text: "" }), "fields_json[0].placement.anchor_text", "too_small"],
    ["a blank anchor", anchored({ anchor_text: " \n" }), "fields_json[0].placement.anchor_text", "invalid_format"],
    ["an occurrence too high", anchored({ occurrence: 2 }), "fields_json[0].placement.occurrence", "out_of_range"],
    ["occurrence 0", anchored({ occurrence: 0 }), "fields_json[0].placement.occurrence", "too_small"],
    ["an anchor on a missing page", anchored({ page: 9 }), "fields_json[0].placement.page", "out_of_range"],
    ["an offset above 1", anchored({ offset_x: 1.5 }), "fields_json[0].placement.offset_x", "too_big"],
    ["an offset off the page", anchored({ offset_y: 0.99 }), "fields_json[0].placement", "out_of_range"],
    ["an anchor without a size", anchored({ w: undefined }), "fields_json[0].placement.w", "required"],
    ["a default for a checkbox", absolute({ type: "checkbox", default_value: "true" }), "fields_json[0].default_value", "invalid_value"],
    ["an invalid date", absolute({ type: "date", default_value: "2026-02-30" }), "fields_json[0].default_value", "invalid_format"],
    ["a default with an emoji", absolute({ type: "text", default_value: "Ann 😀" }), "fields_json[0].default_value", "invalid_value"],
    ["NUL in a name", absolute({ name: "a\0" }), "fields_json[0].name", "invalid_format"],
  ])("422: %s, named by its place", async (_name, field, place, code) => {
    const { status, json } = await withFields(await anyKey(), [field]);
    expect(status).toBe(422);
    expect(json.details).toEqual([{ location: "form", field: place, code, message: expect.any(String) }]);
  });

  test("422: a default that cannot be drawn names the characters", async () => {
    const says = "contains characters that cannot be drawn in the document: 😀 (U+1F600)";
    const { json } = await withFields(await anyKey(), [absolute({ type: "text", default_value: "Ann 😀" })]);
    expect(json.details[0].message).toBe(says);
  });

  test("422: all anchors that are not found are named at once, and a scan says 'Anchor text not found'", async () => {
    const scan = writePdf(onePage({ content: "0 0 100 100 re f" }));
    const { status, json } = await withFields(await anyKey(), [anchored(), absolute(), anchored({ anchor_text: "And here" })], scan);
    expect([status, json.error]).toEqual([422, "Anchor text not found"]);
    expect(json.details.map((detail: { field: string }) => detail.field)).toEqual([
      "fields_json[0].placement.anchor_text",
      "fields_json[2].placement.anchor_text",
    ]);
  });

  test("422: roles that differ only in case, more than 2,000 fields, fields_json over 1 MiB, fields_json that is not an array", async () => {
    const key = await anyKey();
    const roles = await withFields(key, [absolute(), absolute({ role: "buyer" })]);
    expect([roles.status, roles.json.details[0].field, roles.json.details[0].code]).toEqual([422, "fields_json[1].role", "conflict"]);
    const many = await withFields(
      key,
      Array.from({ length: 2_001 }, () => absolute()),
    );
    expect([many.status, many.json.details]).toEqual([422, [expect.objectContaining({ field: "fields_json", code: "too_long" })]]);
    const long = await create(key, { fields_json: JSON.stringify([absolute({ name: "x".repeat(1_048_576) })]) });
    expect([long.status, long.json.details]).toEqual([422, [expect.objectContaining({ field: "fields_json", code: "too_long" })]]);
    const object = await create(key, { fields_json: "{}" });
    expect([object.status, object.json.details[0].code]).toEqual([422, "invalid_type"]);
    const exactly = await withFields(
      key,
      Array.from({ length: 2_000 }, () => absolute()),
    );
    expect([exactly.status, exactly.json.data.fields_added]).toEqual([200, 2_000]);
  });

  test("422: a name that is too long, a duplicate part", async () => {
    const key = await anyKey();
    const long = await create(key, { name: "x".repeat(201) });
    expect([long.status, long.json.details[0]]).toEqual([
      422,
      expect.objectContaining({ location: "form", field: "name", code: "too_long" }),
    ]);
    const end = Buffer.from("------countersign-test-8d1f--\r\n");
    const raw = Buffer.concat([textPart("name", "a"), textPart("name", "b"), filePart({ bytes: plain }), end]);
    const twice = await key.send("POST", "/partner/templates", { raw, headers: formHeaders() });
    expect([twice.status, twice.json.details[0].code]).toEqual([422, "duplicate"]);
  });

  test("the order is 400, then 415 by content, then 422", async () => {
    const key = await anyKey();
    expect((await create(key, { fields_json: "[", name: "x".repeat(201) }, { bytes: Buffer.from("text") })).status).toBe(400);
    expect((await create(key, { name: "x".repeat(201) }, { bytes: Buffer.from("text") })).status).toBe(415);
  });

  test("500: a record that cannot be written, and the provider's counterpart is removed", async () => {
    const org = await service.newOrg();
    const key = await org.newKey();
    const before = provider.counterparts.size;
    await service.database.owner("alter table templates add constraint refused check (name <> 'Refused')");
    const { status, json } = await create(key, { name: "Refused" });
    expect([status, json]).toEqual([500, refusedWith("The template could not be saved")]);
    expect(provider.counterparts.size).toBe(before);
    expect(await service.database.owner("select kept from blobs where org_id = $1", [org.org_id])).toEqual([{ kept: false }]);
  });

  test("502: a provider that rejects or is unreachable, and no template row", async () => {
    const key = await newKey();
    provider.failing = { kind: "rejected", reason: "no" };
    const rejected = await create(key, {});
    provider.failing = { kind: "unreachable", reason: "timeout" };
    const unreachable = await create(key, {});
    provider.failing = null;
    expect([rejected.status, rejected.json.error]).toEqual([502, "The signing provider rejected the request"]);
    expect([unreachable.status, unreachable.json.error]).toEqual([502, "The signing provider could not be reached"]);
    expect((await key.send("GET", "/partner/templates")).json.meta.total).toBe(0);
  });

  test("503: no provider is configured", async () => {
    provider.failing = { kind: "not_configured" };
    const { status, json } = await create(await anyKey(), {});
    provider.failing = null;
    expect([status, json.error]).toEqual([503, "No signing provider is configured"]);
  });
});
