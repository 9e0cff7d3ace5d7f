import { beforeAll, describe, expect, test } from "vitest";
import { chainOf, sentEnvelope } from "../../test/envelopes.ts";
import { form } from "../../test/form.ts";
import { envelopeBody, landlord, leasePdf, newEnvelope, newTemplate, plainPdf, tenant } from "../../test/lease.ts";
import { type TestKey, type TestOrg, testService } from "../../test/service.ts";
import { until } from "../../test/until.ts";
import { readChain } from "../audit/read-chain.ts";
import type { Endpoint, ScopedAccess } from "../http/endpoint.ts";
import { declaredEndpoints } from "../main.ts";
import { type EnvelopeId, newId } from "../shared/ids.ts";
import { moveEnvelope } from "./store.ts";

/** Keys with `drafts:write` alone, such as those of AI agents: they prepare, people send. */

const service = testService();
const accessOf = ({ access }: Endpoint) => access as ScopedAccess;
const opened = declaredEndpoints().filter(
  ({ access }) => access !== "anyone" && "anyScope" in access && access.anyScope.includes("drafts:write"),
);
const ofOwnDrafts = opened.filter((endpoint) => accessOf(endpoint).ownDraft === true);

let org: TestOrg;
let full: TestKey;
let agent: TestKey;
let template_id: string;
beforeAll(async () => {
  org = await service.newOrg();
  [full, agent] = [await org.newKey(), await org.newKey({ scopes: ["drafts:write"] })];
  template_id = await newTemplate(full);
});

const at = (envelope_id: string) => `/partner/envelopes/${envelope_id}`;
const documentOf = async (envelope_id: string): Promise<string> =>
  (await full.send("GET", `${at(envelope_id)}/documents`)).json.data?.documents[0]?.document_id ?? newId("document");
const signature = {
  ...{ name: "Sign here", type: "signature", role: "Tenant" },
  placement: { mode: "absolute", areas: [{ page: 1, x: 0.1, y: 0.5, w: 0.3, h: 0.06 }] },
};

/** A request that this endpoint accepts for a draft. */
const requests: Record<string, (envelope_id: string) => Promise<{ readonly path: string; readonly request?: object }>> = {
  update_envelope: async (id) => ({ path: at(id), request: { body: { envelope_name: "Other" } } }),
  duplicate_envelope: async (id) => ({ path: `${at(id)}/duplicate` }),
  save_envelope_as_template: async (id) => ({ path: `${at(id)}/template`, request: { body: { name: "Saved" } } }),
  attach_document: async (id) => ({ path: `${at(id)}/upload`, request: form({}, { bytes: plainPdf }) }),
  void_envelope: async (id) => ({ path: `${at(id)}/void`, request: { body: { reason: "Not needed" } } }),
  list_envelope_documents: async (id) => ({ path: `${at(id)}/documents` }),
  add_envelope_document: async (id) => ({ path: `${at(id)}/documents`, request: form({}, { bytes: plainPdf }) }),
  change_envelope_document: async (id) => ({ path: `${at(id)}/documents/${await documentOf(id)}`, request: { body: { name: "Other" } } }),
  replace_envelope_document: async (id) => ({
    path: `${at(id)}/documents/${await documentOf(id)}/file`,
    request: form({}, { bytes: plainPdf }),
  }),
  remove_envelope_document: async (id) => ({ path: `${at(id)}/documents/${await documentOf(id)}` }),
  get_envelope_document_file: async (id) => ({ path: `${at(id)}/documents/${await documentOf(id)}/file` }),
  get_envelope_fields: async (id) => ({ path: `${at(id)}/fields` }),
  place_envelope_fields: async (id) => ({ path: `${at(id)}/fields`, request: { body: { fields: [signature] } } }),
  replace_envelope_fields: async (id) => ({ path: `${at(id)}/fields`, request: { body: { fields: [signature] } } }),
  get_envelope_page_text: async (id) => ({ path: `${at(id)}/pages/1/text` }),
};

