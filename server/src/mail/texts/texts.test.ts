import { describe, expect, test } from "vitest";
import { landlord, newEnvelope, newTemplate, tenant } from "../../../test/lease.ts";
import { mailTo } from "../../../test/mail.ts";
import { type TestOrg, testService } from "../../../test/service.ts";
import { locales } from "../../shared/locales.ts";
import { mailTextKinds, placeholders } from "./text.ts";

const service = testService();

const own = {
  kind: "invitation",
  locale: "en",
  subject: "{{organization}}: {{envelope_name}}",
  intro: "Dear {{recipient_name}},\nplease sign by {{ expires_at }}.",
  footer: "8 Quay Street",
};
const set = (org: TestOrg, body: object) => org.admin("PUT", "/org/mail-texts", { body });
const listed = async (org: TestOrg) => (await org.admin("GET", "/org/mail-texts")).json.data;

async function send(org: TestOrg, more: object = {}) {
  const key = await org.newKey();
  const envelope_id = await newEnvelope(key, await newTemplate(key));
  await key.send("POST", `/partner/envelopes/${envelope_id}/send`, { body: { signers: [{ ...tenant, ...more }, landlord] } });
}

/** The newest invitation to this organization's signer. */
async function invitation(org: TestOrg) {
  const mails = await mailTo(service, tenant.email, "signing_invitation");
  return mails.findLast(({ org_id }) => org_id === org.org_id) ?? expect.fail("no mail");
}

describe("an organization's own words", () => {
  test("are set, listed, used for mails in their language, and removed; each change is an audit entry", async () => {
    const org = await service.newOrg("Harbor");
    const { status, json } = await set(org, own);
    const stored = { ...own, updated_at: expect.stringMatching(/Z$/) };
    expect([status, json.data]).toEqual([200, stored]);
    expect((await listed(org)).texts).toEqual([stored]);
    await send(org);
    const mail = await invitation(org);
    expect(mail.subject).toBe("Harbor: Lease");
    expect(mail.text).toMatch(/\n\nDear Ann,\nplease sign by \w+,? \d+ \w+ \d{4} at \d\d:\d\d UTC\.\n\n/);
    expect(mail.text).toContain("\n-- \n8 Quay Street\nSent with Countersign.\n");
    const removed = await org.admin("DELETE", "/org/mail-texts?kind=invitation&locale=en");
    expect([removed.status, removed.json.data, (await listed(org)).texts]).toEqual([200, { removed: true }, []]);
    expect((await org.admin("DELETE", "/org/mail-texts?kind=invitation&locale=en")).status).toBe(200);
    const types = (await org.admin("GET", "/org/audit-trail")).json.data.map(({ type }: { type: string }) => type);
    expect(types.filter((type: string) => type.startsWith("mail_text"))).toEqual(["mail_text.removed", "mail_text.set"]);
  });

  test("are not used for a signer in another language", async () => {
    const org = await service.newOrg("Harbor");
    await set(org, own);
    await send(org, { locale: "es" });
    expect((await invitation(org)).subject).toBe("Harbor le pide que firme: Lease");
  });

  test("of one organization are not seen or used by another", async () => {
    const [org, other] = [await service.newOrg("Harbor"), await service.newOrg("Quay")];
    await set(org, own);
    await send(other);
    expect([(await listed(other)).texts, (await invitation(other)).subject]).toEqual([[], "Quay asks you to sign: Lease"]);
  });

  test("begin with the standard words, which are listed for every kind and language and are accepted as they are", async () => {
    const org = await service.newOrg();
    const { standard, placeholders: known } = await listed(org);
    expect([standard.length, known]).toEqual([mailTextKinds.length * locales.length, [...placeholders]]);
    for (const text of standard) expect((await set(org, text)).status).toBe(200);
  });

  test("with markup are kept as text, and escaped where a mail program would read them as markup", async () => {
    const org = await service.newOrg("Harbor");
    await set(org, { ...own, intro: "<b>{{envelope_name}}</b><script>alert(1)</script>" });
    const body = { ...own, intro: "<b>{{envelope_name}}</b><script>alert(1)</script>" };
    const { json } = await org.admin("POST", "/org/mail-texts/preview", { body });
    expect(json.data.text).toContain("<b>Service agreement</b><script>alert(1)</script>");
    expect(json.data.html).toContain("&lt;b&gt;Service agreement&lt;/b&gt;&lt;script&gt;");
    expect(json.data.html).not.toContain("<script");
  });
});

describe("words are refused", () => {
  const refusal = (field: string, message: unknown) => [{ location: "body", field, code: "invalid_value", message }];

  test.each([
    ["{{amount}}", /^\{\{amount\}\} is not a placeholder; use /],
    ["{{Recipient_name}}", /^\{\{Recipient_name\}\} is not a placeholder/],
    ["{{constructor}}", /^\{\{constructor\}\} is not a placeholder/],
    ["{{}}", /^\{\{\}\} is not a placeholder/],
    ["{{recipient_name", /^has \{\{ or \}\} without a placeholder/],
  ])("with %s, which the answer names", async (text, message) => {
    const org = await service.newOrg();
    for (const field of ["subject", "intro", "footer"]) {
      const { status, json } = await set(org, { kind: "reminder", locale: "en", [field]: `Dear ${text}` });
      expect([status, json.details]).toEqual([422, refusal(field, expect.stringMatching(message))]);
    }
    expect((await listed(org)).texts).toEqual([]);
  });

  test("with a subject of two lines", async () => {
    const { status, json } = await set(await service.newOrg(), { ...own, subject: "Please sign\r\nBcc: eve@example.com" });
    expect([status, json.details]).toEqual([422, refusal("subject", "must be a single line")]);
  });

  test("if there are none, and for an unknown kind or language", async () => {
    const org = await service.newOrg();
    const field = async (body: object) => (await set(org, body)).json.details[0].field;
    expect(await field({ kind: "invitation", locale: "en" })).toBe("subject");
    expect(await field({ ...own, kind: "advertisement" })).toBe("kind");
    expect(await field({ ...own, locale: "xx" })).toBe("locale");
  });
});

test("a preview shows the words with sample values, and is mailed to the caller only if asked", async () => {
  const org = await service.newOrg("Harbor");
  const shown = await org.admin("POST", "/org/mail-texts/preview", { body: { ...own, kind: "expired", locale: "de", intro: null } });
  expect([shown.status, shown.json.data.subject, shown.json.data.sent_to]).toEqual([200, "Harbor: Service agreement", null]);
  expect(shown.json.data.text).toContain("rechtzeitig unterschrieben");
  const { json } = await org.admin("POST", "/org/mail-texts/preview", { body: { ...own, send: true } });
  expect(json.data.sent_to).toBe(org.email);
  const mails = await service.database.owner("select to_address from mail_messages where org_id = $1 and kind = 'mail_preview'", [
    org.org_id,
  ]);
  expect(mails).toEqual([{ to_address: org.email }]);
});
