import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { onePage } from "../../pdf/fixtures/pages.ts";
import { writePdf } from "../../pdf/fixtures/writer.ts";
import { ALL } from "../../testing/all.ts";
import { newPasskey } from "../src/accounts/examples.ts";
import type { Endpoint, ParamKind, ScopedAccess, SessionAccess, WidgetAccess } from "../src/http/endpoint.ts";
import { queueMail } from "../src/mail/queue-mail.ts";
import { writeLetter } from "../src/mail/write-letter.ts";
import { declaredEndpoints } from "../src/main.ts";
import { newId } from "../src/shared/ids.ts";
import { problems } from "../src/shared/problems.ts";
import { hasPermission, type Permission, type Role, roles, type Scope, scopes } from "../src/shared/scopes.ts";
import { newSlug } from "../src/shared/slugs.ts";
import { makeReady, signingSessionWith } from "./ceremony.ts";
import { type Answer, client, type Request, type Send } from "./client.ts";
import { newSession, page, sentEnvelope, tokenFor } from "./envelopes.ts";
import { ownFactor } from "./factors.ts";
import { form } from "./form.ts";
import { newForm } from "./forms.ts";
import { newPersonSession } from "./people.ts";
import { ann, approve, confirm, lee, sam, sentContract, vera } from "./recipients.ts";
import { refusedWith } from "./refused-with.ts";
import { expectReplay, sendingTwice } from "./replay.ts";
import { PASSWORD, type TestOrg, testService } from "./service.ts";
import { askedOf, neighbours, offeredTo } from "./two-vaults.ts";
import { newMember, standInBundles, vaultedCopy } from "./vaulted.ts";

/** Tests that are generated from the list of endpoints, so that a new endpoint is covered automatically. */

const service = testService({ TRUST_PROXY_HOPS: "1" });
// Those for tests do not exist in a live organization; `sandbox/test-operations.test.ts` calls them.
const declared = declaredEndpoints().filter(({ testOnly }) => !testOnly);

/** A valid body, for endpoints that check permissions after validation. */
const bodies: Record<string, unknown> = {
  review_duplicate: { other_envelope_id: newId("envelope"), statement: "x" },
  vault_in_signed: { certification: { accepted: true, terms_version: "2026-01" } },
  vault_in_upload: { source: "paper_upload", certification: { accepted: true, terms_version: "2026-01" } },
  update_role: { role: "viewer" },
  create_key: { partner_name: "A", scopes: ["envelopes:read"] },
  preview_envelope: { role: "Tenant" },
  preview_template: { role: "Tenant" },
  place_fields: { fields: [] },
  replace_fields: { fields: [] },
  place_envelope_fields: { fields: [] },
  replace_envelope_fields: { fields: [] },
  add_recipient: { kind: "viewer", email: "vera@example.com", name: "Vera", step: 1 },
  void_envelope: { reason: "x" },
  set_signer_identity: { authentication: [{ method: "access_code", code: "blue-harbour" }] },
  set_identity_questions: {
    questions: [
      { text: "The first word?", answer: "first" },
      { text: "The second word?", answer: "second" },
    ],
  },
  replay_range: { since: "2026-01-01T00:00:00.000Z" },
  initiate_custody_transfer: { to_user_id: newId("user") },
  accept_vault_transfer: {
    customer_id: "cust_01h2xcejqtf2nbrexx3vqjhp41",
    custodian_user_id: "usr_01h2xcejqtf2nbrexx3vqjhp41",
  },
  create_vault_export: { recipient: { name: "Bank", email: "vault@example.com" }, reason: "x" },
  acknowledge_vault_export: { package_sha256: "0".repeat(64) },
  designate_secured_party: { name: "Bank" },
  assign_record: {
    secured_party: { name: "Bank" },
    consent: { method: "written", given_by: { name: "Ann" }, given_at: "2026-01-01T00:00:00.000Z" },
    present_seq: 1,
  },
  merge_customers: { duplicate_customer_id: newId("customer") },
  create_party: { kind: "people", name: "Bank" },
  update_party: { name: "Bank" },
  create_audit_grant: { party_id: newId("party"), filter: { customer_id: "x" }, may_download: false, until: "2050-01-01T00:00:00.000Z" },
  add_party_person: { email: "ann@example.com", name: "Ann", rights: "view" },
  propose_act: { kind: "designate", reason: "x", present_version: 1, party_id: newId("party") },
  create_control_batch: { kind: "re_evaluate", reason: "x", envelope_ids: [newId("envelope")] },
  decide_act: { decision: "confirm", sha256: "0".repeat(64) },
  decide_remote_request: { decision: "confirm", sha256: "0".repeat(64) },
  extend_retention: { retention_until: "2050-01-01T00:00:00.000Z" },
  place_legal_hold: { reason: "x" },
  create_view: { name: "x", query: {} },
  read_notifications: { ids: [newId("notification")] },
  update_notification_settings: { kinds: {} },
  save_envelope_as_template: { name: "x" },
  create_form: { template_id: newId("template") },
  confirm_factor: { code: "000000" },
  reset_member_factors: { reason: "x" },
  add_account_passkey: { credential: newPasskey },
  update_factor: { name: "x" },
  request_email_change: { new_email: "moved@example.com" },
  add_domain: { domain: "example.com" },
  verify_domain: { method: "dns" },
  create_sso_connection: { name: "x", issuer: "https://idp.example.com", client_id: "x", client_secret: "x" },
};

