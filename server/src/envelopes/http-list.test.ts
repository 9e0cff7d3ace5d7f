import { beforeAll, describe, expect, test } from "vitest";
import { setSigner } from "../../test/envelopes.ts";
import { envelopeBody, landlord, newEnvelope, newTemplate, tenant } from "../../test/lease.ts";
import { refusedWith } from "../../test/refused-with.ts";
import { type TestKey, type TestOrg, testService } from "../../test/service.ts";
import { newMember } from "../../test/vaulted.ts";
import type { Slug } from "../shared/slugs.ts";

const service = testService();
let org: TestOrg;
let key: TestKey;
let template_id: string;
beforeAll(async () => {
  org = await service.newOrg();
  key = await org.newKey({ rate_limit_rpm: 100_000 });
  template_id = await newTemplate(key);
});

const createdOn = (envelope_id: string, at: string) =>
  service.database.owner("update envelopes set created_at = $2 where envelope_id = $1", [envelope_id, at]);

/** An org of its own with envelopes of these names, oldest first. */
async function orgWith(bodies: readonly object[]) {
  const own = await service.newOrg();
  const ownKey = await own.newKey({ rate_limit_rpm: 100_000 });
  const ids: string[] = [];
  for (const body of bodies)
    ids.push((await ownKey.send("POST", "/partner/envelopes", { body: envelopeBody(body) })).json.data.envelope_id);
  const names = async (query: string, send = ownKey.send): Promise<[total: number, ...names: string[]]> => {
    const { json } = await send("GET", `/partner/envelopes?${query}`);
    return [json.meta.total, ...json.data.map((one: { envelope_name: string }) => one.envelope_name)];
  };
  return { org: own, key: ownKey, ids, names };
}

describe("GET /partner/envelopes with q", () => {
  test("finds beginnings of words of an envelope, its signers and its customer, in any order, ignoring case", async () => {
    const {
      key: own,
      ids,
      names,
    } = await orgWith([
      { envelope_name: "Lease of the mill", external_id: "REF-77", signers: [{ ...tenant, name: "Zoë Long", email: "zoe@mail.example" }] },
      { envelope_name: "Sale ÉTÉ 100%_done", customer_email: "sam@example.org", customer_name: "Sam Miller" },
      { envelope_name: "Order" },
    ]);
    const { customer_id } = (await own.send("GET", "/partner/customers?email=sam@example.org")).json.data;
    await own.send("PATCH", `/partner/customers/${customer_id}`, { body: { client_id: "Kunde-9", company: "Windmill Ltd" } });
    expect(await names("q=LEASE")).toEqual([1, "Lease of the mill"]);
    expect(await names("q=ref-7")).toEqual([1, "Lease of the mill"]);
    expect(await names("q=MILL")).toEqual([2, "Sale ÉTÉ 100%_done", "Lease of the mill"]);
    expect(await names("q=ill"), "not within a word").toEqual([0]);
    expect(await names("q=mill+leas")).toEqual([1, "Lease of the mill"]);
    expect(await names("q=EXAMPLE.org")).toEqual([1, "Sale ÉTÉ 100%_done"]);
    expect(await names("q=sam@exa")).toEqual([1, "Sale ÉTÉ 100%_done"]);
    expect(await names("q=kUNDE+windm")).toEqual([1, "Sale ÉTÉ 100%_done"]);
    expect(await names(`q=${encodeURIComponent("été")}`)).toEqual([1, "Sale ÉTÉ 100%_done"]);
    expect(await names(`q=${encodeURIComponent("ZOË")}`)).toEqual([1, "Lease of the mill"]);
    expect(await names("q=zoe@mail.example")).toEqual([1, "Lease of the mill"]);
    expect(await names("q=nothing")).toEqual([0]);
    await own.send("PATCH", `/partner/envelopes/${ids[0]}`, { body: { envelope_name: "Rent", external_id: null, signers: [] } });
    expect([await names("q=rent"), await names("q=lease"), await names("q=zo"), await names("q=ref")]).toEqual([
      [1, "Rent"],
      [0],
      [0],
      [0],
    ]);
    await own.send("PATCH", `/partner/customers/${customer_id}`, { body: { name: "Eve", company: null } });
    expect([await names("q=miller"), await names("q=eve")]).toEqual([[0], [1, "Sale ÉTÉ 100%_done"]]);
  });

  test("finds an envelope by the people it was sent to, and after a correction by the corrected one", async () => {
    const own = await service.newOrg();
    const ownKey = await own.newKey({ rate_limit_rpm: 100_000 });
    const envelope_id = await newEnvelope(ownKey, await newTemplate(ownKey));
    const total = async (q: string) => (await ownKey.send("GET", `/partner/envelopes?q=${q}`)).json.meta.total;
    const to = [{ ...tenant, name: "Bo Strand", email: "bo@strand.example" }, landlord];
    const sent = await ownKey.send("POST", `/partner/envelopes/${envelope_id}/send`, { body: { signers: to } });
    expect([await total("strand"), await total("bo@"), await total("sam")]).toEqual([1, 1, 1]);
    const path = `/partner/envelopes/${envelope_id}/signers/${sent.json.data.signers[0].slug}`;
    expect((await ownKey.send("PATCH", path, { body: { name: "Bo Beach", email: "bo@beach.example" } })).status).toBe(200);
    expect([await total("strand"), await total("beach"), await total("bo@beach.example")]).toEqual([0, 1, 1]);
  });

  test("searches customers only for callers who can read them: a key without customers:read cannot guess their addresses", async () => {
    const { org: own, names } = await orgWith([{ envelope_name: "Lease", customer_email: "hidden@example.com", customer_name: "Ann" }]);
    const blind = await own.newKey({ scopes: ["envelopes:read"] });
    expect(await names("q=hidden")).toEqual([1, "Lease"]);
    expect(await names("q=hidden", blind.send)).toEqual([0]);
    expect(await names("q=lease", blind.send)).toEqual([1, "Lease"]);
    const viewer = (await newMember(service, own, "viewer")).send;
    expect(await names("q=hidden", viewer)).toEqual([1, "Lease"]);
  });

  test("finds nothing in another org", async () => {
    const { names } = await orgWith([{ envelope_name: "Alone" }]);
    const stranger = await (await service.newOrg()).newKey();
    expect(await names("q=Alone", stranger.send)).toEqual([0]);
    expect(await names("created_from=2020-01-01T00:00:00Z", stranger.send)).toEqual([0]);
  });
});

