import { afterAll, describe, expect, test } from "vitest";
import type { Answer } from "../../../test/client.ts";
import { chainOf } from "../../../test/envelopes.ts";
import { form } from "../../../test/form.ts";
import { landlord, newEnvelope, newTemplate, plainPdf, tenant } from "../../../test/lease.ts";
import { type TestKey, type TestOrg, testService } from "../../../test/service.ts";
import { startSmtpPeer } from "../../../test/smtp.ts";
import type { EnvelopeId } from "../../shared/ids.ts";

/** Which codes a draft keeps that people will be asked for. */

const peer = await startSmtpPeer();
const service = testService({ SMTP_URL: peer.url, MAIL_FROM: "sign@example.com" });
const withoutMail = testService();
afterAll(() => peer.stop());

const SECRET = "Blue-Harbour-7";
const mailed = { method: "email_code" };
const agreed = { method: "access_code" };
const ann = { kind: "signer", ...tenant };
const sam = { kind: "signer", ...landlord };

interface Draft {
  readonly org: TestOrg;
  readonly key: TestKey;
  readonly envelope_id: EnvelopeId;
  readonly path: string;
}

async function draftWith(recipients: readonly object[], at = service): Promise<Draft> {
  const org = await at.newOrg();
  const key = await org.newKey();
  const envelope_id = (await newEnvelope(key, await newTemplate(key), { signers: undefined, recipients })) as EnvelopeId;
  return { org, key, envelope_id, path: `/partner/envelopes/${envelope_id}` };
}

const kept = async ({ key, path }: Pick<Draft, "key" | "path">) =>
  (await key.send("GET", path)).json.data.metadata.recipients.map(({ authentication }: { authentication?: object[] }) => authentication);
const faults = ({ status, json }: Answer) => [status, ...json.details.map((one: { field: string; code: string }) => [one.field, one.code])];
const asked = async ({ org, envelope_id }: Draft) =>
  (await chainOf(service, org.org_id, envelope_id))
    .filter(({ type }) => type === "identity.set")
    .map(({ data }) => [Object(data).user_email, Object(data).methods]);

describe("a draft", () => {
  test("keeps which codes people will be asked for, and changes them; only a draft shows them with its recipients", async () => {
    const draft = await draftWith([{ ...ann, authentication: [mailed, agreed] }, sam]);
    const { key, path } = draft;
    expect(await kept(draft)).toEqual([[mailed, agreed], undefined]);
    const listed = await key.send("GET", "/partner/envelopes?expand=recipients");
    expect(listed.json.data[0].recipients[0].authentication).toEqual([mailed, agreed]);
    const changed = await key.send("PATCH", path, {
      body: {
        recipients: [
          { ...ann, authentication: [] },
          { ...sam, authentication: [mailed] },
        ],
      },
    });
    expect(changed.status).toBe(200);
    expect(await kept(draft)).toEqual([undefined, [mailed]]);
    expect((await key.send("POST", `${path}/send`)).status).toBe(200);
    expect(await kept(draft)).toEqual([undefined, undefined]);
  });

  test("keeps no access code: the request is refused, and no row has it", async () => {
    const { key, path, envelope_id } = await draftWith([ann, sam]);
    const recipients = [{ ...ann, authentication: [{ ...agreed, code: SECRET }] }, sam];
    expect(faults(await key.send("PATCH", path, { body: { recipients } }))).toEqual([
      422,
      ["recipients[0].authentication[0].code", "unknown_field"],
    ]);
    // A key from before ignores members that it does not know.
    await service.database.owner("update api_keys set lenient_fields = true where key_id = $1", [key.key_id]);
    expect((await key.send("PATCH", path, { body: { recipients } })).status).toBe(200);
    expect(await kept({ key, path })).toEqual([[agreed], undefined]);
    const rows = await service.database.owner("select 1 from envelopes e where envelope_id = $1 and e::text like $2", [
      envelope_id,
      `%${SECRET}%`,
    ]);
    expect(rows).toEqual([]);
  });

  test.each<[string, object, [string, string]]>([
    ["the same code twice", { authentication: [mailed, mailed] }, ["authentication[1].method", "duplicate"]],
    ["codes of a cc", { kind: "cc", role: null, authentication: [mailed] }, ["authentication", "conflict"]],
    ["three codes", { authentication: [mailed, agreed, mailed] }, ["authentication", "too_long"]],
    [
      "identity questions, which are asked of everyone",
      { authentication: [{ method: "kba" }] },
      ["authentication[0].method", "invalid_value"],
    ],
    ["a word instead of a list", { authentication: "email_code" }, ["authentication", "invalid_type"]],
    ["a code without a method", { authentication: [{}] }, ["authentication[0].method", "required"]],
  ])("refuses %s, and stays as it was", async (_what, member, [field, code]) => {
    const draft = await draftWith([{ ...ann, authentication: [mailed] }, sam]);
    const recipients = [ann, { ...sam, ...member }];
    expect(faults(await draft.key.send("PATCH", draft.path, { body: { recipients } }))).toEqual([422, [`recipients[1].${field}`, code]]);
    expect(await kept(draft)).toEqual([[mailed], undefined]);
  });

  test("is not overwritten by a window that read it before the codes were chosen", async () => {
    const { key, path } = await draftWith([ann, sam]);
    const { headers } = await key.send("GET", path);
    await key.send("PATCH", path, { body: { recipients: [{ ...ann, authentication: [mailed] }, sam] } });
    const late = await key.send("PATCH", path, { body: { recipients: [ann, sam] }, headers: { "if-match": String(headers.etag) } });
    expect(late.status).toBe(412);
    expect(await kept({ key, path })).toEqual([[mailed], undefined]);
  });

  test("gives its copy the same, unlike a sent envelope or a template", async () => {
    const { key, path } = await draftWith([{ ...ann, authentication: [mailed] }, sam]);
    const copyOf = async () => ({ key, path: `/partner/envelopes/${(await key.send("POST", `${path}/duplicate`)).json.data.envelope_id}` });
    expect(await kept(await copyOf())).toEqual([[mailed], undefined]);
    const template = await key.send("POST", `${path}/template`, { body: { name: "Again", keep_people: true } });
    expect([template.status, template.text.includes("email_code")]).toEqual([201, false]);
    expect((await key.send("POST", `${path}/send`)).status).toBe(200);
    expect(await kept(await copyOf())).toEqual([undefined, undefined]);
  });
});

