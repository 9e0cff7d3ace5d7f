import { createHash, X509Certificate } from "node:crypto";
import { invitationOf, type Link, readChain } from "@countersign/evidence";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { unzipBundle, verifyBundle } from "../../../verify/src/index.ts";
import { makeReady, signingSessionWith } from "../../test/ceremony.ts";
import type { Answer, Request } from "../../test/client.ts";
import { linkIn, linkTokenFor } from "../../test/envelopes.ts";
import { jobsDone, testJobs } from "../../test/jobs.ts";
import { landlord, newEnvelope, newTemplate, tenant } from "../../test/lease.ts";
import { refusalText } from "../../test/refused-with.ts";
import { type TestKey, type TestOrg, testService } from "../../test/service.ts";
import { headerOf, startSmtpPeer } from "../../test/smtp.ts";
import { ConfigError, readConfig } from "../config.ts";
import { type EnvelopeId, newId } from "../shared/ids.ts";
import type { Slug } from "../shared/slugs.ts";

/** Reports of mail providers: what became of a message after a mail server accepted it. */

const TOKEN = "a token of the tests: 4b1d!9c2e#7f".replaceAll(" ", "-");
const peer = await startSmtpPeer();
const service = testService({ SMTP_URL: peer.url, MAIL_FROM: "sign@example.com", MAIL_EVENTS_TOKEN: TOKEN });
const without = testService();
testJobs(service);
afterAll(() => peer.stop());
beforeEach(() => {
  peer.messages.length = 0;
});

const BEARER = { authorization: `Bearer ${TOKEN}` };
const report = (request: Request): Promise<Answer> =>
  service.send("POST", "//mail-events", { ...request, headers: { ...BEARER, ...request.headers } });
const AT = "2026-05-01T12:00:00.000Z";
const event = (message_id: string, more: object = {}) => ({ message_id, event: "delivered", at: AT, ...more });

interface Lease {
  readonly org: TestOrg;
  readonly key: TestKey;
  readonly envelope_id: EnvelopeId;
  /** of the message to the tenant */
  readonly message_id: string;
}

async function sentLease(): Promise<Lease> {
  const org = await service.newOrg();
  const key = await org.newKey();
  const more = { auto_vault_enabled: true, secured_party: { name: "First Example Bank, N.A.", address: "1 Example Square" } };
  const envelope_id = (await newEnvelope(key, await newTemplate(key), more)) as EnvelopeId;
  const certification = { accepted: true, terms_version: "2026-01" };
  const body = { signers: [tenant, landlord], signing_order: "parallel", certification };
  const sent = await key.send("POST", `/partner/envelopes/${envelope_id}/send`, { body });
  expect([sent.status, sent.json.error]).toEqual([200, undefined]);
  await jobsDone(service);
  return { org, key, envelope_id, message_id: messageTo(tenant.email) };
}

/** The id of the latest message to an address, from its header. */
function messageTo(address: string): string {
  const got = peer.messages.findLast(({ to }) => to.includes(address)) ?? expect.fail("nothing came");
  return /^<(msg_\w+)@/.exec(headerOf(got, "message-id") ?? "")?.[1] ?? "";
}

interface Entry {
  readonly type: string;
  readonly data: Record<string, unknown>;
}

/** As the API shows it, oldest first. */
async function trailOf({ key, envelope_id }: Lease): Promise<Entry[]> {
  const { json } = await key.send("GET", `/partner/envelopes/${envelope_id}/audit-trail?limit=200`);
  return json.data.toReversed();
}

const reportedIn = async (lease: Lease) =>
  (await trailOf(lease)).filter(({ type }) => type.startsWith("mail.") && type !== "mail.accepted" && type !== "mail.failed");

/** Everything that a report could leave behind. */
const traces = () =>
  service.database.owner(`select (select count(*) from audit_entries)::int as entries, (select count(*) from outbox)::int as jobs,
    (select count(*) from mail_messages where coalesce(delivered_at, bounced_at, complained_at) is not null)::int as reported`);

