import { X509Certificate } from "node:crypto";
import { afterAll, describe, expect, test } from "vitest";
import { testInAll } from "../../../testing/all.ts";
import { verifyBundle } from "../../../verify/src/index.ts";
import { unzipBundle } from "../../../verify/src/read-bundle.ts";
import { makeReady, type SigningSession, signingSessionWith } from "../../test/ceremony.ts";
import { chainOf, type LinkInMail, linkIn, linkInOutbox, linkTokenFor, newSession, tokenFor } from "../../test/envelopes.ts";
import { landlord, newEnvelope, newTemplate, tenant } from "../../test/lease.ts";
import { type TestKey, type TestOrg, type TestService, testService } from "../../test/service.ts";
import { type SmtpPeer, startSmtpPeer } from "../../test/smtp.ts";
import { finishDocument } from "../envelopes/finish-document.ts";
import { sendMail } from "../mail/send-mail.ts";
import type { EnvelopeId, MessageId } from "../shared/ids.ts";
import { sha256 } from "../shared/secrets.ts";
import { newSlug, type Slug } from "../shared/slugs.ts";
import { storeEnvelope } from "../vault/store-envelope.ts";

/** A signature is recorded with the link or token that was actually used. The slug, which API keys can read, opens nothing. */

const inbox: SmtpPeer = await startSmtpPeer();
const mailing = testService({ SMTP_URL: inbox.url });
const silent = testService();
afterAll(() => inbox.stop());

const values = { "Tenant name": "Ann", Rent: "1200", Start: "2026-03-01", Pet: true, Floor: "second" };
const certification = { accepted: true, terms_version: "2026-01" };

interface Lease {
  readonly service: TestService;
  readonly org: TestOrg;
  readonly key: TestKey;
  readonly envelope_id: EnvelopeId;
  readonly slugs: readonly [Slug, Slug];
}

async function sentLease(service: TestService, settings: object = {}): Promise<Lease> {
  const org = await service.newOrg("Example Company");
  if (Object.keys(settings).length > 0) expect((await org.admin("PATCH", "/org/settings", { body: settings })).status).toBe(200);
  const key = await org.newKey();
  const envelope_id = (await newEnvelope(key, await newTemplate(key), { auto_vault_enabled: true })) as EnvelopeId;
  const body = { signers: [tenant, landlord], signing_order: "parallel", certification };
  const sent = await key.send("POST", `/partner/envelopes/${envelope_id}/send`, { body });
  expect([sent.status, sent.json.error]).toEqual([200, undefined]);
  const slugs = sent.json.data.signers.map(({ slug }: { slug: Slug }) => slug);
  if (service === mailing) await deliver(org);
  return { service, org, key, envelope_id, slugs };
}

/** Sends the queued messages of an organization as the worker does. */
async function deliver({ org_id }: TestOrg): Promise<void> {
  const rows = await mailing.database.owner<{ message_id: MessageId }>(
    "select message_id from mail_messages where org_id = $1 and state = 'queued'",
    [org_id],
  );
  for (const { message_id } of rows) await sendMail(mailing.features.mail, message_id);
}

/** The newest e-mail with a link to this signer about an envelope of this lease. */
function mailedTo({ slugs }: Lease, signer: 0 | 1): LinkInMail {
  const mails = inbox.messages.filter(({ text }) => text?.includes(slugs[signer]));
  return linkIn(mails.at(-1)?.text);
}

const exchange = (service: TestService, { slug, secret }: { slug: string; secret?: string }) =>
  service.send("POST", `/embed/links/${slug}/token`, { body: secret === undefined ? {} : { secret } });

async function byLink({ service, envelope_id }: Lease, { slug, secret }: LinkInMail): Promise<SigningSession> {
  return signingSessionWith(service, envelope_id, await linkTokenFor(service, slug, secret));
}

async function byToken({ service, org, envelope_id }: Lease, email: string): Promise<SigningSession> {
  return signingSessionWith(service, envelope_id, await tokenFor(org, envelope_id, email));
}

async function handedOver({ key, envelope_id, slugs }: Lease, signer: 0 | 1): Promise<LinkInMail> {
  const { status, json } = await key.send("POST", `/partner/envelopes/${envelope_id}/signers/${slugs[signer]}/link`);
  expect([status, json.error]).toEqual([201, undefined]);
  return linkIn(json.data.url);
}

