import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { signAll } from "../../test/ceremony.ts";
import { chainOf, sentEnvelope } from "../../test/envelopes.ts";
import { memberOf } from "../../test/invitations.ts";
import { landlord, newEnvelope, newTemplate, tenant } from "../../test/lease.ts";
import { installed, sayInstalled, testFolder } from "../../test/openssl.ts";
import { type TestKey, type TestOrg, testService } from "../../test/service.ts";
import { sealRoots } from "../seals/verify-own-seal.ts";
import type { EnvelopeId } from "../shared/ids.ts";
import { StoreUnavailable } from "../storage/blob-store.ts";
import { finishDocument } from "./finish-document.ts";

const service = testService();
const folder = testFolder();
sayInstalled("signed documents");

interface Lease {
  readonly org: TestOrg;
  readonly key: TestKey;
  readonly envelope_id: EnvelopeId;
}

const values = { "Tenant name": "Ann Example", Rent: "1200", Start: "2026-03-01", Pet: true, Floor: "second" };
const terms = { certification: { accepted: true, terms_version: "2026-01" } };

async function signedLease(more: object = {}, send: object = {}): Promise<Lease> {
  const org = await service.newOrg("Example Company");
  const key = await org.newKey();
  const envelope_id = (await newEnvelope(key, await newTemplate(key), more)) as EnvelopeId;
  const sent = await key.send("POST", `/partner/envelopes/${envelope_id}/send`, { body: { signers: [tenant, landlord], ...send } });
  expect([sent.status, sent.json.error]).toEqual([200, undefined]);
  await signAll(service, org, envelope_id, [[tenant.email, values], [landlord.email]]);
  return { org, key, envelope_id };
}

const finish = ({ org, envelope_id }: Lease) => finishDocument(service.features.envelopes, { org_id: org.org_id, envelope_id });
const versions = ({ envelope_id }: Lease) =>
  service.database.owner<{ kind: string; sha256: string; parent_sha256: string | null }>(
    "select kind, sha256, parent_sha256 from document_versions where envelope_id = $1 and kind not in ('stored', 'received') order by created_at",
    [envelope_id],
  );
const typesOf = async ({ org, envelope_id }: Lease) => (await chainOf(service, org.org_id, envelope_id)).map(({ type }) => type);
const document = ({ key, envelope_id }: Lease) => key.send("GET", `/partner/envelopes/${envelope_id}/document`);
const textOf = async (bytes: Uint8Array) => (await service.features.pdf.text(bytes, { page: 1 })).blocks.join(" ");

const sealsOf = async ({ org }: Lease, bytes: Uint8Array) =>
  service.features.pdf.verify(bytes, { ...(await sealRoots(service.features.seals, org.org_id)), at: new Date() });