describe("who may report", () => {
  test("without MAIL_EVENTS_TOKEN the path does not exist", async () => {
    const { status, text } = await without.send("POST", "//mail-events", { body: event("x"), headers: BEARER });
    expect([status, text]).toEqual([404, refusalText("Not found")]);
  });

  test("the token is accepted as Bearer token and as Basic password, and nowhere else", async () => {
    const basic = (pair: string) => ({ authorization: `Basic ${Buffer.from(pair).toString("base64")}` });
    const body = event(newId("message"));
    for (const headers of [BEARER, basic(`provider:${TOKEN}`), basic(`:${TOKEN}`)]) {
      const { status, json } = await service.send("POST", "//mail-events", { body, headers });
      expect([status, json]).toEqual([202, { data: { accepted: true } }]);
    }
    const wrong = [
      {},
      { authorization: TOKEN },
      { authorization: `Bearer ${TOKEN}x` },
      basic(TOKEN),
      basic(`${TOKEN}:`),
      { "x-api-key": TOKEN },
    ];
    for (const headers of wrong) {
      const { status, text } = await service.send("POST", `//mail-events?token=${TOKEN}`, { body, headers });
      expect([status, text]).toEqual([401, refusalText("Invalid or expired token", "header", "Authorization")]);
    }
    expect((await service.send("POST", `//mail-events/${TOKEN}`, { body })).status).toBe(404);
  });

  test("a wrong token is refused before the body is read", async () => {
    const { status } = await service.send("POST", "//mail-events", {
      raw: "x".repeat(300_000),
      headers: { authorization: "Bearer wrong" },
    });
    expect(status).toBe(401);
  });

  test.each(["short", "with spaces in it, and long enough otherwise", "ä".repeat(40)])("%j is no token", (MAIL_EVENTS_TOKEN) => {
    const read = () => readConfig({ APP_SECRET: "a secret of the tests: 8d1f0c77aa", MAIL_EVENTS_TOKEN });
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(new RegExp(`^(?!.*${MAIL_EVENTS_TOKEN})MAIL_EVENTS_TOKEN `));
  });
});