async function signWith(signingSession: SigningSession, entered: object = {}): Promise<void> {
  await makeReady(signingSession, entered as Record<string, unknown>);
  const done = await signingSession.complete();
  expect([done.status, done.json.error]).toEqual([200, undefined]);
}

const openings = async ({ service, org, envelope_id }: Lease) =>
  (await chainOf(service, org.org_id, envelope_id)).filter(({ type }) => type === "signer.opened").map(({ data }) => data);

async function vaulted({ service, org, envelope_id }: Lease): Promise<{ pages: string[]; bytes: Buffer }> {
  const job = { org_id: org.org_id, envelope_id };
  await finishDocument(service.features.envelopes, job);
  await storeEnvelope(service.features.vault, job);
  const { bytes } = await org.admin("GET", `/partner/envelopes/${envelope_id}/vault/certificate`);
  const { pages } = await service.features.pdf.inspect(bytes, {});
  const texts: string[] = [];
  for (let page = 1; page <= pages; page++) texts.push((await service.features.pdf.text(bytes, { page })).blocks.join(" "));
  return { pages: texts.map((text) => text.replaceAll(/\s+/g, " ")), bytes };
}

const code = ({ status, json }: { status: number; json: { details?: { code: string }[] } }) => [status, json.details?.[0]?.code];

describe("a key with only envelopes:read", () => {
  test("never sees the secret of an e-mailed link, and the slug that it reads opens nothing", async () => {
    const lease = await sentLease(mailing);
    const reader = await lease.org.newKey({ scopes: ["envelopes:read"] });
    const { slug, secret } = mailedTo(lease, 0);
    const path = `/partner/envelopes/${lease.envelope_id}`;
    const read = ["", "/signers", "/signing-links", "/status", "/audit-trail", "/fields"].map((more) =>
      reader.send("GET", `${path}${more}`),
    );
    const answers = [...(await Promise.all(read)), await reader.send("GET", "/partner/envelopes?expand=signers")];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(answers.some(({ text }) => text.includes(slug))).toBe(true);
    expect(answers.filter(({ text }) => text.includes(secret))).toEqual([]);
    const seen = new Set(answers.flatMap(({ text }) => text.match(/\b[0-9a-f]{32}\b/g) ?? []));
    for (const guess of [undefined, ...seen]) {
      expect((await exchange(mailing, { slug, ...(guess !== undefined && { secret: guess }) })).status).toBe(404);
    }
    const link = await reader.send("POST", `${path}/signers/${slug}/link`);
    expect([link.status, link.json.error]).toEqual([403, "Missing required scope: esign:write"]);
  });

  test("signs through signing-links, and page 1 of the certificate says that the organization asserts the identity, with the key", async () => {
    const lease = await sentLease(mailing);
    const reader = await lease.org.newKey({ scopes: ["envelopes:read"] });
    const { json } = await reader.send("GET", `/partner/envelopes/${lease.envelope_id}/signing-links`);
    const tokens = json.data.signers.map(({ embed_url }: { embed_url: string }) => embed_url.split("#token=")[1]);
    for (const [index, token] of tokens.entries())
      await signWith(signingSessionWith(mailing, lease.envelope_id, token), index === 0 ? values : {});
    const opened = await openings(lease);
    expect(opened.map(({ credential, link_kind, issued_by }) => [credential, link_kind, issued_by])).toEqual([
      ["embed_token", undefined, reader.key_id],
      ["embed_token", undefined, reader.key_id],
    ]);
    const { pages } = await vaulted(lease);
    expect(pages[0]).toContain("Identity asserted by Example Company");
    expect(pages[0]).toContain(`Ann <ann@example.com>, Sam <sam@example.com>: signed with an embed token (key ${reader.key_id}).`);
    expect(pages.join(" ")).not.toContain("link sent by e-mail,");
  });
});

