import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { unzipBundle, verifyBundle } from "../../../verify/src/index.ts";
import { client, type Send } from "../../test/client.ts";
import { linkTokenFor, newSession, sentEnvelope, type TestEnvelope, tokenFor } from "../../test/envelopes.ts";
import { newApp, type TestApp } from "../../test/factors.ts";
import { startIdentityProvider } from "../../test/identity-provider.ts";
import { accept as join, newEmail } from "../../test/invitations.ts";
import { plainPdf } from "../../test/lease.ts";
import { mailTo, tokenIn } from "../../test/mail.ts";
import { PASSWORD, type TestOrg, type TestService, testService } from "../../test/service.ts";
import { startSmtpPeer } from "../../test/smtp.ts";
import { connect, setMode } from "../../test/sso.ts";
import { accept, go, neighbours, offer, type Side, transferAt } from "../../test/two-vaults.ts";
import { vaultedByPipeline, vaultedCopy } from "../../test/vaulted.ts";
import { readConfig } from "../config.ts";
import { buildFeatures } from "../features.ts";
import { makeLogger } from "../logger.ts";
import { queueMail } from "../mail/queue-mail.ts";
import { sendMail } from "../mail/send-mail.ts";
import { openKey, openServer } from "../mail/sender/sender.ts";
import { lookUpSender } from "../mail/sender/store.ts";
import { writeLetter } from "../mail/write-letter.ts";
import { buildHttp } from "../main.ts";
import { setupLink } from "../orgs/setup.ts";
import { sealDocument } from "../seals/seal-document.ts";
import type { EnvelopeId, MessageId, VaultTransferId } from "../shared/ids.ts";
import { openSecret as openRegistrySecret } from "../vault/registry/registry.ts";
import { lookUpRegistry } from "../vault/registry/store.ts";
import { admitSecrets } from "./admit-secrets.ts";
import { reWrap } from "./re-wrap.ts";
import { retireVersion } from "./retire-version.ts";

/** One installation whose secret is replaced while everything that depends on it is in use. */

const [ONE, TWO] = [randomBytes(32).toString("hex"), randomBytes(32).toString("hex")];
const peer = await startSmtpPeer();
const mailing = { SMTP_URL: peer.url, MAIL_FROM: "sign@example.com" };
const service = testService({ APP_SECRET: ONE, ...mailing });
const ends: (() => unknown)[] = [];
afterAll(async () => {
  for (const end of ends.reverse()) await end();
  await peer.stop();
});

/** Another process on the same database and store, with these versions. */
async function startedWith(APP_SECRETS: string): Promise<TestService> {
  const { db, features: first } = service;
  const given = readConfig({ ...service.database.env, ...mailing, DATA_DIR: service.config.dataDir, APP_SECRETS, LOG_LEVEL: "silent" });
  const config = { ...given, appSecrets: await admitSecrets(db, given.appSecrets, async () => undefined) };
  const features = buildFeatures(config, db, undefined, first.pdf, first.proofs);
  const app = await buildHttp({ config, db, features, logger: makeLogger("silent"), checkAnswers: true });
  ends.push(async () => {
    await app.close();
    features.mail.smtp?.close();
  });
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  return { ...service, config, features, app, url, send: client(url) };
}

const bearer = ({ url }: TestService, token: string): Send => client(url, { authorization: `Bearer ${token}` });
const letter = writeLetter({ kind: "notice", subject: "A subject", opening: ["A text"], closing: [] });

async function queued({ features, db }: TestService): Promise<MessageId> {
  const message = { ...letter, to: "ann@example.com", org_name: "Acme", expires_at: new Date(Date.now() + 7 * 86_400_000) };
  return db.system((tx) => queueMail(features.mail, tx, null, message));
}

const made = {} as {
  org: TestOrg;
  refresh_token: string;
  endpoint_id: string;
  endpoint_secret: string;
  envelope: TestEnvelope;
  embed_token: string;
  link_token: string;
  vaulted: EnvelopeId;
  root: string;
  bundle: Uint8Array;
  registry_secret: string;
  export: { export_id: string; package_sha256: string };
  own: Side;
  other: Side;
  transfer_id: VaultTransferId;
  mail: MessageId[];
  setup: string;
  holder: TestOrg;
  app: TestApp;
};

