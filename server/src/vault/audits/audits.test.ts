import { beforeAll, describe, expect, test } from "vitest";
import { unzipBundle, verifyBundle } from "../../../../verify/src/index.ts";
import type { Send } from "../../../test/client.ts";
import { chainOf, sentEnvelope } from "../../../test/envelopes.ts";
import { logInWithCode, peopleService } from "../../../test/people.ts";
import type { TestKey, TestOrg } from "../../../test/service.ts";
import { type Vaulted, vaultedByPipeline, vaultedCopies, vaultedCopy } from "../../../test/vaulted.ts";
import { type EnvelopeId, newId } from "../../shared/ids.ts";

const { service, peer } = await peopleService();

let org: TestOrg;
let key: TestKey;
let auditor: Auditor;
beforeAll(async () => {
  org = await service.newOrg("Acme Leasing");
  key = await org.newKey();
  auditor = await newAuditor();
});

interface Auditor {
  readonly party_id: string;
  readonly person_id: string;
  readonly email: string;
  readonly send: Send;
}

async function newAuditor(rights = "view"): Promise<Auditor> {
  const email = `${newId("person")}@audit.example`;
  const people = [
    { email, name: "Ann", rights },
    { email: `other-${email}`, name: "Ben", rights: "approve" },
  ];
  const { json } = await key.send("POST", "/partner/parties", { body: { kind: "people", name: "Example Auditors", people } });
  const { party_id } = json.data;
  const { person_id } = json.data.people.find((one: { email: string }) => one.email === email);
  return { party_id, person_id, email, send: await logInWithCode(service, peer, email) };
}

const IN_A_MONTH = new Date(Date.now() + 30 * 86_400_000).toISOString();
const grant = (which: object, send: Send = key.send, party_id = auditor.party_id) =>
  send("POST", "/partner/audit-grants", { body: { party_id, may_download: false, until: IN_A_MONTH, ...which } });

async function granted(which: object, party_id?: string): Promise<string> {
  const { status, json } = await grant(which, key.send, party_id);
  expect([status, json.error]).toEqual([201, undefined]);
  return json.data.grant_id;
}

const audited = async ({ send }: Auditor = auditor): Promise<string[]> =>
  (await send("GET", "records")).json.data.map(({ envelope_id, held_as }: Record<string, string>) => {
    expect(held_as).toBe("audit");
    return envelope_id;
  });
const accessesOf = async (envelope_id: EnvelopeId) =>
  (await chainOf(service, org.org_id, envelope_id)).filter(({ type }) => type === "vault.document.accessed");

