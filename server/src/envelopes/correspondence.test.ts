import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { makeReady, signingSessionWith } from "../../test/ceremony.ts";
import { linkIn, linkTokenFor } from "../../test/envelopes.ts";
import { jobsDone, testJobs } from "../../test/jobs.ts";
import { landlord, newEnvelope, newTemplate, tenant } from "../../test/lease.ts";
import { png } from "../../test/png.ts";
import { type TestOrg, type TestService, testService } from "../../test/service.ts";
import { headerOf, type Received, startSmtpPeer } from "../../test/smtp.ts";
import { resumeMail } from "../mail/resume-mail.ts";
import type { EnvelopeId } from "../shared/ids.ts";
import { sha256 } from "../shared/secrets.ts";

/** What signers get by mail, from the request that causes it to the mail server that receives it. */

const peer = await startSmtpPeer();
const service = testService({ SMTP_URL: peer.url, MAIL_FROM: "sign@example.com", MAIL_ATTACHMENT_MB: "1" });
/** attaches nothing */
const strict = testService({ SMTP_URL: peer.url, MAIL_FROM: "sign@example.com", MAIL_ATTACHMENT_MB: "0" });
testJobs(service);
testJobs(strict);
afterAll(() => peer.stop());
beforeEach(() => {
  peer.messages.length = 0;
});

async function mailsTo(email: string): Promise<Received[]> {
  await Promise.all([jobsDone(service), jobsDone(strict)]);
  return peer.messages.filter(({ to }) => to.includes(email));
}

async function mailTo(email: string): Promise<Received> {
  return (await mailsTo(email)).at(-1) ?? expect.fail(`no mail to ${email}`);
}

interface Wish {
  readonly settings?: object;
  readonly envelope?: object;
  readonly send?: object;
  /** a member sends, not a key */
  readonly byMember?: boolean;
  readonly signers?: readonly object[];
  readonly on?: TestService;
}

async function sent({ settings, envelope = {}, send = {}, byMember = false, signers = [tenant, landlord], on = service }: Wish = {}) {
  const org = await on.newOrg("Harbor");
  if (settings !== undefined) expect((await org.admin("PATCH", "/org/settings", { body: settings })).status).toBe(200);
  const key = await org.newKey();
  const envelope_id = (await newEnvelope(key, await newTemplate(key), { ...envelope, signers })) as EnvelopeId;
  const sender = byMember ? org.admin : key.send;
  const answer = await sender("POST", `/partner/envelopes/${envelope_id}/send`, { body: { ...send, signers } });
  expect([answer.status, answer.json.error]).toEqual([200, undefined]);
  return { org, key, envelope_id };
}

/** Both sign with the links in their mails. */
async function signedByBoth(wish: Wish) {
  const { on = service } = wish;
  const made = await sent(wish);
  for (const { email, name } of [tenant, landlord]) {
    const { slug, secret } = linkIn((await mailTo(email)).text);
    const session = signingSessionWith(on, made.envelope_id, await linkTokenFor(on, slug, secret));
    const isTenant = email === tenant.email;
    await makeReady(session, isTenant ? { "Tenant name": "Ann", Rent: "1", Start: "2026-03-01", Pet: true, Floor: "first" } : {}, name);
    expect((await session.complete({ timezone: "Asia/Tokyo" })).status).toBe(200);
  }
  await jobsDone(on);
  return made;
}

const issuedIn = async (org: TestOrg, envelope_id: EnvelopeId, on: TestService = service) =>
  on.database.owner<{ kind: string; sha256: string; marked_pages: number }>(
    "select kind, sha256, marked_pages from copy_issues where org_id = $1 and envelope_id = $2 order by copy_id",
    [org.org_id, envelope_id],
  );