const repeated = (at: TestService) =>
  bearer(at, made.org.token)("POST", "/partner/customers", { body: { name: "Ann" }, headers: { "idempotency-key": "once" } });

beforeAll(async () => {
  const org = await service.newOrg();
  made.org = org;
  const login = await service.send("POST", "/auth/login", { body: { email: org.email, password: PASSWORD, mode: "token" } });
  made.refresh_token = login.json.data.refresh_token;
  const endpoint = await org.admin("POST", "/webhooks/endpoints", { body: { url: "https://example.com/hooks" } });
  made.endpoint_id = endpoint.json.data.endpoint_id;
  // The secret from before is accepted by receivers for a day, so it is kept too.
  const rotated = await org.admin("POST", `/webhooks/endpoints/${made.endpoint_id}/rotate-secret`);
  made.endpoint_secret = rotated.json.data.secret;
  made.envelope = await sentEnvelope(service, org);
  made.embed_token = await tokenFor(org, made.envelope.envelope_id, "ann@example.com");
  made.link_token = await linkTokenFor(service, made.envelope.signers[0].slug);
  made.vaulted = await vaultedByPipeline(service, org);
  const trust = (await (await fetch(`${service.url}/.well-known/countersign-trust.json`)).json()) as { keys: { root_sha256: string } };
  made.root = trust.keys.root_sha256;
  made.bundle = (await org.admin("GET", `/partner/envelopes/${made.vaulted}/vault/evidence`)).bytes;
  const registry = await org.admin("PUT", "/org/registry", {
    body: { url: "https://registry.example.com", mode: "gate", kinds: ["assign"] },
  });
  made.registry_secret = registry.json.data.secret;
  const smtp = { host: "127.0.0.1", port: peer.port, secure: false, user: "u", password: "p" };
  const sender = await org.admin("PUT", "/org/mail-sender", {
    body: { from_name: "Acme", from_address: "sign@acme.example", smtp },
  });
  expect([sender.status, sender.json.error]).toEqual([200, undefined]);
  const copy = await vaultedCopy(service, org);
  const body = { recipient: { name: "Second Example Bank", email: "vault@example.com" }, reason: "Sold" };
  made.export = (await org.admin("POST", `/partner/envelopes/${copy.envelope_id}/vault-out`, { body })).json.data;
  const { own, other } = await neighbours(service, await service.newOrg());
  made.own = own;
  made.other = other;
  made.transfer_id = await offer(other, await vaultedByPipeline(service, other.org));
  await go(other, made.transfer_id, "out");
  await accept(own, made.transfer_id);
  await go(own, made.transfer_id, "in");
  await go(other, made.transfer_id, "out");
  made.mail = [await queued(service), await queued(service), await queued(service)];
  made.setup = (await setupLink(service.features.orgs))?.split("#token=")[1] ?? "";
  const provider = await startIdentityProvider(`${service.config.publicUrl}/auth/sso/callback`);
  const connection_id = await connect(org, provider);
  await setMode(org, "optional");
  expect((await service.send("POST", "/auth/sso/start", { body: { connection_id } })).status).toBe(200);
  await provider.close();
  made.holder = await service.newOrg();
  made.app = await newApp(service, made.holder.admin);
  expect((await repeated(service)).status).toBe(201);
  await headless();
}, 120_000);

interface Place {
  readonly place: string;
  readonly version: number;
  readonly n: number;
}
const places = () =>
  service.database.owner<Place>(
    "select place, secret_version(value) as version, count(*)::int as n from encrypted_values group by 1, 2 order by 1, 2",
  );

/** The values as the release before wrote them: without a header. */
async function headless(): Promise<void> {
  for (const { place } of await places()) {
    const [table, column] = place.split(".");
    await service.database.owner(`update ${table} set ${column} = substring(${column} from 7) where secret_version(${column}) > 0`);
  }
}