describe("a report", () => {
  test("about a message is recorded in its envelope's audit trail, once for each event, and says who reported it", async () => {
    const lease = await sentLease();
    const { message_id } = lease;
    const delivered = event(message_id, { detail: "250 2.0.0 OK", at: "2026-05-01T14:00:00+02:00" });
    for (const body of [delivered, delivered, event(`<${message_id}@example.com>`), event(message_id, { event: "complained" })]) {
      const { status, json } = await report({ body, headers: { "user-agent": "provider/1" } });
      expect([status, json]).toEqual([202, { data: { accepted: true } }]);
    }
    const about = { message_id, kind: "signing_invitation", to: tenant.email, at: AT };
    expect((await reportedIn(lease)).map(({ type, data }) => [type, data])).toEqual([
      [
        "mail.delivered",
        { ...about, detail: "250 2.0.0 OK", ip: "127.0.0.1", user_agent: "provider/1", request_id: expect.stringMatching(/^req_/) },
      ],
      ["mail.complained", expect.objectContaining({ ...about, detail: null })],
    ]);
  });

  test("that comes twice at once is recorded once", async () => {
    const lease = await sentLease();
    const all = await Promise.all(Array.from({ length: 8 }, () => report({ body: event(lease.message_id) })));
    expect(all.map(({ status }) => status)).toEqual(Array(8).fill(202));
    expect((await reportedIn(lease)).map(({ type }) => type)).toEqual(["mail.delivered"]);
  });

  test("about a message that is unknown, a person's, from before, or was never attempted gets the same answer and leaves no trace", async () => {
    const { org, message_id: old } = await sentLease();
    await service.database.owner("update mail_messages set envelope_id = null where message_id = $1", [old]);
    await org.admin("POST", "/org/invitations", { body: { email: "ben@example.com", role: "viewer" } });
    await jobsDone(service);
    const { message_id: unsent } = await sentLease();
    await service.database.owner("update mail_messages set attempts = 0, state = 'queued' where message_id = $1", [unsent]);
    const before = await traces();
    for (const id of [newId("message"), "msg_", "<cafe@example.com>", messageTo("ben@example.com"), old, unsent]) {
      const { status, text } = await report({ body: event(id, { event: "bounced" }) });
      expect([status, text], id).toEqual([202, '{"data":{"accepted":true}}']);
    }
    expect(await traces()).toEqual(before);
  });

  test("of a bounce is passed on to the sender of the envelope, once", async () => {
    const lease = await sentLease();
    for (let i = 0; i < 2; i++) await report({ body: event(lease.message_id, { event: "bounced", detail: "5.1.1" }) });
    await jobsDone(service);
    const told = peer.messages.filter((message) => headerOf(message, "subject") === "Not delivered: Lease");
    expect(told.map(({ to }) => to)).toEqual([[lease.org.email]]);
    expect(told[0]?.text).toContain(`We could not deliver our message to Ann (${tenant.email})`);
  });

  test("larger than 256 KB is 413, and the largest allowed is read", async () => {
    const padded = (bytes: number) => JSON.stringify({ ...event(newId("message")), detail: "" }).padEnd(bytes, " ");
    const headers = { "content-type": "application/json" };
    expect((await report({ raw: padded(256 * 1_024), headers })).status).toBe(202);
    const { status, json } = await report({ raw: padded(256 * 1_024 + 1), headers });
    expect([status, json.error]).toEqual([413, "The request body is too large. The maximum is 256 KB"]);
    const mail = { "content-type": "message/rfc822" };
    expect((await report({ raw: "x".repeat(256 * 1_024 + 1), headers: mail })).status).toBe(413);
  });

  test.each<[string, unknown, string | null, string]>([
    ["an unknown field", event("x", { mesage: 1 }), "mesage", "unknown_field"],
    ["no message", { event: "delivered", at: AT }, "message_id", "required"],
    ["another event", event("x", { event: "opened" }), "event", "invalid_value"],
    ["a time without a zone", event("x", { at: "2026-05-01" }), "at", "invalid_format"],
    ["a long detail", event("x", { detail: "x".repeat(1_001) }), "detail", "invalid_value"],
    ["a list", [event("x")], null, "invalid_type"],
    ["null", null, null, "invalid_type"],
  ])("with %s is 422", async (_name, body, field, code) => {
    const { status, json } = await report({ raw: JSON.stringify(body), headers: { "content-type": "application/json" } });
    expect([status, json.details]).toEqual([422, [expect.objectContaining({ location: "body", field, code })]]);
  });

  test("that is no JSON, has another type or a query is refused", async () => {
    const type = (name: string) => ({ "content-type": name });
    expect((await report({ raw: "{", headers: type("application/json") })).status).toBe(400);
    expect((await report({ raw: "{}", headers: type("text/plain") })).status).toBe(415);
    expect((await report({ raw: "x", headers: { ...type("message/rfc822"), "content-encoding": "gzip" } })).status).toBe(415);
    const queried = await service.send("POST", "//mail-events?x=1", { body: event("x"), headers: BEARER });
    expect([queried.status, queried.json.details[0].code]).toEqual([422, "unknown_field"]);
  });
});