/** For endpoints whose scope depends on the body: a body for each scope. */
const bodiesByScope: Record<string, Partial<Record<Scope, object>>> = {
  create_embed_token: {
    "esign:write": { envelope_id: newId("envelope"), user_email: "ann@example.com", widget_type: "sign" },
    "vault:read": { envelope_id: newId("envelope"), user_email: "ann@example.com", widget_type: "vault" },
  },
};

const scoped = declared.filter((endpoint) => endpoint.access !== "anyone" && "anyScope" in endpoint.access);
const ofSessions = declared.filter(({ access }) => access !== "anyone" && ("permission" in access || "session" in access));
const ofPeople = declared.filter((endpoint) => endpoint.access !== "anyone" && "person" in endpoint.access);
const ofWidgets = declared.filter((endpoint) => endpoint.access !== "anyone" && "widget" in endpoint.access);

function pathWith(endpoint: Endpoint, ids: Readonly<Record<string, string>>): string {
  return endpoint.path.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? "");
}

function missingId(kind: ParamKind): string {
  if (kind === "slug") return newSlug();
  if (kind === "tag") return "no-such-tag";
  return kind === "number" ? "1" : newId(kind);
}

function missingIds(endpoint: Endpoint): Record<string, string> {
  return Object.fromEntries(Object.entries(endpoint.params).map(([name, kind]) => [name, missingId(kind)]));
}

/** The headers that are the same for every request. */
function lastingHeaders({ headers }: Answer): string {
  const ofThisRequest = /^(date|x-request-id|x-ratelimit-\w+)$/;
  return JSON.stringify(Object.entries(headers).filter(([name]) => !ofThisRequest.test(name)));
}

/** The detail of a missing record. It names one of the path's parameters. */
function atParameter({ missing, params }: Endpoint): unknown {
  return { location: "path", field: expect.toBeOneOf(Object.keys(params)), code: missing, message: problems[missing].says };
}

/** The answer to a request. One that takes an `Idempotency-Key` is sent twice with it, without a body unless it needs one. */
async function askTwice(endpoint: Endpoint, send: (request: Request) => Promise<Answer>, body: unknown): Promise<Answer> {
  const request = {
    ...(body !== undefined && { body }),
    ...(endpoint.idempotent && { headers: { "idempotency-key": `twice ${endpoint.name}` } }),
  };
  const first = await send(request);
  if (endpoint.idempotent) expectReplay(endpoint.name, first, await send(request));
  return first;
}

async function memberOf(org: TestOrg, role: string): Promise<Send> {
  const email = `${newId("user")}@example.com`;
  const invited = await org.admin("POST", "/org/invitations", { body: { email, role } });
  const token = new URL(invited.json.data.accept_url).hash.slice("#token=".length);
  const joined = await service.send("POST", "/auth/invitations/accept", { body: { token, name: "M", password: PASSWORD, mode: "token" } });
  return client(service.url, { authorization: `Bearer ${joined.json.data.token}` });
}

