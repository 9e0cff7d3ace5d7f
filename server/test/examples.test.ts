import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { onePage, text } from "../../pdf/fixtures/pages.ts";
import { writePdf } from "../../pdf/fixtures/writer.ts";
import { softwarePasskey } from "../../testing/software-authenticator.ts";
import { checkBatch } from "../src/bulk/check-batch.ts";
import { resumeMail } from "../src/mail/resume-mail.ts";
import { apiDocuments, declaredEndpoints } from "../src/main.ts";
import { makeResolveTexts } from "../src/outbound/name-resolver.ts";
import type { Request, Send } from "./client.ts";
import { sentEnvelope } from "./envelopes.ts";
import { codeOf, newApp } from "./factors.ts";
import { form } from "./form.ts";
import { newForm } from "./forms.ts";
import { type IdentityProvider, startIdentityProvider } from "./identity-provider.ts";
import { accept, invite } from "./invitations.ts";
import { testJobs } from "./jobs.ts";
import { newTemplate } from "./lease.ts";
import { startNameServer } from "./name-server.ts";
import { expectReplay, isIdempotent, sendingTwice } from "./replay.ts";
import { newSandbox } from "./sandboxes.ts";
import { PASSWORD, type TestKey, type TestOrg, testService } from "./service.ts";
import { startSmtpPeer } from "./smtp.ts";
import { askedOf, offeredTo, rootOf } from "./two-vaults.ts";
import { completedEnvelope, keyOfAnother, newMember, vaultedCopy } from "./vaulted.ts";

/** Sends every request example of openapi.json to a service. Only ids and secrets are replaced. */

const service = testService();
testJobs(service);

/** With a mail server, codes are mailed. Without one, invitations return their link, which the other operations need. */
const smtp = await startSmtpPeer();
const mailing = testService({ SMTP_URL: smtp.url, MAIL_FROM: "sign@example.com" });
afterAll(() => smtp.stop());

/** Where domains of organizations are proved, and a provider of single sign-on. */
const names = await startNameServer();
let provider: IdentityProvider;
beforeAll(async () => {
  Object.assign(service.features.orgs, { resolveTexts: makeResolveTexts([names.address]) });
  provider = await startIdentityProvider(`${service.config.publicUrl}/auth/sso/callback`);
});
afterAll(async () => {
  await names.close();
  await provider.close();
});

/** The document in which the examples place their fields. */
const lease = execFileSync(process.execPath, [fileURLToPath(new URL("../../examples/make-lease.mjs", import.meta.url))]);

/** Members of a body that hold an id or a secret. The test sends every other member unchanged. */
type Replaceable =
  | "bytes"
  | "client_id"
  | "client_secret"
  | "code"
  | "custodian_user_id"
  | "customer_id"
  | "default_custodian_user_id"
  | "duplicate_customer_id"
  | "envelope_id"
  | "issuer"
  | "login_token"
  | "org_id"
  | "other_envelope_id"
  | "package_sha256"
  | "party_id"
  | "refresh_token"
  | "root_sha256"
  | "sha256"
  | "signature"
  | "template_id"
  | "to_user_id"
  | "url";

interface Setting {
  readonly params?: Readonly<Record<string, string>>;
  readonly values?: Partial<Readonly<Record<Replaceable, string>> & { readonly passkey: object; readonly credential: object }>;
  /** default: the API key where the operation takes one, else the admin's session */
  readonly as?: Send;
}

let org: TestOrg;
let key: TestKey;
let template_id: string;
beforeAll(async () => {
  org = await service.newOrg("Acme");
  key = await org.newKey();
  template_id = await newTemplate(key, lease);
});

const signers = [
  { email: "ann@example.com", name: "Ann", role: "Tenant" },
  { email: "sam@example.com", name: "Sam", role: "Landlord" },
];

/** The data of a call that prepares a test and must succeed. */
async function made(method: string, path: string, request: Request = {}) {
  const { status, json } = await org.admin(method, path, request);
  expect([Math.floor(status / 100), json.error]).toEqual([2, undefined]);
  return json.data;
}

async function draft(more: object = { template_id, signers }) {
  const body = { envelope_name: "Lease", customer_email: "ann@example.com", customer_name: "Ann", ...more };
  const { envelope_id } = await made("POST", "/partner/envelopes", { body });
  return { params: { envelope_id: envelope_id as string } };
}