describe("the link in an e-mail", () => {
  test("is recorded with its message and when a mail server accepted it; the certificate claims no more, and prints no slug", async () => {
    const lease = await sentLease(mailing);
    await signWith(await byLink(lease, mailedTo(lease, 0)), values);
    await signWith(await byLink(lease, mailedTo(lease, 1)));
    const opened = await openings(lease);
    expect(opened).toEqual([
      expect.objectContaining({ credential: "email_link", link_kind: "mailed", mail_sent_at: expect.any(String) }),
      expect.objectContaining({ credential: "email_link", link_kind: "mailed", mail_sent_at: expect.any(String) }),
    ]);
    const [sent] = await mailing.database.owner<{ to_address: string }>("select to_address from mail_messages where message_id = $1", [
      opened[0]?.message_id,
    ]);
    expect(sent?.to_address).toBe(tenant.email);
    const { pages } = await vaulted(lease);
    expect(pages[0]).not.toContain("Identity asserted");
    const all = pages.join(" ").replaceAll(" ", "");
    expect(all).toContain("linksentbye-mail");
    expect(lease.slugs.filter((slug) => all.includes(slug))).toEqual([]);
    expect(pages.join(" ")).toContain("Signer 2");
  });

  testInAll("of a message that no mail server accepted is printed as such", async () => {
    const lease = await sentLease(silent);
    await signWith(await byLink(lease, await linkInOutbox(lease.org, tenant.email)), values);
    await signWith(await byLink(lease, await linkInOutbox(lease.org, landlord.email)));
    expect((await openings(lease)).map(({ link_kind, mail_sent_at }) => [link_kind, mail_sent_at])).toEqual([
      ["mailed", null],
      ["mailed", null],
    ]);
    const { pages } = await vaulted(lease);
    expect(pages[0]).toContain("E-mail not recorded as sent");
  });

  test("opens nothing after its signer was corrected, and neither does a token from it", async () => {
    const lease = await sentLease(silent);
    const old = await linkInOutbox(lease.org, tenant.email);
    const signingSession = await byLink(lease, old);
    const path = `/partner/envelopes/${lease.envelope_id}/signers/${lease.slugs[0]}`;
    expect((await lease.key.send("PATCH", path, { body: { email: "anna@example.com" } })).status).toBe(200);
    expect((await exchange(silent, old)).status).toBe(404);
    expect((await signingSession.open()).status).toBe(401);
  });
});

describe("a handed-over link", () => {
  test("is shown once, to a key with esign:write, and is recorded and printed as handed over by it", async () => {
    const lease = await sentLease(mailing);
    const link = await handedOver(lease, 0);
    await signWith(await byLink(lease, link), values);
    await signWith(await byLink(lease, mailedTo(lease, 1)));
    const chain = await chainOf(mailing, lease.org.org_id, lease.envelope_id);
    expect(chain.find(({ type }) => type === "signer.link_handed_over")).toMatchObject({
      actor: { kind: "key", id: lease.key.key_id },
      data: { role: "Tenant", user_email: tenant.email },
    });
    expect(JSON.stringify(chain)).not.toContain(link.secret);
    expect((await openings(lease))[0]).toMatchObject({ link_kind: "handed_over", issued_by: lease.key.key_id });
    const { pages } = await vaulted(lease);
    expect(pages[0]).toContain(`Ann <ann@example.com>: signed with a link that was handed over (key ${lease.key.key_id}).`);
    const again = await lease.key.send("POST", `/partner/envelopes/${lease.envelope_id}/signers/${lease.slugs[0]}/link`);
    expect(again.status, "of a vaulted envelope").toBe(409);
  });

  test("is created only for a signer of this envelope, and not after they signed", async () => {
    const [one, other] = [await sentLease(silent), await sentLease(silent)];
    const ask = (lease: Lease, slug: string) => one.key.send("POST", `/partner/envelopes/${lease.envelope_id}/signers/${slug}/link`);
    const answers = [await ask(one, other.slugs[0]), await ask(other, other.slugs[0]), await ask(one, newSlug()), await ask(one, "x")];
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(404);
    await signWith(await byToken(one, landlord.email));
    expect((await ask(one, one.slugs[1])).json.error).toBe("The signer has already signed");
  });
});

describe("a link from before links had secrets", () => {
  const grant = ({ slugs }: Lease, until: string) =>
    silent.database.owner(`update signers set bare_link_until = now() + $2::interval where slug = any($1)`, [slugs, until]);

  testInAll("works until it expires, and is recorded and printed as one that API keys could read", async () => {
    const lease = await sentLease(silent);
    expect((await exchange(silent, { slug: lease.slugs[0] })).status, "a new envelope has no such links").toBe(404);
    await grant(lease, "1 hour");
    for (const [index, slug] of lease.slugs.entries()) {
      const { json } = await exchange(silent, { slug });
      await signWith(signingSessionWith(silent, lease.envelope_id, json.data.token), index === 0 ? values : {});
    }
    expect((await openings(lease)).map(({ link_kind }) => link_kind)).toEqual(["shared", "shared"]);
    const { pages } = await vaulted(lease);
    expect(pages[0]).toContain("Signing links that API keys could read");
    await grant(lease, "-1 second");
    expect((await exchange(silent, { slug: lease.slugs[0] })).status).toBe(404);
  });

  test("ends when its signer is corrected: the new slug alone opens nothing", async () => {
    const lease = await sentLease(silent);
    await grant(lease, "1 hour");
    const path = `/partner/envelopes/${lease.envelope_id}/signers/${lease.slugs[0]}`;
    const { json } = await lease.key.send("PATCH", path, { body: { email: "anna@example.com" } });
    for (const slug of [lease.slugs[0], json.data.slug]) expect((await exchange(silent, { slug })).status).toBe(404);
  });
});

