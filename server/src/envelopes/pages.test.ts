import { describe, expect, test } from "vitest";
import { signAll } from "../../test/ceremony.ts";
import { chainOf, sentEnvelope, setSigner, statusOf } from "../../test/envelopes.ts";
import { envelopeBody, newEnvelope, newTemplate, plainPdf } from "../../test/lease.ts";
import { refusalText, refusedWith } from "../../test/refused-with.ts";
import { testService } from "../../test/service.ts";
import { flipBit, newMember, vaultedByPipeline } from "../../test/vaulted.ts";
import type { EnvelopeId } from "../shared/ids.ts";
import { finishDocument } from "./finish-document.ts";

const service = testService();

const lease = async () => {
  const org = await service.newOrg();
  const key = await org.newKey();
  const envelope_id = (await newEnvelope(key, await newTemplate(key))) as EnvelopeId;
  return { org, key, envelope_id, path: `/partner/envelopes/${envelope_id}` };
};

const setStatus = (envelope_id: string, status: string) =>
  service.database.owner("update envelopes set status = $2 where envelope_id = $1", [envelope_id, status]);

describe("GET /partner/envelopes/:envelope_id/pages/:n", () => {
  test("returns an image of the page, the same as for a template of the same document", async () => {
    const org = await service.newOrg();
    const key = await org.newKey();
    const template_id = await newTemplate(key);
    const path = `/partner/envelopes/${await newEnvelope(key, template_id)}/pages`;
    const { status, headers, bytes } = await key.send("GET", `${path}/1`);
    expect([status, headers["content-type"], headers["cache-control"], headers.etag]).toEqual([200, "image/png", "no-store", undefined]);
    expect(bytes.equals((await key.send("GET", `/partner/templates/${template_id}/pages/1`)).bytes)).toBe(true);
    expect((await key.send("GET", `${path}/1?w=2448`)).bytes.readUInt32BE(16)).toBe(2448);
    expect((await key.send("GET", `${path}/1?w=1`)).status).toBe(422);
    for (const n of ["2", "0", "x"]) expect([n, (await key.send("GET", `${path}/${n}`)).status]).toEqual([n, 404]);
    expect((await key.send("GET", `${path}/2`)).json).toEqual(refusedWith("The document has no such page"));
    expect((await key.send("GET", `${path}/2/text`)).json).toEqual(refusedWith("The document has no such page"));
    const { blocks, ...text } = (await key.send("GET", `${path}/1/text`)).json.data;
    expect(text).toEqual({ page: 1, places: [{ top: expect.any(Number), is_heading: false }], has_text: true });
    expect(blocks.join(" ")).toBe("Name:");
  });

  test("leaves no trace: nothing counts as viewed, the chain gets no entry, no mail is sent", async () => {
    const org = await service.newOrg();
    const key = await org.newKey();
    const { envelope_id, signers } = await sentEnvelope(service, org);
    const messages = () => service.database.owner("select from mail_messages where org_id = $1", [org.org_id]);
    const before = [await chainOf(service, org.org_id, envelope_id), await messages()];
    for (const what of ["1", "1?w=2448", "1/text"]) {
      expect((await key.send("GET", `/partner/envelopes/${envelope_id}/pages/${what}`)).status).toBe(200);
    }
    expect([await chainOf(service, org.org_id, envelope_id), await messages()]).toEqual(before);
    expect(await statusOf(service, envelope_id)).toBe("sent");
    const listed = await key.send("GET", `/partner/envelopes/${envelope_id}/signers`);
    expect(listed.json.data.signers[0]).toMatchObject({ slug: signers[0].slug, status: "pending", viewed_at: null });
  });

  test("shows the prepared version even after everyone has signed: with the pages that sending added, and without signatures", async () => {
    const org = await service.newOrg();
    const key = await org.newKey();
    const template_id = await newTemplate(key, plainPdf);
    const envelope_id = await newEnvelope(key, template_id, { signers: [{ email: "ann@example.com", name: "Ann", role: "Tenant" }] });
    const path = `/partner/envelopes/${envelope_id}`;
    expect((await key.send("GET", `${path}/pages/2`)).status).toBe(404);
    const sent = await key.send("POST", `${path}/send`, { body: {} });
    const prepared = await key.send("GET", `${path}/pages/2`);
    expect(prepared.status, "the signature page that was appended").toBe(200);
    await setSigner(service, sent.json.data.signers[0].slug, "signed");
    for (const status of ["completed", "vaulted", "voided"]) {
      await setStatus(envelope_id, status);
      expect((await key.send("GET", `${path}/pages/2`)).bytes.equals(prepared.bytes), status).toBe(true);
    }
  });

  test("is 409 for a document that was signed elsewhere and deposited: there are only marked copies", async () => {
    const { key, envelope_id, path } = await lease();
    expect((await key.send("GET", `${path}/pages/1`)).status).toBe(200);
    for (const status of ["completed", "vaulted"]) {
      await setStatus(envelope_id, status);
      for (const what of ["1", "1/text"]) {
        const { status: code, json } = await key.send("GET", `${path}/pages/${what}`);
        expect([code, json.error]).toEqual([409, `The envelope is ${status}, which does not allow this`]);
      }
    }
  });

  test("is 409 without a document, 404 for another org, 403 without the scope; a viewer can see it", async () => {
    const { org, key, path } = await lease();
    const pending = (await key.send("POST", "/partner/envelopes", { body: envelopeBody() })).json.data.envelope_id;
    const stranger = await (await service.newOrg()).newKey();
    const elsewhere = await org.newKey({ scopes: ["customers:read", "envelopes:write"] });
    const viewer = await newMember(service, org, "viewer");
    for (const what of ["pages/1", "pages/1/text"]) {
      const early = await key.send("GET", `/partner/envelopes/${pending}/${what}`);
      expect([early.status, early.json.error]).toEqual([409, "The envelope has no document yet. Upload one first"]);
      expect((await stranger.send("GET", `${path}/${what}`)).text).toBe(refusalText("Envelope not found", "path", "envelope_id"));
      expect((await elsewhere.send("GET", `${path}/${what}`)).status).toBe(403);
      expect((await viewer.send("GET", `${path}/${what}`)).status).toBe(200);
    }
  });
});

