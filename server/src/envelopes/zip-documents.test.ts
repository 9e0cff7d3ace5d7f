import { request } from "node:http";
import { afterEach, describe, expect, test, vi } from "vitest";
import { signAll } from "../../test/ceremony.ts";
import { form } from "../../test/form.ts";
import { landlord, newEnvelope, newTemplate, plainPdf, tenant } from "../../test/lease.ts";
import { readStreamedZip } from "../../test/read-streamed-zip.ts";
import { type TestKey, type TestOrg, testService } from "../../test/service.ts";
import type { EnvelopeId } from "../shared/ids.ts";
import { finishDocument } from "./finish-document.ts";

const service = testService();
const ZIP = "/partner/envelopes/documents.zip";
const values = { "Tenant name": "Ann Example", Rent: "1200", Start: "2026-03-01", Pet: true, Floor: "second" };
const terms = { certification: { accepted: true, terms_version: "2026-01" } };

afterEach(() => {
  vi.restoreAllMocks();
});

async function signed(org: TestOrg, key: TestKey, template_id: string, more: object = {}, send: object = {}): Promise<EnvelopeId> {
  const envelope_id = (await newEnvelope(key, template_id, more)) as EnvelopeId;
  const sent = await key.send("POST", `/partner/envelopes/${envelope_id}/send`, { body: { signers: [tenant, landlord], ...send } });
  expect(sent.json.error).toBeUndefined();
  await signAll(service, org, envelope_id, [[tenant.email, values], [landlord.email]]);
  await finishDocument(service.features.envelopes, { org_id: org.org_id, envelope_id });
  return envelope_id;
}

/** A draft with a document of its own. */
async function draft(key: TestKey, envelope_name: string): Promise<string> {
  const { json } = await key.send("POST", "/partner/envelopes", {
    body: { envelope_name: "Draft", customer_email: "ann@example.com", customer_name: "Ann" },
  });
  const { envelope_id } = json.data;
  // The API refuses names with line ends. The database does not.
  await service.database.owner("update envelopes set envelope_name = $2 where envelope_id = $1", [envelope_id, envelope_name]);
  const sent = await key.send("POST", `/partner/envelopes/${envelope_id}/upload`, form({}, { bytes: plainPdf, name: "scan.pdf" }));
  expect(sent.json.error).toBeUndefined();
  return envelope_id;
}

function withResolver(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  const made: { resolve?: () => void } = {};
  const promise = new Promise<void>((resolve) => Object.assign(made, { resolve }));
  return { promise, resolve: () => made.resolve?.() };
}

const issuesOf = (org: TestOrg) =>
  service.database.owner<{ envelope_id: string; kind: string; marked_pages: number; actor: unknown }>(
    "select envelope_id, kind, marked_pages, actor from copy_issues where org_id = $1 order by issued_at",
    [org.org_id],
  );

const filesOf = async (key: TestKey, envelope_ids: readonly string[]) => {
  const answer = await key.send("POST", ZIP, { body: { envelope_ids } });
  expect(answer.status).toBe(200);
  return { ...answer, files: readStreamedZip(answer.bytes) };
};

/** The name that a browser gives the file. */
const nameIn = (headers: Readonly<Record<string, unknown>>): string =>
  decodeURIComponent(/filename\*=UTF-8''(\S+)$/.exec(String(headers["content-disposition"]))?.[1] ?? "");