describe("the language of a mail", () => {
  test("is the signer's, otherwise the organization's; each signer gets their own", async () => {
    const signers = [{ ...tenant, locale: "fr" }, landlord];
    await sent({ settings: { default_locale: "de" }, send: { signing_order: "parallel" }, signers });
    const [french, german] = [await mailTo(tenant.email), await mailTo(landlord.email)];
    expect([headerOf(french, "subject"), headerOf(german, "subject")]).toEqual([
      "Harbor vous demande de signer : Lease",
      "Harbor bittet um Ihre Unterschrift: Lease",
    ]);
    expect([french.html, german.html].map((html) => /<html lang="(\w+)"/.exec(html ?? "")?.[1])).toEqual(["fr", "de"]);
    expect(german.text).toContain("Guten Tag Sam, bitte prüfen und unterschreiben Sie\n");
  });

  test("is one of the page's: another is 422", async () => {
    const org = await service.newOrg();
    const key = await org.newKey();
    const body = {
      envelope_name: "Lease",
      customer_email: "ann@example.com",
      customer_name: "Ann",
      signers: [{ ...tenant, locale: "xx" }],
    };
    const { status, json } = await key.send("POST", "/partner/envelopes", { body });
    expect([status, json.details[0].field]).toEqual([422, "signers[0].locale"]);
  });
});

describe("times in a mail", () => {
  test("are in the organization's zone, and after the signature in the zone of the signer's browser", async () => {
    const settings = { time_zone: "America/New_York" };
    const { org, envelope_id } = await signedByBoth({ settings });
    const [invitation, completed] = await mailsTo(tenant.email);
    const [row] = await service.database.owner<{ expires_at: Date; completed_at: Date }>(
      "select expires_at, completed_at from envelopes where org_id = $1 and envelope_id = $2",
      [org.org_id, envelope_id],
    );
    const clock = (at: Date | undefined, timeZone: string) =>
      new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone }).format(at);
    expect(invitation?.text).toMatch(new RegExp(`Sign by: .* ${clock(row?.expires_at, "America/New_York")} (GMT-[45]|E[SD]T)\\n`));
    expect(completed?.text).toMatch(new RegExp(`Completed: .* ${clock(row?.completed_at, "Asia/Tokyo")} (GMT\\+9|JST)\\n`));
  });

  test("cannot be in a zone that does not exist", async () => {
    const { status, json } = await (await service.newOrg()).admin("PATCH", "/org/settings", { body: { time_zone: "Europe/Atlantis" } });
    expect([status, json.details[0]]).toEqual([
      422,
      { location: "body", field: "time_zone", code: "invalid_value", message: "must be a time zone, such as Europe/Berlin" },
    ]);
  });
});

describe("the sender of a mail", () => {
  const nameOf = async (org: TestOrg) => (await org.admin("GET", "/auth/me")).json.data.user.name;

  test("is the member who sends: in the subject, in the name, and as the address of replies", async () => {
    const { org } = await sent({ byMember: true, envelope: { message: "Please read page 3." } });
    const name = await nameOf(org);
    const mail = await mailTo(tenant.email);
    expect(headerOf(mail, "subject")).toBe(`${name} asks you to sign: Lease`);
    expect(headerOf(mail, "from")).toBe(`"${name}, Harbor via Countersign" <sign@example.com>`);
    expect(headerOf(mail, "reply-to")).toBe(org.email);
    expect(mail.text).toContain(`${name} wrote:\n> Please read page 3.\n`);
    expect(mail.text).toContain(`Your answer goes to ${name}.`);
  });

  test("is the organization where a key sends, and replies go to the member who created the key", async () => {
    const { org } = await sent();
    const mail = await mailTo(tenant.email);
    expect([headerOf(mail, "subject"), headerOf(mail, "from"), headerOf(mail, "reply-to")]).toEqual([
      "Harbor asks you to sign: Lease",
      "Harbor via Countersign <sign@example.com>",
      org.email,
    ]);
  });

  test("has the organization's contact address for replies if the member has left, otherwise none", async () => {
    const { org, key, envelope_id } = await sent({ settings: { contact_email: "contracts@harbor.example" } });
    await mailTo(tenant.email);
    await service.database.owner("update api_keys set created_by = null where org_id = $1", [org.org_id]);
    const remind = () => key.send("POST", `/partner/envelopes/${envelope_id}/remind`, { body: {} });
    expect((await remind()).status).toBe(200);
    expect(headerOf(await mailTo(tenant.email), "reply-to")).toBe("contracts@harbor.example");
    await service.database.owner("update signers set reminded_at = null where org_id = $1", [org.org_id]);
    await org.admin("PATCH", "/org/settings", { body: { contact_email: null } });
    expect((await remind()).status).toBe(200);
    const last = await mailTo(tenant.email);
    expect([headerOf(last, "reply-to"), last.text?.includes("Reply")]).toEqual([undefined, false]);
  });
});