const notice = {
  ...writeLetter({ kind: "notice", subject: "A subject", opening: ["A text"], closing: [] }),
  to: "ann@example.com",
  org_name: "Acme",
  expires_at: new Date(Date.now() + 3_600_000),
};
/** An act on many records, of which there is one. */
async function newBatch(org: TestOrg): Promise<{ control_batch_id: string; act_id: string }> {
  const { envelope_id } = await vaultedCopy(service, org);
  const people = [{ email: `${newId("person")}@example.com`, name: "Ann", rights: "approve" }];
  const party = await org.admin("POST", "/partner/parties", { body: { kind: "people", name: "Bank", people } });
  const body = { kind: "designate", reason: "x", envelope_ids: [envelope_id], party_id: party.json.data.party_id };
  return (await org.admin("POST", "/partner/control-batches", { body })).json.data;
}
async function newEndpoint(org: TestOrg): Promise<{ endpoint_id: string }> {
  return (await org.admin("POST", "/webhooks/endpoints", { body: { url: "https://example.com/hooks" } })).json.data;
}

describe("tenancy", () => {
  /** A real id of an org, by the name of the path parameter. */
  const ownId: Record<string, (org: TestOrg) => Promise<string>> = {
    key_id: async (org) => (await org.newKey()).key_id,
    /** of a sandbox */
    org_id: async (org) => (await org.admin("POST", "/org/sandboxes", { body: { name: "Test" } })).json.data.org_id,
    user_id: async (org) => org.user_id,
    invitation_id: async (org) =>
      (await org.admin("POST", "/org/invitations", { body: { email: `${newId("user")}@example.com`, role: "viewer" } })).json.data
        .invitation_id,
    session_id: async (org) => (await org.admin("GET", "/auth/sessions")).json.data[0].session_id,
    customer_id: async (org) => (await org.admin("POST", "/partner/customers", { body: { name: "Ann" } })).json.data.customer_id,
    message_id: (org) => service.db.tx(org.org_id, (tx) => queueMail(service.features.mail, tx, org.org_id, notice)),
    /** of the latest envelope */
    slug: async (org) =>
      (
        await service.database.owner<{ slug: string }>("select slug from signers where org_id = $1 order by envelope_id desc limit 1", [
          org.org_id,
        ])
      )[0]?.slug ?? "",
    /** of the latest envelope */
    recipient_id: async (org) =>
      (
        await service.database.owner<{ recipient_id: string }>(
          "select recipient_id from signers where org_id = $1 order by envelope_id desc limit 1",
          [org.org_id],
        )
      )[0]?.recipient_id ?? "",
    template_id: async (org) =>
      (await org.admin("POST", "/partner/templates", form({ name: "Lease" }, { bytes: writePdf(onePage()) }))).json.data.template_id,
    envelope_id: async (org) => (await sentEnvelope(service, org)).envelope_id,
    /** of a template or an envelope with one page */
    page: async () => "1",
    endpoint_id: async (org) => (await newEndpoint(org)).endpoint_id,
    permission_id: async (org) => {
      const { envelope_id } = await vaultedCopy(service, org);
      const to_user_id = (await newMember(service, org)).user_id;
      return (await org.admin("POST", `/partner/envelopes/${envelope_id}/custody-transfers`, { body: { to_user_id } })).json.data
        .permission_id;
    },
    party_id: async (org) => (await org.admin("POST", "/partner/parties", { body: { kind: "people", name: "Bank" } })).json.data.party_id,
    grant_id: async (org) => {
      const party = await org.admin("POST", "/partner/parties", { body: { kind: "people", name: "Auditors" } });
      const body = { ...(bodies.create_audit_grant as object), party_id: party.json.data.party_id };
      return (await org.admin("POST", "/partner/audit-grants", { body })).json.data.grant_id;
    },
    act_id: async (org) => (await newBatch(org)).act_id,
    control_batch_id: async (org) => (await newBatch(org)).control_batch_id,
    export_id: async (org) => {
      standInBundles(service);
      const { envelope_id } = await vaultedCopy(service, org);
      const body = bodies.create_vault_export;
      return (await org.admin("POST", `/partner/envelopes/${envelope_id}/vault-out`, { body })).json.data.export_id;
    },
    ending_id: async (org) => {
      const { envelope_id } = await vaultedCopy(service, org);
      const body = { kind: "paper_out", reason: "x", present_version: 1, recipient: { name: "A", email: "a@example.com" } };
      await org.admin("POST", `/partner/envelopes/${envelope_id}/acts`, { body });
      return (await org.admin("GET", `/partner/record-endings?envelope_id=${envelope_id}`)).json.data[0].ending_id;
    },
    vault_id: async (org) => (await neighbours(service, org)).own.vault_id,
    transfer_id: async (org) => (await offeredTo(service, org)).transfer_id,
    request_id: (org) => askedOf(service, org),
    tag: async (org) => {
      await org.admin("PUT", "/partner/tags/theirs", { body: {} });
      return "theirs";
    },
    batch_id: async (org) => {
      const { json } = await org.admin("POST", "/partner/templates", form({ name: "Lease" }, { bytes: writePdf(onePage()) }));
      const upload = form({ template_id: json.data.template_id }, { bytes: Buffer.from("x"), name: "rows.csv" });
      return (await org.admin("POST", "/partner/bulk-batches", upload)).json.data.batch_id;
    },
    view_id: async (org) => (await org.admin("POST", "/views", { body: { name: "x", query: {} } })).json.data.view_id,
    form_id: async (org) => (await newForm(org)).form_id,
    factor_id: (org) => ownFactor(service, org),
    device_id: async (org) => {
      const headers = { origin: service.config.publicUrl };
      await service.send("POST", "/auth/login", { body: { email: org.email, password: PASSWORD }, headers });
      return (await org.admin("GET", "/auth/devices")).json.data.devices[0].device_id;
    },
    domain_id: async (org) =>
      (await org.admin("POST", "/org/domains", { body: { domain: `${newId("orgDomain").replace("_", "-")}.example` } })).json.data
        .domain_id,
    connection_id: async (org) => {
      const connection_id = newId("ssoConnection");
      await service.database.owner(
        "insert into sso_connections (org_id, connection_id, name, issuer, client_id, client_secret_enc, scopes) values ($1, $2, 'x', 'https://idp.example.com', 'x', '', '{openid}')",
        [org.org_id, connection_id],
      );
      return connection_id;
    },
    sink_id: async (org) => {
      const body = { kind: "syslog", target: "syslog+tls://logs.example.com:6514" };
      return (await org.admin("POST", "/org/audit-sinks", { body })).json.data.sink_id;
    },
    problem_id: async (org) => {
      const problem_id = newId("problem");
      await service.database.owner(
        "insert into failed_jobs (org_id, problem_id, job_id, task, state, attempts, first_failed_at, last_failed_at, error_code, error) values ($1, $2, 1, 'vault.store', 'failed', 25, now(), now(), 'internal', 'x')",
        [org.org_id, problem_id],
      );
      return problem_id;
    },
    event_id: async (org) => {
      const endpoint_id = await ownId.endpoint_id?.(org);
      return (await org.admin("POST", `/webhooks/endpoints/${endpoint_id}/test`)).json.data.event_id;
    },
    delivery_id: async (org) => {
      const { endpoint_id } = await newEndpoint(org);
      return (await org.admin("POST", `/webhooks/endpoints/${endpoint_id}/test`)).json.data.delivery_id;
    },
  };

  /** A hold is identified by its envelope's id, too. */
  const ownHold = async (org: TestOrg): Promise<Record<string, string>> => {
    const { envelope_id } = await vaultedCopy(service, org);
    const { json } = await org.admin("POST", `/partner/envelopes/${envelope_id}/vault/legal-hold`, { body: { reason: "x" } });
    return { envelope_id, hold_id: json.data.hold_id };
  };

  /** A document is identified by the id of its envelope or template, too. */
  const ownDocument = async (org: TestOrg, { path }: Endpoint): Promise<Record<string, string>> => {
    const name = path.includes(":template_id") ? "template_id" : "envelope_id";
    const id = (await ownId[name]?.(org)) ?? "";
    const { json } = await org.admin("GET", `/partner/${name === "template_id" ? "templates" : "envelopes"}/${id}/documents`);
    return { [name]: id, document_id: json.data.documents[0].document_id };
  };

  /** A person is identified by the id of a party that they act for, too. */
  const ownPerson = async (org: TestOrg): Promise<Record<string, string>> => {
    const people = ["ann", "ben"].map((name) => ({ email: `${name}@bank.example`, name, rights: "approve" }));
    const { json } = await org.admin("POST", "/partner/parties", { body: { kind: "people", name: "Bank", people } });
    return { party_id: json.data.party_id, person_id: json.data.people[0].person_id };
  };

  let shared: { readonly mine: TestOrg; readonly theirs: TestOrg };
  let uses = 0;
  /**
   * Sealing is slow, and the copies of one org share their bytes, so that twenty endpoints share the two orgs; more would use up the quota of
   * their admins. Requests about people and sessions could end the session of the test itself, so they get an owner of their own.
   */
  const orgsFor = async ({ params }: Endpoint): Promise<typeof shared> => {
    if (uses++ % 20 === 0) shared = { mine: await service.newOrg(), theirs: await service.newOrg() };
    return "user_id" in params || "session_id" in params ? { ...shared, theirs: await service.newOrg() } : shared;
  };

  // A tag that does not exist is created under the name in the path, also if another org has one of that name (envelopes/tags.test.ts).
  const creating = ["save_tag"];
  const withParams = [...scoped, ...ofSessions].filter(({ params, name }) => Object.keys(params).length > 0 && !creating.includes(name));
  test.each(withParams.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
    "%s returns the same bytes for another org's id, a missing one and an invalid one",
    async (_name, endpoint) => {
      const { mine, theirs } = await orgsFor(endpoint);
      const ids: Record<string, string> =
        "hold_id" in endpoint.params
          ? await ownHold(theirs)
          : "person_id" in endpoint.params
            ? await ownPerson(theirs)
            : "document_id" in endpoint.params
              ? await ownDocument(theirs, endpoint)
              : {};
      for (const name of Object.keys(endpoint.params)) ids[name] ??= (await ownId[name]?.(theirs)) ?? expect.fail(`no id for ${name}`);
      const body = bodies[endpoint.name];
      const ask = (path: string) => mine.admin(endpoint.method, path, body === undefined ? {} : { body });
      const nonsense = Object.fromEntries(Object.keys(endpoint.params).map((name) => [name, "lk_%00"]));
      const answers = [
        await ask(pathWith(endpoint, ids)),
        await ask(pathWith(endpoint, missingIds(endpoint))),
        await ask(pathWith(endpoint, nonsense)),
      ];
      expect(answers.map((answer) => answer.status)).toEqual([404, 404, 404]);
      expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
      expect(new Set(answers.map(lastingHeaders)).size).toBe(1);
      expect([answers[0]?.headers["x-error-code"], answers[0]?.json.details]).toEqual([endpoint.missing, [atParameter(endpoint)]]);
      const own = (request: Request) => theirs.admin(endpoint.method, pathWith(endpoint, ids), request);
      const { status } = await askTwice(endpoint, own, body);
      expect(status, "its owner has access").not.toBe(404);
    },
  );
});

