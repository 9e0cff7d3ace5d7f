import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testClock } from "../fixtures/clock.ts";
import { scriptedPeer } from "../fixtures/peer.ts";
import { Countersign } from "./client.ts";
import { ConnectionError } from "./errors.ts";
import { type FileInput, MAX_FILE_BYTES } from "./files.ts";
import type { ClientOptions } from "./options.ts";

const peer = scriptedPeer();
const open = (options: Partial<ClientOptions> = {}) => new Countersign({ baseUrl: peer.url, apiKey: "lk_test", ...options }, testClock());

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "countersign-client-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const bytes = new TextEncoder().encode("%PDF-1.7 and so on");

function streamed(): ReadableStream<Uint8Array> {
  const chunks = [bytes.slice(0, 5), bytes.slice(5)];
  return new ReadableStream({
    pull(controller) {
      const chunk = chunks.shift();
      if (chunk === undefined) controller.close();
      else controller.enqueue(chunk);
    },
  });
}

/** The received form, parsed by Node. */
async function arrived(index = 0): Promise<FormData> {
  const { headers, body } = peer.seen[index] ?? { headers: {}, body: "" };
  return new Response(Buffer.from(body, "latin1"), { headers: { "content-type": headers["content-type"] ?? "" } }).formData();
}

describe("an upload", () => {
  test.each<[string, () => FileInput, string]>([
    ["a Blob", () => new Blob([bytes]), "file"],
    ["a File", () => new File([bytes], "lease.pdf"), "lease.pdf"],
    ["bytes", () => bytes, "file"],
    ["a buffer", () => bytes.slice().buffer, "file"],
    ["a stream", streamed, "file"],
    ["bytes with a name", () => ({ data: bytes, name: "lease.pdf" }), "lease.pdf"],
    ["a stream with a name", () => ({ data: streamed(), name: 'le"ase.pdf' }), 'le"ase.pdf'],
    ["a path", () => ({ path: join(folder, "on-disk.pdf") }), "on-disk.pdf"],
    ["a path with a name", () => ({ path: join(folder, "on-disk.pdf"), name: "lease.pdf" }), "lease.pdf"],
  ])("of %s arrives complete, with its name, next to text and JSON", async (_what, input, name) => {
    writeFileSync(join(folder, "on-disk.pdf"), bytes);
    const fields_json = [{ name: "Signature", type: "signature", role: "Tenant" }] as never;
    await open().templates.create({ name: "Lease – “really”", file: input(), external_id: undefined, fields_json });
    const form = await arrived();
    const file = form.get("file") as File;
    expect([file.name, await file.text()]).toEqual([name, new TextDecoder().decode(bytes)]);
    expect([form.get("name"), form.get("external_id")]).toEqual(["Lease – “really”", null]);
  });

  test("that can be read again is retried with the same key and the same parts", async () => {
    peer.steps.push("reset after the body", "reset before the body");
    await open().templates.create({ name: "Lease", file: bytes });
    expect(peer.seen).toHaveLength(3);
    expect(new Set(peer.seen.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
    for (const index of [0, 2]) expect(await ((await arrived(index)).get("file") as File).text()).toBe(new TextDecoder().decode(bytes));
  });

  test.each([
    "reset after the body",
    "reset before the body",
    { status: 503, json: { error: "Busy" } },
    { status: 429, json: { error: "Wait" } },
  ] as const)("of a stream is not retried after reading has begun (%j)", async (step) => {
    peer.steps.push(step);
    await expect(open().templates.create({ name: "Lease", file: streamed() })).rejects.toMatchObject({
      name: expect.stringContaining("Error"),
    });
    expect(peer.seen).toHaveLength(1);
  });

  test("of a stream that has not been read is retried", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { port: number };
    await new Promise((resolve) => server.close(resolve));
    let attempts = 0;
    const closedFirst: typeof fetch = (url, init) => fetch(attempts++ === 0 ? String(url).replace(/:\d+\//, `:${port}/`) : url, init);
    await open({ fetch: closedFirst }).templates.create({ name: "Lease", file: streamed() });
    expect([attempts, await ((await arrived()).get("file") as File).text()]).toEqual([2, new TextDecoder().decode(bytes)]);
  });

  test("of a used or locked stream is rejected before anything is sent", async () => {
    const [begun, held, spent] = [streamed(), streamed(), streamed()];
    const reader = begun.getReader();
    await reader.read();
    reader.releaseLock();
    held.getReader();
    await open().templates.create({ name: "Lease", file: spent });
    for (const file of [begun, held, spent, { data: begun, name: "lease.pdf" }])
      await expect(open().templates.create({ name: "Lease", file })).rejects.toMatchObject({
        name: "TypeError",
        message: "file is a stream that has already been used. Open a new stream for each upload",
      });
    expect(peer.seen).toHaveLength(1);
  });

  test.each(["lease.pdf", null, 17])("of %j is rejected with a hint about { path }", async (file) => {
    await expect(open().templates.create({ name: "Lease", file: file as never })).rejects.toMatchObject({
      name: "TypeError",
      message: "file must be a Blob, bytes, a ReadableStream or { data, name }; for a file on disk use { path }",
    });
    expect(peer.seen).toHaveLength(0);
  });

  test("of more than 50 MB is rejected before anything is read or sent", async () => {
    const path = join(folder, "large.pdf");
    writeFileSync(path, "");
    truncateSync(path, MAX_FILE_BYTES + 1);
    for (const file of [{ path }, { data: new Uint8Array(MAX_FILE_BYTES + 1), name: "large.pdf" }]) {
      await expect(open().templates.create({ name: "Lease", file })).rejects.toThrow(
        /is too large: 52428801 bytes. The limit is 52428800 bytes \(50 MB\)/,
      );
    }
    expect(peer.seen).toHaveLength(0);
  });

  test("of a missing file fails with the file's name", async () => {
    await expect(open().templates.create({ name: "Lease", file: { path: join(folder, "none.pdf") } })).rejects.toThrow(/ENOENT.*none\.pdf/);
  });
});

const zip = {
  headers: { "content-type": "application/zip", "content-disposition": 'attachment; filename="evidence.zip"' },
  text: "PK and so on",
};

describe("a download", () => {
  test("has a type and a name, and can be read as bytes or as a stream", async () => {
    peer.steps.push(zip, zip);
    const file = await open().envelopes.document.get("env_1");
    expect([file.contentType, file.fileName]).toEqual(["application/zip", "evidence.zip"]);
    expect(new TextDecoder().decode(await file.bytes())).toBe("PK and so on");
    expect(await new Response((await open().envelopes.document.get("env_1")).stream()).text()).toBe("PK and so on");
  });

  test.each([
    ['attachment; filename="../../etc/passwd"', "passwd"],
    ["attachment; filename*=UTF-8''M%C3%BCller.pdf; filename=\"M.pdf\"", "Müller.pdf"],
    ["attachment; filename=plain.pdf", "plain.pdf"],
    ['attachment; filename=".."', null],
    ["attachment; filename*=UTF-8''%E0%A4%A", null],
    ["attachment; filename*=UTF-8''%FF.pdf; filename=\"M.pdf\"", "M.pdf"],
    ["inline", null],
  ])("with the header %s is named %s", async (disposition, name) => {
    peer.steps.push({ ...zip, headers: { "content-disposition": disposition } });
    expect((await open().envelopes.document.get("env_1")).fileName).toBe(name);
  });

  test("appears on disk when it is complete and replaces an existing file", async () => {
    const path = join(folder, "saved.zip");
    writeFileSync(path, "older");
    peer.steps.push({ ...zip, cutAfter: 4 });
    await expect((await open().envelopes.document.get("env_1")).saveTo(path)).rejects.toBeInstanceOf(ConnectionError);
    expect(readFileSync(path, "utf8")).toBe("older");
    peer.steps.push(zip);
    await (await open().envelopes.document.get("env_1")).saveTo(path);
    expect(readFileSync(path, "utf8")).toBe("PK and so on");
    expect(readdirSync(folder).filter((name) => name.startsWith("saved"))).toEqual(["saved.zip"]);
  });

  test("that is interrupted throws a ConnectionError, however it is read", async () => {
    for (const read of ["bytes", "stream"] as const) {
      peer.steps.push({ ...zip, cutAfter: 4 });
      const file = await open().envelopes.document.get("env_1");
      const reading = read === "bytes" ? file.bytes() : new Response(file.stream()).text();
      await expect(reading, read).rejects.toMatchObject({ message: expect.stringMatching(/lost before the file was complete/) });
    }
  });

  test("can be read only once, and says so", async () => {
    const again = { name: "TypeError", message: expect.stringContaining("this download has already been read") };
    peer.steps.push(zip, { ...zip, text: "" });
    for (const text of ["PK and so on", ""]) {
      const file = await open().envelopes.document.get("env_1");
      expect(new TextDecoder().decode(await file.bytes())).toBe(text);
      await expect(file.bytes()).rejects.toMatchObject(again);
      await expect(file.saveTo(join(folder, "twice.zip"))).rejects.toMatchObject(again);
      await expect(file.stream().getReader().read()).rejects.toMatchObject(again);
    }
    expect(readdirSync(folder).filter((name) => name.startsWith("twice"))).toEqual([]);
  });

  test("that could not be saved can be saved to another path", async () => {
    peer.steps.push(zip);
    const file = await open().envelopes.document.get("env_1");
    await expect(file.saveTo(join(folder, "none", "saved.zip"))).rejects.toThrow("ENOENT");
    expect(new TextDecoder().decode(await file.bytes())).toBe("PK and so on");
  });

  test.each(["application/json", "application/json; charset=utf-8"])("of type %s is read as data with json()", async (type) => {
    peer.steps.push({ json: { data: { revision: 1 } }, headers: { "content-type": type } });
    expect(await (await open().compliance.certificate.get("env_1", { format: "json" })).json()).toEqual({ revision: 1 });
  });

  test.each(["application/pdf", "application/vnd.countersign.certificate+json", "application/jsonl"])(
    "of type %s is not data, and can still be read as a file",
    async (type) => {
      peer.steps.push({ text: '{"revision":1}', headers: { "content-type": type } });
      const file = await open().compliance.certificate.get("env_1", { format: "file" });
      await expect(file.json()).rejects.toMatchObject({
        name: "TypeError",
        message: `GET /partner/envelopes/env_1/vault/certificate: json() requires application/json; the response is ${type}`,
      });
      expect(new TextDecoder().decode(await file.bytes())).toBe('{"revision":1}');
    },
  );

  test("without `data` did not come from the service", async () => {
    peer.steps.push({ json: { status: "ok" } });
    const file = await open().compliance.certificate.get("env_1", { format: "json" });
    await expect(file.json()).rejects.toThrow("Is baseUrl the address of Countersign?");
  });

  test("that fails throws an error like any other request", async () => {
    peer.steps.push({ status: 404, json: { error: "Envelope not found" }, headers: { "x-error-code": "envelope_not_found" } });
    await expect(open().envelopes.document.get("env_1")).rejects.toMatchObject({ name: "NotFoundError", code: "envelope_not_found" });
  });

  test("of evidence is passed to the given function", async () => {
    peer.steps.push(zip);
    expect(await open().vault.verify("env_1", async (bytes) => `judged ${new TextDecoder().decode(bytes)}`)).toBe("judged PK and so on");
    expect(peer.seen[0]?.path).toBe("/api/v2/partner/envelopes/env_1/vault/evidence");
  });
});