describe("the look of a mail", () => {
  test("has the organization's logo as part of the message and its colour on the button", async () => {
    const logo = png({ width: 40, height: 40 }).toString("base64");
    await sent({ settings: { branding: { accent: "#0b6b66", logo } } });
    const mail = await mailTo(tenant.email);
    expect(mail.html).toContain('src="cid:logo@countersign"');
    expect(mail.html).toContain("border-radius:8px;background:#0b6b66");
    expect(mail.files.map(({ file_name, type, content_id }) => [file_name, type, content_id])).toEqual([
      ["logo.png", "image/png", "<logo@countersign>"],
    ]);
    expect(mail.files[0]?.bytes.subarray(1, 4).toString()).toBe("PNG");
  });

  test("has no place for a logo that was removed before the message was sent", async () => {
    const logo = png({ width: 40, height: 40 }).toString("base64");
    peer.fail("451 at RCPT");
    const { org } = await sent({ settings: { branding: { logo } } });
    await jobsDone(service);
    await org.admin("PATCH", "/org/settings", { body: { branding: {} } });
    await service.database.owner("update mail_messages set next_attempt_at = now() where state = 'queued'");

    await resumeMail(service.features.mail);
    const mail = await mailTo(tenant.email);
    expect([mail.html?.includes("<img"), mail.files]).toEqual([false, []]);
  });

  test.each([
    ["a script", Buffer.from("<script>alert(1)</script>")],
    ["an SVG with a script", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ["a PNG header before a script", Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), Buffer.from("<script>")])],
  ])("cannot have %s for a logo", async (_name, bytes) => {
    const body = { branding: { logo: bytes.toString("base64") } };
    const { status, json } = await (await service.newOrg()).admin("PATCH", "/org/settings", { body });
    expect([status, json.details[0]]).toEqual([
      422,
      { location: "body", field: "branding.logo", code: "invalid_value", message: "must be a readable PNG" },
    ]);
  });
});

describe("the subject of one envelope", () => {
  test("is filled in for each signer, and used for the invitation only", async () => {
    const envelope = { mail_subject: "{{recipient_name}}, {{organization}} needs you: {{envelope_name}}" };
    const { key, envelope_id } = await sent({ envelope, send: { signing_order: "parallel" } });
    expect(headerOf(await mailTo(tenant.email), "subject")).toBe("Ann, Harbor needs you: Lease");
    expect(headerOf(await mailTo(landlord.email), "subject")).toBe("Sam, Harbor needs you: Lease");
    const { json } = await key.send("GET", `/partner/envelopes/${envelope_id}`);
    expect(json.data.metadata.mail_subject).toBe(envelope.mail_subject);
    await key.send("POST", `/partner/envelopes/${envelope_id}/remind`, { body: {} });
    expect(headerOf(await mailTo(tenant.email), "subject")).toBe("Reminder to sign: Lease");
  });

  test("is 422 with a placeholder that does not exist, which the answer names, when it is created, changed and sent", async () => {
    const org = await service.newOrg();
    const key = await org.newKey();
    const mail_subject = "Pay {{amount}} to {{organization}}";
    const refused = {
      location: "body",
      field: "mail_subject",
      code: "invalid_value",
      message: expect.stringMatching(/^\{\{amount\}\} is not a placeholder; use \{\{recipient_name\}\}, /),
    };
    const template_id = await newTemplate(key);
    const body = { envelope_name: "Lease", customer_email: "ann@example.com", customer_name: "Ann", mail_subject };
    const envelope_id = await newEnvelope(key, template_id);
    for (const answer of [
      await key.send("POST", "/partner/envelopes", { body }),
      await key.send("PATCH", `/partner/envelopes/${envelope_id}`, { body: { mail_subject } }),
      await key.send("POST", `/partner/envelopes/${envelope_id}/send`, { body: { mail_subject } }),
    ])
      expect([answer.status, answer.json.details]).toEqual([422, [refused]]);
  });
});

