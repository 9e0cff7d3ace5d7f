import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { createBudget, describe as describePdf, openPdf, pageText } from "@countersign/pdf";
import { describe, expect, test } from "vitest";
import { planted } from "../../../pdf/fixtures/active-content.ts";
import { makeOrg } from "../../../pdf/fixtures/certificates.ts";
import { attachmentIcon, wrongPageCount } from "../../../pdf/fixtures/changed-look.ts";
import { hiddenContent } from "../../../pdf/fixtures/hidden-content.ts";
import { makeJpeg } from "../../../pdf/fixtures/jpeg.ts";
import { fontNameInGbk, GBK_NAMES, positionsOffByOne } from "../../../pdf/fixtures/lost-words.ts";
import { onePage, text } from "../../../pdf/fixtures/pages.ts";
import { makePng } from "../../../pdf/fixtures/png.ts";
import { replaced, sealedBy, signedDirectly } from "../../../pdf/fixtures/sealed.ts";
import { writePdf } from "../../../pdf/fixtures/writer.ts";
import { type FormFile, form } from "../../test/form.ts";
import { refusalText } from "../../test/refused-with.ts";
import { type TestKey, type TestOrg, testService } from "../../test/service.ts";
import { MAX_FILE_BYTES } from "../http/form.ts";
import { newId } from "../shared/ids.ts";

const service = testService();

interface Customer {
  readonly org: TestOrg;
  readonly key: TestKey;
  readonly customer_id: string;
}

async function newCustomer(): Promise<Customer> {
  const org = await service.newOrg();
  const key = await org.newKey();
  const { json } = await key.send("POST", "/partner/customers", { body: { name: "Ann", email: "ann@example.com" } });
  return { org, key, customer_id: json.data.customer_id };
}

let shared: Promise<Customer> | undefined;
function anyCustomer(): Promise<Customer> {
  shared ??= newCustomer();
  return shared;
}

const plain = writePdf(onePage());
const tagged = writePdf(
  onePage({ content: `${text("{{Sig;role=Buyer;type=signature}}")} ${text("{{Sig;role=Seller;type=signature}} {{not a tag}}", 72, 500)}` }),
);
const png = makePng({ width: 40, height: 20, depth: 8, color: 2, pixel: (x, y) => [x, y, 0] });
const buyer = { email: "buyer@example.com", name: "Ann", role: "Buyer" };
const seller = { email: "seller@example.com", name: "Sam", role: "Seller" };

function upload(
  { key, customer_id }: Customer,
  parts: Record<string, string> = {},
  file: FormFile | null = { bytes: plain, name: "Lease (final).pdf" },
) {
  return key.send("POST", `/partner/customers/${customer_id}/documents`, form(parts, ...(file === null ? [] : [file])));
}

async function blob({ org_id }: TestOrg, hash: string): Promise<Buffer> {
  return Buffer.from(await service.features.storage.blobs.read(org_id, hash));
}

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