describe("version=current", () => {
  test("shows what was filled in and signed so far, at every stage, and adds nothing to the audit trail", async () => {
    const { org, key, envelope_id, path } = await lease();
    const at = (what: string) => key.send("GET", `${path}/pages/${what}`);
    const draft = await at("1?version=current");
    expect([draft.status, draft.bytes.equals((await at("1")).bytes)], "a draft has one version").toEqual([200, true]);
    await key.send("POST", `${path}/send`, { body: {} });
    const prepared = (await at("1")).bytes;
    expect((await at("1?version=current")).bytes.equals(prepared), "no one has signed yet").toBe(true);
    const values = { "Tenant name": "Ann Example", Rent: "900", Start: "2026-12-01", Floor: "first" };
    await signAll(service, org, envelope_id, [["ann@example.com", values]]);
    const before = await chainOf(service, org.org_id, envelope_id);
    const halfway = (await at("1?version=current")).bytes;
    expect(halfway.equals(prepared), "with the tenant's values").toBe(false);
    const textOf = async (query: string) => (await at(`1/text${query}`)).json.data.blocks.join(" ");
    expect(await textOf("?version=current")).toContain("Ann Example");
    expect(await textOf("")).not.toContain("Ann Example");
    expect((await at("1")).bytes.equals(prepared), "the prepared version stays available").toBe(true);
    expect(await chainOf(service, org.org_id, envelope_id)).toEqual(before);
    await signAll(service, org, envelope_id, [["sam@example.com"]]);
    const complete = (await at("1?version=current")).bytes;
    expect(complete.equals(halfway), "with the landlord's signature").toBe(false);
    await finishDocument(service.features.envelopes, { org_id: org.org_id, envelope_id });
    expect((await at("1?version=current&w=204")).status).toBe(200);
    expect(await textOf("?version=current")).toContain("Ann Example");
    expect((await at("2?version=current")).json).toEqual(refusedWith("The document has no such page"));
    expect((await at("1?version=signed")).status).toBe(422);
  });

  test("of a vaulted document is a copy marked for its reader, recorded once a visit, and refused once it is damaged", async () => {
    const org = await service.newOrg();
    const [one, other] = [await newMember(service, org, "viewer"), await newMember(service, org)];
    const envelope_id = await vaultedByPipeline(service, org);
    const path = `/partner/envelopes/${envelope_id}/pages/1`;
    const accesses = async () =>
      (await chainOf(service, org.org_id, envelope_id)).filter(({ type }) => type === "vault.document.accessed").map(({ data }) => data);
    const before = (await accesses()).length;
    const image = await one.send("GET", `${path}?version=current`);
    expect(image.status).toBe(200);
    expect(image.bytes.equals((await one.send("GET", path)).bytes)).toBe(false);
    const { blocks } = (await one.send("GET", `${path}/text?version=current`)).json.data;
    expect(blocks.join(" ")).toMatch(/COPY/);
    expect(blocks.join(" ")).toContain(one.user_id);
    expect((await accesses()).slice(before)).toEqual([expect.objectContaining({ what: "pages", by: one.user_id })]);
    expect((await other.send("GET", `${path}?version=current`)).status).toBe(200);
    expect((await accesses()).slice(before + 1)).toEqual([expect.objectContaining({ what: "pages", by: other.user_id })]);
    const { hash } = (await org.admin("GET", `/partner/envelopes/${envelope_id}/vault`)).json.data;
    await flipBit(service, org, hash);
    const damaged = await one.send("GET", `${path}?version=current`);
    expect([damaged.status, damaged.json.error]).toEqual([409, "The authoritative copy is tampered, which does not allow this"]);
  });
});
