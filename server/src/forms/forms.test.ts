import { beforeEach, describe, expect, test } from "vitest";
import { makeReady, signingSessionWith } from "../../test/ceremony.ts";
import { chainOf, linkIn, linkTokenFor } from "../../test/envelopes.ts";
import { form as upload } from "../../test/form.ts";
import { codesTo, confirm, confirmed, consentPdf, newForm, newIp, start, visitor } from "../../test/forms.ts";
import { leasePdf } from "../../test/lease.ts";
import { mailTo } from "../../test/mail.ts";
import { png } from "../../test/png.ts";
import { type TestOrg, testService } from "../../test/service.ts";
import { cleanUp } from "../orgs/clean-up.ts";
import { locales } from "../shared/locales.ts";
import { newSlug } from "../shared/slugs.ts";
import { formShell } from "./shell.ts";

const service = testService({ TRUST_PROXY_HOPS: "1" });
const { owner } = service.database;

let org: TestOrg;
let n = 0;
/** An address that no other test uses, because an address gets few mails a day. */
const newAddress = () => `visitor${++n}@example.com`;

beforeEach(async () => {
  org = await service.newOrg();
});

const envelopesOf = async (form_id: string) => (await org.admin("GET", `/partner/envelopes?form_id=${form_id}`)).json.data;
const placement = { mode: "absolute", areas: [{ page: 1, x: 0.1, y: 0.1, w: 0.3, h: 0.05 }] };
const CLOSED = "form_closed";
const refusal = ({ status, text, headers }: Awaited<ReturnType<typeof start>>) => ({ status, text, code: headers["x-error-code"] });

describe("forms of an organization", () => {
  test("have an address of 128 bits, every setting with its default, and counts", async () => {
    const { template_id } = (await org.admin("POST", "/partner/templates", upload({ name: "Photo consent" }, { bytes: consentPdf }))).json
      .data;
    const made = await org.admin("POST", "/partner/forms", { body: { template_id } });
    expect([made.status, made.json.data]).toEqual([
      201,
      {
        form_id: expect.stringMatching(/^form_/),
        name: "Photo consent",
        template_id,
        url: expect.stringMatching(new RegExp(`^${service.config.embedUrl}/f/[0-9a-f]{32}$`)),
        state: "open",
        settings: {
          visitor_role: "Parent",
          recipients: [],
          verify_email: true,
          max_per_day: 100,
          max_total: null,
          closes_at: null,
          success_text: null,
        },
        opened: 0,
        completed: 0,
        created_at: expect.any(String),
        updated_at: expect.any(String),
      },
    ]);
    const { form_id } = made.json.data;
    expect((await org.admin("GET", `/partner/forms/${form_id}`)).json.data).toEqual(made.json.data);
    expect((await org.admin("GET", `/partner/forms?template_id=${template_id}`)).json).toMatchObject({
      data: [made.json.data],
      meta: { total: 1 },
    });
  });

  test("are changed member by member, paused and resumed; the audit trail says so", async () => {
    const { form_id } = await newForm(org, { max_per_day: 5, success_text: "Thank you" });
    const change = await org.admin("PATCH", `/partner/forms/${form_id}`, { body: { name: "Trip", settings: { max_total: 7 } } });
    expect(change.json.data).toMatchObject({ name: "Trip", settings: { max_per_day: 5, max_total: 7, success_text: "Thank you" } });
    const moved = [];
    for (const move of ["pause", "pause", "resume"])
      moved.push((await org.admin("POST", `/partner/forms/${form_id}/${move}`)).json.data.state);
    expect(moved).toEqual(["paused", "paused", "open"]);
    const { data } = (await org.admin("GET", "/org/audit-trail")).json;
    const types = data.map(({ type }: { type: string }) => type).filter((type: string) => type.startsWith("form."));
    expect(types).toEqual(["form.resumed", "form.paused", "form.changed", "form.created"]);
  });

  test("422 for a form whose envelopes could not be sent, at the place of each mistake", async () => {
    const { template_id } = (await org.admin("POST", "/partner/templates", upload({ name: "Lease" }, { bytes: leasePdf }))).json.data;
    const landlord = { kind: "signer", email: "sam@example.com", name: "Sam", role: "Landlord" };
    const refused = async (settings: object) => {
      const { status, json } = await org.admin("POST", "/partner/forms", { body: { template_id, settings } });
      return [status, ...(json.details ?? []).map(({ field, code }: { field: string; code: string }) => `${field} ${code}`)];
    };
    expect(await refused({})).toEqual([422, "settings.recipients required"]);
    expect(await refused({ visitor_role: "Boss", recipients: [landlord] })).toEqual([422, "settings.visitor_role unknown_role"]);
    expect(await refused({ recipients: [{ ...landlord, role: "Owner" }] })).toEqual([422, "settings.recipients[0].role unknown_role"]);
    expect(await refused({ recipients: [landlord, { ...landlord, kind: "cc", role: null }] })).toEqual([
      422,
      "settings.recipients[1].email duplicate",
    ]);
    expect(await refused({ max_per_day: 0 })).toEqual([422, "settings.max_per_day too_small"]);
    expect(await refused({ recipients: [landlord] })).toEqual([201]);
    await org.admin("PATCH", "/org/settings", { body: { require_mailed_link: true } });
    expect(await refused({ recipients: [landlord], verify_email: false })).toEqual([422, "settings.verify_email mailed_link_required"]);
  });

  test("a template with a value that only the sender can give has no form", async () => {
    const label = { name: "Terms", type: "label", placement };
    const fields_json = JSON.stringify([label]);
    const made = await org.admin("POST", "/partner/templates", upload({ name: "Lease", fields_json }, { bytes: consentPdf }));
    const { template_id } = made.json.data;
    const { status, json } = await org.admin("POST", "/partner/forms", { body: { template_id } });
    expect([status, json.details[0].field, json.details[0].message]).toEqual([
      422,
      "template_id",
      "the field Terms is a label without a text",
    ]);
  });
});