async function sent(more: object = {}) {
  const { params } = await draft({ template_id, signers, ...more });
  await made("POST", `/partner/envelopes/${params.envelope_id}/send`, { body: {} });
  return { params };
}

/** An envelope of a sandbox, and a key that may do everything there. */
async function sentInSandbox() {
  const { send } = await (await newSandbox(service, await service.newOrg())).newKey();
  const test_template = await newTemplate({ ...key, send }, lease);
  const body = { envelope_name: "Lease", customer_email: "ann@example.com", customer_name: "Ann", template_id: test_template, signers };
  const { envelope_id } = (await send("POST", "/partner/envelopes", { body })).json.data;
  expect((await send("POST", `/partner/envelopes/${envelope_id}/send`, { body: {} })).status).toBe(200);
  return { params: { envelope_id: envelope_id as string }, as: send };
}

/** The tenant of a sent envelope. */
async function signer(more: object = {}) {
  const { envelope_id } = (await sent(more)).params;
  const links = await made("GET", `/partner/envelopes/${envelope_id}/signing-links`);
  const { slug } = links.signers.find(({ email }: { email: string }) => email === "ann@example.com");
  return { params: { envelope_id, slug: slug as string } };
}

/** Also the tenant, by the id of a recipient. */
async function recipient() {
  const { envelope_id } = (await sent()).params;
  const { recipients } = await made("GET", `/partner/envelopes/${envelope_id}/recipients`);
  const { recipient_id } = recipients.find(({ email }: { email: string }) => email === "ann@example.com");
  return { params: { envelope_id, recipient_id: recipient_id as string } };
}

async function customer() {
  const { customer_id } = await made("POST", "/partner/customers", { body: { name: "Ann" } });
  return { params: { customer_id: customer_id as string } };
}

let uploads = 0;

/** Another document each time, because the vault takes each one once. */
async function upload() {
  const { customer_id } = (await customer()).params;
  const bytes = writePdf(onePage({ content: text(`Lease number ${++uploads}`, 72, 600) }));
  const { envelope_id } = await made("POST", `/partner/customers/${customer_id}/documents`, form({}, { bytes, name: "lease.pdf" }));
  return { params: { envelope_id: envelope_id as string } };
}

const vaulted = async () => ({ params: { envelope_id: (await vaultedCopy(service, org)).envelope_id as string } });

async function vaultedFor(secured_party: object) {
  const { params } = await vaulted();
  await made("PUT", `/partner/envelopes/${params.envelope_id}/secured-party`, { body: secured_party });
  // The consent in the example is of a day in the past, when the party was on record.
  await service.database.owner("update assignments set recorded_at = '2026-01-05' where envelope_id = $1", [params.envelope_id]);
  return { params };
}

async function depositedPaper(more: object = {}) {
  const { params } = await upload();
  const body = { source: "paper_upload", certification: { accepted: true, terms_version: "2026-01" }, ...more };
  await made("POST", `/partner/envelopes/${params.envelope_id}/vault-in-upload`, { body });
  return { params };
}

/** Vaulting a document takes seconds, so the operations that do not get in each other's way share one. */
let shared: ReturnType<typeof depositedPaper> | undefined;
function deposited() {
  shared ??= depositedPaper();
  return shared;
}

async function twoOfOneInstrument() {
  const instrument = { type: "Note", number: "12-34", date: "2026-01-02" };
  const [first, second] = [await depositedPaper({ instrument }), await depositedPaper({ instrument })];
  return { ...second, values: { other_envelope_id: first.params.envelope_id }, as: (await keyOfAnother(service, org)).send };
}

async function party(more: object = { kind: "people", name: "First Example Bank" }) {
  const { party_id } = await made("POST", "/partner/parties", { body: more });
  return { params: { party_id: party_id as string } };
}

/** The notes that the example names, and the party that they are assigned to. */
async function pool() {
  for (const external_id of ["note-2026-114", "note-2026-115"]) {
    const { envelope_id } = (await vaulted()).params;
    await service.database.owner("update envelopes set external_id = $1 where envelope_id = $2", [external_id, envelope_id]);
  }
  return { values: (await party()).params };
}

/** An act that asks another organization. */
async function asking() {
  const lender = await service.newOrg("Lender");
  const { party_id } = (await party({ kind: "org", name: "Lender", org_id: lender.org_id })).params;
  const { envelope_id } = (await vaulted()).params;
  const body = { kind: "designate", reason: "x", present_version: 1, party_id };
  const { act_id, sha256 } = await made("POST", `/partner/envelopes/${envelope_id}/acts`, { body });
  return { params: { act_id: act_id as string }, values: { sha256: sha256 as string }, as: (await lender.newKey()).send };
}

