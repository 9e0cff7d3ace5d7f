import { beforeAll, describe, expect, test } from "vitest";
import type { Endpoint, ScopedAccess } from "../src/http/endpoint.ts";
import { declaredEndpoints } from "../src/main.ts";
import { newId } from "../src/shared/ids.ts";
import { scopesOfRole } from "../src/shared/scopes.ts";
import { type TestOrg, testService } from "./service.ts";
import { newMember, type Person, type Vaulted, vaultedByPipeline, vaultedCopies } from "./vaulted.ts";

/** What a member with the role custodian sees: the records that they keep, and nothing of the others. Generated from the list of endpoints. */

const service = testService();
const accessOf = ({ access }: Endpoint) => access as ScopedAccess;
const opened = declaredEndpoints().filter(
  ({ access }) => access !== "anyone" && "anyScope" in access && access.anyScope.some((scope) => scopesOfRole("custodian").includes(scope)),
);

let org: TestOrg;
let cleo: Person;
let dan: Person;
let own: Ids;
let other: Ids;

/** A record that is moving to another custodian, by the names of path parameters. */
interface Ids {
  readonly envelope_id: string;
  readonly permission_id: string;
  readonly act_id: string;
}

const begin = async (envelope_id: string, to_user_id: string): Promise<Ids> => {
  const { json } = await org.admin("POST", `/partner/envelopes/${envelope_id}/custody-transfers`, { body: { to_user_id } });
  const [act] = (await org.admin("GET", `/partner/acts?envelope_id=${envelope_id}`)).json.data;
  return { envelope_id, permission_id: json.data.permission_id, act_id: act.act_id };
};

beforeAll(async () => {
  org = await service.newOrg();
  [cleo, dan] = [await newMember(service, org, "custodian"), await newMember(service, org, "custodian")];
  const kept = await begin(await vaultedByPipeline(service, org), cleo.user_id);
  expect((await cleo.send("POST", `/partner/custody-transfers/${kept.permission_id}/accept`)).status).toBe(200);
  own = await begin(kept.envelope_id, org.user_id);
  other = await begin(await vaultedByPipeline(service, org), dan.user_id);
});

const pathOf = ({ path }: Endpoint, ids: Ids): string => path.replace(/:(\w+)/g, (_, name: keyof Ids) => ids[name] ?? "");
const missing = (): Ids => ({ envelope_id: newId("envelope"), permission_id: newId("custodianPermission"), act_id: newId("act") });
const bodies: Record<string, object> = {
  create_embed_token: { envelope_id: newId("envelope"), user_email: "ann@example.com", widget_type: "vault" },
  decide_act: { decision: "refuse", sha256: "0".repeat(64) },
};
const ask = (endpoint: Endpoint, ids: Ids) => {
  const body = bodies[endpoint.name];
  return cleo.send(endpoint.method, pathOf(endpoint, ids), body === undefined ? {} : { body });
};
const titled = (all: readonly Endpoint[]) => all.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const);
const byParameter = opened.filter((endpoint) => (accessOf(endpoint).custodian ?? "") in endpoint.params);