describe("a visitor", () => {
  test("gets a link by mail, confirms it and signs; the record says that the link was mailed with that message", async () => {
    const { form_id, slug } = await newForm(org, { success_text: "See you on Friday." });
    const email = newAddress();
    const begun = await start(service, slug, visitor(email, { name: "Ann <Lee>", locale: "de" }));
    expect([begun.status, begun.json.data]).toEqual([202, {}]);
    expect(await envelopesOf(form_id)).toEqual([]);
    const [mail] = await mailTo(service, email, "form_link");
    expect(mail?.subject).toBe("Ihr Link: Photo consent");
    expect(mail?.text).not.toContain("Lee");
    const [code = ""] = await codesTo(service, email);
    const opened = await confirm(service, slug, code);
    const { slug: signer, secret } = linkIn(opened.json.data.embed_url);
    expect(opened.json.data.embed_url).toContain("?lang=de#");

    const [listed] = await envelopesOf(form_id);
    const { envelope_id } = listed;
    const { data: envelope } = (await org.admin("GET", `/partner/envelopes/${envelope_id}`)).json;
    expect(envelope).toMatchObject({ envelope_name: "Photo consent", status: "sent" });
    expect(envelope.metadata).toMatchObject({ form_id, auto_vault_enabled: false, owner_user_id: org.user_id, expires_in_days: 30 });

    const page = signingSessionWith(service, envelope_id, await linkTokenFor(service, signer, secret));
    expect((await page.open()).json.data.envelope.success_text).toBe("See you on Friday.");
    await makeReady(page, { Child: "Tim" }, "Ann Lee");
    expect((await page.complete()).status).toBe(200);
    const chain = await chainOf(service, org.org_id, envelope_id);
    const messages = await owner("select message_id from form_starts where form_id = $1", [form_id]);
    const { message_id } = messages[0] ?? expect.fail("no start");
    expect(chain.slice(0, 2)).toEqual([
      { type: "envelope.created", actor: { kind: "system", id: "system" }, data: expect.objectContaining({ origin: "form", form_id }) },
      {
        type: "form.confirmed",
        actor: { kind: "system", id: "system" },
        data: { form_id, user_email: email, message_id, mail_sent_at: null, is_new: true },
      },
    ]);
    expect(chain.find(({ type }) => type === "signer.opened")?.data).toMatchObject({
      credential: "email_link",
      link_kind: "mailed",
      message_id,
    });
    expect((await org.admin("GET", `/partner/forms/${form_id}`)).json.data).toMatchObject({ opened: 1, completed: 1 });
  });

  test("reads the mail in each language", async () => {
    const { slug } = await newForm(org);
    const subjects = [];
    for (const locale of locales) {
      const email = newAddress();
      await start(service, slug, visitor(email, { locale }));
      subjects.push((await mailTo(service, email, "form_link"))[0]?.subject);
    }
    expect(subjects).toEqual([
      "Your link: Photo consent",
      "Su enlace: Photo consent",
      "Votre lien : Photo consent",
      "Ihr Link: Photo consent",
    ]);
  });

  test("who confirms in ten tabs at once has one envelope, and every tab gets its link", async () => {
    const { form_id, slug } = await newForm(org, { max_total: 1 });
    const email = newAddress();
    await start(service, slug, visitor(email));
    const [code = ""] = await codesTo(service, email);
    const answers = await Promise.all(Array.from({ length: 10 }, () => confirm(service, slug, code)));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(new Set(answers.map(({ json }) => json.data.embed_url)).size).toBe(1);
    const envelopes = await envelopesOf(form_id);
    expect(envelopes).toHaveLength(1);
    expect(await mailTo(service, email, "signing_invitation")).toHaveLength(1);
    const types = (await chainOf(service, org.org_id, envelopes[0].envelope_id)).map(({ type }) => type);
    expect(types.filter((type) => ["envelope.created", "form.confirmed", "envelope.sent"].includes(type))).toEqual([
      "envelope.created",
      "form.confirmed",
      "envelope.sent",
    ]);
  });

  test("who starts again gets the open copy back, and a new one after signing", async () => {
    const { form_id, slug } = await newForm(org);
    const email = newAddress();
    const first = linkIn(await confirmed(service, slug, email));
    const again = linkIn(await confirmed(service, slug, email.replace("visitor", "Visitor")));
    expect(again.slug).toBe(first.slug);
    expect(again.secret).not.toBe(first.secret);
    const [{ envelope_id }] = await envelopesOf(form_id);
    const page = signingSessionWith(service, envelope_id, await linkTokenFor(service, again.slug, again.secret));
    await makeReady(page, { Child: "Tim" });
    expect((await page.complete()).status).toBe(200);
    const third = linkIn(await confirmed(service, slug, email));
    expect(third.slug).not.toBe(first.slug);
    expect(await envelopesOf(form_id)).toHaveLength(2);
  });

  test("two codes of one address that are confirmed at once find one envelope", async () => {
    const { form_id, slug } = await newForm(org);
    const email = newAddress();
    for (let i = 0; i < 2; i++) await start(service, slug, visitor(email));
    const codes = await codesTo(service, email);
    const answers = await Promise.all(codes.map((code) => confirm(service, slug, code)));
    expect(new Set(answers.map(({ json }) => linkIn(json.data.embed_url).slug)).size).toBe(1);
    expect(await envelopesOf(form_id)).toHaveLength(1);
  });

  test("whose envelope was made by a process that ended before sending gets it sent", async () => {
    const { form_id, slug } = await newForm(org);
    const email = newAddress();
    await start(service, slug, visitor(email));
    const [code = ""] = await codesTo(service, email);
    const { provider } = service.features.envelopes;
    const broken = { ...provider, createSubmission: () => Promise.reject(new Error("the process ends here")) };
    Object.assign(service.features.envelopes, { provider: broken });
    expect((await confirm(service, slug, code)).status).toBe(500);
    Object.assign(service.features.envelopes, { provider });
    expect((await envelopesOf(form_id)).map(({ status }: { status: string }) => status)).toEqual(["preparing"]);
    expect((await confirm(service, slug, code)).status).toBe(200);
    expect((await envelopesOf(form_id)).map(({ status }: { status: string }) => status)).toEqual(["sent"]);
  });

  test("401 with a wrong code, a code of another form and one after 30 minutes; nothing is created", async () => {
    const [{ form_id, slug }, other] = [await newForm(org), await newForm(org)];
    const email = newAddress();
    await start(service, slug, visitor(email));
    const [code = ""] = await codesTo(service, email);
    await owner("update form_starts set expires_at = now() where form_id = $1", [form_id]);
    const answers = [await confirm(service, slug, code), await confirm(service, slug, newSlug()), await confirm(service, other.slug, code)];
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect([...(await envelopesOf(form_id)), ...(await envelopesOf(other.form_id))]).toEqual([]);
  });

  test("with the address of another recipient learns it only after confirming", async () => {
    const email = newAddress();
    const { slug } = await newForm(org, { recipients: [{ kind: "cc", email, name: "Office" }] });
    expect((await start(service, slug, visitor(email))).status).toBe(202);
    const [code = ""] = await codesTo(service, email);
    expect(refusal(await confirm(service, slug, code))).toMatchObject({ status: 409, code: "form_address_taken" });
  });

  test("acts before the other recipients, who are asked afterwards", async () => {
    const sam = newAddress();
    const landlord = { kind: "signer", email: sam, name: "Sam", role: "Landlord" };
    const { form_id, slug } = await newForm(org, { recipients: [landlord] }, leasePdf);
    await confirmed(service, slug, newAddress());
    const [{ envelope_id }] = await envelopesOf(form_id);
    const { recipients } = (await org.admin("GET", `/partner/envelopes/${envelope_id}/recipients`)).json.data;
    expect(recipients.map(({ role, step }: { role: string; step: number }) => [role, step])).toEqual([
      ["Tenant", 1],
      ["Landlord", 2],
    ]);
    expect(await mailTo(service, sam, "signing_invitation")).toEqual([]);
  });

  test("never learns of customers: with several of the same address, the envelope has none", async () => {
    const { form_id, slug } = await newForm(org);
    const email = newAddress();
    for (const name of ["Ann", "Anna"]) await org.admin("POST", "/partner/customers", { body: { name, email } });
    await confirmed(service, slug, email);
    const [{ envelope_id, customer_id }] = await envelopesOf(form_id);
    expect(customer_id).toBe(null);
    const again = await org.admin("POST", `/partner/envelopes/${envelope_id}/duplicate`);
    expect([again.status, again.json.data.customer_id]).toEqual([201, null]);
  });

  test("has started only the envelope itself, not its duplicates", async () => {
    const { form_id, slug } = await newForm(org, { max_per_day: 2 });
    const email = newAddress();
    const { slug: signer } = linkIn(await confirmed(service, slug, email));
    const [{ envelope_id }] = await envelopesOf(form_id);
    const again = await org.admin("POST", `/partner/envelopes/${envelope_id}/duplicate`);
    expect([again.status, again.json.data.metadata.form_id]).toEqual([201, null]);
    expect(linkIn(await confirmed(service, slug, email)).slug).toBe(signer);
    expect(await envelopesOf(form_id)).toHaveLength(1);
  });

  test("signs first and nothing is vaulted automatically, whatever the template's defaults are; questions make a form impossible", async () => {
    const { form_id, slug, template_id } = await newForm(org);
    const change = (defaults: object) => org.admin("PATCH", `/partner/templates/${template_id}`, { body: { defaults } });
    expect((await change({ auto_vault_enabled: true, signing_order: "parallel", expires_in_days: 7 })).status).toBe(200);
    await confirmed(service, slug, newAddress());
    const [{ envelope_id }] = await envelopesOf(form_id);
    const { metadata } = (await org.admin("GET", `/partner/envelopes/${envelope_id}`)).json.data;
    expect(metadata).toMatchObject({ auto_vault_enabled: false, signing_order: "sequential", expires_in_days: 7 });
    expect((await change({ kba_required: true })).status).toBe(200);
    const email = newAddress();
    await start(service, slug, visitor(email));
    const [code = ""] = await codesTo(service, email);
    expect(refusal(await confirm(service, slug, code))).toMatchObject({ status: 409, code: CLOSED });
    const { json } = await org.admin("POST", "/partner/forms", { body: { template_id } });
    expect(json.details[0]).toMatchObject({ field: "template_id", code: "conflict" });
  });
});