async function exported() {
  const { envelope_id } = (await depositedPaper()).params;
  const body = { recipient: { name: "Bank", email: "vault@example.com" }, reason: "Sold" };
  const { export_id, package_sha256 } = await made("POST", `/partner/envelopes/${envelope_id}/vault-out`, { body });
  return { params: { export_id: export_id as string }, values: { package_sha256: package_sha256 as string } };
}

async function offered() {
  const taker = await newMember(service, org);
  const { envelope_id } = (await vaulted()).params;
  const body = { to_user_id: taker.user_id };
  const { permission_id } = await made("POST", `/partner/envelopes/${envelope_id}/custody-transfers`, { body });
  return { params: { permission_id: permission_id as string }, as: taker.send };
}

async function endpoint() {
  const { endpoint_id } = await made("POST", "/webhooks/endpoints", { body: { url: "https://example.com/hooks" } });
  return { params: { endpoint_id: endpoint_id as string } };
}

/** A domain whose record the name server has. */
async function provableDomain() {
  const { admin } = await service.newOrg();
  const { json } = await admin("POST", "/org/domains", { body: { domain: "harbor.example" } });
  names.setTexts(json.data.record_name, [json.data.record_value]);
  return { as: admin, params: { domain_id: json.data.domain_id } };
}

const anotherKey = async () => ({ params: { key_id: (await org.newKey()).key_id } });

async function session() {
  await service.database.owner("delete from quotas where subject like 'login:%'");
  const { json } = await service.send("POST", "/auth/login", { body: { email: org.email, password: PASSWORD, mode: "token" } });
  return { values: { refresh_token: json.data.refresh_token as string } };
}

async function annWithPassword() {
  const { token } = await invite(org, "ann@example.com", "admin");
  expect((await accept(service, token)).status).toBe(201);
  return { values: { org_id: org.org_id } };
}

async function mailedCode() {
  const { user_id, email, admin } = await mailing.newOrg();
  await mailing.database.owner("update users set email_verified_at = null, email_verified_by = null where user_id = $1", [user_id]);
  expect((await admin("POST", "/auth/email/code")).status).toBe(202);
  await resumeMail(mailing.features.mail);
  const mail = smtp.messages.findLast(({ to }) => to.includes(email));
  const [code] = /^\d{6}$/m.exec(mail?.text ?? "") ?? expect.fail("no code was mailed");
  return { values: { code }, as: admin };
}

const toldOf = (challenge: string) => {
  const { origin, hostname: rp_id } = new URL(service.config.publicUrl);
  return { challenge, origin, rp_id };
};

async function memberWithPasskey() {
  const { send } = await newMember(service, org);
  const { challenge } = (await send("POST", "/auth/factors/passkeys/start", { body: {} })).json.data;
  const passkey = softwarePasskey();
  await send("POST", "/auth/factors/passkeys", { body: { credential: passkey.register(toldOf(challenge)) } });
  return { passkey, send };
}

/** A member with an authenticator app. */
async function memberWithApp() {
  const { send } = await newMember(service, org);
  const { factor_id, newCode } = await newApp(service, send);
  return { params: { factor_id }, values: { code: await newCode() }, as: send };
}

async function waitingLogIn() {
  const owner = await service.newOrg();
  const { newCode } = await newApp(service, owner.admin);
  await service.database.owner("delete from quotas where subject like 'login:%'");
  const { json } = await service.send("POST", "/auth/login", { body: { email: owner.email, password: PASSWORD } });
  return { values: { login_token: json.data.login_token as string, code: await newCode() } };
}

async function waitingApp() {
  const { send } = await newMember(service, org);
  const { factor_id, secret } = (await send("POST", "/auth/factors/totp", { body: {} })).json.data;
  return { params: { factor_id: factor_id as string }, values: { code: codeOf(secret) }, as: send };
}

/** A bulk send with a row that is ready. */
async function checkedBatch(): Promise<Setting> {
  const roles = ["Tenant", "Landlord"];
  const header = roles.flatMap((role) => [`${role}.name`, `${role}.email`]);
  const row = roles.flatMap((role) => [role, `${role}@example.com`]);
  const bytes = Buffer.from(`${header.join(",")}\n${row.join(",")}\n`);
  const template = await newTemplate(key);
  const { json } = await key.send("POST", "/partner/bulk-batches", form({ template_id: template }, { bytes }));
  const { batch_id } = json.data;
  await checkBatch(service, { org_id: org.org_id, batch_id });
  return { params: { batch_id } };
}