const ask = async (key: TestKey, endpoint: Endpoint, envelope_id: string) => {
  const { path, request } = (await requests[endpoint.name]?.(envelope_id)) ?? expect.fail(`no request for ${endpoint.name}`);
  return key.send(endpoint.method, path, request);
};

/** A draft with two documents; for an endpoint that needs one without, without. */
async function draftFor(key: TestKey, endpoint: Pick<Endpoint, "name">): Promise<EnvelopeId> {
  const isEmpty = endpoint.name === "attach_document";
  const { json } = await key.send("POST", "/partner/envelopes", { body: envelopeBody(isEmpty ? {} : { template_id }) });
  const { envelope_id } = json.data as { envelope_id: EnvelopeId };
  if (!isEmpty) expect((await key.send("POST", `${at(envelope_id)}/documents`, form({}, { bytes: plainPdf }))).status).toBe(201);
  return envelope_id;
}

async function send(envelope_id: string, headers: Record<string, string> = {}) {
  return org.admin("POST", `${at(envelope_id)}/send`, { body: { signers: [tenant, landlord] }, headers });
}

describe("a key with drafts:write alone", () => {
  test("has exactly these endpoints: none sends, reminds, shows a link, changes a template or touches the vault", () => {
    const own = Object.keys(requests);
    expect(ofOwnDrafts.map(({ name }) => name).sort()).toEqual(own.sort());
    expect(
      opened
        .filter((endpoint) => !ofOwnDrafts.includes(endpoint))
        .map(({ name }) => name)
        .sort(),
    ).toEqual([
      "create_envelope",
      "get_caller",
      "get_envelope",
      "get_envelope_status",
      "get_template",
      "list_envelopes",
      "list_templates",
      "upload_document",
    ]);
    expect(opened.flatMap(({ path, params }) => ("envelope_id" in params ? [] : [path])).sort()).toEqual([
      "/partner/customers/:customer_id/documents",
      "/partner/envelopes",
      "/partner/envelopes",
      "/partner/me",
      "/partner/templates",
      "/partner/templates/:template_id",
    ]);
  });

  test.each(ofOwnDrafts.map((endpoint) => [endpoint.name, endpoint] as const))(
    "%s: works on its own draft, is 403 for that of another, 404 for a missing one, and 409 once it was sent",
    async (_name, endpoint) => {
      const [own, other] = [await draftFor(agent, endpoint), await draftFor(full, endpoint)];
      const before = (await org.admin("GET", at(other))).text;
      const refused = await ask(agent, endpoint, other);
      expect([refused.status, refused.headers["x-error-code"]]).toEqual([403, "draft_of_another"]);
      expect((await org.admin("GET", at(other))).text).toBe(before);
      const foreign = await sentEnvelope(service, await service.newOrg());
      for (const missing of [newId("envelope"), foreign.envelope_id])
        expect((await ask(agent, endpoint, missing)).headers["x-error-code"]).toBe(endpoint.missing);
      const worked = await ask(agent, endpoint, own);
      expect([worked.status < 300, worked.json?.details]).toEqual([true, undefined]);
      const sent = await draftFor(agent, { name: "of two documents" });
      expect((await send(sent)).status).toBe(200);
      const late = await ask(agent, endpoint, sent);
      expect([late.status, late.headers["x-error-code"]]).toEqual([409, "envelope_wrong_status"]);
    },
  );

  test("makes drafts from templates and from uploads of customers, which show which key prepared them", async () => {
    const customer = await full.send("POST", "/partner/customers", { body: { name: "Ann", email: `${newId("user")}@example.com` } });
    const { customer_id } = customer.json.data;
    const uploaded = await agent.send("POST", `/partner/customers/${customer_id}/documents`, form({}, { bytes: leasePdf }));
    expect(uploaded.status).toBe(201);
    const made = await newEnvelope(agent, template_id);
    const byPerson = await org.admin("POST", "/partner/envelopes", { body: envelopeBody() });
    const preparedBy = async (id: string) => (await org.admin("GET", at(id))).json.data.metadata.prepared_by;
    const ofAgent = { key_id: agent.key_id, partner_name: "Partner" };
    expect(await Promise.all([uploaded.json.data.envelope_id, made, byPerson.json.data.envelope_id].map(preparedBy))).toEqual([
      ofAgent,
      ofAgent,
      null,
    ]);
  });

  test("saves its own draft as a template, which says which key made it, and changes or archives none", async () => {
    const envelope_id = await newEnvelope(agent, template_id);
    const saved = await agent.send("POST", `${at(envelope_id)}/template`, { body: { name: "Saved lease" } });
    expect([saved.status, saved.json.data.name]).toEqual([201, "Saved lease"]);
    const path = `/partner/templates/${saved.json.data.template_id}`;
    // Entries of no envelope are in the chain of the organization.
    const entries = await service.db.tx(org.org_id, (tx) => readChain(tx, org.org_id, org.org_id));
    const made = entries.filter(({ data }) => JSON.stringify(data).includes(saved.json.data.template_id));
    expect(made.map(({ entry: { type, actor } }) => [type, actor.id])).toEqual([["template.created", agent.key_id]]);
    expect(JSON.stringify(made[0]?.data), "from which draft").toContain(envelope_id);
    for (const [method, to, request] of [
      ["PATCH", path, { body: { name: "Other" } }],
      ["DELETE", path, {}],
      ["POST", `${path}/copy`, { body: { name: "Copy" } }],
      ["POST", `${path}/fields`, { body: { fields: [signature] } }],
    ] as const) {
      const { status, headers } = await agent.send(method, to, request);
      expect([to, status, headers["x-error-code"]]).toEqual([to, 403, "scope_missing"]);
    }
    expect((await full.send("GET", path)).json.data.name).toBe("Saved lease");
  });

  test("sees envelopes of others and templates, but no slug of a signer, which identifies a link", async () => {
    const { envelope_id, signers } = await sentEnvelope(service, org);
    const slug = signers[0].slug;
    expect((await full.send("GET", at(envelope_id))).text).toContain(slug);
    const reads = [at(envelope_id), `${at(envelope_id)}/status`, "/partner/envelopes?expand=recipients,signers", "/partner/templates"];
    for (const path of [...reads, `/partner/templates/${template_id}`]) {
      const { status, text } = await agent.send("GET", path);
      expect([path, status]).toEqual([path, 200]);
      expect(text).not.toContain(slug);
    }
    const both = await org.newKey({ scopes: ["drafts:write", "envelopes:read"] });
    expect((await both.send("GET", at(envelope_id))).text).toContain(slug);
  });

  test.each([
    ["POST", "/send", "envelopes:write or esign:write"],
    ["POST", "/remind", "envelopes:write or esign:write"],
    ["GET", "/signing-links", "envelopes:read"],
    ["GET", "/signers", "envelopes:read"],
    ["GET", "/document", "envelopes:read"],
  ])("is 403 for %s …%s, also for its own draft", async (method, path, scope) => {
    const envelope_id = await newEnvelope(agent, template_id);
    const { status, json } = await agent.send(method, at(envelope_id) + path, method === "GET" ? {} : { body: {} });
    expect([status, json.error]).toEqual([403, `Missing required scope: ${scope}`]);
    expect((await org.admin("GET", `${at(envelope_id)}/status`)).json.data.status).toBe("preparing");
  });

  const waiting = async () =>
    (await service.database.owner("select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'")).length;

  test.each([
    ["PATCH", "", { tags: ["late"] }],
    ["PATCH", "", { reminders: null }],
    ["POST", "/void", { reason: "x" }],
  ])("loses against a sending that commits while %s …%s waits for the envelope: %j", async (method, path, body) => {
    const envelope_id = (await newEnvelope(agent, template_id)) as EnvelopeId;
    const [answer] = await service.db.tx(org.org_id, async (tx) => {
      await moveEnvelope(tx, org.org_id, envelope_id, "send", { sent_at: tx.now, expires_at: new Date(tx.now.getTime() + 86_400_000) });
      const late = agent.send(method, at(envelope_id) + path, { body });
      await until("the change to wait", async () => (await waiting()) > 0);
      return [late] as const;
    });
    const { status, headers } = await answer;
    expect([status, headers["x-error-code"]]).toEqual([409, "envelope_wrong_status"]);
    expect((await chainOf(service, org.org_id, envelope_id)).at(-1)?.type).toBe("envelope.created");
  });

  test("changes nothing after sending, however its changes and the sending meet", async () => {
    const envelope_id = await newEnvelope(agent, template_id);
    const changes = ["a", "b", "c", "d"].map((tag) => agent.send("PATCH", at(envelope_id), { body: { tags: [tag] } }));
    // Tags alone do not stop a sending.
    const [sending] = await Promise.all([send(envelope_id), ...changes]);
    expect(sending.status).toBe(200);
    const late = await Promise.all([
      agent.send("PATCH", at(envelope_id), { body: { tags: ["late"] } }),
      agent.send("PATCH", at(envelope_id), { body: { owner_user_id: org.user_id } }),
      agent.send("PATCH", at(envelope_id), { body: { reminders: null } }),
      agent.send("PATCH", at(envelope_id), { body: { expires_at: new Date(Date.now() + 86_400_000).toISOString() } }),
      agent.send("POST", `${at(envelope_id)}/void`, { body: { reason: "x" } }),
    ]);
    expect(late.map(({ headers }) => headers["x-error-code"])).toEqual(late.map(() => "envelope_wrong_status"));
    const chain = await chainOf(service, org.org_id, envelope_id as EnvelopeId);
    const sent = chain.findIndex(({ type }) => type === "envelope.sent");
    expect(sent).toBeGreaterThan(0);
    expect(chain.slice(sent).filter(({ actor }) => actor.id === agent.key_id)).toEqual([]);
  });
});