describe("without verify_email", () => {
  test("start answers with a token; the address gets no mail, and the copy expires after 24 hours", async () => {
    const { form_id, slug } = await newForm(org, { verify_email: false });
    const email = newAddress();
    const { status, json } = await start(service, slug, visitor(email));
    expect(status).toBe(201);
    const [, envelope_id = "", token = ""] = /\/sign\/(env_\w+)\?lang=en#token=(.+)$/.exec(json.data.embed_url) ?? [];
    const { metadata } = (await org.admin("GET", `/partner/envelopes/${envelope_id}`)).json.data;
    expect(Date.parse(metadata.expires_at) - Date.parse(metadata.sent_at)).toBe(24 * 3_600_000);
    const page = signingSessionWith(service, envelope_id, token);
    expect((await page.open()).json.data.recipient).toEqual({ kind: "signer", step: 1, delivery: "link" });
    expect((await page.send("POST", "/finish-later")).headers["x-error-code"]).toBe("recipient_without_mail");
    const [signer] = (await org.admin("GET", `/partner/envelopes/${envelope_id}/recipients`)).json.data.recipients;
    expect((await service.send("POST", `/embed/links/${signer.slug}/send`)).status).toBe(202);
    await makeReady(page, { Child: "Tim" });
    expect((await page.complete()).status).toBe(200);
    const opened = (await chainOf(service, org.org_id, envelope_id as never)).find(({ type }) => type === "signer.opened");
    expect(opened?.data).toMatchObject({ credential: "embed_token", issued_by: "system" });
    expect(await owner("select from mail_messages where to_address = $1", [email])).toEqual([]);
    // Nothing shows that this visitor is the same person.
    expect((await start(service, slug, visitor(email))).status).toBe(201);
    expect(await envelopesOf(form_id)).toHaveLength(2);
  });

  test("the page renews its token as long as it is valid, and the tokens of others are not renewed", async () => {
    const { slug } = await newForm(org, { verify_email: false });
    const { json } = await start(service, slug, visitor(newAddress()));
    const [, envelope_id = "", first = ""] = /\/sign\/(env_\w+)\?lang=en#token=(.+)$/.exec(json.data.embed_url) ?? [];
    const page = signingSessionWith(service, envelope_id, first);
    expect((await page.open()).json.data.token_renewable).toBe(true);
    await makeReady(page, { Child: "Tim" });
    const renewed = await page.send("POST", "/token");
    expect([renewed.status, renewed.json.data]).toEqual([
      200,
      { envelope_id, token: expect.any(String), expires_at: expect.stringMatching(/Z$/) },
    ]);
    const later = signingSessionWith(service, envelope_id, renewed.json.data.token);
    expect((await later.open()).json.data.token_renewable, "the new one can be renewed too").toBe(true);
    const opened = (await chainOf(service, org.org_id, envelope_id as never)).filter(({ type }) => type === "signer.opened");
    expect(opened.map(({ data }) => [data.credential, data.issued_by])).toEqual(opened.map(() => ["embed_token", "system"]));
    expect((await org.admin("POST", `/partner/envelopes/${envelope_id}/void`, { body: { reason: "Wrong child" } })).status).toBe(200);
    expect(refusal(await later.send("POST", "/token"))).toMatchObject({ status: 409, code: "envelope_ended" });

    const verified = await newForm(org);
    const email = newAddress();
    await confirmed(service, verified.slug, email);
    const [copy] = await envelopesOf(verified.form_id);
    const body = { envelope_id: copy.envelope_id, user_email: email, widget_type: "sign" };
    const { token } = (await org.admin("POST", "/embed/token", { body })).json.data;
    const partners = signingSessionWith(service, copy.envelope_id, token);
    expect((await partners.open()).json.data.token_renewable, "a member asked for it").toBe(false);
    expect(refusal(await partners.send("POST", "/token"))).toMatchObject({ status: 403, code: "token_not_renewable" });
  });

  test("it is not open for an organization that since then accepts only mailed links", async () => {
    const { slug } = await newForm(org, { verify_email: false });
    await org.admin("PATCH", "/org/settings", { body: { require_mailed_link: true } });
    expect(refusal(await start(service, slug))).toMatchObject({ status: 409, code: CLOSED });
  });
});