const newTemplateToChange = async () => ({ params: { template_id: await newTemplate(key, lease) } });

/** The first document of a draft or of a template. */
async function documentOf(kind: "envelopes" | "templates") {
  const { params } = kind === "envelopes" ? await draft() : await newTemplateToChange();
  const { documents } = await made("GET", `/partner/${kind}/${Object.values(params)[0]}/documents`);
  return { params: { ...params, document_id: documents[0].document_id as string } };
}

async function startedForm() {
  const { form_id } = await newForm(org);
  return { params: { form_id: form_id as string } };
}

/** What each operation with a request example needs before it can succeed. */
const settings: Readonly<Record<string, () => Setting | Promise<Setting>>> = {
  log_in: annWithPassword,
  refresh_session: session,
  log_out: session,
  finish_log_in: waitingLogIn,
  confirm_identity: async () => {
    const { values, as } = await memberWithApp();
    return { values, as };
  },
  add_totp: async () => ({ as: (await newMember(service, org)).send }),
  confirm_factor: waitingApp,
  reset_member_factors: async () => {
    const { send, user_id } = await newMember(service, org);
    await newApp(service, send);
    return { params: { user_id } };
  },
  start_passkey: () => ({}),
  log_in_by_passkey: async () => {
    const { passkey } = await memberWithPasskey();
    const { challenge } = (await service.send("POST", "/auth/passkey/start", { body: {} })).json.data;
    return { values: { passkey: passkey.approve(toldOf(challenge)) } };
  },
  add_account_passkey: async () => {
    const { send } = await newMember(service, org);
    const { challenge } = (await send("POST", "/auth/factors/passkeys/start", { body: {} })).json.data;
    return { values: { credential: softwarePasskey().register(toldOf(challenge)) }, as: send };
  },
  update_factor: async () => {
    const { params, as } = await memberWithApp();
    return { params, as };
  },
  update_password: async () => ({ as: (await newMember(service, org)).send }),
  verify_email: mailedCode,
  update_role: async () => ({ params: { user_id: (await newMember(service, org, "viewer")).user_id } }),
  invite_member: () => ({}),
  // Of another organization, because a registry would hold up the assignments of other examples.
  set_registry: async () => ({ as: (await service.newOrg()).admin }),
  set_mail_text: async () => ({ as: (await service.newOrg()).admin }),
  preview_mail_text: async () => ({ as: (await service.newOrg()).admin }),
  update_me: async () => ({ as: (await newMember(service, org)).send }),
  request_email_change: async () => ({ as: (await mailing.newOrg()).admin }),
  add_domain: async () => ({ as: (await service.newOrg()).admin }),
  verify_domain: provableDomain,
  create_sso_connection: async () => ({ as: (await service.newOrg()).admin, values: { issuer: provider.issuer, ...provider.client } }),
  update_sso_connection: async () => {
    const { admin } = await service.newOrg();
    const { json } = await admin("POST", "/org/sso", { body: { name: "Provider", issuer: provider.issuer, ...provider.client } });
    return { as: admin, params: { connection_id: json.data.connection_id } };
  },
  create_audit_sink: async () => ({ as: (await service.newOrg()).admin }),
  update_audit_sink: async () => {
    const { admin } = await service.newOrg();
    const { json } = await admin("POST", "/org/audit-sinks", { body: { kind: "webhook", target: "https://logs.example.com/countersign" } });
    return { as: admin, params: { sink_id: json.data.sink_id } };
  },
  set_mail_sender: async () => ({ as: (await mailing.newOrg()).admin }),
  update_security: async () => ({ as: (await service.newOrg()).admin }),
  update_settings: () => ({ values: { default_custodian_user_id: org.user_id } }),
  create_key: () => ({}),
  create_sandbox: async () => ({ as: (await service.newOrg()).admin }),
  sign_test_envelope: sentInSandbox,
  decline_test_envelope: sentInSandbox,
  advance_test_envelope: sentInSandbox,
  append_test_event: sentInSandbox,
  update_key: anotherKey,
  rotate_key: anotherKey,
  upload_customers: () => ({}),
  create_customer: () => ({}),
  merge_customers: async () => {
    const [kept, duplicate] = [
      await made("POST", "/partner/customers", { body: {} }),
      await made("POST", "/partner/customers", { body: {} }),
    ];
    return { params: { customer_id: kept.customer_id }, values: { duplicate_customer_id: duplicate.customer_id } };
  },
  update_customer: customer,
  create_template: () => ({}),
  create_bulk_batch: () => ({ values: { template_id } }),
  start_bulk_batch: checkedBatch,
  place_fields: async () => ({ params: { template_id: await newTemplate(key, lease) } }),
  replace_fields: async () => ({ params: { template_id: await newTemplate(key, lease) } }),
  preview_template: newTemplateToChange,
  preview_envelope: draft,
  update_template: newTemplateToChange,
  copy_template: newTemplateToChange,
  add_template_document: async () => ({ ...(await newTemplateToChange()), values: { template_id } }),
  change_template_document: () => documentOf("templates"),
  replace_template_document: () => documentOf("templates"),
  create_form: async () => ({ values: { template_id: (await newForm(org)).template_id } }),
  update_form: startedForm,
  create_envelope: () => ({ values: { template_id } }),
  save_envelope_as_template: () => draft(),
  add_envelope_document: async () => ({ ...(await draft()), values: { template_id } }),
  change_envelope_document: () => documentOf("envelopes"),
  replace_envelope_document: () => documentOf("envelopes"),
  upload_document: customer,
  update_envelope: () => draft(),
  attach_document: () => draft({}),
  place_envelope_fields: () => draft(),
  replace_envelope_fields: () => draft(),
  send_envelope: () => draft(),
  remind_signers: () => sent(),
  correct_signer: () => signer(),
  add_recipient: () => sent(),
  change_recipient: () => recipient(),
  void_envelope: () => sent(),
  act_on_envelopes: () => ({}),
  download_documents: () => ({}),
  save_tag: () => ({ params: { tag: "leases" } }),
  create_view: () => ({ as: org.admin }),
  read_notifications: () => ({ as: org.admin }),
  update_notification_settings: () => ({ as: org.admin }),
  update_view: async () => {
    const { json } = await org.admin("POST", "/views", { body: { name: "Mine", query: {} } });
    return { params: { view_id: json.data.view_id }, as: org.admin };
  },
  create_embed_token: async () => ({ values: (await sent()).params }),
  set_identity_questions: () => signer({ kba_required: true }),
  // A code by e-mail needs a mail server.
  set_signer_identity: async () => {
    const mailed = await mailing.newOrg();
    const { envelope_id, signers } = await sentEnvelope(mailing, mailed);
    return { params: { envelope_id, slug: signers[0].slug }, as: mailed.admin };
  },
  create_endpoint: () => ({}),
  update_endpoint: endpoint,
  rotate_endpoint_secret: endpoint,
  replay_range: endpoint,
  vault_in_signed: async () => ({ params: { envelope_id: await completedEnvelope(service, org) } }),
  vault_in_upload: upload,
  add_attestation: deposited,
  initiate_custody_transfer: async () => ({ ...(await vaulted()), values: { to_user_id: (await newMember(service, org)).user_id } }),
  reject_custody_transfer: offered,
  create_vault_export: deposited,
  acknowledge_vault_export: async () => ({ ...(await exported()), as: (await keyOfAnother(service, org)).send }),
  create_remote_vault: async () => {
    const { org_id } = await service.newOrg();
    return { values: { url: service.url, root_sha256: await rootOf(service), org_id } };
  },
  receive_vault_transfer_message: async () => {
    const { transfer_id } = await offeredTo(service, org);
    const [{ bytes, signature }] = await made("GET", `/partner/vault-transfers/${transfer_id}/messages`);
    return { values: { bytes, signature } };
  },
  decide_remote_request: async () => {
    const request_id = await askedOf(service, org);
    const { sha256 } = await made("GET", `/partner/remote-requests/${request_id}`);
    return { params: { request_id }, values: { sha256 } };
  },
  receive_act_message: async () => {
    const [{ bytes, signature }] = await made("GET", `/partner/remote-requests/${await askedOf(service, org)}/messages`);
    return { values: { bytes, signature } };
  },
  accept_vault_transfer: async () => {
    const { own, transfer_id } = await offeredTo(service, org);
    return { params: { transfer_id }, values: { customer_id: own.customer_id, custodian_user_id: own.org.user_id } };
  },
  review_duplicate: twoOfOneInstrument,
  create_party: () => ({}),
  update_party: () => party(),
  add_party_person: () => party(),
  create_audit_grant: async () => ({ values: { ...(await party()).params } }),
  propose_act: async () => ({ ...(await vaulted()), values: { ...(await party()).params } }),
  create_control_batch: pool,
  decide_act: asking,
  designate_secured_party: vaulted,
  assign_record: () => vaultedFor({ name: "First Example Bank, N.A." }),
  extend_retention: vaulted,
  place_legal_hold: vaulted,
};

