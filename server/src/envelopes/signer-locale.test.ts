import { describe, expect, test } from "vitest";
import { form } from "../../test/form.ts";
import { envelopeBody, landlord, newEnvelope, newTemplate, plainPdf, tenant } from "../../test/lease.ts";
import { type TestKey, type TestOrg, testService } from "../../test/service.ts";

const service = testService();

async function newOrg() {
  const org = await service.newOrg();
  const key = await org.newKey();
  return { org, key, template_id: await newTemplate(key) };
}

const send = (key: TestKey, id: string, body: object = {}) => key.send("POST", `/partner/envelopes/${id}/send`, { body });
const german = { ...tenant, locale: "de" };

/** The recipient and the link, without its secret, of each message that was not withdrawn. */
async function linksOf({ admin }: TestOrg): Promise<string[]> {
  const { data } = (await admin("GET", "/org/outbox")).json;
  const read = async ({ message_id }: { message_id: string }) => (await admin("GET", `/org/outbox/${message_id}`)).json.data;
  const messages: { to: string; text: string | null }[] = await Promise.all(data.map(read));
  return messages
    .flatMap(({ to, text }) =>
      text === null ? [] : [`${to} ${/\/s\/[0-9a-f]{32}(\S*)#k=[0-9a-f]{32}$/m.exec(text)?.[1] ?? "has no link"}`],
    )
    .sort();
}