describe("GET /partner/envelopes with dates", () => {
  test("includes the start and excludes the end", async () => {
    const { ids, names } = await orgWith([{ envelope_name: "March" }, { envelope_name: "April" }, { envelope_name: "May" }]);
    for (const [index, month] of ["03", "04", "05"].entries()) await createdOn(ids[index] ?? "", `2026-${month}-01T00:00:00.000Z`);
    expect(await names("created_from=2026-04-01T00:00:00.000Z")).toEqual([2, "May", "April"]);
    expect(await names("created_to=2026-04-01T00:00:00.000Z")).toEqual([1, "March"]);
    expect(await names("created_from=2026-04-01T02:00:00%2B02:00&created_to=2026-05-01T00:00:00Z")).toEqual([1, "April"]);
    expect(await names("created_from=2026-05-01T00:00:00Z&created_to=2026-03-01T00:00:00Z")).toEqual([0]);
  });

  test("can be combined with text, status, customer and pages; envelopes past their expiry date count as expired", async () => {
    const bodies = Array.from({ length: 5 }, (_, n) => ({
      envelope_name: `Lease ${n}`,
      customer_email: n < 3 ? "ann@example.com" : "sam@example.com",
    }));
    const { key: own, ids, names } = await orgWith(bodies);
    const { customer_id } = (await own.send("GET", "/partner/customers?email=ann@example.com")).json.data;
    await service.database.owner(
      "update envelopes set status = 'sent', submission_id = 'sub_x', sent_at = now(), expires_at = now() + make_interval(hours => $2) where envelope_id = $1",
      [ids[0], -1],
    );
    await service.database.owner(
      "update envelopes set status = 'sent', submission_id = 'sub_y', sent_at = now(), expires_at = now() + make_interval(hours => $2) where envelope_id = $1",
      [ids[1], 1],
    );
    expect(await names("q=lease&limit=2&page=2")).toEqual([5, "Lease 2", "Lease 1"]);
    expect(await names("q=lease&limit=2&page=4"), "the total is correct beyond the last page").toEqual([5]);
    expect(await names("q=lease&status=expired")).toEqual([1, "Lease 0"]);
    expect(await names("q=lease&status=sent")).toEqual([1, "Lease 1"]);
    expect(await names(`q=lease&customer_id=${customer_id}`)).toEqual([3, "Lease 2", "Lease 1", "Lease 0"]);
    expect(await names(`q=lease&customer_id=${customer_id}&status=pending&created_from=2026-01-01T00:00:00Z`)).toEqual([1, "Lease 2"]);
    const { json } = await own.send("GET", "/partner/envelopes?q=lease%200");
    expect(json.data[0]).toMatchObject({ status: "expired" });
    expect(Object.keys(json.data[0])).toHaveLength(7);
  });
});