describe("an Idempotency-Key", () => {
  let org: TestOrg;
  beforeAll(async () => {
    org = await service.newOrg();
  });

  // Those with parameters and those of widgets are sent twice with the others of their tables, above and below.
  const plain = [...scoped, ...ofSessions].filter(({ idempotent, params }) => idempotent && Object.keys(params).length === 0);
  test.each(plain.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
    "%s without a body is refused or done once, and answered twice with the same",
    async (_name, endpoint) => {
      await askTwice(endpoint, (request) => org.admin(endpoint.method, endpoint.path, request), undefined);
    },
  );

  test("is taken by everything that people do on the signing pages, also where it succeeds", async () => {
    const at = await sentContract(service, [ann, sam, lee, vera], { signing_order: "parallel" });
    const twice = async (email: string) => {
      const token = await tokenFor(at.org, at.envelope_id, email);
      return signingSessionWith(service, at.envelope_id, token, undefined, sendingTwice);
    };
    const [tenant, landlord, approver, viewer] = [
      await twice(ann.email),
      await twice(sam.email),
      await twice(lee.email),
      await twice(vera.email),
    ];
    for (const one of [tenant, landlord]) {
      await makeReady(one);
      expect((await one.complete()).status).toBe(200);
    }
    await approver.see();
    await approver.fill({ "Cost centre": "4711" });
    const answers = [await approve(approver), await confirm(viewer)];
    expect(answers.map(({ status, json }) => [status, json.details])).toEqual([
      [200, undefined],
      [200, undefined],
    ]);
  });

  test("is tried with every operation that takes one", () => {
    const tried = new Set([...plain, ...scoped, ...ofSessions, ...ofWidgets].map(({ name }) => name));
    expect(declared.filter(({ idempotent, name }) => idempotent && !tried.has(name)).map(({ name }) => name)).toEqual([]);
  });
});