describe("a customer's document", () => {
  test("becomes an envelope: uploaded, an upload, in no directory, with its event and the first two entries of its chain", async () => {
    const customer = await newCustomer();
    const { status, json } = await upload(customer, {
      signers: JSON.stringify([seller, buyer]),
      auto_vault_enabled: "true",
      kba_required: "false",
    });
    expect(status).toBe(201);
    const { data } = json;
    expect(data).toEqual({
      customer_id: customer.customer_id,
      envelope_id: expect.stringMatching(/^env_/),
      name: "Lease (final).pdf",
      signers: [seller, buyer],
      path: `${customer.org.org_id}/documents/${data.envelope_id}/Lease__final_.pdf`,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      size: expect.any(Number),
      contentType: "application/pdf",
      auto_vault_enabled: true,
      kba_required: false,
    });
    const stored = await blob(customer.org, data.hash);
    expect([sha256(stored), stored.length]).toEqual([data.hash, data.size]);
    const rows = await service.database.owner(
      "select status, is_upload, directory_id, customer_id, auto_vault_enabled, kba_required, signers, envelope_name from envelopes where org_id = $1",
      [customer.org.org_id],
    );
    expect(rows).toEqual([
      {
        status: "uploaded",
        is_upload: true,
        directory_id: null,
        customer_id: customer.customer_id,
        auto_vault_enabled: true,
        kba_required: false,
        signers: [seller, buyer],
        envelope_name: "Lease (final).pdf",
      },
    ]);
    const listed = await customer.key.send("GET", `/partner/envelopes?customer_id=${customer.customer_id}&status=uploaded`);
    expect(listed.json.data).toEqual([expect.objectContaining({ envelope_id: data.envelope_id, status: "uploaded" })]);
    const entries = await service.database.owner("select seq, type from audit_entries where subject = $1 order by seq", [data.envelope_id]);
    expect(entries).toEqual([
      { seq: 1, type: "envelope.created" },
      { seq: 2, type: "document.received" },
    ]);
    const events = await service.database.owner<{ body: Buffer }>("select body from events where envelope_id = $1", [data.envelope_id]);
    expect(events.map(({ body }) => JSON.parse(body.toString()))).toEqual([
      expect.objectContaining({
        event_type: "envelope.created",
        envelope_id: data.envelope_id,
        data: expect.objectContaining({ envelope_id: data.envelope_id, customer_id: customer.customer_id }),
      }),
    ]);
  });

  test("without options has the file's name, no signers, and both booleans false", async () => {
    const { json } = await upload(await anyCustomer());
    expect(json.data).toMatchObject({ name: "Lease (final).pdf", signers: [], auto_vault_enabled: false, kba_required: false });
  });

  test("has the name from the form; a path contains only letters, digits, dots, hyphens and underscores", async () => {
    const { json } = await upload(await anyCustomer(), { name: "../../etc/Vertrag für Ärzte 契約" });
    expect(json.data.name).toBe("../../etc/Vertrag für Ärzte 契約");
    expect(json.data.path.split("/").slice(3)).toEqual([".._.._etc_Vertrag_für_Ärzte_契約"]);
    expect((await upload(await anyCustomer(), { name: ".." })).json.data.path.split("/").slice(3)).toEqual(["__"]);
  });

  test("loses folders and control characters of its file name", async () => {
    const { json } = await upload(await anyCustomer(), {}, { bytes: plain, name: "C:\\docs\\le\tase.pdf" });
    expect(json.data.name).toBe("le ase.pdf");
  });

  test("is stored without scripts, external references and attached files, whatever hash the caller computed", async () => {
    const customer = await anyCustomer();
    for (const { objects } of planted) {
      const bytes = writePdf(objects);
      const { status, json } = await upload(customer, {}, { bytes });
      expect(status).toBe(201);
      expect(json.data.hash).not.toBe(sha256(bytes));
      expect((await blob(customer.org, json.data.hash)).toString("latin1")).not.toContain("PAYLOAD");
    }
  });

  test("a PNG or JPEG is stored unchanged and becomes a page for signing; the declared type does not matter", async () => {
    const customer = await newCustomer();
    const jpeg = makeJpeg({ blocks: [[[128]]] });
    for (const [bytes, contentType] of [
      [png, "image/png"],
      [jpeg, "image/jpeg"],
    ] as const) {
      const { status, json } = await upload(customer, {}, { bytes, name: "scan.pdf", type: "application/pdf" });
      expect([status, json.data.contentType, json.data.hash, json.data.size]).toEqual([201, contentType, sha256(bytes), bytes.length]);
      expect((await blob(customer.org, json.data.hash)).equals(bytes)).toBe(true);
      const [row] = await service.database.owner<{ pdf_sha256: string }>("select pdf_sha256 from documents where envelope_id = $1", [
        json.data.envelope_id,
      ]);
      const page = await openPdf(new Uint8Array(await blob(customer.org, row?.pdf_sha256 ?? "")), createBudget());
      expect(describePdf(page).pages).toHaveLength(1);
    }
  });

  test("a tag that is not closed stays text, with a warning that names it", async () => {
    const bytes = writePdf(
      onePage({ content: `${text("{{Sig;role=Buyer;type=signature}}")} ${text("{{Date;role=Buyer;type=date", 72, 500)}` }),
    );
    const { json } = await upload(await anyCustomer(), { signers: JSON.stringify([buyer]) }, { bytes });
    expect(json.data.warnings).toEqual([
      { code: "tag_unclosed", message: expect.stringMatching(/^Page 1, \{\{Date;role=Buyer;type=date: has no closing braces/) },
    ]);
  });

  test("tags become fields of the envelope and are removed from the pages; text that is not a valid tag stays, with a warning", async () => {
    const customer = await anyCustomer();
    const { status, json } = await upload(customer, { signers: JSON.stringify([buyer, seller]) }, { bytes: tagged });
    expect(status).toBe(201);
    expect(json.data.warnings).toEqual([expect.objectContaining({ code: "tag_not_understood" })]);
    const fields = await service.database.owner("select name, type, role from envelope_fields where envelope_id = $1 order by position", [
      json.data.envelope_id,
    ]);
    expect(fields).toEqual([
      { name: "Sig", type: "signature", role: "Buyer" },
      { name: "Sig", type: "signature", role: "Seller" },
    ]);
    const { blocks } = await pageText(new Uint8Array(await blob(customer.org, json.data.hash)), 1);
    expect(blocks.join(" ").trim()).toBe("{{not a tag}}");
  });

  test("content that cannot be seen is removed, with a warning that names the pages", async () => {
    const customer = await anyCustomer();
    const offer = hiddenContent.find(({ name }) => name === "text in a layer that is off");
    const { status, json } = await upload(customer, { signers: JSON.stringify([buyer]) }, { bytes: writePdf(offer?.objects ?? {}) });
    expect(status).toBe(201);
    expect(json.data.warnings).toEqual([
      { code: "hidden_content_removed", message: expect.stringMatching(/^Content that cannot be seen was removed from page 1: /) },
    ]);
    const { blocks } = await pageText(new Uint8Array(await blob(customer.org, json.data.hash)), 1);
    expect(blocks).toEqual(["Payable: 100 EUR", "Signed here"]);
  });

  test.each([
    {
      name: "a page whose look was changed by cleaning is named in a warning",
      objects: attachmentIcon(),
      code: "look_changed",
      message: "Cleaning may have changed the look of page 2. Check the document before you send it",
    },
    {
      name: "a document that could not be shown before it was cleaned has a warning that its look was not compared",
      objects: wrongPageCount(),
      code: "look_not_compared",
      message: "The PDF could not be shown before it was cleaned, so its look could not be compared. Check the document before you send it",
    },
  ])("$name", async ({ objects, code, message }) => {
    const { status, json } = await upload(await anyCustomer(), { signers: JSON.stringify([buyer]) }, { bytes: writePdf(objects) });
    expect([status, json.data.warnings]).toEqual([201, [{ code, message }]]);
  });

  test.each([
    { loss: "words", bytes: writePdf(fontNameInGbk(GBK_NAMES.withSpace)) },
    { loss: "the whole page", bytes: positionsOffByOne() },
  ])("a document that would lose $loss by being cleaned is not accepted, and the message names the page", async ({ bytes }) => {
    const customer = await newCustomer();
    const refused = await upload(customer, { signers: JSON.stringify([buyer]) }, { bytes });
    expect(refused.status).toBe(422);
    expect(refused.json).toMatchObject({
      error: "Cleaning the PDF would lose content of page 1. Print it to PDF and upload it again",
      details: [{ code: "pdf_content_lost" }],
    });
    expect((await customer.key.send("GET", "/partner/envelopes")).json.data).toEqual([]);
  });

  test("if no tag names a role, any role is accepted and the fields are for the first signer", async () => {
    const bytes = writePdf(onePage({ content: text("{{Sig;type=signature}}") }));
    const { status, json } = await upload(await anyCustomer(), { signers: JSON.stringify([seller]) }, { bytes });
    expect(status).toBe(201);
    expect(await service.database.owner("select role from envelope_fields where envelope_id = $1", [json.data.envelope_id])).toEqual([
      { role: null },
    ]);
  });

  test("is stored unchanged if it is signed and needs no cleaning, and its entry says whether the signature is valid", async () => {
    const customer = await anyCustomer();
    const bytes = await sealedBy(await makeOrg(), plain);
    const { json } = await upload(customer, {}, { bytes });
    expect(json.data.hash).toBe(sha256(bytes));
    const [entry] = await service.database.owner<{ data: { byte_for_byte: boolean; signatures: unknown[] } }>(
      "select d.data from audit_entries e join audit_entry_data d using (org_id, subject, seq) where e.subject = $1 and e.type = 'document.received'",
      [json.data.envelope_id],
    );
    expect(entry?.data.byte_for_byte).toBe(true);
    expect(entry?.data.signatures).toEqual([expect.objectContaining({ intact: true })]);
  });

  test("with a signature over the bytes themselves, without signed attributes, has an entry that says whether it is valid", async () => {
    const bytes = await signedDirectly(await makeOrg(), plain);
    const signatures = async (file: Uint8Array) => {
      const { json } = await upload(await anyCustomer(), {}, { bytes: file });
      const [entry] = await service.database.owner<{ data: { signatures: unknown[] } }>(
        "select d.data from audit_entries e join audit_entry_data d using (org_id, subject, seq) where e.subject = $1 and e.type = 'document.received'",
        [json.data.envelope_id],
      );
      return entry?.data.signatures;
    };
    expect(await signatures(bytes)).toEqual([expect.objectContaining({ intact: true })]);
    expect(await signatures(replaced(bytes, "(Sign here)", "(Sign hers)"))).toEqual([expect.objectContaining({ intact: false })]);
  });

  test("the same Idempotency-Key creates one envelope and one event", async () => {
    const customer = await newCustomer();
    const { raw, headers } = form({}, { bytes: plain });
    const send = () =>
      customer.key.send("POST", `/partner/customers/${customer.customer_id}/documents`, {
        raw,
        headers: { ...headers, "idempotency-key": "k" },
      });
    const answers = await Promise.all([send(), send(), send(), send()]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers[0]?.status).toBe(201);
    expect(await service.database.owner("select from envelopes where org_id = $1", [customer.org.org_id])).toHaveLength(1);
    expect(
      await service.database.owner("select from events where org_id = $1 and event_type = 'envelope.created'", [customer.org.org_id]),
    ).toHaveLength(1);
  });
});

describe("a document is refused with", () => {
  test("404: a customer that is missing or of another org, before the body is read", async () => {
    const [mine, theirs] = [await anyCustomer(), await newCustomer()];
    for (const customer_id of [theirs.customer_id, newId("customer")]) {
      const { status, text: body } = await upload({ ...mine, customer_id }, {}, { bytes: Buffer.from("text") });
      expect([status, body]).toEqual([404, refusalText("Customer not found", "path", "customer_id")]);
    }
  });

  test("400: no file; 413: over 50 MB, with nothing left over; 415: neither PDF, PNG nor JPEG", async () => {
    const customer = await newCustomer();
    expect((await upload(customer, {}, null)).status).toBe(400);
    const over = await upload(customer, {}, { bytes: Buffer.concat([png, Buffer.alloc(MAX_FILE_BYTES + 1 - png.length)]) });
    expect(over.status).toBe(413);
    expect(readdirSync(join(service.config.dataDir, "uploads"))).toEqual([]);
    const wrong = await upload(customer, {}, { bytes: Buffer.from("Dear Sir"), name: "letter.pdf", type: "application/pdf" });
    expect([wrong.status, wrong.json.error]).toEqual([415, "The file is not a PDF, PNG or JPEG"]);
    expect(await service.database.owner("select from blobs where org_id = $1", [customer.org.org_id])).toEqual([]);
    expect(await service.database.owner("select from envelopes where org_id = $1", [customer.org.org_id])).toEqual([]);
  });

  test("422: a PDF that needs a password, a PDF or an image that cannot be read", async () => {
    const customer = await anyCustomer();
    const doc = await openPdf(plain, createBudget());
    doc.pdf.setProtection({ userPassword: "secret", ownerPassword: "owner" });
    for (const bytes of [await doc.pdf.save(), Buffer.from("%PDF-1.7\n"), png.subarray(0, 60)]) {
      expect((await upload(customer, {}, { bytes })).status).toBe(422);
    }
  });

  test.each(["True", "1", "yes", "false ", ""])("422: a boolean that is %j", async (value) => {
    const customer = await anyCustomer();
    for (const field of ["auto_vault_enabled", "kba_required"]) {
      const { status, json } = await upload(customer, { [field]: value });
      expect([status, json.details]).toEqual([422, [expect.objectContaining({ location: "form", field, code: "invalid_value" })]]);
    }
  });

  test.each([
    ["not JSON", "[{", "signers", "invalid_format"],
    ["no array", '{"email":"a@example.com"}', "signers", "invalid_type"],
    ["without a role", JSON.stringify([{ email: "a@example.com", name: "A" }]), "signers[0].role", "required"],
    ["with a bad address", JSON.stringify([{ ...buyer, email: "nobody" }]), "signers[0].email", "invalid_format"],
    ["with a duplicate address", JSON.stringify([buyer, { ...seller, email: "BUYER@example.com" }]), "signers[1].email", "duplicate"],
    ["with a duplicate role", JSON.stringify([buyer, { ...seller, role: "buyer" }]), "signers[1].role", "duplicate"],
  ])("422: signers %s", async (_name, signers, field, code) => {
    const { status, json } = await upload(await anyCustomer(), { signers });
    expect([status, json.details]).toEqual([422, [expect.objectContaining({ location: "form", field, code })]]);
  });

  test("422: a role that the tags of the document do not name; the response lists the roles that they name", async () => {
    const { status, json } = await upload(
      await anyCustomer(),
      { signers: JSON.stringify([buyer, { ...seller, role: "Agent" }]) },
      { bytes: tagged },
    );
    expect([status, json.error]).toEqual([422, "A signer has a role that does not occur in the document"]);
    expect(json.details).toEqual([
      { location: "form", field: "signers[1].role", code: "unknown_role", message: "is no role of the document; it names: Buyer, Seller" },
    ]);
  });

  test("503: a store that cannot be written to, and no envelope", async () => {
    const customer = await newCustomer();
    const { blobs } = service.features.storage;
    const { putFile } = blobs;
    const { StoreUnavailable } = await import("../storage/blob-store.ts");
    Object.assign(blobs, { putFile: () => Promise.reject(new StoreUnavailable("full")) });
    const { status, json, headers } = await upload(customer);
    Object.assign(blobs, { putFile });
    expect([status, json.error, headers["retry-after"]]).toEqual([503, "The document store cannot be reached. Try again", "5"]);
    expect(await service.database.owner("select from envelopes where org_id = $1", [customer.org.org_id])).toEqual([]);
  });
});
