import { describe, expect, test } from "vitest";
import { client } from "../../test/client.ts";
import { type TestOrg, testService } from "../../test/service.ts";
import { DAY_MS, HOUR_MS } from "../shared/durations.ts";
import { reportRefusals } from "./report-refusals.ts";
import { warnExpiry } from "./warn-expiry.ts";

const service = testService({ TRUST_PROXY_HOPS: "1" });

const OFFICE = "203.0.113.7";
const ELSEWHERE = "198.51.100.9";
const from = (api_key: string, address: string, agent = "billing/1") =>
  client(service.url, { "x-api-key": api_key, "x-forwarded-for": address, "user-agent": agent });
const ahead = (ms: number) => new Date(Date.now() + ms).toISOString();
const create = async ({ admin }: TestOrg, limits: object) => {
  const body = { partner_name: "Acme", scopes: ["envelopes:read"], ...limits };
  const { status, json } = await admin("POST", "/partners/keys", { body });
  expect(status).toBe(201);
  return json.data;
};
const end = (key_id: string) =>
  service.database.owner("update api_keys set expires_at = now() - interval '1 second' where key_id = $1", [key_id]);
/** Makes refusals as old as a job finds them. */
const minutePassed = () => service.database.owner("update key_refusals set minute = minute - interval '2 minutes'");
const refusalsOf = async ({ admin }: TestOrg) =>
  (await admin("GET", "/org/audit-trail?type=key.refused")).json.data.map(({ data }: { data: object }) => data);
const mailsOf = async ({ org_id }: TestOrg) =>
  (
    await service.database.owner<{ subject: string }>(
      "select payload ->> 'subject' as subject from outbox where task = 'orgs.notify-admins' and payload ->> 'org_id' = $1 order by outbox_id",
      [org_id],
    )
  ).map(({ subject }) => subject);

describe("a key with an expiry", () => {
  test("works until then, says so in each response, and is refused like an unknown key afterwards", async () => {
    const org = await service.newOrg();
    const expires_at = ahead(3 * DAY_MS);
    const { api_key, key_id, ...key } = await create(org, { expires_at });
    expect(key).toMatchObject({ expires_at, status: "active" });
    const answer = await from(api_key, OFFICE)("GET", "/partner/envelopes");
    expect(answer.status).toBe(200);
    expect(answer.headers["x-api-key-expires"]).toBe(expires_at);
    await end(key_id);
    const refused = await from(api_key, OFFICE)("GET", "/partner/envelopes");
    const unknown = await from(`lk_${"0".repeat(40)}`, OFFICE)("GET", "/partner/envelopes");
    expect(refused.status).toBe(401);
    expect(refused.json).toEqual(unknown.json);
    expect((await org.admin("GET", `/partners/keys/${key_id}`)).json.data.status).toBe("expired");
    const again = await org.admin("PATCH", `/partners/keys/${key_id}`, { body: { expires_at: null } });
    expect(again.json.data).toMatchObject({ expires_at: null, status: "active" });
    expect((await from(api_key, OFFICE)("GET", "/partner/envelopes")).status).toBe(200);
  });

  test.each([
    ["half an hour ahead", HOUR_MS / 2],
    ["in the past", -DAY_MS],
    ["six years ahead", 6 * 366 * DAY_MS],
  ])("cannot end %s", async (_, ms) => {
    const { admin } = await service.newOrg();
    const body = { partner_name: "Acme", scopes: ["envelopes:read"], expires_at: ahead(ms) };
    const { status, json } = await admin("POST", "/partners/keys", { body });
    expect([status, json.details[0].field, json.details[0].code]).toEqual([422, "expires_at", "out_of_range"]);
  });

  test("is announced to the admins 30 days, 7 days and 1 day before, once each, and anew after a change", async () => {
    const org = await service.newOrg();
    const { key_id } = await create(org, { expires_at: ahead(29.5 * DAY_MS) });
    await create(org, {});
    const leave = (days: number) =>
      service.database.owner("update api_keys set expires_at = now() + $2::float8 * interval '1 day' where key_id = $1", [key_id, days]);
    const warn = async () => {
      await warnExpiry(service.features.keys);
      return mailsOf(org);
    };
    const first = "The API key Acme expires in 30 days";
    expect(await warn()).toEqual([first]);
    expect(await warn()).toEqual([first]);
    await leave(8);
    expect(await warn()).toEqual([first]);
    await leave(6.5);
    expect(await warn()).toHaveLength(2);
    await leave(0.5);
    expect((await warn())[2]).toBe("The API key Acme expires within a day");
    expect(await warn()).toHaveLength(3);
    await org.admin("PATCH", `/partners/keys/${key_id}`, { body: { expires_at: ahead(20 * DAY_MS) } });
    expect((await warn())[3]).toBe("The API key Acme expires in 20 days");
  });
});