describe("require_mailed_link", () => {
  test("refuses signatures with a token, a handed-over link, a link without a secret and a message that was not sent", async () => {
    const lease = await sentLease(silent, { require_mailed_link: true });
    await silent.database.owner("update signers set bare_link_until = now() + interval '1 hour' where slug = any($1)", [lease.slugs]);
    const bare = (await exchange(silent, { slug: lease.slugs[0] })).json.data.token;
    const signingSessions = [
      await byToken(lease, tenant.email),
      await byLink(lease, await handedOver(lease, 0)),
      signingSessionWith(silent, lease.envelope_id, bare),
      await byLink(lease, await linkInOutbox(lease.org, tenant.email)),
    ];
    for (const signingSession of signingSessions) {
      expect((await signingSession.open()).json.data).toMatchObject({ state: "mailed_link_required", document: { page_count: 1 } });
      await signingSession.see();
      const acts = [
        signingSession.consent(),
        signingSession.consent({ accepted: false }),
        signingSession.save({ values: [] }),
        signingSession.complete(),
      ];
      for (const answer of await Promise.all([...acts, signingSession.send("POST", "/decline", { body: {} })])) {
        expect(code(answer)).toEqual([409, "mailed_link_required"]);
      }
    }
    const chain = await chainOf(silent, lease.org.org_id, lease.envelope_id);
    expect(chain.filter(({ type }) => /^(consent|signature|envelope\.declined)/.test(type))).toEqual([]);
  });

  test("accepts signatures with the link in an e-mail that a mail server accepted", async () => {
    const lease = await sentLease(mailing, { require_mailed_link: true });
    await signWith(await byLink(lease, mailedTo(lease, 0)), values);
    expect((await (await byLink(lease, mailedTo(lease, 0))).open()).json.data.state).toBe("signed");
  });
});

describe("POST /embed/links/:slug/send", () => {
  const ask = (slug: string) => mailing.send("POST", `/embed/links/${slug}/send`);

  test("sends a new link to the address on record, three times an hour, with the same response for an unknown slug", async () => {
    const lease = await sentLease(mailing);
    const before = mailedTo(lease, 0);
    const answers = [await ask(newSlug()), ...(await Promise.all(Array.from({ length: 5 }, () => ask(lease.slugs[0]))))];
    expect(answers.map(({ status, text }) => [status, text])).toEqual(answers.map(() => [202, '{"data":{}}']));
    await deliver(lease.org);
    const mails = inbox.messages.filter(({ text, to }) => text?.includes("You requested a new link") && to.includes(tenant.email));
    const links = mails.map(({ text }) => linkIn(text)).filter(({ slug }) => slug === lease.slugs[0]);
    expect(new Set(links.map(({ secret }) => secret)).size).toBe(3);
    for (const link of [before, ...links]) expect((await exchange(mailing, link)).status).toBe(200);
    const chain = await chainOf(mailing, lease.org.org_id, lease.envelope_id);
    expect(chain.filter(({ type }) => type === "signer.link_sent")).toHaveLength(3);
  });

  test("sends nothing to a signer whose turn has not come, or about an envelope that has ended", async () => {
    const org = await mailing.newOrg();
    const key = await org.newKey();
    const envelope_id = await newEnvelope(key, await newTemplate(key));
    const { json } = await key.send("POST", `/partner/envelopes/${envelope_id}/send`, { body: { signers: [tenant, landlord] } });
    const mails = async () =>
      (await mailing.database.owner<{ n: number }>("select count(*)::int as n from mail_messages where org_id = $1", [org.org_id]))[0]?.n;
    const before = await mails();
    await ask(json.data.signers[1].slug);
    expect(await mails()).toBe(before);
    await key.send("POST", `/partner/envelopes/${envelope_id}/void`, { body: { reason: "wrong price" } });
    const ended = await mails();
    expect((await ask(json.data.signers[0].slug)).status).toBe(202);
    expect(await mails()).toBe(ended);
  });
});

