import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Answer } from "../../test/client.ts";
import { newApp } from "../../test/factors.ts";
import { mailTo } from "../../test/mail.ts";
import { type NameServer, startNameServer } from "../../test/name-server.ts";
import { type TestOrg, testService } from "../../test/service.ts";
import { proveDomain } from "../../test/sso.ts";
import { makeResolveTexts } from "../outbound/name-resolver.ts";
import { checkDomains } from "./check-domains.ts";

const service = testService({ SMTP_URL: "smtp://127.0.0.1:1" });
let names: NameServer;
let made = 0;
const newDomain = () => `harbor${++made}.example`;
const problemOf = ({ status, headers }: Answer): [number, string] => [status, headers["x-error-code"] ?? ""];
const add = (org: TestOrg, domain: string) => org.admin("POST", "/org/domains", { body: { domain } });
const domainOf = async (org: TestOrg) => (await org.admin("GET", "/org/domains")).json.data.domains[0];
const entriesOf = async (org: TestOrg, type: string) =>
  (await org.admin("GET", `/org/audit-trail?type=${type}`)).json.data.map(({ data }: { data: object }) => data);
const noticesTo = async ({ org_id }: TestOrg) =>
  (
    await service.database.owner<{ kind: string }>(
      "select payload->>'kind' as kind from outbox where payload->>'org_id' = $1 and payload ? 'kind' order by 1",
      [org_id],
    )
  ).map(({ kind }) => kind);

beforeAll(async () => {
  names = await startNameServer();
  Object.assign(service.features.orgs, { resolveTexts: makeResolveTexts([names.address]) });
});
afterAll(() => names.close());

describe("a domain", () => {
  test("is proved by its TXT record, and then belongs to one organization", async () => {
    const [org, other] = [await service.newOrg(), await service.newOrg()];
    const domain = newDomain();
    const added = await add(org, domain.toUpperCase());
    expect([added.status, added.json.data]).toEqual([
      201,
      {
        domain_id: expect.stringMatching(/^dom_/),
        domain,
        record_name: `_countersign-challenge.${domain}`,
        record_value: expect.stringMatching(/^[\w-]{43}$/),
        verified_at: null,
        method: null,
        last_seen_at: null,
        failing_since: null,
        mailed_to: null,
        created_at: expect.any(String),
      },
    ]);
    const { domain_id, record_name, record_value } = added.json.data;
    const theirs = await add(other, domain);
    const verify = (one: TestOrg, id: string) => one.admin("POST", `/org/domains/${id}/verify`, { body: { method: "dns" } });
    expect(problemOf(await verify(org, domain_id))).toEqual([409, "domain_not_proven"]);
    names.fail(true);
    expect(problemOf(await verify(org, domain_id))).toEqual([502, "name_servers_away"]);
    names.fail(false);
    names.setTexts(record_name, [record_value, theirs.json.data.record_value]);
    const verified = await verify(org, domain_id);
    expect([verified.status, verified.json.data]).toEqual([
      200,
      expect.objectContaining({ method: "dns", verified_at: expect.any(String) }),
    ]);
    expect(problemOf(await verify(other, theirs.json.data.domain_id))).toEqual([409, "domain_taken"]);
    expect(problemOf(await add(await service.newOrg(), domain))).toEqual([409, "domain_taken"]);
    await org.admin("DELETE", `/org/domains/${domain_id}`);
    expect((await verify(other, theirs.json.data.domain_id)).status).toBe(200);
    expect([await entriesOf(org, "domain.verified"), await entriesOf(org, "domain.removed")]).toEqual([
      [expect.objectContaining({ domain_id, domain, method: "dns" })],
      [expect.objectContaining({ domain_id, domain })],
    ]);
  });

  test.each(["gmail.com", "co.uk", "localhost", "no domain", "-a.example", "10.0.0.1"])("cannot be %s", async (domain) => {
    const { status, json } = await add(await service.newOrg(), domain);
    expect([status, json.details[0].field]).toEqual([422, "domain"]);
  });

  test("is there once, and needs the permission to manage security", async () => {
    const org = await service.newOrg();
    const domain = newDomain();
    await add(org, domain);
    expect(problemOf(await add(org, domain))).toEqual([409, "domain_exists"]);
    await service.database.owner("update members set role = 'viewer' where org_id = $1", [org.org_id]);
    expect(problemOf(await org.admin("GET", "/org/domains"))).toEqual([403, "insufficient_permission"]);
  });

  test("whose record is missing is reported at once, and stops counting after 30 days", async () => {
    const org = await service.newOrg();
    const domain = newDomain();
    const domain_id = await proveDomain(names, org, domain);
    await checkDomains(service.features.orgs);
    expect((await domainOf(org)).failing_since).toBeNull();
    names.setTexts(`_countersign-challenge.${domain}`, ["other"]);
    names.fail(true);
    await checkDomains(service.features.orgs);
    expect((await domainOf(org)).failing_since).toBeNull();
    names.fail(false);
    await checkDomains(service.features.orgs);
    await checkDomains(service.features.orgs);
    expect([(await domainOf(org)).failing_since, await noticesTo(org)]).toEqual([expect.any(String), ["domain_failing"]]);
    await service.database.owner("update org_domains set failing_since = now() - interval '29 days 23 hours' where domain_id = $1", [
      domain_id,
    ]);
    await checkDomains(service.features.orgs);
    expect((await domainOf(org)).verified_at).not.toBeNull();
    await service.database.owner("update org_domains set failing_since = now() - interval '30 days 1 hour' where domain_id = $1", [
      domain_id,
    ]);
    await checkDomains(service.features.orgs);
    expect([(await domainOf(org)).verified_at, await noticesTo(org)]).toEqual([null, ["domain_failing", "domain_lost"]]);
    expect(await entriesOf(org, "domain.lost")).toHaveLength(1);
  });
});