/** The response to a page that was just opened and sends nothing, if it is not 200. */
const reached: Record<string, readonly [status: number, code: string]> = {
  get_identity_questions: [409, "identity_unavailable"],
  start_email_code: [409, "identity_unavailable"],
  start_access_code: [409, "identity_unavailable"],
  answer_email_code: [422, "required"],
  answer_access_code: [422, "required"],
  answer_identity_questions: [422, "required"],
  give_signing_consent: [422, "required"],
  accept_signing_agreement: [422, "required"],
  save_signing_fields: [409, "consent_required"],
  complete_signing: [422, "required"],
  approve_document: [422, "required"],
  confirm_reading: [422, "required"],
  // The token in this test is a partner's.
  renew_token: [403, "token_not_renewable"],
  // The envelope in this test has not ended.
  get_signing_completion_certificate: [409, "envelope_wrong_status"],
  get_signing_paper: [409, "paper_not_requested"],
  // Its signers were not invited.
  finish_signing_later: [409, "not_your_turn"],
  // Nor was it vaulted.
  open_vault: [409, "not_vaulted"],
  get_vault_page: [409, "not_vaulted"],
  get_vault_page_text: [409, "not_vaulted"],
  list_vault_widget_accesses: [409, "not_vaulted"],
  get_vault_widget_copy: [409, "not_vaulted"],
  get_vault_widget_certificate: [409, "not_vaulted"],
  get_vault_widget_evidence: [409, "not_vaulted"],
  verify_vault_record: [409, "not_vaulted"],
};