type Json = Readonly<Record<string, unknown>>;

interface Shown {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly security: readonly Json[];
  readonly media: string;
  readonly example: Json;
  readonly statuses: readonly string[];
}

interface Operation {
  readonly operationId: string;
  readonly security: readonly Json[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly examples?: { readonly default: { readonly $ref: string } } }>>;
  };
  readonly responses: Json;
}

interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly examples: Readonly<Record<string, { readonly value: Json }>> };
}

const { paths, components } = JSON.parse(JSON.stringify(apiDocuments().api)) as ApiDocument;

function exampleAt($ref: string): Json {
  const found = components.examples[$ref.replace("#/components/examples/", "")];
  if (found === undefined) throw new Error(`${$ref} is missing`);
  return found.value;
}

const shown: readonly Shown[] = Object.entries(paths).flatMap(([path, item]) =>
  Object.entries(item).flatMap(([method, { operationId: name, security, requestBody, responses }]) =>
    Object.entries(requestBody?.content ?? {}).flatMap(([media, { examples }]) => {
      if (examples === undefined) return [];
      const statuses = Object.keys(responses).filter((status) => status.startsWith("2"));
      return [{ name, method: method.toUpperCase(), path, security, media, example: exampleAt(examples.default.$ref), statuses }];
    }),
  ),
);