test("a signing session belongs to one kind of link: one that was started with a token cannot be signed with an e-mailed link", async () => {
  const lease = await sentLease(mailing);
  const session = newSession();
  const token = await tokenFor(lease.org, lease.envelope_id, tenant.email);
  const begun = signingSessionWith(mailing, lease.envelope_id, token, session);
  await makeReady(begun, values);
  const { slug, secret } = mailedTo(lease, 0);
  const other = signingSessionWith(mailing, lease.envelope_id, await linkTokenFor(mailing, slug, secret), session);
  for (const answer of [await other.open(), await other.consent()]) {
    expect([answer.status, answer.json.error]).toEqual([409, "This signing session was started with another link. Reload the page"]);
  }
  expect((await openings(lease)).map(({ credential }) => credential)).toEqual(["embed_token"]);
});

testInAll("a handed-over link is printed as such, also in the session number of another signer's e-mailed link", async () => {
  const lease = await sentLease(mailing);
  const session = newSession();
  const mailed = mailedTo(lease, 0);
  await signWith(signingSessionWith(mailing, lease.envelope_id, await linkTokenFor(mailing, mailed.slug, mailed.secret), session), values);
  const handed = await handedOver(lease, 1);
  await signWith(signingSessionWith(mailing, lease.envelope_id, await linkTokenFor(mailing, handed.slug, handed.secret), session));
  const { pages } = await vaulted(lease);
  expect(pages[0]).toContain(`Sam <sam@example.com>: signed with a link that was handed over (key ${lease.key.key_id}).`);
  const { bytes } = await lease.org.admin("GET", `/partner/envelopes/${lease.envelope_id}/vault/evidence`);
  expect((await verifyBundle(() => unzipBundle(bytes), { root: null, tsa_roots: null })).outcome).not.toBe("FAILED");
});

test("a link that was sent while the address was changed in the database opens nothing for the signer", async () => {
  const lease = await sentLease(mailing);
  const [slug] = lease.slugs;
  await mailing.database.owner("update signers set email = 'mallory@example.com' where slug = $1", [slug]);
  await mailing.send("POST", `/embed/links/${slug}/send`);
  await deliver(lease.org);
  await mailing.database.owner("update signers set email = $2 where slug = $1", [slug, tenant.email]);
  const stolen = linkIn(inbox.messages.findLast(({ to }) => to.includes("mallory@example.com"))?.text);
  expect((await exchange(mailing, stolen)).status).toBe(404);
  expect((await exchange(mailing, mailedTo({ ...lease, slugs: lease.slugs }, 1))).status).toBe(200);
});

test("of two keys that get the same token within one second, both are named", async () => {
  const lease = await sentLease(mailing);
  const keys = [await lease.org.newKey(), await lease.org.newKey()];
  const body = { envelope_id: lease.envelope_id, user_email: tenant.email, widget_type: "sign" };
  const mint = async (key: TestKey): Promise<string> => (await key.send("POST", "/embed/token", { body })).json.data.token;
  let tokens: string[] = [];
  // The two may fall into different seconds.
  while (tokens.length === 0 || tokens[0] !== tokens[1]) tokens = await Promise.all(keys.map(mint));
  await signingSessionWith(mailing, lease.envelope_id, tokens[0] ?? "").open();
  const { issued_by } = (await openings(lease))[0] ?? {};
  expect(String(issued_by).split(" or ").sort()).toEqual(keys.map(({ key_id }) => key_id).sort());
});

testInAll("evidence signed with every kind of link verifies with the rules of the first release", async () => {
  const lease = await sentLease(mailing);
  await signWith(await byLink(lease, mailedTo(lease, 0)), values);
  await signWith(await byLink(lease, await handedOver(lease, 1)));
  await vaulted(lease);
  const { bytes } = await lease.org.admin("GET", `/partner/envelopes/${lease.envelope_id}/vault/evidence`);
  const trust = (await (await fetch(`${mailing.url}/.well-known/countersign-trust.json`)).json()) as { root_certificate: string };
  const root = sha256(new X509Certificate(Buffer.from(trust.root_certificate, "base64")).raw).toString("hex");
  const { outcome } = await verifyBundle(() => unzipBundle(bytes), { root, tsa_roots: null });
  expect(outcome).toBe("VERIFIED");
});