describe("a custodian", () => {
  test("is considered by every endpoint that their scopes open", () => {
    const silent = opened.filter((endpoint) => accessOf(endpoint).custodian === undefined);
    expect(silent.map(({ name }) => name)).toEqual([]);
    // A record in the path is looked up by its own parameter, and only lists narrow themselves.
    const known = ["own", "closed"];
    const wrong = opened.filter((endpoint) => !byParameter.includes(endpoint) && !known.includes(accessOf(endpoint).custodian ?? ""));
    expect(wrong.map(({ name }) => name)).toEqual([]);
    const unguarded = opened.filter((endpoint) => accessOf(endpoint).custodian === "own" && Object.keys(endpoint.params).length > 0);
    expect(unguarded.map(({ name }) => name)).toEqual([]);
  });

  test.each(titled(byParameter))("gets from %s the bytes of a missing record for one they do not keep", async (_title, endpoint) => {
    const [foreign, absent] = [await ask(endpoint, other), await ask(endpoint, missing())];
    expect([foreign.status, foreign.headers["x-error-code"]]).toEqual([404, endpoint.missing]);
    expect(foreign.text).toBe(absent.text);
    // The act of one record has no items. An act on many has a test of its own below.
    if (!endpoint.path.includes("/items")) expect((await ask(endpoint, own)).status, "their own").not.toBe(404);
  });

  test.each(titled(opened.filter((endpoint) => accessOf(endpoint).custodian === "closed")))(
    "is refused by %s",
    async (_title, endpoint) => {
      expect((await ask(endpoint, other)).status).toBe(403);
    },
  );

  test.each(titled(opened.filter((endpoint) => accessOf(endpoint).custodian === "own")))(
    "finds in %s nothing of a record that they do not keep",
    async (_title, endpoint) => {
      const { status, json, text } = await ask(endpoint, other);
      expect([status, json.meta.total]).toEqual([200, json.data.length]);
      expect(text).toContain(endpoint.name === "list_custodians" ? cleo.user_id : own.envelope_id);
      for (const id of [...Object.values(other), dan.user_id]) expect(text).not.toContain(id);
      for (const [name, id] of Object.entries(other)) {
        const asked = await cleo.send("GET", `${endpoint.path}?${name}=${id}&q=Contract`);
        if (asked.status === 200) expect(asked.text).not.toContain(id);
      }
    },
  );

  test("sees a record from the request to keep it, and no longer once they gave it to another member", async () => {
    const [record] = (await vaultedCopies(service, org, 1)) as [Vaulted];
    const path = `/partner/envelopes/${record.envelope_id}/vault`;
    const sees = async () => [(await cleo.send("GET", path)).status, (await cleo.send("GET", "/partner/vault")).json.meta.total];
    const [before] = [(await cleo.send("GET", "/partner/vault")).json.meta.total];
    expect(await sees()).toEqual([404, before]);
    const { permission_id } = await begin(record.envelope_id, cleo.user_id);
    expect(await sees()).toEqual([200, before + 1]);
    expect((await cleo.send("POST", `/partner/custody-transfers/${permission_id}/accept`)).status).toBe(200);
    expect(await sees()).toEqual([200, before + 1]);
    const back = await cleo.send("POST", `/partner/envelopes/${record.envelope_id}/custody-transfers`, {
      body: { to_user_id: org.user_id },
    });
    expect((await org.admin("POST", `/partner/custody-transfers/${back.json.data.permission_id}/accept`)).status).toBe(200);
    expect(await sees()).toEqual([404, before]);
  });

  test("sees no record for a request that is overdue, before the job has closed it", async () => {
    const [record] = (await vaultedCopies(service, org, 1)) as [Vaulted];
    const { permission_id } = await begin(record.envelope_id, cleo.user_id);
    await service.database.owner("update custodian_permissions set expires_at = now() - interval '1 second' where permission_id = $1", [
      permission_id,
    ]);
    expect((await cleo.send("GET", `/partner/envelopes/${record.envelope_id}/vault`)).status).toBe(404);
    expect((await cleo.send("POST", `/partner/custody-transfers/${permission_id}/accept`)).status).toBe(404);
  });

  test("reads and decides on an act on many records that asks them, before they keep one of these", async () => {
    const records = await vaultedCopies(service, org, 2);
    const body = { kind: "move_custody", reason: "x", user_id: cleo.user_id, envelope_ids: records.map(({ envelope_id }) => envelope_id) };
    const { act_id } = (await org.admin("POST", "/partner/control-batches", { body })).json.data;
    const act = await cleo.send("GET", `/partner/acts/${act_id}`);
    expect([act.status, (await cleo.send("GET", `/partner/acts/${act_id}/items`)).status]).toEqual([200, 200]);
    expect((await dan.send("GET", `/partner/acts/${act_id}`)).status).toBe(404);
    const decision = { decision: "refuse", sha256: act.json.data.sha256 };
    expect((await cleo.send("POST", `/partner/acts/${act_id}/decision`, { body: decision })).json.data.state).toBe("refused");
    expect((await cleo.send("GET", `/partner/acts/${act_id}`)).status).toBe(404);
  });

  test("creates no API keys, tokens or links, and reads no settings of others", async () => {
    const key = { partner_name: "P", scopes: ["vault:read"] };
    expect((await cleo.send("POST", "/partners/keys", { body: key })).status).toBe(403);
    for (const path of ["/org/audit-trail", "/partner/envelopes", "/partner/customers", "/webhooks/endpoints", "/partner/parties"])
      expect((await cleo.send("GET", path)).status, path).toBe(403);
    for (const path of ["/auth/sessions", "/org/members", "/org/settings"]) expect((await cleo.send("GET", path)).status, path).toBe(200);
  });

  test("has the role by invitation or change, from the next request on", async () => {
    const eve = await newMember(service, org, "viewer");
    expect((await eve.send("GET", `/partner/envelopes/${other.envelope_id}/vault`)).status).toBe(200);
    expect((await org.admin("PATCH", `/org/members/${eve.user_id}`, { body: { role: "custodian" } })).status).toBe(200);
    expect((await eve.send("GET", `/partner/envelopes/${other.envelope_id}/vault`)).status).toBe(404);
    expect((await eve.send("GET", "/partner/vault")).json).toMatchObject({ data: [], meta: { total: 0 } });
  });
});
