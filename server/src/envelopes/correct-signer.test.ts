import { describe, expect, test } from "vitest";
import { type LinkInMail, linkInOutbox, page, sentEnvelope, tokenFor } from "../../test/envelopes.ts";
import { landlord, newEnvelope, newTemplate, tenant } from "../../test/lease.ts";
import { refusedWith } from "../../test/refused-with.ts";
import { testService } from "../../test/service.ts";

const service = testService();

async function sent() {
  const org = await service.newOrg();
  const key = await org.newKey();
  const envelope_id = await newEnvelope(key, await newTemplate(key));
  const { json } = await key.send("POST", `/partner/envelopes/${envelope_id}/send`);
  const [first, second] = json.data.signers;
  const change = (slug: string, body: object) => key.send("PATCH", `/partner/envelopes/${envelope_id}/signers/${slug}`, { body });
  const link = ({ slug, secret }: LinkInMail) => service.send("POST", `/embed/links/${slug}/token`, { body: { secret } });
  const mail = async () =>
    (
      await service.database.owner<{ kind: string; to_address: string }>("select kind, to_address from mail_messages where org_id = $1", [
        org.org_id,
      ])
    ).map(({ kind, to_address }) => `${kind} ${to_address}`);
  return { org, key, envelope_id, first, second, change, link, mail };
}

describe("correcting a signer who has not opened yet", () => {
  test("gives them a new link by mail, and the old link stops working", async () => {
    const { org, first, change, link, mail } = await sent();
    const old = await linkInOutbox(org, tenant.email);
    expect((await link(old)).status).toBe(200);
    const { status, json } = await change(first.slug, { email: "anna@example.com" });
    expect([status, json.data]).toEqual([
      200,
      { ...tenant, email: "anna@example.com", order: 1, slug: expect.not.stringContaining(first.slug), status: "pending" },
    ]);
    expect((await link(old)).status).toBe(404);
    expect((await link({ ...old, slug: json.data.slug })).status, "an old secret is not the new signer's").toBe(404);
    const mailed = await linkInOutbox(org, "anna@example.com");
    expect([mailed.slug, (await link(mailed)).status]).toEqual([json.data.slug, 200]);
    expect((await mail()).sort()).toEqual(["signing_corrected anna@example.com", `signing_invitation ${tenant.email}`]);
  });

  test("gives the old address's token no access at all, not even to read", async () => {
    const org = await service.newOrg();
    const { envelope_id, signers } = await sentEnvelope(service, org);
    const old = page(service, await tokenFor(org, envelope_id, "ann@example.com"));
    expect((await old("GET", `/embed/sign/${envelope_id}`)).status).toBe(200);
    const changed = await org.admin("PATCH", `/partner/envelopes/${envelope_id}/signers/${signers[0].slug}`, {
      body: { email: "right@example.com" },
    });
    expect(changed.status).toBe(200);
    for (const path of ["", "/pages/1", "/pages/1/text", "/document"]) {
      expect([path, (await old("GET", `/embed/sign/${envelope_id}${path}`)).status]).toEqual([path, 401]);
    }
  });

  test("sends no mail yet to a signer whose turn has not come", async () => {
    const { second, change, mail } = await sent();
    expect((await change(second.slug, { email: "samuel@example.com" })).json.data).toMatchObject({
      ...landlord,
      email: "samuel@example.com",
    });
    expect(await mail()).toHaveLength(1);
  });

  test("keeps the link if only the name changes; a request that changes nothing has no effect and sends nothing", async () => {
    const { org, first, change, link, mail } = await sent();
    expect((await change(first.slug, { name: "Anna" })).json.data).toMatchObject({ name: "Anna", slug: first.slug });
    expect((await change(first.slug, {})).json.data.slug).toBe(first.slug);
    expect((await change(first.slug, { email: first.email })).json.data.slug).toBe(first.slug);
    expect((await link(await linkInOutbox(org, tenant.email))).status).toBe(200);
    expect(await mail()).toHaveLength(1);
  });

  test("404 for an unknown slug, 409 once they have opened it or it has ended, 422 for another signer's address", async () => {
    const { org, key, envelope_id, first, change, link } = await sent();
    expect((await change("0".repeat(32), { name: "x" })).json).toEqual(refusedWith("Signer not found"));
    expect((await change("nonsense", { name: "x" })).status).toBe(404);
    expect((await change(first.slug, { email: landlord.email.toUpperCase() })).json.details[0]).toMatchObject({
      field: "email",
      code: "duplicate",
    });
    expect((await change(first.slug, { email: "nobody" })).status).toBe(422);
    const { token } = (await link(await linkInOutbox(org, tenant.email))).json.data;
    const headers = { authorization: `Bearer ${token}`, "x-signing-session": "0".repeat(32) };
    expect((await service.send("GET", `/embed/sign/${envelope_id}/pages/1`, { headers })).status).toBe(200);
    expect((await change(first.slug, { name: "x" })).json).toEqual(refusedWith("The signer has already opened the document"));
    await key.send("POST", `/partner/envelopes/${envelope_id}/void`, { body: { reason: "x" } });
    expect((await change(first.slug, { name: "x" })).status).toBe(409);
  });
});