describe("a person who reviewed a draft and sends it with its ETag", () => {
  const changes: Record<string, (envelope_id: string) => Promise<unknown>> = {
    "the name": (id) => agent.send("PATCH", at(id), { body: { envelope_name: "Other" } }),
    recipients: (id) => agent.send("PATCH", at(id), { body: { signers: [{ ...tenant, email: "eve@example.com" }, landlord] } }),
    "the message": (id) => agent.send("PATCH", at(id), { body: { message: "Sign quickly" } }),
    "a prefilled value": (id) => agent.send("PATCH", at(id), { body: { prefilled_data: { "Tenant name": "Eve" } } }),
    tags: (id) => agent.send("PATCH", at(id), { body: { tags: ["urgent"] } }),
    "a field": (id) => agent.send("POST", `${at(id)}/fields`, { body: { fields: [signature] } }),
    "all fields": (id) => agent.send("PUT", `${at(id)}/fields`, { body: { fields: [signature] } }),
    "an added document": (id) => agent.send("POST", `${at(id)}/documents`, form({}, { bytes: plainPdf })),
    "a replaced file": async (id) => agent.send("PUT", `${at(id)}/documents/${await documentOf(id)}/file`, form({}, { bytes: plainPdf })),
    "the name of a document": async (id) => agent.send("PATCH", `${at(id)}/documents/${await documentOf(id)}`, { body: { name: "Other" } }),
  };

  test.each(Object.entries(changes))("is refused with 412 if the key changed %s since", async (_what, change) => {
    const envelope_id = await newEnvelope(agent, template_id);
    const { headers } = await org.admin("GET", at(envelope_id));
    const changed = (await change(envelope_id)) as Awaited<ReturnType<typeof send>>;
    expect([changed.status < 300, changed.json.details]).toEqual([true, undefined]);
    const refused = await send(envelope_id, { "if-match": headers.etag as string });
    expect([refused.status, refused.headers["x-error-code"]]).toEqual([412, "precondition_failed"]);
    const now = await org.admin("GET", at(envelope_id));
    expect(["uploaded", "preparing"]).toContain(now.json.data.status);
    expect((await send(envelope_id, { "if-match": now.headers.etag as string })).status).toBe(200);
  });
});