describe("GET /partner/envelopes with external_id", () => {
  test("finds exact matches, case-sensitive; several are listed newest first, and other filters narrow them down", async () => {
    const {
      ids,
      key: own,
      names,
    } = await orgWith([
      { envelope_name: "First", external_id: "REF-7" },
      { envelope_name: "Second", external_id: "REF-7" },
      { envelope_name: "Longer", external_id: "REF-77" },
      { envelope_name: "Lower", external_id: "ref-7" },
      { envelope_name: "None" },
    ]);
    expect(await names("external_id=REF-7")).toEqual([2, "Second", "First"]);
    expect(await names("external_id=REF-7&limit=1&page=2")).toEqual([2, "First"]);
    expect(await names("external_id=ref-7")).toEqual([1, "Lower"]);
    expect(await names("external_id=REF-8")).toEqual([0]);
    await own.send("POST", `/partner/envelopes/${ids[0]}/void`, { body: { reason: "wrong price" } });
    expect(await names("external_id=REF-7&status=voided")).toEqual([1, "First"]);
    const stranger = await orgWith([]);
    expect(await stranger.names("external_id=REF-7")).toEqual([0]);
  });

  test("uses its index, no matter how many envelopes there are", async () => {
    const plan = await service.database.owner<{ "QUERY PLAN": string }>(
      "explain select envelope_id from envelopes where org_id = $1 and external_id = $2 order by envelope_id desc limit 20",
      [org.org_id, "REF-7"],
    );
    expect(plan.map((line) => line["QUERY PLAN"]).join("\n")).toContain("envelopes_by_external_id");
  });
});

test("an invalid filter is 422 and named", async () => {
  const refusal = async (query: string) => {
    const { status, json } = await key.send("GET", `/partner/envelopes?${query}`);
    return [status, json.details?.map(({ location, field, code }: Record<string, string>) => `${location} ${field} ${code}`)];
  };
  expect(await refusal("q=")).toEqual([422, ["query q too_small"]]);
  expect(await refusal(`q=${"x".repeat(201)}`)).toEqual([422, ["query q too_long"]]);
  expect(await refusal("created_from=yesterday")).toEqual([422, ["query created_from invalid_format"]]);
  expect(await refusal("created_to=2026-12-31T23:59:60Z")).toEqual([422, ["query created_to invalid_format"]]);
  expect(await refusal("expand=slugs")).toEqual([422, ["query expand invalid_value"]]);
  expect(await refusal("expand=signers,")).toEqual([422, ["query expand invalid_value"]]);
});

describe("GET /partner/envelopes with expand", () => {
  test("shows the signers in order, without slugs: the saved ones of a draft, otherwise those it was sent to", async () => {
    const envelope_id = await newEnvelope(key, template_id);
    const row = async (query: string) =>
      (await key.send("GET", `/partner/envelopes?limit=100&${query}`)).json.data.find(
        (one: { envelope_id: string }) => one.envelope_id === envelope_id,
      );
    expect((await row("expand=signers")).signers).toEqual([
      { ...tenant, order: 1, status: "pending" },
      { ...landlord, order: 2, status: "pending" },
    ]);
    const sent = await key.send("POST", `/partner/envelopes/${envelope_id}/send`, { body: {} });
    await setSigner(service, sent.json.data.signers[0].slug as Slug, "viewed");
    expect(await row("expand=signers&q=lease")).toEqual({
      ...(await row("")),
      signers: [
        { ...tenant, order: 1, status: "viewed" },
        { ...landlord, order: 2, status: "pending" },
      ],
    });
  });

  test("shows the customer, or null if there is none; both can be combined; without expand, a row has exactly the seven fields", async () => {
    const { org: own, key: ownKey, ids } = await orgWith([{ envelope_name: "With" }, { envelope_name: "Without" }]);
    await service.database.owner("update envelopes set customer_id = null where envelope_id = $1", [ids[1]]);
    const list = async (query: string) => (await ownKey.send("GET", `/partner/envelopes?${query}`)).json.data;
    const { customer_id } = (await ownKey.send("GET", "/partner/customers?email=ann@example.com")).json.data;
    const plain = await list("");
    expect(Object.keys(plain[0])).toEqual([
      "envelope_id",
      "envelope_name",
      "status",
      "customer_id",
      "external_id",
      "created_at",
      "updated_at",
    ]);
    const ann = { customer_id, name: "Ann", email: "ann@example.com" };
    expect(await list("expand=customer")).toEqual([
      { ...plain[0], customer: null },
      { ...plain[1], customer: ann },
    ]);
    expect(await list("expand=customer,signers&limit=1&page=2")).toEqual([{ ...plain[1], signers: [], customer: ann }]);
    expect(await list("expand=customer&page=9"), "nothing to expand").toEqual([]);
    const viewer = (await newMember(service, own, "viewer")).send;
    expect((await viewer("GET", "/partner/envelopes?expand=customer")).status).toBe(200);
  });

  test("customer is 403 for a key that cannot read customers", async () => {
    const blind = await org.newKey({ scopes: ["envelopes:read"] });
    const { status, json } = await blind.send("GET", "/partner/envelopes?expand=signers,customer");
    expect([status, json]).toEqual([403, refusedWith("Missing required scope: customers:read")]);
    expect((await blind.send("GET", "/partner/envelopes?expand=signers")).status).toBe(200);
  });
});