describe("limits", () => {
  test("one address starts ten times an hour, on any form and also unknown ones, then 429 with Retry-After", async () => {
    const { slug } = await newForm(org);
    const ip = newIp();
    const slugs = [...Array(5).fill(slug), ...Array(5).fill(newSlug())];
    const statuses = [];
    for (const one of slugs) statuses.push((await start(service, one, visitor(newAddress()), ip)).status);
    expect(statuses).toEqual([...Array(5).fill(202), ...Array(5).fill(409)]);
    const answer = await start(service, slug, visitor(newAddress()), ip);
    expect([answer.status, answer.headers["x-error-code"]]).toEqual([429, "rate_limited"]);
    expect(Number(answer.headers["retry-after"])).toBeGreaterThan(3_500);
    expect((await start(service, slug, visitor(newAddress()), newIp())).status).toBe(202);
  });

  test("an address gets three mails a day over all organizations; afterwards the answer is the same, without mail", async () => {
    const [one, other] = [await newForm(org), await newForm(await service.newOrg())];
    const email = newAddress();
    const answers = [];
    for (const { slug } of [one, other, one, other, one]) answers.push(await start(service, slug, visitor(email)));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(await codesTo(service, email)).toHaveLength(3);
  });

  test("a filled hidden field gets the same answer, and nothing happens", async () => {
    const [form, open] = [await newForm(org), await newForm(org, { verify_email: false })];
    const email = newAddress();
    const trapped = await start(service, form.slug, visitor(email, { website: "https://example.com" }));
    const real = await start(service, form.slug, visitor(newAddress()));
    expect([trapped.status, trapped.text]).toEqual([real.status, real.text]);
    expect(await codesTo(service, email)).toEqual([]);
    expect((await start(service, open.slug, visitor(email, { website: "x" }))).status).toBe(202);
    expect(await envelopesOf(open.form_id)).toEqual([]);
  });

  test("max_per_day counts envelopes of 24 hours, not starts, and twenty visitors at once do not exceed it", async () => {
    const { form_id, slug } = await newForm(org, { max_per_day: 3, verify_email: false });
    const answers = await Promise.all(Array.from({ length: 20 }, () => start(service, slug, visitor(newAddress()))));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(3).fill(201), ...Array(17).fill(409)]);
    expect(await envelopesOf(form_id)).toHaveLength(3);
    expect((await org.admin("GET", `/partner/forms/${form_id}`)).json.data.state).toBe("open");
    await owner("update envelopes set created_at = now() - interval '24 hours 1 second' where form_id = $1", [form_id]);
    expect((await start(service, slug, visitor(newAddress()))).status).toBe(201);
  });

  test("max_total closes the form", async () => {
    const { form_id, slug } = await newForm(org, { max_total: 1 });
    const [first, second] = [newAddress(), newAddress()];
    for (const email of [first, second]) expect((await start(service, slug, visitor(email))).status).toBe(202);
    const [[one = ""], [two = ""]] = [await codesTo(service, first), await codesTo(service, second)];
    expect((await confirm(service, slug, one)).status).toBe(200);
    expect(refusal(await confirm(service, slug, two))).toMatchObject({ status: 409, code: CLOSED });
    expect((await org.admin("GET", `/partner/forms/${form_id}`)).json.data).toMatchObject({ state: "closed", opened: 1 });
    await org.admin("PATCH", `/partner/forms/${form_id}`, { body: { settings: { max_total: 2 } } });
    expect((await confirm(service, slug, two)).status).toBe(200);
  });

  test("a paused, full, closed, archived, misspelled or unknown form gives the same bytes, to start and to confirm", async () => {
    const [paused, full, closed, archived] = [
      await newForm(org),
      await newForm(org, { max_total: 1 }),
      await newForm(org),
      await newForm(org),
    ];
    await org.admin("POST", `/partner/forms/${paused.form_id}/pause`);
    await confirmed(service, full.slug, newAddress());
    await org.admin("PATCH", `/partner/forms/${closed.form_id}`, { body: { settings: { closes_at: "2026-01-01T00:00:00Z" } } });
    await org.admin("DELETE", `/partner/templates/${archived.template_id}`);
    const slugs = [paused.slug, full.slug, closed.slug, archived.slug, "no-slug", newSlug()];
    const started = [];
    const code = newSlug();
    for (const slug of slugs)
      started.push(refusal(await start(service, slug, visitor(newAddress()))), refusal(await confirm(service, slug, code)));
    expect(new Set(started.map(({ status, code }) => `${status} ${code}`))).toEqual(new Set(["409 form_closed"]));
    expect(new Set(started.map(({ text }) => text)).size).toBe(1);
  });

  test("the page shows the organization's logo and colours; a form that is not open shows nothing of it", async () => {
    const { form_id, slug } = await newForm(org);
    const opened = async () => (await formShell(service.features.forms).open(slug)).boot.form;
    expect(await opened()).toMatchObject({ sender: expect.any(String), branding: {} });
    const logo = png({ width: 20, height: 10, text: "a logo" }).toString("base64");
    const { json } = await org.admin("PATCH", "/org/settings", { body: { branding: { accent: "#0a7", logo } } });
    expect(await opened()).toMatchObject({ branding: { accent: "#0a7", logo: json.data.branding.logo } });
    await org.admin("POST", `/partner/forms/${form_id}/pause`);
    expect(await opened()).toBeNull();
  });

  test("a form whose template has changed so that it cannot be sent is not open, and resuming it says why", async () => {
    const { form_id, template_id, slug } = await newForm(org);
    const field = { name: "Ben", type: "signature", role: "Other", placement };
    await org.admin("POST", `/partner/templates/${template_id}/fields`, { body: { fields: [field] } });
    const email = newAddress();
    expect(refusal(await start(service, slug, visitor(email)))).toMatchObject({ status: 409, code: CLOSED });
    expect(await codesTo(service, email)).toEqual([]);
    const { json, headers } = await org.admin("GET", `/partner/forms/${form_id}`);
    expect(json.data.state).toBe("closed");
    const listed = (await org.admin("GET", `/partner/forms?template_id=${template_id}`)).json.data;
    expect(listed.map(({ state }: { state: string }) => state)).toEqual(["closed"]);
    expect(await formShell(service.features.forms).open(slug)).toMatchObject({ isMissing: true });
    const renamed = await org.admin("PATCH", `/partner/forms/${form_id}`, {
      body: { name: "Visit" },
      headers: { "if-match": headers.etag ?? "" },
    });
    expect([renamed.status, renamed.json.data.state]).toEqual([200, "closed"]);
    await org.admin("POST", `/partner/forms/${form_id}/pause`);
    const resumed = await org.admin("POST", `/partner/forms/${form_id}/resume`);
    expect([resumed.status, resumed.json.details[0].field]).toEqual([422, "settings.recipients"]);
  });

  test("422 for a name that cannot be written and for an invalid address, before anything is sent", async () => {
    const { slug } = await newForm(org);
    const fieldOf = async (body: object) => {
      const { status, json } = await start(service, slug, body);
      return [status, json.details?.[0]?.field];
    };
    expect(await fieldOf(visitor("no address"))).toEqual([422, "email"]);
    expect(await fieldOf(visitor(newAddress(), { name: " " }))).toEqual([422, "name"]);
    expect(await fieldOf(visitor(newAddress(), { name: "\u{12000}" }))).toEqual([422, "name"]);
  });
});

test("events about an envelope of a form have form_id in data, others do not", async () => {
  const { form_id, slug } = await newForm(org);
  await confirmed(service, slug, newAddress());
  const rows = await owner("select event_type, body from events where org_id = $1 order by event_id", [org.org_id]);
  const data = rows.map(({ event_type, body }) => [event_type, JSON.parse(body).data.form_id]);
  expect(data).toEqual([
    ["envelope.created", form_id],
    ["envelope.sent", form_id],
  ]);
});

test("what was entered on a form is deleted after 24 hours, and kept until then", async () => {
  const { form_id, slug } = await newForm(org);
  const [old, young] = [newAddress(), newAddress()];
  for (const email of [old, young]) await start(service, slug, visitor(email));
  const age = "update form_starts set created_at = now() - $1::interval where email = $2";
  await owner(age, ["24 hours 1 minute", old]);
  await owner(age, ["23 hours 59 minutes", young]);
  expect((await cleanUp(service.features.orgs)).form_starts).toBe(1);
  expect(await owner("select email from form_starts where form_id = $1", [form_id])).toEqual([{ email: young }]);
});