describe("a delivery status notification (RFC 3464)", () => {
  /** As Postfix writes it. */
  const notification = (message_id: string, recipient: readonly string[], original = "message/rfc822") =>
    [
      "Return-Path: <>",
      "Date: Fri,  1 May 2026 14:00:05 +0200 (CEST)",
      "From: MAILER-DAEMON@mail.example.com (Mail Delivery System)",
      "Subject: Undelivered Mail Returned to Sender",
      "To: sign@example.com",
      "Content-Type: multipart/report; report-type=delivery-status;",
      '\tboundary="4F1C9A7BE2.1777636805/mail.example.com"',
      "",
      "This is a MIME-encapsulated message.",
      "",
      "--4F1C9A7BE2.1777636805/mail.example.com",
      "Content-Type: text/plain; charset=us-ascii",
      "",
      "I'm sorry. Message-ID: <msg_in_the_text@example.com>",
      "--4F1C9A7BE2.1777636805/mail.example.com",
      "Content-Description: Delivery report",
      "Content-Type: message/delivery-status",
      "",
      "Reporting-MTA: dns; mail.example.com",
      "Arrival-Date: Fri,  1 May 2026 13:59:58 +0200 (CEST)",
      "",
      "Final-Recipient: rfc822; ann@example.com",
      ...recipient,
      "",
      "--4F1C9A7BE2.1777636805/mail.example.com",
      `Content-Type: ${original}`,
      "",
      "From: Acme via Countersign <sign@example.com>",
      "Subject: Acme asks you to sign: Lease",
      `Message-ID: <${message_id}@example.com>`,
      "",
      "Read and sign",
      "--4F1C9A7BE2.1777636805/mail.example.com--",
      "",
    ].join("\r\n");
  const failed = ["Action: failed", "Status: 5.1.1", "Diagnostic-Code: smtp; 550 5.1.1 <ann@example.com>:", "    User unknown"];
  const post = (raw: string | Buffer) => report({ raw, headers: { "content-type": "message/rfc822" } });

  test("of a failure is a bounce, with time, status and diagnostic code; a repeat of it is ignored", async () => {
    const lease = await sentLease();
    const mail = notification(lease.message_id, failed);
    for (const raw of [mail, mail]) expect((await post(raw)).status).toBe(202);
    expect((await reportedIn(lease)).map(({ type, data }) => [type, data.at, data.detail])).toEqual([
      ["mail.bounced", "2026-05-01T12:00:05.000Z", "5.1.1 smtp; 550 5.1.1 <ann@example.com>: User unknown"],
    ]);
  });

  test("is read with bare line feeds, an mbox line, headers alone and a time of the last attempt", async () => {
    const lease = await sentLease();
    const delivered = ["Action: delivered", "Status: 2.0.0", "Last-Attempt-Date: Fri, 1 May 2026 12:00:00 +0000"];
    const mail = notification(lease.message_id, delivered, "text/rfc822-headers");
    expect((await post(`From MAILER-DAEMON Fri May  1 14:00:05 2026\n${mail.replaceAll("\r\n", "\n")}`)).status).toBe(202);
    expect((await reportedIn(lease)).map(({ type, data }) => [type, data.at, data.detail])).toEqual([["mail.delivered", AT, "2.0.0"]]);
  });

  test("of a delay, of a message passed on, or without the original message changes nothing", async () => {
    const lease = await sentLease();
    const before = await traces();
    const { message_id } = lease;
    for (const action of ["delayed", "relayed", "expanded", "sideways"]) {
      expect((await post(notification(message_id, [`Action: ${action}`, "Status: 4.4.1"]))).status, action).toBe(202);
    }
    expect((await post(notification(message_id, failed, "text/html"))).status).toBe(202);
    expect(await traces()).toEqual(before);
  });

  test.each<[string, string | Buffer]>([
    ["an empty body", ""],
    ["bytes", Buffer.from([0xff, 0xfe, 0, 0, 13, 10])],
    ["an ordinary mail", "From: ann@example.com\r\nSubject: Out of office\r\n\r\nI am away.\r\n"],
    ["a report without parts", "Content-Type: multipart/report; boundary=x\r\n\r\n--x--\r\n"],
    ["a report without a recipient", notification("x", []).replace(/Final-Recipient: .*\r\n/, "")],
    ["a report without a boundary", notification("x", failed).replace(/boundary=.*/, "")],
  ])("is not %s: 422", async (_name, raw) => {
    const { status, json } = await post(raw);
    const message = "must be a mail with a delivery status notification (RFC 3464)";
    expect([status, json.details]).toEqual([422, [{ location: "body", field: null, code: "invalid_format", message }]]);
  });
});