describe("a key with addresses", () => {
  test("works from these alone, in both forms of addresses", async () => {
    const org = await service.newOrg();
    const { api_key, allowed_cidrs } = await create(org, { allowed_cidrs: ["203.0.113.0/24", " 2001:db8::/32 ", "192.0.2.1"] });
    expect(allowed_cidrs).toEqual(["203.0.113.0/24", "2001:db8::/32", "192.0.2.1/32"]);
    const statusFrom = async (address: string) => (await from(api_key, address)("GET", "/partner/envelopes")).status;
    expect(await statusFrom(OFFICE)).toBe(200);
    expect(await statusFrom("::ffff:203.0.113.8")).toBe(200);
    expect(await statusFrom("::ffff:cb00:7108")).toBe(200);
    expect(await statusFrom("2001:db8:1::5")).toBe(200);
    expect(await statusFrom("192.0.2.1")).toBe(200);
    expect(await statusFrom("192.0.2.2")).toBe(401);
    expect(await statusFrom("2001:db9::1")).toBe(401);
    expect(await statusFrom("fe80::1%eth0"), "the form in which Node names a neighbour").toBe(401);
    expect(await statusFrom(ELSEWHERE)).toBe(401);
  });

  test.each([
    ["the address of an office, which the caller wrote before the one that the proxy adds", `${OFFICE}, ${ELSEWHERE}`],
    ["the same without spaces, and with a port", `${OFFICE}:443,${ELSEWHERE}`],
    ["many of them", `${Array(50).fill(OFFICE).join(", ")}, ${ELSEWHERE}`],
    ["empty places before the last one", `${OFFICE},,${ELSEWHERE}`],
    ["no address in the last place", `${OFFICE}, unknown`],
  ])("is not opened by a header with %s", async (_, header) => {
    const org = await service.newOrg();
    const { api_key } = await create(org, { allowed_cidrs: [OFFICE] });
    expect((await from(api_key, OFFICE)("GET", "/partner/envelopes")).status).toBe(200);
    expect((await from(api_key, header)("GET", "/partner/envelopes")).status).toBe(401);
  });

  test.each([
    ["no address", "office"],
    ["a short form of an address", "10.1/16"],
    ["a mask that is too long", "203.0.113.0/33"],
    ["an empty mask", "203.0.113.0/"],
    ["an address inside the range instead of its beginning", "203.0.113.7/24"],
  ])("refuses %s", async (_, text) => {
    const { admin } = await service.newOrg();
    const body = { partner_name: "Acme", scopes: ["envelopes:read"], allowed_cidrs: [OFFICE, text] };
    const { status, json } = await admin("POST", "/partners/keys", { body });
    expect([status, json.details[0].field, json.details[0].code]).toEqual([422, "allowed_cidrs[1]", "invalid_format"]);
  });

  test("has at most 50 of them", async () => {
    const { admin } = await service.newOrg();
    const allowed_cidrs = Array.from({ length: 51 }, (_, index) => `203.0.113.${index}`);
    const body = { partner_name: "Acme", scopes: ["envelopes:read"], allowed_cidrs };
    expect((await admin("POST", "/partners/keys", { body })).status).toBe(422);
  });
});

test("the last use shows from where and by which program", async () => {
  const org = await service.newOrg();
  const { api_key, key_id } = await create(org, {});
  await from(api_key, OFFICE, "billing/2")("GET", "/partner/envelopes");
  const { last_used_ip, last_used_user_agent } = (await org.admin("GET", `/partners/keys/${key_id}`)).json.data;
  expect([last_used_ip, last_used_user_agent]).toEqual([OFFICE, "billing/2"]);
});

test("refused requests with a key are in the audit trail once a minute for each address, and the admins get one message a day", async () => {
  const org = await service.newOrg();
  const { api_key, key_id } = await create(org, { allowed_cidrs: [OFFICE] });
  const ask = (address: string) => from(api_key, address)("GET", "/partner/envelopes");
  for (const address of [ELSEWHERE, ELSEWHERE, "198.51.100.10", OFFICE]) await ask(address);
  await reportRefusals(service.features.keys);
  expect(await refusalsOf(org), "the minute is not over").toEqual([]);
  await minutePassed();
  await reportRefusals(service.features.keys);
  const refused = { key_id, partner_name: "Acme", reason: "address", program: "billing/1" };
  expect(await refusalsOf(org)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ ...refused, from_ip: ELSEWHERE, requests: 2 }),
      expect.objectContaining({ ...refused, from_ip: "198.51.100.10", requests: 1 }),
    ]),
  );
  await end(key_id);
  await ask(OFFICE);
  await minutePassed();
  await reportRefusals(service.features.keys);
  expect(await refusalsOf(org)).toHaveLength(3);
  expect((await refusalsOf(org))[0]).toMatchObject({ reason: "expired", from_ip: OFFICE });
  expect(await mailsOf(org)).toEqual(["The API key Acme was refused"]);
});

test("a rotated key keeps its limits", async () => {
  const org = await service.newOrg();
  const expires_at = ahead(DAY_MS);
  const { key_id } = await create(org, { allowed_cidrs: [OFFICE], expires_at });
  const { json } = await org.admin("POST", `/partners/keys/${key_id}/rotate`, { body: {} });
  expect(json.data).toMatchObject({ allowed_cidrs: [`${OFFICE}/32`], expires_at });
  expect((await from(json.data.api_key, ELSEWHERE)("GET", "/partner/envelopes")).status).toBe(401);
});

describe("behind a proxy that is not trusted", () => {
  const plain = testService();

  test("an address list is refused with a hint, because no request would pass it", async () => {
    const { admin } = await plain.newOrg();
    const body = { partner_name: "Acme", scopes: ["envelopes:read"], allowed_cidrs: [OFFICE] };
    const { status, json } = await admin("POST", "/partners/keys", { body });
    expect(status).toBe(422);
    expect(json.details[0]).toMatchObject({ field: "allowed_cidrs" });
    expect(json.details[0].message).toContain("TRUST_PROXY_HOPS");
  });
});
