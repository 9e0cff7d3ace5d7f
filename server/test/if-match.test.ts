import { describe, expect, test } from "vitest";
import { findStatus, updateEnvelope } from "../src/envelopes/store.ts";
import type { Endpoint } from "../src/http/endpoint.ts";
import { declaredEndpoints } from "../src/main.ts";
import { type EnvelopeId, newId } from "../src/shared/ids.ts";
import { newSlug } from "../src/shared/slugs.ts";
import type { Answer, Send } from "./client.ts";
import { page, sentEnvelope, tokenFor } from "./envelopes.ts";
import { newForm } from "./forms.ts";
import { landlord, newEnvelope, newTemplate, tenant } from "./lease.ts";
import { newPersonSession } from "./people.ts";
import { newSandbox } from "./sandboxes.ts";
import { type TestOrg, testService } from "./service.ts";

const service = testService();
const writes = declaredEndpoints().filter(({ method }) => method !== "GET");
const called = ({ method, path }: Endpoint) => `${method} ${path}`;
const refusals = writes.filter(({ ifMatch }) => !ifMatch);

/** A record of an organization: where it is read, and a change that can be repeated. */
interface Conditional {
  readonly at: string;
  readonly path: string;
  readonly body: object;
}

async function draft(org: TestOrg): Promise<string> {
  const key = await org.newKey();
  return newEnvelope(key, await newTemplate(key));
}

/** Every write that supports If-Match. */
const conditional: Record<string, (org: TestOrg) => Promise<Conditional>> = {
  "PATCH /partner/envelopes/:envelope_id": async (org) => {
    const at = `/partner/envelopes/${await draft(org)}`;
    return { at, path: at, body: { envelope_name: "Lease of the garage" } };
  },
  "POST /partner/envelopes/:envelope_id/send": async (org) => {
    const at = `/partner/envelopes/${await draft(org)}`;
    return { at, path: `${at}/send`, body: { signers: [tenant, landlord] } };
  },
  "PATCH /partner/envelopes/:envelope_id/documents/:document_id": async (org) => {
    const at = `/partner/envelopes/${await draft(org)}/documents`;
    const { document_id } = (await org.admin("GET", at)).json.data.documents[0];
    return { at, path: `${at}/${document_id}`, body: { name: "Lease of the garage" } };
  },
  "PATCH /partner/customers/:customer_id": async (org) => {
    const { json } = await org.admin("POST", "/partner/customers", { body: { name: "Ann" } });
    const at = `/partner/customers/${json.data.customer_id}`;
    return { at, path: at, body: { name: "Anna" } };
  },
  "PATCH /partners/keys/:key_id": async (org) => {
    const at = `/partners/keys/${(await org.newKey()).key_id}`;
    return { at, path: at, body: { partner_name: "Billing" } };
  },
  "PATCH /webhooks/endpoints/:endpoint_id": async (org) => {
    const { json } = await org.admin("POST", "/webhooks/endpoints", { body: { url: "https://example.com/hooks" } });
    const at = `/webhooks/endpoints/${json.data.endpoint_id}`;
    return { at, path: at, body: { description: "Orders" } };
  },
  "PATCH /partner/parties/:party_id": async (org) => {
    const { json } = await org.admin("POST", "/partner/parties", { body: { kind: "people", name: "First Example Bank" } });
    const at = `/partner/parties/${json.data.party_id}`;
    return { at, path: at, body: { name: "Second Example Bank" } };
  },
  "PATCH /partner/forms/:form_id": async (org) => {
    const at = `/partner/forms/${(await newForm(org)).form_id}`;
    return { at, path: at, body: { name: "Trip" } };
  },
  "PATCH /partner/templates/:template_id": async (org) => {
    const at = `/partner/templates/${await newTemplate(await org.newKey())}`;
    return { at, path: at, body: { name: "Lease of the garage" } };
  },
  "PATCH /org/security": async () => ({ at: "/org/security", path: "/org/security", body: { max_hours: 100 } }),
  "PATCH /org/settings": async () => ({ at: "/org/settings", path: "/org/settings", body: { name: "Acme and Sons" } }),
};

