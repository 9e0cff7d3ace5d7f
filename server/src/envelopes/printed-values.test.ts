import { describe, expect, test } from "vitest";
import { onePage, text } from "../../../pdf/fixtures/pages.ts";
import { writePdf } from "../../../pdf/fixtures/writer.ts";
import { makeReady, type SigningSession, signingSession } from "../../test/ceremony.ts";
import { chainOf, sentEnvelope } from "../../test/envelopes.ts";
import { landlord, newEnvelope, newTemplate, tenant } from "../../test/lease.ts";
import { type TestKey, testService } from "../../test/service.ts";
import { signedValues } from "../../test/signed-values.ts";
import type { EnvelopeId } from "../shared/ids.ts";
import type { Locale } from "../shared/locales.ts";
import { currentText } from "../texts/current-texts.ts";
import { finishDocument } from "./finish-document.ts";

const service = testService();

const lease = writePdf(
  onePage({
    content: [
      "{{Deposit;role=Tenant;type=number;readonly=true;required=true}}",
      "{{Handover;role=Tenant;type=date;readonly=true;required=true}}",
      "{{Rent;role=Tenant;type=number}}",
      "{{Start;role=Tenant;type=date}}",
      "{{Sign;role=Tenant;type=signature}}",
      "{{Costs;role=Landlord;type=number}}",
      "{{End;role=Landlord;type=date}}",
      "{{Seal;role=Landlord;type=signature}}",
    ]
      .map((tag, line) => text(tag, 72, 720 - 40 * line))
      .join(" "),
  }),
);
const byOffice = { Deposit: 2400.5, Handover: "2027-02-28" };

async function sentLease(default_locale: Locale, prefilled_data: object = byOffice) {
  const org = await service.newOrg();
  const key = await org.newKey();
  await org.admin("PATCH", "/org/settings", { body: { default_locale } });
  const envelope_id = (await newEnvelope(key, await newTemplate(key, lease), { prefilled_data })) as EnvelopeId;
  const sent = await send(key, envelope_id);
  expect([sent.status, sent.json.error]).toEqual([200, undefined]);
  const session = (email: string) => signingSession(service, org, envelope_id, email);
  return { org, key, envelope_id, ann: await session(tenant.email), sam: await session(landlord.email) };
}

const send = (key: TestKey, envelope_id: string) =>
  key.send("POST", `/partner/envelopes/${envelope_id}/send`, { body: { signers: [tenant, landlord], signing_order: "parallel" } });

async function signIn(one: SigningSession, locale: Locale, values: object): Promise<void> {
  await makeReady(one, { ...values });
  const { version, sha256 } = currentText(service.features.texts, "intent", locale);
  const done = await one.complete({ intent: { version, locale, sha256 } });
  expect([done.status, done.json.error]).toEqual([200, undefined]);
}

type Shown = { name: string; label: string; value: unknown };
const seen = async (one: SigningSession) => {
  const { fields, others, document } = (await one.open()).json.data;
  const values = [...fields, ...others].map(({ name, label, value }: Shown) => [label ?? name, value]);
  return { values: Object.fromEntries(values), document };
};

describe("numbers and dates in the document", () => {
  test("are written in the language of the person who entered them: the sender's organization, and each signer's page", async () => {
    const { org, key, envelope_id, ann, sam } = await sentLease("fr");
    expect((await seen(ann)).values, "locked values, as the sender's organization writes them").toMatchObject({
      Deposit: "2400,5",
      Handover: "28/02/2027",
    });
    await signIn(ann, "de", { Rent: "1200.50", Start: "2027-03-01" });
    await org.admin("PATCH", "/org/settings", { body: { default_locale: "es" } });
    const { values, document } = await seen(sam);
    expect(document.prints_by_language).toBe(true);
    expect(values).toMatchObject({ Deposit: "2400,5", Handover: "28/02/2027", Rent: "1200,50", Start: "01.03.2027" });
    await signIn(sam, "en", { Costs: "99.90", End: "2028-12-31" });
    await finishDocument(service.features.envelopes, { org_id: org.org_id, envelope_id });
    const { bytes } = await key.send("GET", `/partner/envelopes/${envelope_id}/document`);
    const printed = (await service.features.pdf.text(bytes, { page: 1 })).blocks.join(" ");
    for (const value of ["2400,5", "28/02/2027", "1200,50", "01.03.2027", "99.90", "31 Dec 2028"]) expect(printed).toContain(value);
    const rows = await signedValues(service, org.org_id, envelope_id);
    expect(
      rows.map(({ value }) => value),
      "stored in the normal form",
    ).toEqual(["2400.5", "2027-02-28", "1200.50", "2027-03-01", "99.90", "2028-12-31"]);
    const sent = (await chainOf(service, org.org_id, envelope_id)).find(({ type }) => type === "envelope.sent");
    expect(sent?.data).toMatchObject({ values_locale: "fr" });
  });

  test("are in the language of the page while the signer reviews them", async () => {
    const { ann } = await sentLease("en");
    await ann.see();
    await ann.consent();
    // Without a mark, whose caption has the time.
    await ann.fill({ Rent: "1200.50", Start: "2027-03-01" });
    const preview = async (lang: string) => (await ann.send("GET", `/pages/1?values=1&lang=${lang}`)).bytes;
    const [english, german, again] = [await preview("en"), await preview("de"), await preview("en")];
    expect(english.equals(again)).toBe(true);
    expect(english.equals(german)).toBe(false);
    expect((await ann.send("GET", "/pages/1?values=1&lang=tlh")).status).toBe(422);
  });

  test.each(["1,200", "+12,345", "-1,234"])(
    "the number %s is refused, because it means different things in different countries",
    async (value) => {
      const key = await (await service.newOrg()).newKey();
      const template_id = await newTemplate(key, lease);
      const { status, json } = await key.send("POST", "/partner/envelopes", {
        body: {
          template_id,
          envelope_name: "Lease",
          customer_name: "Ann",
          customer_email: "ann@example.com",
          prefilled_data: { ...byOffice, Deposit: value },
        },
      });
      expect([status, json.details]).toEqual([
        422,
        [
          {
            location: "body",
            field: "prefilled_data.Deposit",
            code: "invalid_value",
            message: "must be a number with a point before the decimals, such as 1200.50",
          },
        ],
      ]);
    },
  );

  test("are written as stored in an envelope that an earlier release sent, as its signers saw them", async () => {
    const org = await service.newOrg();
    const { envelope_id } = await sentEnvelope(service, org);
    await service.database.owner(
      `insert into envelope_fields (org_id, envelope_id, position, name, type, role, required, readonly, areas)
       select org_id, envelope_id, 1, 'Start', 'date', role, true, false, '[{"page":1,"x":0.1,"y":0.5,"w":0.3,"h":0.06}]'
       from envelope_fields where envelope_id = $1`,
      [envelope_id],
    );
    const ann = await signingSession(service, org, envelope_id, tenant.email);
    await signIn(ann, "de", { Start: "2027-03-01" });
    expect((await seen(ann)).document.prints_by_language).toBe(false);
    await finishDocument(service.features.envelopes, { org_id: org.org_id, envelope_id });
    const { bytes } = await (await org.newKey()).send("GET", `/partner/envelopes/${envelope_id}/document`);
    expect((await service.features.pdf.text(bytes, { page: 1 })).blocks.join(" ")).toContain("2027-03-01");
  });

  test("a decimal comma that can mean nothing else is stored as a point", async () => {
    const { ann } = await sentLease("en", { ...byOffice, Deposit: "+2400,50" });
    expect((await seen(ann)).values.Deposit).toBe("2400.50");
  });
});