function callerOf({ security }: Shown): Send {
  if (security.length === 0) return service.send;
  return security.some((one) => "api_key" in one) ? key.send : org.admin;
}

/** A form example names a PDF and contains a text file. */
function formOf({ file, ...parts }: Json): Request {
  const bytes = file === "(the bytes of lease.pdf)" ? lease : Buffer.from(String(file));
  return form(parts as Record<string, string>, { bytes });
}

describe("the request example", () => {
  test("of every operation that has one is sent", () => {
    expect(Object.keys(settings).sort()).toEqual([...new Set(shown.map(({ name }) => name))].sort());
  });

  test.each(shown.map((one) => [one.name, one.media, one] as const))(
    "of %s as %s is accepted, and answered once",
    async (name, media, one) => {
      const { params = {}, values = {}, as = callerOf(one) } = (await settings[name]?.()) ?? expect.fail(`no setting for ${name}`);
      expect(Object.keys(one.example), "only members of the example are replaced").toEqual(expect.arrayContaining(Object.keys(values)));
      const example = { ...one.example, ...values };
      const path = one.path.replace(/\{(\w+)\}/g, (_, param: string) => params[param] ?? expect.fail(`no ${param}`));
      const request: Request = media === "application/json" ? { body: example } : formOf(example);
      // As the console and the clients send it: such a request runs inside a transaction of its organization.
      const headers = { ...request.headers, ...(one.method === "POST" && { "idempotency-key": `${name} ${media}` }) };
      const first = await as(one.method, path, { ...request, headers });
      expect(one.statuses, first.text).toContain(String(first.status));
      if (isIdempotent(name)) expectReplay(name, first, await as(one.method, path, { ...request, headers }));
    },
  );
});

/** Operations without a request example that need more than a record of their kind to succeed. */
const withoutExample: Readonly<Record<string, () => Setting | Promise<Setting>>> = {
  accept_custody_transfer: offered,
  duplicate_envelope: () => draft({ template_id, signers, customer_email: "eve@example.com" }),
  evaluate_compliance: deposited,
  reset_identity_questions: () => signer({ kba_required: true, customer_email: "eve@example.com" }),
};

test.each(Object.entries(withoutExample))("%s without a body is accepted, and answered once", async (name, setting) => {
  const { path } = declaredEndpoints().find((one) => one.name === name) ?? expect.fail(`no operation ${name}`);
  const { params = {}, as = key.send } = await setting();
  const filled = path.replace(/:(\w+)/g, (_, param: string) => params[param] ?? expect.fail(`no ${param}`));
  const first = await sendingTwice(as)("POST", filled);
  expect([200, 201, 202], first.text).toContain(first.status);
});