describe("the token of a widget", () => {
  let mine: TestOrg;
  let key: Send;
  let others: readonly string[];
  beforeAll(async () => {
    const theirs = await service.newOrg();
    mine = await service.newOrg();
    key = (await mine.newKey()).send;
    others = [(await sentEnvelope(service, mine)).envelope_id, (await sentEnvelope(service, theirs)).envelope_id];
  });

  // Each endpoint refuses three tokens. Together, they would look like guessing.
  afterEach(async () => {
    await service.database.owner("delete from quotas where subject like 'refused:%'");
  });

  test.each(ofWidgets.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
    "%s returns the same bytes for the id of another envelope, another org's, a missing one and an invalid one, and accepts no other credential",
    async (_name, endpoint) => {
      const { widget } = endpoint.access as WidgetAccess;
      const own = await sentEnvelope(service, mine, widget === "vault" ? { status: "vaulted", vault_file_path: "x" } : {});
      const send = page(service, await tokenFor(mine, own.envelope_id, "ann@example.com", widget));
      const body = bodies[endpoint.name];
      const ask = (envelope_id: string) =>
        send(endpoint.method, pathWith(endpoint, { ...missingIds(endpoint), envelope_id }), body === undefined ? {} : { body });
      const answers = await Promise.all([...others, newId("envelope"), "env_%00"].map(ask));
      expect(answers.map((answer) => answer.status)).toEqual([404, 404, 404, 404]);
      expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
      expect(new Set(answers.map(lastingHeaders)).size).toBe(1);
      const path = pathWith(endpoint, { ...missingIds(endpoint), envelope_id: own.envelope_id });
      const headers = { "x-signing-session": newSession() };
      for (const stranger of [key, mine.admin, service.send]) {
        const { status, json } = await stranger(endpoint.method, path, { headers });
        expect([status, json]).toEqual([401, refusedWith("Invalid or expired token")]);
      }
      const { status, json } = await askTwice(endpoint, (request) => send(endpoint.method, path, request), body);
      expect([status, json?.details?.[0]?.code], "its holder has access").toEqual(reached[endpoint.name] ?? [200, undefined]);
    },
  );
});