test("a mailed link proves a domain once, without a session", async () => {
  const org = await service.newOrg();
  const domain = newDomain();
  const { domain_id } = (await add(org, domain)).json.data;
  const ask = (body: object) => org.admin("POST", `/org/domains/${domain_id}/verify`, { body });
  expect((await ask({ method: "mail" })).json.details[0]).toEqual(expect.objectContaining({ field: "mailbox", code: "required" }));
  expect((await ask({ method: "mail", mailbox: "ceo" })).status).toBe(422);
  expect((await ask({ method: "mail", mailbox: "postmaster" })).json.data.mailed_to).toBe(`postmaster@${domain}`);
  const [mail] = await mailTo(service, `postmaster@${domain}`, "domain_proof");
  const token = /#token=([\w-]+)/.exec(mail?.text ?? "")?.[1] ?? "";
  const confirm = () => service.send("POST", "/org/domains/confirm", { body: { token } });
  const confirmed = await confirm();
  expect([confirmed.status, confirmed.json.data.domain]).toEqual([200, domain]);
  expect(problemOf(await confirm())).toEqual([422, "invalid_link"]);
  expect((await domainOf(org)).method).toBe("mail");
  expect(problemOf(await ask({ method: "mail", mailbox: "admin" }))).toEqual([409, "domain_verified"]);
});

test("the factors of a member of several organizations can be reset by the one that has verified the domain of the address", async () => {
  const [org, other] = [await service.newOrg(), await service.newOrg()];
  const domain = newDomain();
  await service.database.owner("update users set email = $2 where user_id = $1", [other.user_id, `ann@${domain}`]);
  await newApp(service, other.admin);
  await service.database.owner("insert into members (org_id, user_id, role) values ($1, $2, 'member')", [org.org_id, other.user_id]);
  const reset = () => org.admin("POST", `/org/members/${other.user_id}/reset-factors`, { body: { reason: "Lost phone" } });
  expect(problemOf(await reset())).toEqual([409, "operator_only"]);
  await proveDomain(names, org, domain);
  expect((await reset()).status).toBe(202);
});