describe("sending a draft", () => {
  test("asks for its codes if the request names no people", async () => {
    const draft = await draftWith([{ ...ann, authentication: [mailed] }, sam]);
    expect((await draft.key.send("POST", `${draft.path}/send`)).status).toBe(200);
    const { signers } = (await draft.key.send("GET", `${draft.path}/signers`)).json.data;
    expect(signers.map(({ authentication }: { authentication: object[] }) => authentication)).toEqual([
      [{ method: "email_code", state: "required" }],
      [],
    ]);
    expect(await asked(draft)).toEqual([[tenant.email, ["email_code"]]]);
  });

  test("is refused without its access codes, and sends nothing; the request that names people has them", async () => {
    const draft = await draftWith([
      { ...ann, authentication: [mailed, agreed] },
      { ...sam, authentication: [agreed] },
    ]);
    const { key, path } = draft;
    const before = peer.messages.length;
    const refused = await key.send("POST", `${path}/send`);
    expect(faults(refused)).toEqual([422, ["recipients", "required"], ["recipients", "required"]]);
    expect(refused.json.details[0].message).toContain(tenant.email);
    expect(await asked(draft)).toEqual([]);
    expect([(await key.send("GET", path)).json.data.status, peer.messages.length]).toEqual(["preparing", before]);
    const code = { ...agreed, code: SECRET };
    const recipients = [
      { ...ann, authentication: [mailed, code] },
      { ...sam, authentication: [code] },
    ];
    expect((await key.send("POST", `${path}/send`, { body: { recipients } })).status).toBe(200);
    expect(await asked(draft)).toEqual([
      [tenant.email, ["email_code", "access_code"]],
      [landlord.email, ["access_code"]],
    ]);
  });

  test("asks for what the request says if it names people", async () => {
    const draft = await draftWith([{ ...ann, authentication: [mailed, agreed] }, sam]);
    expect((await draft.key.send("POST", `${draft.path}/send`, { body: { signers: [tenant, landlord] } })).status).toBe(200);
    expect(await asked(draft)).toEqual([]);
  });

  test("adds what the organization demands, and refuses a code by e-mail without a mail server", async () => {
    const draft = await draftWith([{ ...ann, authentication: [mailed] }, sam]);
    await draft.org.admin("PATCH", "/org/security", { body: { min_identity_level: 1 } });
    expect((await draft.key.send("POST", `${draft.path}/send`)).status).toBe(200);
    expect(await asked(draft)).toEqual([
      [tenant.email, ["email_code"]],
      [landlord.email, []],
    ]);
    const later = await draftWith([{ ...ann, authentication: [mailed] }, sam], withoutMail);
    expect(faults(await later.key.send("POST", `${later.path}/send`))).toEqual([
      422,
      ["recipients[0].authentication[0].method", "mail_not_set_up"],
    ]);
  });

  test("of an uploaded document keeps them too", async () => {
    const org = await service.newOrg();
    const body = { envelope_name: "Lease", customer_email: "ann@example.com", customer_name: "Ann" };
    const { envelope_id } = (await org.admin("POST", "/partner/envelopes", { body })).json.data;
    const path = `/partner/envelopes/${envelope_id}`;
    expect((await org.admin("PATCH", path, { body: { recipients: [{ ...ann, authentication: [mailed] }] } })).status).toBe(200);
    expect((await org.admin("POST", `${path}/upload`, form({}, { bytes: plainPdf }))).status).toBeLessThan(300);
    expect((await org.admin("GET", path)).json.data.metadata.recipients[0].authentication).toEqual([mailed]);
  });
});