describe("the session of a person who acts for a party", () => {
  let org: TestOrg;
  let key: Send;
  beforeAll(async () => {
    org = await service.newOrg();
    key = (await org.newKey()).send;
  });

  afterEach(async () => {
    await service.database.owner("delete from quotas where subject like 'refused:%'");
  });

  test.each(ofPeople.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
    "%s accepts it and no other credential, beside the pages and not under /api/v2",
    async (_name, endpoint) => {
      const path = pathWith(endpoint, missingIds(endpoint));
      for (const stranger of [key, org.admin, service.send]) {
        const { status, json } = await stranger(endpoint.method, path);
        expect([status, json]).toEqual([401, refusedWith("Invalid or expired session")]);
      }
      const own = await newPersonSession(service);
      expect((await own(endpoint.method, `//api/v2${path}`)).status).toBe(404);
      expect((await own(endpoint.method, path)).status, "its holder has access").not.toBe(401);
    },
  );
});

describe("access", () => {
  const holds = (role: Role, permission: Permission | undefined) => permission === undefined || hasPermission(role, permission);
  const byBody = scoped.filter((endpoint) => (endpoint.access as ScopedAccess).scopeOf !== undefined);
  const plain = scoped.filter((endpoint) => !byBody.includes(endpoint));

  // Requests do not change what a credential can do, so each kind is created once for all endpoints.
  let keys: Record<Scope, Send>;
  let members: Record<Role, Send>;
  beforeAll(async () => {
    const org = await service.newOrg();
    const keyOf = async (scope: Scope) => [scope, (await org.newKey({ scopes: [scope] })).send];
    keys = Object.fromEntries(await Promise.all(scopes.map(keyOf)));
    members = Object.fromEntries(await Promise.all(roles.map(async (role) => [role, await memberOf(org, role)])));
  });

  let addresses = 0;
  let turn = 0;
  /** Without `--all`, three of those that are refused, and others for the next endpoint. */
  const nextOf = <T>(refused: readonly T[]): readonly T[] =>
    [0, 1, 2].flatMap(() => refused.slice(turn % refused.length, (turn++ % refused.length) + 1));

  test.each(plain.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
    "%s admits exactly the keys with one of its scopes, and the roles that include one",
    async (_name, endpoint) => {
      const { anyScope: admitted, alsoNeeds, custodian = "closed", sessionOnly = false } = endpoint.access as ScopedAccess;
      for (const scope of ALL ? scopes : [...admitted, ...nextOf(scopes.filter((one) => !admitted.includes(one)))]) {
        const { status, json } = await keys[scope](endpoint.method, pathWith(endpoint, missingIds(endpoint)));
        if (sessionOnly && admitted.includes(scope)) expect([status, json.details[0].code], scope).toEqual([403, "session_required"]);
        else if (admitted.includes(scope)) expect([401, 403], scope).not.toContain(status);
        else expect([status, json], scope).toEqual([403, refusedWith(`Missing required scope: ${admitted.join(" or ")}`)]);
      }
      for (const role of roles) {
        const { status } = await members[role](endpoint.method, pathWith(endpoint, missingIds(endpoint)));
        const isOpen = role !== "custodian" || custodian !== "closed";
        expect(status !== 403, role).toBe(isOpen && holds(role, alsoNeeds) && admitted.some((scope) => hasPermission(role, scope)));
      }
    },
  );

  test.each(byBody.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
    "%s admits, for each of its bodies, exactly the keys with that body's scope, and the roles that include it",
    async (_name, endpoint) => {
      const { anyScope, alsoNeeds } = endpoint.access as ScopedAccess;
      const bodyFor = bodiesByScope[endpoint.name] ?? expect.fail(`no bodies for ${endpoint.name}`);
      expect(Object.keys(bodyFor).sort()).toEqual([...anyScope].sort());
      for (const [needed, body] of Object.entries(bodyFor)) {
        for (const scope of scopes) {
          const { status, json } = await keys[scope](endpoint.method, endpoint.path, { body });
          if (scope === needed) expect([401, 403], scope).not.toContain(status);
          else expect([status, json], scope).toEqual([403, refusedWith(`Missing required scope: ${needed}`)]);
        }
        for (const role of roles) {
          const { status } = await members[role](endpoint.method, endpoint.path, { body });
          expect(status !== 403, role).toBe(holds(role, alsoNeeds) && hasPermission(role, needed as Scope));
        }
      }
    },
  );

  test.each(ofSessions.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
    "%s admits exactly the roles with its permission, and no key",
    async (_name, endpoint) => {
      const access = endpoint.access as SessionAccess;
      const permission = "permission" in access ? access.permission : undefined;
      for (const role of roles) {
        // A request that is refused, or only reads, leaves the shared member as they were. Others may end sessions, even those of an org.
        const isShared = endpoint.method === "GET" || !holds(role, permission);
        const send = isShared ? members[role] : await memberOf(await service.newOrg(), role);
        const { status, json } = await send(endpoint.method, pathWith(endpoint, missingIds(endpoint)));
        const refusal = permission === "keys:manage" ? "Admin role required" : `Permission required: ${permission}`;
        if (holds(role, permission)) expect([401, 403], role).not.toContain(status);
        else expect([status, json], role).toEqual([403, refusedWith(refusal)]);
      }
      // Sixty refused calls a minute are answered for one address.
      const headers = { "x-forwarded-for": `198.51.100.${++addresses}` };
      expect((await keys["envelopes:read"](endpoint.method, pathWith(endpoint, missingIds(endpoint)), { headers })).status).toBe(401);
    },
  );

  test("every endpoint is either public on purpose or in one of the tables above", () => {
    const open = declared.filter((endpoint) => endpoint.access === "anyone").map((endpoint) => endpoint.name);
    expect(open.sort()).toEqual([
      "accept_invitation",
      "confirm_domain",
      "confirm_email_change",
      "confirm_form",
      "confirm_password_reset",
      "create_link_token",
      "finish_log_in",
      "finish_sso",
      "know_browser",
      "log_in",
      "log_in_by_passkey",
      "log_out",
      "offer_passkey_session",
      "preview_invitation",
      "refresh_session",
      "report_log_in",
      "request_browser_link",
      "request_password_reset",
      "request_person_code",
      "send_new_link",
      "set_up",
      "start_form",
      "start_passkey",
      "start_passkey_session",
      "start_person_session",
      "start_sso",
      "undo_email_change",
      "use_factor_reset",
    ]);
    expect(ofPeople.map((endpoint) => endpoint.name).sort()).toEqual([
      "acknowledge_person_export",
      "add_passkey",
      "confirm_printing",
      "decide_person_request",
      "end_person_session",
      "get_audited_certificate",
      "get_audited_copy",
      "get_audited_evidence",
      "get_audited_record",
      "get_person_code",
      "get_person_export",
      "get_person_export_package",
      "get_person_paper",
      "get_person_paper_certificate",
      "get_person_paper_document",
      "get_person_request",
      "get_person_request_csv",
      "list_passkeys",
      "list_person_exports",
      "list_person_papers",
      "list_person_records",
      "list_person_request_items",
      "list_person_requests",
      "offer_passkey",
      "remove_passkey",
    ]);
    expect(ofWidgets.map((endpoint) => endpoint.name).sort()).toEqual([
      "accept_signing_agreement",
      "answer_access_code",
      "answer_email_code",
      "answer_identity_questions",
      "approve_document",
      "complete_signing",
      "confirm_reading",
      "decline_signing",
      "finish_signing_later",
      "get_email_code",
      "get_identity_questions",
      "get_signing_completion_certificate",
      "get_signing_disclosure",
      "get_signing_document",
      "get_signing_page",
      "get_signing_page_text",
      "get_signing_paper",
      "get_signing_progress",
      "get_vault_page",
      "get_vault_page_text",
      "get_vault_widget_certificate",
      "get_vault_widget_copy",
      "get_vault_widget_evidence",
      "give_signing_consent",
      "list_vault_widget_accesses",
      "open_signing",
      "open_vault",
      "renew_token",
      "request_signing_paper",
      "save_signing_fields",
      "start_access_code",
      "start_email_code",
      "verify_vault_record",
    ]);
    expect(scoped.length + ofSessions.length + ofWidgets.length + ofPeople.length + open.length).toBe(declared.length);
  });
});