describe("the mail that everyone has signed", () => {
  test("has a link and no file, unless the organization wants the document attached", async () => {
    const { org, envelope_id } = await signedByBoth({});
    const mail = await mailTo(landlord.email);
    expect([headerOf(mail, "subject"), mail.files]).toEqual(["Everyone has signed: Lease", []]);
    expect(mail.text).toContain("Please keep a copy for your records.");
    // Nothing is left to do in the signer's name.
    expect(mail.text).toContain("Anyone who has it can open your copy");
    expect(mail.text).not.toContain("act in your name");
    expect(await issuedIn(org, envelope_id)).toEqual([]);
  });

  test("has the sealed document and its certificate, and each signer's is on record as handed out before it left", async () => {
    const { org, key, envelope_id } = await signedByBoth({ settings: { completed_mail: "attachment" } });
    const sealed = (await key.send("GET", `/partner/envelopes/${envelope_id}/document`)).bytes;
    for (const { email } of [tenant, landlord]) {
      const mail = await mailTo(email);
      expect(mail.text).toContain("The signed document is attached to this message.");
      const names = ["Lease – signed.pdf", "Lease – completion certificate.pdf"];
      expect(mail.files.map(({ file_name, type }) => [file_name, type])).toEqual(names.map((name) => [name, "application/pdf"]));
      expect(mail.files[0]?.bytes.equals(sealed)).toBe(true);
    }
    const row = { kind: "signed", sha256: sha256(sealed).toString("hex"), marked_pages: 0 };
    expect((await issuedIn(org, envelope_id)).slice(0, 2)).toEqual([row, row]);
    const { json } = await key.send("GET", `/partner/envelopes/${envelope_id}/audit-trail?limit=200`);
    const issued = json.data.filter(({ type }: { type: string }) => type === "copy.issued").map(({ data }: { data: object }) => data);
    expect(issued).toContainEqual(expect.objectContaining({ kind: "signed", issued_to: landlord.email }));
  });

  test("has a copy that is marked on every page if the envelope has a secured party", async () => {
    const envelope = { secured_party: { name: "First Example Bank" } };
    const { org, envelope_id } = await signedByBoth({ settings: { completed_mail: "attachment" }, envelope });
    const [file] = (await mailTo(tenant.email)).files;
    const text = (await service.features.pdf.text(file?.bytes ?? Buffer.alloc(0), { page: 1 })).blocks.join(" ");
    expect(text).toContain("COPY");
    expect(text).toContain(tenant.email);
    expect((await issuedIn(org, envelope_id)).map(({ kind, marked_pages }) => [kind, marked_pages])).toEqual([
      ["copy", 1],
      ["copy", 1],
    ]);
  });

  test("has only the link if the document is larger than the operator allows, and does not speak of a file", async () => {
    const { org, envelope_id } = await signedByBoth({ settings: { completed_mail: "attachment" }, on: strict });
    const mail = await mailTo(tenant.email);
    expect([headerOf(mail, "subject"), mail.files]).toEqual(["Everyone has signed: Lease", []]);
    expect(mail.text).not.toContain("attached");
    expect(await issuedIn(org, envelope_id, strict)).toEqual([]);
  });
});
