import { describe, expect, test } from "vitest";
import { client } from "../../test/client.ts";
import { refusedWith } from "../../test/refused-with.ts";
import { testService } from "../../test/service.ts";
import { scopes } from "../shared/scopes.ts";

const service = testService();

const withKey = (api_key: string) => client(service.url, { "x-api-key": api_key });

describe("POST /partners/keys", () => {
  test("returns the raw key once, with the granted scopes and limit", async () => {
    const { admin, user_id } = await service.newOrg();
    const { status, json } = await admin("POST", "/partners/keys", {
      body: { partner_name: "Acme", scopes: ["envelopes:read"], rate_limit_rpm: 7 },
    });
    expect(status).toBe(201);
    const { api_key, key_id, key_hint, created_at, updated_at, ...rest } = json.data;
    expect(api_key).toMatch(/^lk_[0-9a-f]{40}$/);
    expect(key_id).toMatch(/^lk_[0-9a-hjkmnp-tv-z]{26}$/);
    expect(key_hint).toBe(`${api_key.slice(0, 7)}…${api_key.slice(-4)}`);
    expect(created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(updated_at).toBe(created_at);
    expect(rest).toEqual({
      partner_name: "Acme",
      scopes: ["envelopes:read"],
      rate_limit_rpm: 7,
      status: "active",
      mode: "live",
      lenient_fields: false,
      webhook: null,
      expires_at: null,
      allowed_cidrs: [],
      last_used_at: null,
      last_used_ip: null,
      last_used_user_agent: null,
      rotated_at: null,
      previous_key_expires_at: null,
      deactivated_at: null,
      created_by: user_id,
    });
  });

  test("a key without a limit gets 100 requests per minute", async () => {
    const { admin } = await service.newOrg();
    const { json } = await admin("POST", "/partners/keys", { body: { partner_name: "Acme", scopes: ["envelopes:read"] } });
    expect(json.data.rate_limit_rpm).toBe(100);
  });

  test("the raw key is nowhere in the database", async () => {
    const { newKey } = await service.newOrg();
    const { api_key } = await newKey();
    const tables = await service.database.owner<{ name: string }>(
      "select c.relname as name from pg_class c where relkind = 'r' and relnamespace = 'public'::regnamespace",
    );
    for (const { name } of tables) {
      const rows = await service.database.owner(`select from ${name} t where t::text like '%' || $1 || '%'`, [api_key.slice(3)]);
      expect(rows, name).toHaveLength(0);
    }
  });

  const good = { partner_name: "Acme", scopes: ["envelopes:read"] };
  test.each([
    ["no name", { scopes: good.scopes }, "partner_name", "required"],
    ["an empty name", { ...good, partner_name: "" }, "partner_name", "too_small"],
    ["a name of 201 characters", { ...good, partner_name: "x".repeat(201) }, "partner_name", "too_long"],
    ["a name with NUL", { ...good, partner_name: "a\0b" }, "partner_name", "invalid_format"],
    ["a name with half a surrogate pair", { ...good, partner_name: "a\ud800" }, "partner_name", "invalid_format"],
    ["a number as name", { ...good, partner_name: 5 }, "partner_name", "invalid_type"],
    ["no scopes", { partner_name: "Acme" }, "scopes", "required"],
    ["empty scopes", { ...good, scopes: [] }, "scopes", "too_small"],
    ["scopes that are no list", { ...good, scopes: "envelopes:read" }, "scopes", "invalid_type"],
    ["an unknown scope", { ...good, scopes: ["envelopes:read", "everything"] }, "scopes[1]", "invalid_value"],
    ["limit 0", { ...good, rate_limit_rpm: 0 }, "rate_limit_rpm", "too_small"],
    ["limit 100001", { ...good, rate_limit_rpm: 100_001 }, "rate_limit_rpm", "too_big"],
    ["limit 1.5", { ...good, rate_limit_rpm: 1.5 }, "rate_limit_rpm", "invalid_type"],
    ["a limit as text", { ...good, rate_limit_rpm: "5" }, "rate_limit_rpm", "invalid_type"],
  ])("%s is 422 with its location, and nothing is created", async (_what, body, field, code) => {
    const { admin } = await service.newOrg();
    const { status, json } = await admin("POST", "/partners/keys", { body });
    expect(status).toBe(422);
    expect(json).toEqual({ error: "Validation failed", details: [{ location: "body", field, code, message: expect.any(String) }] });
    expect((await admin("GET", "/partners/keys")).json.meta.total).toBe(0);
  });

  test("unknown fields are 422, and no key is created", async () => {
    const { admin } = await service.newOrg();
    const { status, json } = await admin("POST", "/partners/keys", { body: { ...good, colour: "red", org_id: "org_x" } });
    expect([status, json.details.map((detail: { field: string }) => detail.field)]).toEqual([422, ["colour", "org_id"]]);
    expect((await admin("GET", "/partners/keys")).json.meta.total).toBe(0);
  });
});

describe("GET /partners/keys", () => {
  test("lists newest first, in pages, without raw keys", async () => {
    const { admin, newKey } = await service.newOrg();
    const made = [await newKey(), await newKey(), await newKey()];
    const first = await admin("GET", "/partners/keys?limit=2");
    const second = await admin("GET", "/partners/keys?limit=2&page=2");
    const past = await admin("GET", "/partners/keys?limit=2&page=3");
    expect([first, second, past].map(({ json }) => json.meta)).toEqual([1, 2, 3].map((page) => ({ page, limit: 2, total: 3 })));
    const ids = [...first.json.data, ...second.json.data, ...past.json.data].map((key) => key.key_id);
    expect(ids).toEqual(made.map((key) => key.key_id).reverse());
    for (const { api_key } of made) expect(first.text + second.text).not.toContain(api_key);
  });

  test("a limit above 200 is lowered to 200, which the response shows", async () => {
    const { admin } = await service.newOrg();
    expect((await admin("GET", "/partners/keys?limit=1000")).json).toEqual({ data: [], meta: { page: 1, limit: 200, total: 0 } });
  });

  test.each([
    ["page=0", "page", "too_small"],
    ["limit=0", "limit", "too_small"],
    ["limit=-1", "limit", "too_small"],
    ["page=x", "page", "invalid_type"],
    ["page=1.5", "page", "invalid_type"],
    ["page=1&page=2", "page", "invalid_type"],
  ])("?%s is 422", async (query, field, code) => {
    const { admin } = await service.newOrg();
    const { status, json } = await admin("GET", `/partners/keys?${query}`);
    expect(status).toBe(422);
    expect(json.details).toEqual([{ location: "query", field, code, message: expect.any(String) }]);
  });
});

describe("PATCH /partners/keys/:key_id", () => {
  test("changes the given fields; the same key keeps working with its new scopes", async () => {
    const { admin, newKey } = await service.newOrg();
    const key = await newKey({ scopes: ["customers:read"] });
    expect((await key.send("GET", "/partner/envelopes")).status).toBe(403);
    const { status, json } = await admin("PATCH", `/partners/keys/${key.key_id}`, {
      body: { scopes: ["envelopes:read"], rate_limit_rpm: 9, webhook: { note: "ops" } },
    });
    expect(status).toBe(200);
    expect(json.data).toMatchObject({ partner_name: "Partner", scopes: ["envelopes:read"], rate_limit_rpm: 9, webhook: { note: "ops" } });
    expect(json.data).not.toHaveProperty("api_key");
    const answer = await key.send("GET", "/partner/envelopes");
    expect([answer.status, answer.headers["x-ratelimit-limit"]]).toEqual([200, "9"]);
    const cleared = await admin("PATCH", `/partners/keys/${key.key_id}`, { body: { webhook: null } });
    expect(cleared.json.data).toMatchObject({ webhook: null, rate_limit_rpm: 9 });
  });

  test("a webhook value over 4 KiB, or one that is not an object or null, is 422", async () => {
    const { admin, newKey } = await service.newOrg();
    const { key_id } = await newKey();
    for (const webhook of [{ note: "x".repeat(5000) }, "https://example.com", 5, []]) {
      const { status, json } = await admin("PATCH", `/partners/keys/${key_id}`, { body: { webhook } });
      expect([status, json.details[0].field]).toEqual([422, "webhook"]);
    }
  });

  test("without a body nothing changes", async () => {
    const { admin, newKey } = await service.newOrg();
    const { key_id } = await newKey();
    expect((await admin("PATCH", `/partners/keys/${key_id}`)).status).toBe(200);
  });
});

describe("POST /partners/keys/:key_id/rotate", () => {
  test("both keys work during the grace period, only the new one after it", async () => {
    const { admin, newKey } = await service.newOrg();
    const old = await newKey();
    const { status, json } = await admin("POST", `/partners/keys/${old.key_id}/rotate`, { body: { grace_period_seconds: 3600 } });
    expect(status).toBe(200);
    expect(json.data).toMatchObject({ key_id: old.key_id, status: "active", rotated_at: expect.any(String) });
    const fresh = withKey(json.data.api_key);
    const during = [await old.send("GET", "/partner/envelopes"), await fresh("GET", "/partner/envelopes")];
    expect(during.map((answer) => answer.status)).toEqual([200, 200]);
    expect(during.map((answer) => answer.headers["x-api-key-expires"])).toEqual([json.data.previous_key_expires_at, undefined]);
    expect(Date.parse(json.data.previous_key_expires_at) - Date.parse(json.data.rotated_at)).toBe(3_600_000);

    await service.database.owner("update api_key_secrets set expires_at = now() where key_id = $1 and state = 'retiring'", [old.key_id]);
    const after = [await old.send("GET", "/partner/envelopes"), await fresh("GET", "/partner/envelopes")];
    expect(after.map((answer) => answer.status)).toEqual([401, 200]);
    expect((await admin("GET", `/partners/keys/${old.key_id}`)).json.data.previous_key_expires_at).toBeNull();
  });

  test("the default grace period is a day", async () => {
    const { admin, newKey } = await service.newOrg();
    const { key_id } = await newKey();
    const { json } = await admin("POST", `/partners/keys/${key_id}/rotate`);
    expect(Date.parse(json.data.previous_key_expires_at) - Date.parse(json.data.rotated_at)).toBe(86_400_000);
  });

  test("a grace period of 0 ends the old key in the same commit", async () => {
    const { admin, newKey } = await service.newOrg();
    const old = await newKey();
    const { json } = await admin("POST", `/partners/keys/${old.key_id}/rotate`, { body: { grace_period_seconds: 0 } });
    expect(json.data.previous_key_expires_at).toBeNull();
    expect((await old.send("GET", "/partner/envelopes")).status).toBe(401);
    expect((await withKey(json.data.api_key)("GET", "/partner/envelopes")).status).toBe(200);
  });

  test.each([-1, 604_801, "0", null])("a grace period of %j is 422", async (grace_period_seconds) => {
    const { admin, newKey } = await service.newOrg();
    const old = await newKey();
    expect((await admin("POST", `/partners/keys/${old.key_id}/rotate`, { body: { grace_period_seconds } })).status).toBe(422);
    expect((await old.send("GET", "/partner/envelopes")).status).toBe(200);
  });

  test("ten simultaneous rotations all succeed, and exactly two raw keys work afterwards", async () => {
    const { admin, newKey } = await service.newOrg();
    const first = await newKey();
    const rotate = () => admin("POST", `/partners/keys/${first.key_id}/rotate`, { body: { grace_period_seconds: 60 } });
    const answers = await Promise.all(Array.from({ length: 10 }, rotate));
    expect(answers.map((answer) => answer.status)).toEqual(Array(10).fill(200));
    const raw = [first.api_key, ...answers.map((answer) => answer.json.data.api_key)];
    const works = await Promise.all(raw.map(async (api_key) => (await withKey(api_key)("GET", "/partner/envelopes")).status));
    expect(works.filter((status) => status === 200)).toHaveLength(2);
    expect(works.filter((status) => status === 401)).toHaveLength(9);
  });

  test("both raw keys share one quota", async () => {
    const { admin, newKey } = await service.newOrg();
    const old = await newKey({ rate_limit_rpm: 3 });
    const { json } = await admin("POST", `/partners/keys/${old.key_id}/rotate`);
    const fresh = withKey(json.data.api_key);
    const statuses = [
      await old.send("GET", "/partner/envelopes"),
      await fresh("GET", "/partner/envelopes"),
      await old.send("GET", "/partner/envelopes"),
      await fresh("GET", "/partner/envelopes"),
    ];
    expect(statuses.map((answer) => answer.status)).toEqual([200, 200, 200, 429]);
  });
});

describe("DELETE /partners/keys/:key_id", () => {
  test("the key is rejected from the next request, and a second call returns the same", async () => {
    const { admin, newKey } = await service.newOrg();
    const key = await newKey();
    expect((await key.send("GET", "/partner/envelopes")).status).toBe(200);
    const first = await admin("DELETE", `/partners/keys/${key.key_id}`);
    expect(first.status).toBe(200);
    expect(first.json).toEqual({ data: { key_id: key.key_id, status: "deactivated", deactivated_at: expect.any(String) } });
    expect(await key.send("GET", "/partner/envelopes")).toMatchObject({ status: 401, json: refusedWith("Invalid or missing API key") });
    expect((await admin("DELETE", `/partners/keys/${key.key_id}`)).text).toBe(first.text);
  });

  test("a deactivated key cannot be changed, rotated or tested: 409", async () => {
    const { admin, newKey } = await service.newOrg();
    const { key_id } = await newKey();
    await admin("DELETE", `/partners/keys/${key_id}`);
    const answers = [
      await admin("PATCH", `/partners/keys/${key_id}`, { body: { partner_name: "New" } }),
      await admin("POST", `/partners/keys/${key_id}/rotate`),
      await admin("POST", `/partners/keys/${key_id}/test-webhook`),
    ];
    for (const { status, json } of answers) expect([status, json]).toEqual([409, refusedWith("The key is deactivated. Create a new one")]);
    expect(await service.database.owner("select from events where body like '%webhook.test%'")).toEqual([]);
  });

  test("after deactivation neither the current nor a retiring raw key works", async () => {
    const { admin, newKey } = await service.newOrg();
    const old = await newKey();
    const { json } = await admin("POST", `/partners/keys/${old.key_id}/rotate`);
    await admin("DELETE", `/partners/keys/${old.key_id}`);
    for (const send of [old.send, withKey(json.data.api_key)]) expect((await send("GET", "/partner/envelopes")).status).toBe(401);
  });
});

describe("POST /partners/keys/:key_id/test-webhook", () => {
  test("appends one webhook.test event without an envelope, and returns how many endpoints get it", async () => {
    const { admin, newKey, org_id } = await service.newOrg();
    const { key_id } = await newKey();
    const { status, json } = await admin("POST", `/partners/keys/${key_id}/test-webhook`);
    expect(status).toBe(202);
    expect(json).toEqual({ data: { event_id: expect.stringMatching(/^evt_[0-9a-z]{26}$/), endpoints: 0 } });
    const rows = await service.database.owner<{ body: Buffer }>("select body from events where org_id = $1", [org_id]);
    expect(rows.map((row) => JSON.parse(row.body.toString("utf8")))).toEqual([
      {
        event_type: "webhook.test",
        event_id: json.data.event_id,
        org_id,
        envelope_id: null,
        timestamp: expect.stringMatching(/Z$/),
        data: { message: expect.stringContaining(key_id) },
      },
    ]);
  });
});

describe("an API key", () => {
  test("cannot manage keys", async () => {
    const { newKey } = await service.newOrg();
    const key = await newKey();
    for (const [method, path] of [
      ["GET", "/partners/keys"],
      ["POST", "/partners/keys"],
      ["DELETE", `/partners/keys/${key.key_id}`],
    ] as const) {
      expect(await key.send(method, path)).toMatchObject({ status: 401, json: refusedWith("Invalid or expired session") });
    }
  });

  test("has the time of its last use", async () => {
    const { admin, newKey } = await service.newOrg();
    const key = await newKey();
    const before = Date.now();
    await key.send("GET", "/partner/envelopes");
    const { json } = await admin("GET", `/partners/keys/${key.key_id}`);
    const used = Date.parse(json.data.last_used_at);
    expect([used >= before, used <= Date.now()]).toEqual([true, true]);
  });

  test.each(["", "lk_", `lk_${"g".repeat(40)}`, `lk_${"0".repeat(40)}`, `LK_${"0".repeat(40)}`, `lk_${"0".repeat(41)}`, "a b"])(
    "that is %j returns the same 401 as a missing key",
    async (api_key) => {
      const none = await service.send("GET", "/partner/envelopes");
      const given = await service.send("GET", "/partner/envelopes", { headers: { "x-api-key": api_key } });
      expect([given.status, given.text]).toEqual([none.status, none.text]);
      expect([given.status, given.json]).toEqual([401, refusedWith("Invalid or missing API key")]);
    },
  );

  test("in a request that also has a session, only the key counts", async () => {
    const { token } = await service.newOrg();
    const headers = { authorization: `Bearer ${token}`, "x-api-key": `lk_${"0".repeat(40)}` };
    expect((await service.send("GET", "/partner/envelopes", { headers })).status).toBe(401);
  });

  test("has an entry in the org's audit trail for every change", async () => {
    const { admin, newKey, user_id } = await service.newOrg();
    const { key_id } = await newKey({ scopes: [...scopes] });
    await admin("PATCH", `/partners/keys/${key_id}`, { body: { rate_limit_rpm: 5 } });
    await admin("POST", `/partners/keys/${key_id}/rotate`);
    await admin("DELETE", `/partners/keys/${key_id}`);
    await admin("DELETE", `/partners/keys/${key_id}`);
    const { json } = await admin("GET", "/org/audit-trail");
    const entries = json.data.filter((entry: { type: string }) => entry.type.startsWith("key."));
    expect(entries.map((entry: { type: string }) => entry.type)).toEqual(["key.deactivated", "key.rotated", "key.updated", "key.created"]);
    for (const { actor, data } of entries)
      expect([actor, data.key_id, data.ip]).toEqual([{ kind: "user", id: user_id }, key_id, "127.0.0.1"]);
  });
});