describe("the language of a signer", () => {
  test("is in the link of their mail and shown with the signers if it was saved with the envelope", async () => {
    const { org, key, template_id } = await newOrg();
    const id = await newEnvelope(key, template_id, { signers: [german, landlord] });
    const saved = (await key.send("GET", `/partner/envelopes/${id}/signers`)).json.data.signers;
    const draft = (await key.send("GET", `/partner/envelopes/${id}`)).json.data.metadata.signers;
    expect(draft).toEqual([german, landlord]);
    const { status, json } = await send(key, id, { signing_order: "parallel" });
    expect(status).toBe(200);
    const invited = ["ann@example.com ?lang=de", "sam@example.com "];
    expect(await linksOf(org)).toEqual(invited);
    const listed = (await key.send("GET", `/partner/envelopes/${id}/signers`)).json.data.signers;
    for (const signers of [saved, listed]) expect(signers).toMatchObject([{ locale: "de" }, { locale: null }]);
    for (const signer of json.data.signers) expect(Object.keys(signer)).not.toContain("locale");
    expect((await key.send("POST", `/partner/envelopes/${id}/remind`)).status).toBe(200);
    expect(await linksOf(org)).toEqual([...invited, ...invited].sort());
  });

  test("is the one that a member chose for themselves, unless the sender chooses one", async () => {
    const { org, key, template_id } = await newOrg();
    expect((await org.admin("PATCH", "/auth/me", { body: { locale: "fr" } })).status).toBe(200);
    const member = { ...tenant, email: org.email };
    await send(key, await newEnvelope(key, template_id, { signers: [member, landlord] }), { signing_order: "parallel" });
    await send(key, await newEnvelope(key, template_id, { signers: [{ ...member, locale: "es" }, landlord] }));
    // Another organization does not know the language of people who are not its members.
    const other = await newOrg();
    await send(other.key, await newEnvelope(other.key, other.template_id, { signers: [member, landlord] }));
    expect(await linksOf(org)).toEqual([`${org.email} ?lang=es`, `${org.email} ?lang=fr`, "sam@example.com "]);
    expect(await linksOf(other.org)).toEqual([`${org.email} `]);
  });

  test("can be set in the send request or with an uploaded document", async () => {
    const { org, key, template_id } = await newOrg();
    await send(key, await newEnvelope(key, template_id), { signers: [{ ...tenant, locale: "fr" }, landlord] });
    const customer = await key.send("POST", "/partner/customers", { body: { name: "Ann" } });
    const parts = { signers: JSON.stringify([{ ...tenant, locale: "es" }]) };
    const uploaded = await key.send(
      "POST",
      `/partner/customers/${customer.json.data.customer_id}/documents`,
      form(parts, { bytes: plainPdf }),
    );
    expect([uploaded.status, uploaded.json.data.signers]).toEqual([201, [tenant]]);
    await send(key, uploaded.json.data.envelope_id);
    expect(await linksOf(org)).toEqual(["ann@example.com ?lang=es", "ann@example.com ?lang=fr"]);
  });

  test("can be changed before it is sent", async () => {
    const { org, key, template_id } = await newOrg();
    const id = await newEnvelope(key, template_id, { signers: [german, landlord] });
    expect(
      (await key.send("PATCH", `/partner/envelopes/${id}`, { body: { signers: [{ ...german, locale: "en" }, landlord] } })).status,
    ).toBe(200);
    await send(key, id);
    expect(await linksOf(org)).toEqual(["ann@example.com ?lang=en"]);
  });

  test("is corrected without a new link; with another address it stays, and is in the new link", async () => {
    const { org, key, template_id } = await newOrg();
    const id = await newEnvelope(key, template_id);
    const [first] = (await send(key, id)).json.data.signers;
    const correct = (slug: string, body: object) => key.send("PATCH", `/partner/envelopes/${id}/signers/${slug}`, { body });
    const corrected = await correct(first.slug, { locale: "de" });
    expect([corrected.status, corrected.json.data]).toEqual([200, first]);
    expect(await linksOf(org)).toEqual(["ann@example.com "]);
    await correct(first.slug, { locale: "de" });
    await correct(first.slug, { email: "anna@example.com" });
    expect(await linksOf(org)).toEqual(["anna@example.com ?lang=de"]);
    const { json } = await key.send("GET", `/partner/envelopes/${id}/audit-trail`);
    const entries = json.data.filter(({ type }: { type: string }) => type === "signer.corrected");
    const { email, name } = tenant;
    expect(entries.map(({ data: { from, to } }: { data: { from: object; to: object } }) => [from, to])).toEqual([
      [
        { email, name },
        { email: "anna@example.com", name },
      ],
      [
        { email, name, locale: null },
        { email, name, locale: "de" },
      ],
    ]);
  });

  test("is cleared with null wherever it can be set", async () => {
    const { key, template_id } = await newOrg();
    const id = await newEnvelope(key, template_id, { signers: [german, landlord] });
    const shown = async () => (await key.send("GET", `/partner/envelopes/${id}/signers`)).json.data.signers[0].locale;
    const [first, second] = (await key.send("GET", `/partner/envelopes/${id}/signers`)).json.data.signers;
    const written = [first, second].map(({ email, name, role }) => ({ email, name, role, locale: null }));
    expect((await key.send("PATCH", `/partner/envelopes/${id}`, { body: { signers: written } })).status).toBe(200);
    expect(await shown()).toBeNull();
    const { json } = await send(key, id, { signers: [german, { ...landlord, locale: null }] });
    expect(await shown()).toBe("de");
    const path = `/partner/envelopes/${id}/signers/${json.data.signers[0].slug}`;
    expect((await key.send("PATCH", path, { body: { locale: null } })).status).toBe(200);
    expect(await shown()).toBeNull();
  });

  test.each(["it", "DE", "de-AT", "", 7])("%j is 422 wherever it can be set", async (locale) => {
    const { key, template_id } = await newOrg();
    const signers = [{ ...tenant, locale }, landlord];
    const id = await newEnvelope(key, template_id);
    const customer = await key.send("POST", "/partner/customers", { body: { name: "Ann" } });
    const answers = [
      await key.send("POST", "/partner/envelopes", { body: envelopeBody({ template_id, signers }) }),
      await key.send("PATCH", `/partner/envelopes/${id}`, { body: { signers } }),
      await key.send(
        "POST",
        `/partner/customers/${customer.json.data.customer_id}/documents`,
        form({ signers: JSON.stringify(signers) }, { bytes: plainPdf }),
      ),
      await send(key, id, { signers }),
    ];
    for (const { status, json } of answers) expect([status, json.details[0].field]).toEqual([422, "signers[0].locale"]);
    const [first] = (await send(key, id)).json.data.signers;
    const corrected = await key.send("PATCH", `/partner/envelopes/${id}/signers/${first.slug}`, { body: { locale } });
    expect([corrected.status, corrected.json.details[0].field]).toEqual([422, "locale"]);
  });
});