describe("POST /partner/envelopes/documents.zip", () => {
  test("has each document as its own download is, records what it hands out, and says what is missing", async () => {
    const org = await service.newOrg("Example Company");
    const key = await org.newKey();
    const reader = await org.newKey({ scopes: ["envelopes:read"] });
    const template_id = await newTemplate(key);
    const sealed = await signed(org, key, template_id, { envelope_name: "Lease Elm Street 14" });
    const marked = await signed(org, key, template_id, { envelope_name: "Note", auto_vault_enabled: true }, terms);
    const first = await draft(key, "Annex\r\nenv_x: nothing");
    const second = await draft(key, "annex env_x: nothing");
    const empty = await key.send("POST", "/partner/envelopes", {
      body: { envelope_name: "Empty", customer_email: "ann@example.com", customer_name: "Ann" },
    });
    const bare: string = empty.json.data.envelope_id;
    const other = await service.newOrg();
    const foreign = await draft(await other.newKey(), "Secret plans");
    const before = await issuesOf(org);

    const { headers, files } = await filesOf(reader, [sealed, first, foreign, marked, second, bare, sealed]);
    expect([headers["content-type"], headers["transfer-encoding"]]).toEqual(["application/zip", "chunked"]);
    expect(nameIn(headers)).toMatch(/^Documents \d{4}-\d\d-\d\d\.zip$/);
    expect(files.map(({ name }) => name)).toEqual([
      "Contents.txt",
      "Lease Elm Street 14 – signed.pdf",
      "Annex env_x- nothing – draft.pdf",
      "Note – copy.pdf",
      "annex env_x- nothing – draft (2).pdf",
      "Not included.txt",
    ]);
    const textOf = (name: string) => files.find((file) => file.name === name)?.bytes.toString();
    expect(textOf("Not included.txt")?.split("\r\n")).toEqual([
      "These documents are not in this ZIP file:",
      "",
      `${foreign}: Envelope not found.`,
      `Empty (${bare}): The envelope has no document yet. Upload one first.`,
      "",
    ]);
    expect(textOf("Contents.txt")).toContain(`Annex env_x: nothing (${first}), uploaded\r\n`);
    expect(textOf("Contents.txt"), "says nothing of another organization's envelope").toContain(`\r\n${foreign}, not found\r\n`);
    expect(Buffer.concat(files.map(({ bytes }) => bytes)).includes("Secret plans")).toBe(false);

    const alone = await key.send("GET", `/partner/envelopes/${sealed}/document`);
    expect(files[1]?.bytes.equals(alone.bytes), "the sealed document, byte for byte").toBe(true);
    const actor = { kind: "key", id: reader.key_id };
    expect((await issuesOf(org)).slice(before.length, -1)).toEqual([
      { envelope_id: sealed, kind: "signed", marked_pages: 0, actor },
      { envelope_id: marked, kind: "copy", marked_pages: expect.any(Number), actor },
    ]);
    const { json } = await key.send("GET", `/partner/envelopes/${sealed}/audit-trail`);
    expect(json.data.filter(({ type }: { type: string }) => type === "copy.issued")).toHaveLength(2);
  });

  test("begins before the first document is made, and stops making documents when the client is gone", async () => {
    const org = await service.newOrg();
    const key = await org.newKey();
    const ids = await Promise.all(["One", "Two", "Three"].map((name) => draft(key, name)));
    const { blobs } = service.features.storage;
    const read = blobs.read.bind(blobs);
    let reads = 0;
    const { promise: opened, resolve: open } = withResolver();
    vi.spyOn(blobs, "read").mockImplementation(async (...given: Parameters<typeof read>) => {
      reads += 1;
      await opened;
      return read(...given);
    });
    const gone = new Promise<void>((resolve) => service.app.server.once("connection", (socket) => socket.once("close", () => resolve())));
    const asked = request(`${service.url}/api/v2${ZIP}`, {
      method: "POST",
      agent: false,
      headers: { "x-api-key": key.api_key, "content-type": "application/json" },
    });
    // No document can be read before `open`, so this waits for ever if the answer does.
    const chunk = await new Promise<Buffer>((resolve, reject) => {
      asked.on("response", (response) => response.once("data", resolve)).on("error", reject);
      asked.end(JSON.stringify({ envelope_ids: ids }));
    });
    expect(chunk.toString("latin1")).toContain("Contents.txt");
    asked.on("error", () => undefined).destroy();
    await gone;
    open();
    const { files } = await filesOf(key, ids);
    expect(files.map(({ name }) => name)).toEqual(["Contents.txt", "One – draft.pdf", "Two – draft.pdf", "Three – draft.pdf"]);
    expect(reads, "one for the client that left, three for the other").toBe(4);
  });

  test("takes 1 to 200 ids of envelopes, and no fields beside", async () => {
    const key = await (await service.newOrg()).newKey();
    const [id] = [await draft(key, "Lease")];
    for (const body of [
      {},
      { envelope_ids: [] },
      { envelope_ids: Array(201).fill(id) },
      { envelope_ids: ["cus_1"] },
      { envelope_ids: [id], x: 1 },
    ])
      expect((await key.send("POST", ZIP, { body })).status, JSON.stringify(body).slice(0, 60)).toBe(422);
  });
});