describe("a document that everyone has signed", () => {
  test("is stamped once and sealed once, and each version names the one before", async () => {
    const lease = await signedLease();
    expect((await document(lease)).json.error, "not before it is ready").toMatch(/still being prepared/);
    await finish(lease);
    const [prepared, stamped, signed] = await versions(lease);
    expect([prepared?.kind, stamped?.kind, signed?.kind]).toEqual(["prepared", "stamped", "signed"]);
    expect([stamped?.parent_sha256, signed?.parent_sha256]).toEqual([prepared?.sha256, stamped?.sha256]);
    expect((await typesOf(lease)).slice(-3)).toEqual(["envelope.completed", "document.stamped", "document.sealed"]);
    const entries = await chainOf(service, lease.org.org_id, lease.envelope_id);
    expect(entries.find(({ type }) => type === "document.stamped")?.data).toMatchObject({
      sha256: stamped?.sha256,
      parent_sha256: prepared?.sha256,
      appearances: [
        { kind: "signature", name: "Ann", signer: "Tenant", page: 1 },
        { kind: "signature", name: "Sam", signer: "Landlord", page: 1 },
      ],
    });
    expect(entries.find(({ type }) => type === "document.sealed")?.data).toMatchObject({
      level: "B-B",
      subject: expect.stringContaining("CN=Example Company document seal"),
      tsa_error: null,
    });
  });

  test("has every value in its field, and other verifiers accept the seal too", async () => {
    const lease = await signedLease();
    await finish(lease);
    const { status, headers, bytes } = await document(lease);
    expect([status, headers["content-type"], headers["x-document-rendition"]]).toEqual([200, "application/pdf", "signed"]);
    expect(headers["content-disposition"]).toBe(
      `attachment; filename="Lease - signed.pdf"; filename*=UTF-8''Lease%20%E2%80%93%20signed.pdf`,
    );
    const text = await textOf(bytes);
    for (const value of ["Ann Example", "1200", "1 Mar 2026", "second", lease.envelope_id]) expect(text).toContain(value);
    expect(await sealsOf(lease, bytes)).toMatchObject([{ intact: true, trusted: true, covers_whole_file: true }]);
    if (installed.pdfsig) {
      const printed = execFileSync("pdfsig", ["-nocert", folder.put("signed.pdf", bytes)], { encoding: "utf8" });
      expect(printed).toMatch(/Signature is Valid/);
      expect(printed).toMatch(/Total document signed/);
    }
  });

  test("is made once, no matter how often it is requested, also at the same time", async () => {
    const lease = await signedLease();
    await Promise.all(Array.from({ length: 4 }, () => finish(lease)));
    await finish(lease);
    expect((await versions(lease)).map(({ kind }) => kind)).toEqual(["prepared", "stamped", "signed"]);
    const types = await typesOf(lease);
    expect(types.filter((type) => type === "document.stamped" || type === "document.sealed")).toHaveLength(2);
    const mails = await service.database.owner("select to_address from mail_messages where org_id = $1 and kind = 'signing_completed'", [
      lease.org.org_id,
    ]);
    expect(mails.map(({ to_address }) => to_address).sort()).toEqual([tenant.email, landlord.email]);
  });

  test("continues where it stopped when the store failed between stamping and sealing", async () => {
    const lease = await signedLease();
    const { blobs } = service.features.storage;
    const read = blobs.read.bind(blobs);
    let reads = 0;
    const failing = {
      ...service.features.envelopes,
      storage: {
        ...service.features.storage,
        blobs: {
          ...blobs,
          read: (...args: Parameters<typeof read>) => (++reads === 2 ? Promise.reject(new StoreUnavailable("gone")) : read(...args)),
        },
      },
    };
    await expect(finishDocument(failing, { org_id: lease.org.org_id, envelope_id: lease.envelope_id })).rejects.toBeInstanceOf(
      StoreUnavailable,
    );
    const [, stamped] = await versions(lease);
    expect((await versions(lease)).map(({ kind }) => kind)).toEqual(["prepared", "stamped"]);
    await finish(lease);
    expect((await versions(lease)).map(({ kind, sha256 }) => [kind, sha256])).toContainEqual(["stamped", stamped?.sha256]);
    expect((await versions(lease)).map(({ kind }) => kind)).toEqual(["prepared", "stamped", "signed"]);
  });

  test("is not sealed here with auto-vault, and can only be downloaded as a copy that is marked on every page", async () => {
    const lease = await signedLease({ auto_vault_enabled: true }, terms);
    await finish(lease);
    expect((await versions(lease)).map(({ kind }) => kind)).toEqual(["prepared", "stamped"]);
    const { status, headers, bytes } = await document(lease);
    expect([status, headers["x-document-rendition"], headers["x-copy-id"]]).toEqual([200, "copy", expect.stringMatching(/^ci_/)]);
    const text = await textOf(bytes);
    expect(text).toContain("COPY, not the authoritative copy");
    expect(text).toContain(headers["x-copy-id"]);
    expect(await sealsOf(lease, bytes)).toMatchObject([{ intact: true, trusted: true, covers_whole_file: true }]);
    const entries = await chainOf(service, lease.org.org_id, lease.envelope_id);
    expect(entries.at(-1)).toMatchObject({
      type: "copy.issued",
      data: { copy_id: headers["x-copy-id"], kind: "copy", pages: 1, marked_pages: 1 },
    });
    const again = await document(lease);
    expect(again.headers["x-copy-id"]).not.toBe(headers["x-copy-id"]);
    const mails = await service.database.owner("select from mail_messages where org_id = $1 and kind = 'signing_completed'", [
      lease.org.org_id,
    ]);
    expect(mails).toHaveLength(2);
  });
});

describe("GET /partner/envelopes/:id/document", () => {
  test("returns the document as it was sent before the last signature, and records nothing", async () => {
    const org = await service.newOrg();
    const key = await org.newKey();
    const { envelope_id } = await sentEnvelope(service, org);
    const before = (await chainOf(service, org.org_id, envelope_id)).length;
    const { status, bytes } = await key.send("GET", `/partner/envelopes/${envelope_id}/document`);
    expect([status, bytes.subarray(0, 5).toString()]).toEqual([200, "%PDF-"]);
    expect((await chainOf(service, org.org_id, envelope_id)).length).toBe(before);
  });

  test("409 without a document; needs envelopes:read", async () => {
    const org = await service.newOrg();
    const key = await org.newKey();
    const body = { envelope_name: "Lease", customer_email: "ann@example.com", customer_name: "Ann" };
    const { envelope_id } = (await key.send("POST", "/partner/envelopes", { body })).json.data;
    expect((await key.send("GET", `/partner/envelopes/${envelope_id}/document`)).status).toBe(409);
    const other = await org.newKey({ scopes: ["vault:read"] });
    expect((await other.send("GET", `/partner/envelopes/${envelope_id}/document`)).status).toBe(403);
  });
});

describe("GET /partner/envelopes/:id/audit-trail", () => {
  test("lists the entries, newest first; a viewer sees no slugs", async () => {
    const org = await service.newOrg();
    const key = await org.newKey();
    const { envelope_id, signers } = await sentEnvelope(service, org);
    await signAll(service, org, envelope_id, [["ann@example.com"]]);
    const { status, json } = await key.send("GET", `/partner/envelopes/${envelope_id}/audit-trail?limit=2`);
    expect([status, json.meta.limit, json.meta.total]).toEqual([200, 2, expect.any(Number)]);
    expect(json.data.map(({ type }: { type: string }) => type)).toEqual(["envelope.completed", "signature.applied"]);
    expect(json.data[1]).toMatchObject({ actor: { kind: "signer", id: signers[0].slug }, data: { ip: "127.0.0.1", kind: "signature" } });
    const viewer = await memberOf(service, org, "viewer");
    const looked = await viewer("GET", `/partner/envelopes/${envelope_id}/audit-trail`);
    expect([looked.status, looked.text.includes(signers[0].slug)]).toEqual([200, false]);
    const other = await (await service.newOrg()).newKey();
    expect((await other.send("GET", `/partner/envelopes/${envelope_id}/audit-trail`)).status).toBe(404);
  });
});