/** What can be done again and again, by every process. */
async function works(at: TestService, tokens: { readonly session: string; readonly embed: string; readonly link: string }): Promise<void> {
  const { org, envelope, endpoint_id, endpoint_secret } = made;
  const admin = bearer(at, tokens.session);
  expect((await admin("GET", "/auth/me")).status).toBe(200);
  for (const token of [tokens.embed, tokens.link]) {
    const headers = { authorization: `Bearer ${token}`, "x-signing-session": newSession() };
    expect((await at.send("GET", `/embed/sign/${envelope.envelope_id}`, { headers })).status).toBe(200);
  }
  expect((await linkTokenFor(at, envelope.signers[0].slug)).length).toBeGreaterThan(100);
  const shown = await admin("GET", `/webhooks/endpoints/${endpoint_id}/secret`);
  expect([shown.status, shown.json.data.secret]).toEqual([200, endpoint_secret]);
  const evidence = await admin("GET", `/partner/envelopes/${made.vaulted}/vault/evidence`);
  for (const bundle of [made.bundle, evidence.bytes])
    expect((await verifyBundle(() => unzipBundle(bundle), { root: made.root, tsa_roots: null })).outcome).toBe("VERIFIED");
  expect((await sealDocument(at.features.seals, org.org_id, plainPdf, { reason: "A test" })).bytes.length).toBeGreaterThan(0);
  const { sender, registry } = await at.db.tx(org.org_id, async (tx) => ({
    sender: await lookUpSender(tx, org.org_id),
    registry: await lookUpRegistry(tx, org.org_id),
  }));
  if (sender === null || registry === null) return expect.fail("no sender or no registry");
  expect(openKey(at.features.mail, org.org_id, sender)).toContain("PRIVATE KEY");
  expect(openServer(at.features.mail, org.org_id, sender)).toMatchObject({ host: "127.0.0.1", password: "p" });
  expect(openRegistrySecret(at.features.vault.registry, org.org_id, registry)).toBe(made.registry_secret);
  expect((await repeated(at)).headers["idempotent-replayed"]).toBe("true");
}

const first = () => ({ session: made.org.token, embed: made.embed_token, link: made.link_token });

async function refreshed(at: TestService): Promise<string> {
  const { status, json } = await at.send("POST", "/auth/refresh", { body: { refresh_token: made.refresh_token } });
  expect([status, json.error]).toEqual([200, undefined]);
  made.refresh_token = json.data.refresh_token;
  return json.data.token;
}

const sides = (at: TestService) => ({ own: { ...made.own, service: at }, other: { ...made.other, service: at } });