describe("the names of downloads", () => {
  const hostile = 'Lease "Elm/Street" \\14\u202e: 1 – ';

  test("are those of the envelope, whatever is in it", async () => {
    const org = await service.newOrg("Example Company");
    const key = await org.newKey();
    const named = await signed(org, key, await newTemplate(key), { envelope_name: hostile });
    const of = async (path: string) => nameIn((await key.send("GET", `/partner/envelopes/${named}/${path}`)).headers);
    expect([await of("document"), await of("completion-certificate"), await of("audit-trail.csv")]).toEqual([
      "Lease 'Elm-Street' -14- 1 – – signed.pdf",
      "Lease 'Elm-Street' -14- 1 – – completion certificate.pdf",
      "Lease 'Elm-Street' -14- 1 – – audit trail.csv",
    ]);
    const { headers } = await key.send("GET", `/partner/envelopes/${named}/document`);
    expect(headers["content-disposition"]).toMatch(
      /^attachment; filename="Lease 'Elm-Street' -14- 1 - - signed\.pdf"; filename\*=UTF-8''[\w%.~-]+$/,
    );
  });

  test("add no header", async () => {
    const key = await (await service.newOrg()).newKey();
    const id = await draft(key, "Lease\r\nX-Evil: 1\u001b[0m");
    const { headers } = await key.send("GET", `/partner/envelopes/${id}/document`);
    expect([headers["x-evil"], nameIn(headers)]).toEqual([undefined, "Lease X-Evil- 1 [0m – draft.pdf"]);
  });

  test("have at most 255 bytes", async () => {
    const key = await (await service.newOrg()).newKey();
    const long = await draft(key, "語".repeat(200));
    const name = nameIn((await key.send("GET", `/partner/envelopes/${long}/document`)).headers);
    expect(name).toMatch(/^語+ – draft\.pdf$/);
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
  });
});

test("GET …/audit-trail.csv has every entry in words, oldest first, and shows no more than the list does", async () => {
  const org = await service.newOrg("Example Company");
  const key = await org.newKey();
  const id = await draft(key, "Lease");
  const { text, headers } = await key.send("GET", `/partner/envelopes/${id}/audit-trail.csv`);
  expect(headers["content-type"]).toBe("text/csv; charset=utf-8");
  const { json } = await key.send("GET", `/partner/envelopes/${id}/audit-trail?limit=200`);
  const entries: { seq: number; type: string; hash: string }[] = json.data.toReversed();
  const lines = text.trimEnd().split("\r\n");
  expect(lines[0]).toBe("seq,at,event,type,actor_kind,actor_id,data,previous_hash,hash");
  expect(lines[1]).toContain(",Created the envelope,envelope.created,key,");
  expect(lines.slice(1).map((line) => [line.split(",")[0], line.split(",").at(-1)])).toEqual(
    entries.map(({ seq, hash }) => [String(seq), hash]),
  );
  const other = await (await service.newOrg()).newKey();
  expect((await other.send("GET", `/partner/envelopes/${id}/audit-trail.csv`)).status).toBe(404);
});