test("a vaulted envelope goes on recording its mail, and its bundles verify with these entries before and after another evaluation", async () => {
  const lease = await sentLease();
  const { key, envelope_id } = lease;
  const values = { "Tenant name": "Ann", Rent: "1200", Start: "2026-03-01", Pet: true, Floor: "second" };
  const links = [tenant, landlord].map(({ email }) => linkIn(peer.messages.findLast(({ to }) => to.includes(email))?.text));
  const invitation = lease.message_id;
  await report({ body: event(invitation) });
  for (const [index, { slug, secret }] of links.entries()) {
    const one = signingSessionWith(service, envelope_id, await linkTokenFor(service, slug as Slug, secret));
    await makeReady(one, index === 0 ? values : {});
    const done = await one.complete();
    expect([done.status, done.json.error]).toEqual([200, undefined]);
  }
  await jobsDone(service);
  const copy = messageTo(tenant.email);
  expect(copy).not.toBe(invitation);

  const first = await verifiedBundle(lease);
  expect(first.types.filter((type) => type === "mail.accepted")).toHaveLength(4);
  await report({ body: event(copy, { event: "bounced" }) });
  await report({ body: event(copy, { event: "complained" }) });
  const later = await verifiedBundle(lease);
  const types = later.types.slice(later.types.lastIndexOf("vault.certificate.issued"));
  expect(types).toEqual(expect.arrayContaining(["mail.bounced", "mail.complained"]));
  expect(later.compliance).toMatchObject({ score: 100, passed: true });
  const again = await key.send("POST", `/partner/envelopes/${envelope_id}/compliance`, { body: {} });
  expect(again.status, JSON.stringify(again.json)).toBeLessThan(300);
  const anew = await verifiedBundle(lease);
  expect(anew.compliance).toMatchObject({ score: 100, passed: true });
  expect(anew.facts.chain.head.seq).toBeGreaterThan(later.facts.chain.head.seq);

  const signer = { slug: links[0]?.slug ?? "", email: tenant.email };
  expect(invitationOf(anew.links, signer)).toMatchObject({
    message_id: invitation,
    kind: "signing_invitation",
    to: tenant.email,
    state: "delivered",
    accepted: { code: 250, server: `127.0.0.1:${peer.port}`, tls: { protocol: expect.stringMatching(/^TLSv1/) } },
  });
});

/** Downloaded over HTTP and verified with the root pinned. */
async function verifiedBundle({ key, envelope_id }: Lease) {
  const { bytes } = await key.send("GET", `/partner/envelopes/${envelope_id}/vault/evidence`);
  const trust = (await (await fetch(`${service.url}/.well-known/countersign-trust.json`)).json()) as { root_certificate: string };
  const root = createHash("sha256")
    .update(new X509Certificate(Buffer.from(trust.root_certificate, "base64")).raw)
    .digest("hex");
  const verified = await verifyBundle(() => unzipBundle(bytes), { root, tsa_roots: null });
  expect(verified.outcome, JSON.stringify(verified)).toBe("VERIFIED");
  const files = new Map(unzipBundle(bytes).map((file) => [file.name, Buffer.from(file.bytes)]));
  const json = (name: string) => JSON.parse(files.get(name)?.toString("utf8") ?? expect.fail(name));
  const chain = readChain(files.get("chain.jsonl") ?? expect.fail("no chain"));
  const links: readonly Link[] = "links" in chain ? chain.links : expect.fail(`line ${chain.line} of the chain`);
  const folder = `certificates/r${json("manifest.json").certificate_revision}`;
  return {
    facts: json(`${folder}/facts.json`),
    compliance: json(`${folder}/compliance.json`),
    links,
    types: links.map(({ entry }) => entry.type),
  };
}