describe("a secret that is replaced while it is in use", () => {
  let second: TestService;
  let next: TestService;

  test("every column whose name ends in _enc is encrypted again, except the one that recognizes a secret", async () => {
    const columns = await service.database.owner<{ place: string }>(
      `select table_name || '.' || column_name as place from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
       where table_schema = 'public' and table_type = 'BASE TABLE' and column_name like '%\\_enc' order by 1`,
    );
    const used = await service.database.owner<{ place: string }>(
      `select table_name || '.' || column_name as place from information_schema.view_column_usage
       where view_name = 'encrypted_values' and column_name like '%\\_enc' order by 1`,
    );
    expect(columns.filter(({ place }) => place !== "secret_versions.check_enc")).toEqual(used);
    // The keys of orgs are among them while APP_SECRET wraps them.
    expect((await places()).map(({ place }) => place)).toEqual([...used.map(({ place }) => place), "org_keys.wrapped"].sort());
    expect(used).toHaveLength(13);
  });

  test("with the new version in second place, everything works, and what it writes can be read by processes without it", async () => {
    second = await startedWith(`1:${ONE},2:${TWO}`);
    await works(second, first());
    await sendMail(second.features.mail, made.mail[0] as MessageId);
    await works(service, { ...first(), session: await refreshed(second) });
    expect((await places()).every(({ version }) => version < 2)).toBe(true);
  });

  test("with the new version first, values of before are read, and new tokens are accepted by processes that are not restarted yet", async () => {
    next = await startedWith(`2:${TWO},1:${ONE}`);
    await works(next, first());
    const tokens = {
      session: await refreshed(next),
      embed: await tokenFor({ ...made.org, admin: bearer(next, made.org.token) }, made.envelope.envelope_id, "ann@example.com"),
      link: await linkTokenFor(next, made.envelope.signers[0].slug),
    };
    await works(second, tokens);
    await sendMail(next.features.mail, made.mail[1] as MessageId);
    const { own, other } = sides(next);
    await go(own, made.transfer_id, "in");
    await go(other, made.transfer_id, "out");
    expect((await transferAt(own, made.transfer_id)).reason).toBeNull();
  });

  test("a code that was mailed before verifies the address after", async () => {
    const org = await service.newOrg();
    await service.database.owner("update users set email_verified_at = null, email_verified_by = null where user_id = $1", [org.user_id]);
    expect((await org.admin("POST", "/auth/email/code")).status).toBe(202);
    const [mail] = await mailTo(service, org.email, "email_code");
    const code = /\d{6}/.exec(mail?.text ?? "")?.[0];
    const wrong = code === "000000" ? "000001" : "000000";
    expect((await bearer(next, org.token)("POST", "/auth/email/verify", { body: { code: wrong } })).status).toBe(422);
    expect((await bearer(next, org.token)("POST", "/auth/email/verify", { body: { code } })).status).toBe(200);
  });

  test("a cookie whose answer was lost before gets the same successor after", async () => {
    const org = await service.newOrg();
    const login = await service.send("POST", "/auth/login", { body: { email: org.email, password: PASSWORD, mode: "cookie" } });
    const cookie = [login.headers["set-cookie"]]
      .flat()
      .map((line) => String(line).split(";")[0])
      .join("; ");
    const headers = { cookie, origin: service.config.publicUrl };
    const cookieOf = (answer: Awaited<ReturnType<Send>>) => [answer.headers["set-cookie"]].flat().join();
    const lost = await service.send("POST", "/auth/refresh", { headers });
    const again = await next.send("POST", "/auth/refresh", { headers });
    expect([lost.status, again.status]).toEqual([200, 200]);
    const token = /refresh[^=]*=([^;]+)/.exec(cookieOf(lost))?.[1];
    expect([token?.length, /refresh[^=]*=([^;]+)/.exec(cookieOf(again))?.[1]]).toEqual([43, token]);
  });

  test("a process that was started before the new version came first encrypts nothing again", async () => {
    const before = await places();
    expect(await reWrap(second.features.secrets)).toEqual({ renewed: 0, unreadable: [] });
    expect(await places()).toEqual(before);
  });

  test("values are encrypted again, and a process that still puts the old version first reads them", async () => {
    const { renewed, unreadable } = await reWrap(next.features.secrets);
    expect([renewed > 10, unreadable]).toEqual([true, []]);
    expect((await places()).filter(({ version }) => version !== 2)).toEqual([]);
    expect(await reWrap(next.features.secrets)).toEqual({ renewed: 0, unreadable: [] });
    await works(second, first());
    await works(next, { ...first(), session: await refreshed(second) });
  });

  test("an authenticator app that was added before still logs in", async () => {
    const asked = await next.send("POST", "/auth/login", { body: { email: made.holder.email, password: PASSWORD } });
    const body = { login_token: asked.json.data.login_token, code: await made.app.newCode() };
    expect([asked.status, (await next.send("POST", "/auth/login/second-factor", { body })).status]).toEqual([202, 200]);
  });

  test("a value that is replaced at the same moment keeps its replacement, and an erased one stays erased", async () => {
    const call = (p_old: string) =>
      service.database.owner<{ replaced: boolean }>(
        `select re_wrap_value('webhook_endpoints.secret_enc', org_id, endpoint_id, ${p_old}, secret_enc) as replaced
         from webhook_endpoints where endpoint_id = $1`,
        [made.endpoint_id],
      );
    expect([(await call("'\\x00'"))[0]?.replaced, (await call("secret_enc"))[0]?.replaced]).toEqual([false, true]);
    await expect(
      service.database.owner(
        "select re_wrap_value('webhook_endpoints.secret_enc', org_id, endpoint_id, secret_enc, '\\x00') from webhook_endpoints",
      ),
    ).rejects.toThrow("not encrypted under a version that is in use");
  });

  test("is not retired before seven days are over, while it is in use, or while values need it", async () => {
    const retire = (version: number, more: object = {}) =>
      retireVersion(service.db, next.config.appSecrets, { version, now: false, lost: false, record: async () => undefined, ...more });
    await expect(retire(1)).rejects.toThrow(/^Version 1 can be retired from \d{4}-.* on, seven days after it was replaced/);
    await expect(retire(2)).rejects.toThrow("Version 2 is used for new values");
    await expect(retire(3)).rejects.toThrow("There is no version 3");
    await expect(retire(1, { lost: true })).rejects.toThrow("is not lost");
    const left = await queued(second);
    await expect(retire(1, { now: true })).rejects.toThrow("1 values are still encrypted under version 1 or under none");
    await service.database.owner("update mail_messages set body_enc = substring(body_enc from 7) where message_id = $1", [left]);
    await expect(retire(1, { now: true })).rejects.toThrow("1 values are still encrypted under version 1 or under none");
    await reWrap(next.features.secrets);
    await service.database.owner("update secret_versions set used_from = used_from - interval '8 days' where version = 2");
    await service.database.owner("update secret_versions set used_from = used_from - interval '30 days' where version = 1");
    expect(await retire(1)).toBe(0);
    await expect(retire(1)).rejects.toThrow("already retired");
  });

  test("after it is retired, stored values work without it, and what was signed under it does not", async () => {
    const last = await startedWith(`2:${TWO}`);
    const session = await refreshed(last);
    expect((await bearer(last, made.org.token)("GET", "/auth/me")).status).toBe(401);
    const tokens = {
      session,
      embed: await tokenFor({ ...made.org, admin: bearer(last, session) }, made.envelope.envelope_id, "ann@example.com"),
      link: await linkTokenFor(last, made.envelope.signers[0].slug),
    };
    made.org = { ...made.org, token: session };
    // Responses are kept for a day, so no repetition meets one from before.
    await service.database.owner("delete from idempotent_answers");
    expect((await repeated(last)).status).toBe(201);
    await works(last, tokens);
    await sendMail(last.features.mail, made.mail[2] as MessageId);
    expect(peer.messages.filter(({ text }) => text?.includes("A text"))).toHaveLength(3);
    const { own, other } = sides(last);
    await go(own, made.transfer_id, "in");
    await go(other, made.transfer_id, "out");
    await go(own, made.transfer_id, "in");
    expect([(await transferAt(other, made.transfer_id)).state, (await transferAt(own, made.transfer_id)).state]).toEqual([
      "confirmed",
      "done",
    ]);
    const email = newEmail();
    expect((await bearer(last, session)("POST", "/org/invitations", { body: { email, role: "admin" } })).status).toBe(201);
    const [invitation] = await mailTo(last, email, "invitation");
    const joined = await join(last, tokenIn(invitation ?? expect.fail("no invitation")));
    const acknowledged = await bearer(last, joined.json.data.token)("POST", `/partner/vault-exports/${made.export.export_id}/acknowledge`, {
      body: { package_sha256: made.export.package_sha256 },
    });
    expect([acknowledged.status, acknowledged.json.data?.key]).toEqual([200, expect.stringMatching(/^[0-9a-f]{64}$/)]);
  });

  test("a set-up link that was printed before works after", async () => {
    const body = { token: made.setup, org_name: "First", name: "Ada", email: "ada@example.com", password: PASSWORD, mode: "token" };
    expect((await next.send("POST", "/setup", { body: { ...body, token: "x".repeat(43) } })).status).not.toBe(201);
    expect((await next.send("POST", "/setup", { body })).status).toBe(201);
  });
});