describe("an audit grant", () => {
  test("shows its records at /p/ with their checks; every view is an entry of the person in the chain, and nothing is downloaded", async () => {
    const { envelope_id } = await vaultedCopy(service, org);
    const envelope = await vaultedByPipeline(service, org);
    const grant_id = await granted({ envelope_ids: [envelope] });
    expect(await audited()).toEqual([envelope]);
    const { status, json } = await auditor.send("GET", `records/${envelope}`);
    expect(status).toBe(200);
    expect(json.data).toMatchObject({ envelope_id: envelope, org_name: "Acme Leasing", state: "active", may_download: false });
    expect(json.data.compliance.checks.map(({ grade }: { grade: string }) => grade)).toHaveLength(8);
    for (const file of ["copy", "certificate", "evidence"]) {
      const refused = await auditor.send("GET", `records/${envelope}/${file}`);
      expect([refused.status, refused.headers["x-error-code"]]).toEqual([403, "download_not_granted"]);
    }
    const entries = await accessesOf(envelope);
    expect(entries.map(({ actor, data }) => [actor, data.what, data.by, data.party_id, data.grant_id])).toEqual([
      [{ kind: "person", id: auditor.person_id }, "record", auditor.email, auditor.party_id, grant_id],
    ]);
    expect((await auditor.send("GET", `records/${envelope_id}`)).status, "a record outside the grant").toBe(404);
    expect((await key.send("GET", `/partner/envelopes/${envelope}/vault/access-log`)).json.data[0].data.by).toBe(auditor.email);
  });

  test("with may_download hands out the marked copy, the certificate and a bundle that verifies, each recorded first", async () => {
    const envelope_id = await vaultedByPipeline(service, org);
    const one = await newAuditor("approve");
    await granted({ envelope_ids: [envelope_id], may_download: true }, one.party_id);
    const files = [];
    for (const file of ["copy", "certificate", "evidence"]) files.push(await one.send("GET", `records/${envelope_id}/${file}`));
    expect(files.map(({ status, headers }) => [status, headers["content-type"]])).toEqual([
      [200, "application/pdf"],
      [200, "application/pdf"],
      [200, "application/zip"],
    ]);
    const inside = unzipBundle((files[2] as { bytes: Uint8Array }).bytes);
    const { steps } = await verifyBundle(() => inside, { root: null, tsa_roots: null });
    expect(steps.filter(({ passed }) => !passed)).toEqual([]);
    expect((await accessesOf(envelope_id)).map(({ actor, data }) => [actor.id, data.what])).toEqual([
      [one.person_id, "copy"],
      [one.person_id, "certificate"],
      [one.person_id, "evidence"],
    ]);
  });

  test("by a filter covers what matches at the moment of looking", async () => {
    const one = await newAuditor();
    const [first, second] = (await vaultedCopies(service, org, 2)) as [Vaulted, Vaulted];
    const name = (external_id: string, { envelope_id }: Vaulted) =>
      service.database.owner("update envelopes set external_id = $1 where envelope_id = $2", [external_id, envelope_id]);
    await name("loan-1", first);
    await granted({ filter: { external_ids: ["loan-1", "loan-2"] } }, one.party_id);
    expect(await audited(one)).toEqual([first.envelope_id]);
    await name("loan-2", second);
    expect(new Set(await audited(one))).toEqual(new Set([first.envelope_id, second.envelope_id]));
    await granted({ filter: { controller_party_id: auditor.party_id, external_ids: ["loan-1"] } }, one.party_id);
    expect(await audited(one)).toHaveLength(2);
  });

  const endings: Record<string, (of: Auditor, grant_id: string) => Promise<unknown>> = {
    "at its time": (_of, grant_id) =>
      service.database.owner("update audit_grants set until = now() - interval '1 second' where grant_id = $1", [grant_id]),
    "when it is revoked": (_of, grant_id) => key.send("DELETE", `/partner/audit-grants/${grant_id}`),
    "when the person is removed from the party": ({ party_id, person_id }) =>
      // The party itself decides about its people once an approver has logged in; here none has.
      key.send("DELETE", `/partner/parties/${party_id}/people/${person_id}`),
  };
  test.each(Object.entries(endings))("ends %s: its records are then missing for the person", async (_when, end) => {
    const one = await newAuditor();
    const { envelope_id } = await vaultedCopy(service, org);
    const grant_id = await granted({ envelope_ids: [envelope_id], may_download: true }, one.party_id);
    expect(await audited(one)).toEqual([envelope_id]);
    await end(one, grant_id);
    expect(await audited(one)).toEqual([]);
    const missing = await one.send("GET", `records/${newId("envelope")}`);
    for (const path of ["", "/copy", "/certificate", "/evidence"]) {
      const { status, text } = await one.send("GET", `records/${envelope_id}${path}`);
      expect([status, text]).toEqual([404, missing.text]);
    }
    expect(await accessesOf(envelope_id)).toEqual([]);
  });

  test("is listed with its state, and revoked once with one entry", async () => {
    const one = await newAuditor();
    const { envelope_id } = await vaultedCopy(service, org);
    const grant_id = await granted({ envelope_ids: [envelope_id] }, one.party_id);
    const of = `/partner/audit-grants?party_id=${one.party_id}`;
    expect((await key.send("GET", of)).json.data).toMatchObject([{ grant_id, state: "active", envelope_ids: [envelope_id] }]);
    for (const _time of [1, 2]) expect((await key.send("DELETE", `/partner/audit-grants/${grant_id}`)).json.data.state).toBe("revoked");
    const trail = (await org.admin("GET", "/org/audit-trail")).json.data as { type: string; data: { grant_id?: string } }[];
    const entries = trail.filter(({ data }) => data.grant_id === grant_id);
    expect(entries.map(({ type }) => type)).toEqual(["audit_grant.revoked", "audit_grant.created"]);
  });

  test("names records of the organization that are vaulted; another organization's look like missing ones", async () => {
    const theirs = await service.newOrg();
    const foreign = (await vaultedCopy(service, theirs)).envelope_id;
    const unvaulted = (await sentEnvelope(service, org)).envelope_id;
    const answers = [];
    for (const id of [foreign, newId("envelope"), unvaulted]) answers.push(await grant({ envelope_ids: [id] }));
    expect(answers.map(({ status }) => status)).toEqual([422, 422, 422]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    const { envelope_id } = await vaultedCopy(service, org);
    const outside = await theirs.newKey();
    expect((await grant({ envelope_ids: [foreign] }, outside.send)).status, "another organization's party").toBe(404);
    const wrong: [object, string][] = [
      [{}, "envelope_ids"],
      [{ envelope_ids: [envelope_id], filter: { customer_id: "x" } }, "envelope_ids"],
      [{ filter: {} }, "filter"],
      [{ envelope_ids: [envelope_id], until: "2020-01-01T00:00:00.000Z" }, "until"],
    ];
    for (const [which, field] of wrong) {
      const { status, json } = await grant(which);
      expect([status, json.details[0].field]).toEqual([422, field]);
    }
  });
});