const methodOf = (name: string): string => name.split(" ", 1)[0] ?? "";
const tagOf = async (org: TestOrg, at: string): Promise<string> => (await org.admin("GET", at)).headers.etag ?? expect.fail("no ETag");
const codeOf = ({ status, json }: Answer) => [status, json?.details?.[0]];
const place = { location: "header", field: "If-Match" };

describe("If-Match", () => {
  test("is supported only by changes of single records and by sending", () => {
    const takers = writes.filter(({ ifMatch }) => ifMatch).map(called);
    expect(takers.sort()).toEqual(Object.keys(conditional).sort());
  });

  test.each(refusals.map((endpoint) => [called(endpoint), endpoint] as const))("on %s is 422, never ignored", async (_name, endpoint) => {
    const org = await service.newOrg();
    const envelope_id = (await sentEnvelope(service, org)).envelope_id;
    const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => {
      const kind = endpoint.params[name] ?? expect.fail(`no parameter ${name}`);
      if (name === "envelope_id") return envelope_id;
      if (kind === "slug") return newSlug();
      return kind === "number" ? "1" : kind === "tag" ? "tag" : newId(kind);
    });
    const send = await callerOf(endpoint, org, envelope_id);
    const answer = await send(endpoint.method, path, { headers: { "if-match": '"x"' } });
    expect(codeOf(answer)).toEqual([422, expect.objectContaining({ ...place, code: "invalid_value" })]);
  });

  test.each(Object.entries(conditional))("%s succeeds on the state that was read, and is 412 on any other", async (name, make) => {
    const org = await service.newOrg();
    const { at, path, body } = await make(org);
    const change = (tag: string) => org.admin(methodOf(name), path, { body, headers: { "if-match": tag } });
    const tag = await tagOf(org, at);
    const before = await org.admin("GET", at);
    for (const other of ['"stale"', `W/${tag}`]) {
      expect(codeOf(await change(other)), other).toEqual([412, expect.objectContaining({ ...place, code: "precondition_failed" })]);
    }
    expect((await org.admin("GET", at)).text, "nothing was changed").toBe(before.text);
    for (const wrong of ["*", "x", '"a" "b"', "", `${tag},`]) {
      expect(codeOf(await change(wrong)), wrong).toEqual([422, expect.objectContaining({ ...place, code: "invalid_format" })]);
    }
    expect((await change(`"another", ${tag}`)).status).toBe(200);
    expect((await change(tag)).status, "the state that was read no longer exists").toBe(412);
  });

  const ofRecords = Object.entries(conditional).filter(([name]) => name.includes(":"));
  test.each(ofRecords)("%s refuses in the order 422, 404, 412", async (name, make) => {
    const [mine, theirs] = [await service.newOrg(), await service.newOrg()];
    const { path, body } = await make(theirs);
    const stale = { "if-match": '"stale"' };
    const invalid = { body: { envelope_name: 1, signers: 1, name: 1, partner_name: 1, description: 1 } };
    expect((await mine.admin(methodOf(name), path, { ...invalid, headers: stale })).status).toBe(422);
    expect((await mine.admin(methodOf(name), path, { body, headers: { "if-match": "*" } })).status).toBe(422);
    expect((await mine.admin(methodOf(name), path, { body, headers: stale })).status, "a foreign record").toBe(404);
    expect((await theirs.admin(methodOf(name), path, { ...invalid, headers: stale })).status).toBe(422);
    expect((await theirs.admin(methodOf(name), path, { body, headers: stale })).status).toBe(412);
  });

  test("for an envelope that was sent in the meantime is 412, and with its new ETag 409", async () => {
    const org = await service.newOrg();
    const at = `/partner/envelopes/${await draft(org)}`;
    const read = await tagOf(org, at);
    await org.admin("POST", `${at}/send`, { body: {} });
    const change = (tag: string) => org.admin("PATCH", at, { body: { envelope_name: "x" }, headers: { "if-match": tag } });
    const send = (tag: string) => org.admin("POST", `${at}/send`, { body: {}, headers: { "if-match": tag } });
    expect([(await change(read)).status, (await send(read)).status]).toEqual([412, 412]);
    const now = await tagOf(org, at);
    expect([(await change(now)).status, (await send(now)).status]).toEqual([409, 409]);
  });

  test("for a key that was deactivated in the meantime is 412, and with its new ETag 409", async () => {
    const org = await service.newOrg();
    const at = `/partners/keys/${(await org.newKey()).key_id}`;
    const read = await tagOf(org, at);
    await org.admin("DELETE", at);
    const change = (tag: string) => org.admin("PATCH", at, { body: { partner_name: "x" }, headers: { "if-match": tag } });
    expect((await change(read)).status).toBe(412);
    expect((await change(await tagOf(org, at))).status).toBe(409);
  });

  test("with another customer's client_id is 412 before 409", async () => {
    const org = await service.newOrg();
    await org.admin("POST", "/partner/customers", { body: { client_id: "taken" } });
    const { json } = await org.admin("POST", "/partner/customers", { body: { name: "Ann" } });
    const at = `/partner/customers/${json.data.customer_id}`;
    const change = (tag: string) => org.admin("PATCH", at, { body: { client_id: "taken" }, headers: { "if-match": tag } });
    expect((await change('"stale"')).status).toBe(412);
    expect((await change(await tagOf(org, at))).status).toBe(409);
  });

  test("with a custodian who is not a member is 422 before 412", async () => {
    const org = await service.newOrg();
    const body = { default_custodian_user_id: newId("user") };
    expect((await org.admin("PATCH", "/org/settings", { body, headers: { "if-match": '"stale"' } })).status).toBe(422);
  });

  test.each(Object.entries(conditional))("of 8 racers for %s one wins, and the others are 412", async (name, make) => {
    const org = await service.newOrg();
    const { at, path, body } = await make(org);
    const headers = { "if-match": await tagOf(org, at) };
    const answers = await Promise.all(Array.from({ length: 8 }, () => org.admin(methodOf(name), path, { body, headers })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(412)]);
  });

  test("fields that were placed after the envelope was read make sending it 412", async () => {
    const org = await service.newOrg();
    const at = `/partner/envelopes/${await draft(org)}`;
    const headers = { "if-match": await tagOf(org, at) };
    const field = {
      name: "Initials",
      type: "initials",
      role: "Tenant",
      placement: { mode: "absolute", areas: [{ page: 1, x: 0.1, y: 0.1, w: 0.1, h: 0.05 }] },
    };
    const placed = await org.admin("POST", `${at}/fields`, { body: { fields: [field] } });
    expect([placed.status, placed.json.details]).toEqual([200, undefined]);
    expect((await org.admin("POST", `${at}/send`, { body: {}, headers })).status).toBe(412);
  });

  test("does not prevent a repeat: the same Idempotency-Key gets the first response, even with a newer ETag", async () => {
    const org = await service.newOrg();
    const at = `/partner/envelopes/${await draft(org)}`;
    const send = (tag: string) => org.admin("POST", `${at}/send`, { body: {}, headers: { "idempotency-key": "send-1", "if-match": tag } });
    expect((await send('"stale"')).status, "a refusal is not stored").toBe(412);
    const read = await tagOf(org, at);
    const first = await send(read);
    expect(first.status).toBe(200);
    for (const tag of [read, await tagOf(org, at)]) {
      const again = await send(tag);
      expect([again.status, again.text, again.headers["idempotent-replayed"]]).toEqual([200, first.text, "true"]);
    }
  });
});

async function callerOf({ access, testOnly }: Endpoint, org: TestOrg, envelope_id: EnvelopeId): Promise<Send> {
  if (access === "anyone") return service.send;
  if ("person" in access) return newPersonSession(service);
  if (testOnly) return (await newSandbox(service, org)).admin;
  if (!("widget" in access)) return org.admin;
  await service.database.owner("update envelopes set status = $2, vault_file_path = 'x' where envelope_id = $1", [
    envelope_id,
    access.widget === "vault" ? "vaulted" : "sent",
  ]);
  return page(service, await tokenFor(org, envelope_id, "ann@example.com", access.widget));
}

test("two changes of an envelope never have the same time, even in one millisecond", async () => {
  const org = await service.newOrg();
  const envelope_id = (await draft(org)) as EnvelopeId;
  const times = await service.db.tx(org.org_id, async (tx) => {
    const found: number[] = [];
    for (let n = 0; n < 3; n++) {
      await updateEnvelope(tx, org.org_id, envelope_id, {});
      found.push((await findStatus(tx, org.org_id, envelope_id)).updated_at.getTime());
    }
    return found;
  });
  expect(new Set(times).size).toBe(3);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
});
