import { beforeAll, describe, expect, test } from "vitest";
import { refusedWith } from "../../test/refused-with.ts";
import { type TestOrg, testService } from "../../test/service.ts";
import { newId } from "../shared/ids.ts";

const service = testService();
const outside = testService({ PUBLIC_URL: "https://sign.example.com" });

const URL_OF_ALL = "https://example.com/hooks?tenant=7";
const create = (org: TestOrg, body: object = { url: URL_OF_ALL }) => org.admin("POST", "/webhooks/endpoints", { body });
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

async function trail(org: TestOrg): Promise<{ type: string; data: Record<string, unknown> }[]> {
  const { json } = await org.admin("GET", "/org/audit-trail");
  return json.data.filter(({ type }: { type: string }) => type.startsWith("endpoint."));
}

describe("POST /webhooks/endpoints", () => {
  test("returns 201 with the endpoint and its secret; lists and single reads never show the secret", async () => {
    const org = await service.newOrg();
    const { status, json } = await create(org);
    expect(status).toBe(201);
    const { secret, ...view } = json.data;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(Buffer.from(secret.slice(6), "base64")).toHaveLength(32);
    expect(view).toEqual({
      endpoint_id: expect.stringMatching(/^we_[0-9a-hjkmnp-tv-z]{26}$/),
      url: URL_OF_ALL,
      description: null,
      event_types: ["*"],
      enabled: true,
      disabled_reason: null,
      disabled_at: null,
      failing_since: null,
      last_success_at: null,
      secret_rotated_at: null,
      previous_secret_expires_at: null,
      created_at: time,
      updated_at: view.created_at,
    });
    expect((await org.admin("GET", `/webhooks/endpoints/${view.endpoint_id}`)).json).toEqual({ data: view });
    expect((await org.admin("GET", "/webhooks/endpoints")).json).toEqual({ data: [view], meta: { page: 1, limit: 50, total: 1 } });
  });

  test("stores the secret encrypted: it is in no table, neither as text nor as bytes", async () => {
    const org = await service.newOrg();
    const { secret } = (await create(org)).json.data;
    const tables = await service.database.owner<{ name: string }>(
      "select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace",
    );
    const bytes = Buffer.from(secret.slice(6), "base64").toString("hex");
    for (const { name } of tables) {
      const rows = await service.database.owner(
        `select from ${name} t where t::text like '%' || $1 || '%' or t::text like '%' || $2 || '%'`,
        [secret.slice(6), bytes],
      );
      expect(rows, name).toEqual([]);
    }
  });

  test.each([
    ["absent", undefined, ["*"]],
    ["an empty list", [], ["*"]],
    ["the star", ["*"], ["*"]],
    ["* among others", ["vault.stored", "*"], ["*"]],
    ["names with a duplicate", ["vault.stored", "envelope.sent", "vault.stored"], ["vault.stored", "envelope.sent"]],
    ["all events of one kind", ["vault.compliance.*", "custodian.*"], ["vault.compliance.*", "custodian.*"]],
    ["a reserved name", ["envelope.completed"], ["envelope.completed"]],
  ])("event_types: %s", async (_what, event_types, kept) => {
    const org = await service.newOrg();
    const { status, json } = await create(org, { url: URL_OF_ALL, ...(event_types && { event_types }) });
    expect([status, json.data.event_types]).toEqual([201, kept]);
  });

  test("an endpoint that asks for reserved events only is created and changed with a warning", async () => {
    const org = await service.newOrg();
    const warning = { code: "reserved_events_only", message: expect.stringContaining("reserved") };
    const made = await create(org, { url: URL_OF_ALL, event_types: ["envelope.completed", "vault.document.*"] });
    expect([made.status, made.json.data.warnings]).toEqual([201, [warning]]);
    const at = `/webhooks/endpoints/${made.json.data.endpoint_id}`;
    const change = async (body: object) => (await org.admin("PATCH", at, { body })).json.data.warnings;
    expect(await change({ description: "still" })).toEqual([warning]);
    expect(await change({ event_types: ["envelope.completed", "envelope.sent"] }), "an event that is sent").toBeUndefined();
    expect(await change({ event_types: ["custodian.*"] }), "a kind with an event that is sent").toBeUndefined();
    expect(await change({ event_types: ["custodian.rejected"] })).toEqual([warning]);
    expect((await org.admin("GET", at)).json.data).not.toHaveProperty("warnings");
  });

  let org: TestOrg;
  beforeAll(async () => {
    org = await service.newOrg();
  });
  test.each([
    ["no URL", {}, "url", "required"],
    ["an empty URL", { url: "" }, "url", "too_small"],
    ["a URL of 2049 characters", { url: `https://example.com/${"x".repeat(2029)}` }, "url", "too_long"],
    ["text that is not a URL", { url: "example.com/hooks" }, "url", "invalid_value"],
    ["a URL without slashes", { url: "https:example.com" }, "url", "invalid_value"],
    ["a URL with one slash", { url: "https:/example.com" }, "url", "invalid_value"],
    ["a URL with three slashes", { url: "https:///example.com" }, "url", "invalid_value"],
    ["http without slashes", { url: "http:localhost:8080" }, "url", "invalid_value"],
    ["a URL with a space", { url: "https://example.com/a b" }, "url", "invalid_value"],
    ["a URL with a backslash", { url: "https://example.com\\@127.0.0.1/" }, "url", "invalid_value"],
    ["a file", { url: "file:///etc/passwd" }, "url", "invalid_value"],
    ["gopher", { url: "gopher://example.com/" }, "url", "invalid_value"],
    ["http to another machine", { url: "http://example.com/" }, "url", "invalid_value"],
    ["a user name", { url: "https://user@example.com/" }, "url", "invalid_value"],
    ["an empty user name", { url: "https://@example.com/" }, "url", "invalid_value"],
    ["a password", { url: "https://user:secret@example.com/" }, "url", "invalid_value"],
    ["a fragment", { url: "https://example.com/#a" }, "url", "invalid_value"],
    ["an empty fragment", { url: "https://example.com/#" }, "url", "invalid_value"],
    ["the port of SMTP", { url: "https://example.com:25/" }, "url", "invalid_value"],
    ["port 0", { url: "https://example.com:0/" }, "url", "invalid_value"],
    ["a private address", { url: "https://10.0.0.1/" }, "url", "invalid_value"],
    ["a host that is a number", { url: 5 }, "url", "invalid_type"],
    ["an unknown event type", { url: URL_OF_ALL, event_types: ["vault.stored", "vault.lost"] }, "event_types[1]", "invalid_value"],
    ["a kind without events", { url: URL_OF_ALL, event_types: ["vau.*"] }, "event_types[0]", "invalid_value"],
    ["an event type without a dot", { url: URL_OF_ALL, event_types: ["vault*"] }, "event_types[0]", "invalid_value"],
    ["a description of 501 characters", { url: URL_OF_ALL, description: "x".repeat(501) }, "description", "too_long"],
    ["enabled as text", { url: URL_OF_ALL, enabled: "true" }, "enabled", "invalid_type"],
  ])("%s returns 422 with its location, and nothing is created", async (_what, body, field, code) => {
    const { status, json } = await create(org, body);
    expect([status, json]).toEqual([
      422,
      { error: "Validation failed", details: [{ location: "body", field, code, message: expect.any(String) }] },
    ]);
    expect((await org.admin("GET", "/webhooks/endpoints")).json.meta.total).toBe(0);
    expect(await trail(org)).toEqual([]);
  });

  test("this machine can be reached by http in local mode only", async () => {
    const [here, there] = [await service.newOrg(), await outside.newOrg()];
    for (const url of ["http://localhost:8080/", "http://127.0.0.1:8080/", "http://[::1]:8080/", "https://127.0.0.1/"]) {
      expect((await create(here, { url })).status, url).toBe(201);
      expect((await create(there, { url })).status, url).toBe(422);
    }
    expect((await create(there)).status).toBe(201);
  });

  test("an organization has at most 20: of 30 concurrent requests exactly 20 succeed and the others return 409; deleting one makes room", async () => {
    const org = await service.newOrg();
    const answers = await Promise.all(Array.from({ length: 30 }, () => create(org)));
    const statuses = answers.map(({ status }) => status);
    expect([statuses.filter((one) => one === 201).length, statuses.filter((one) => one === 409).length]).toEqual([20, 10]);
    expect(answers.find(({ status }) => status === 409)?.json).toEqual(
      refusedWith("The organization already has 20 endpoints, the maximum. Delete one first"),
    );
    const made = answers.find(({ status }) => status === 201)?.json.data.endpoint_id;
    await org.admin("DELETE", `/webhooks/endpoints/${made}`);
    expect((await create(org)).status).toBe(201);
    expect((await create(await service.newOrg())).status, "another organization is not affected").toBe(201);
  });

  test("with an Idempotency-Key creates one endpoint, and the repeated request does not show the secret", async () => {
    const org = await service.newOrg();
    const once = () => org.admin("POST", "/webhooks/endpoints", { body: { url: URL_OF_ALL }, headers: { "idempotency-key": "a" } });
    expect([(await once()).status, (await once()).status]).toEqual([201, 409]);
    expect((await org.admin("GET", "/webhooks/endpoints")).json.meta.total).toBe(1);
  });
});

describe("PATCH /webhooks/endpoints/:endpoint_id", () => {
  test("changes the given members and keeps the others", async () => {
    const org = await service.newOrg();
    const { secret, ...made } = (await create(org, { url: URL_OF_ALL, description: "A", event_types: ["vault.*"] })).json.data;
    const path = `/webhooks/endpoints/${made.endpoint_id}`;
    const renamed = await org.admin("PATCH", path, { body: { description: null } });
    expect(renamed.json.data).toEqual({ ...made, description: null, updated_at: time });
    const moved = await org.admin("PATCH", path, { body: { url: "https://example.org/", event_types: [] } });
    expect(moved.json.data).toEqual({ ...made, description: null, url: "https://example.org/", event_types: ["*"], updated_at: time });
    expect((await org.admin("GET", `${path}/secret`)).json.data.secret, "the secret is the same").toBe(secret);
  });

  test("disables manually and enables again", async () => {
    const org = await service.newOrg();
    const { endpoint_id } = (await create(org)).json.data;
    const path = `/webhooks/endpoints/${endpoint_id}`;
    const off = await org.admin("PATCH", path, { body: { enabled: false } });
    expect(off.json.data).toMatchObject({ enabled: false, disabled_reason: "manual", disabled_at: time });
    const on = await org.admin("PATCH", path, { body: { enabled: true } });
    expect(on.json.data).toMatchObject({ enabled: true, disabled_reason: null, disabled_at: null });
  });

  test("enabling clears the failing state", async () => {
    const org = await service.newOrg();
    const { endpoint_id } = (await create(org)).json.data;
    await service.database.owner(
      "update webhook_endpoints set enabled = false, disabled_reason = 'failing', disabled_at = now(), failing_since = now() where endpoint_id = $1",
      [endpoint_id],
    );
    const on = await org.admin("PATCH", `/webhooks/endpoints/${endpoint_id}`, { body: { enabled: true } });
    expect(on.json.data).toMatchObject({ enabled: true, disabled_reason: null, failing_since: null });
  });

  test.each([
    ["enabled: true on an endpoint that is enabled", { enabled: true }],
    ["another URL", { url: "https://example.org/" }],
  ])("%s resets the failures: the next one counts as the first and does not disable it", async (_what, body) => {
    const org = await service.newOrg();
    const { endpoint_id } = (await create(org)).json.data;
    await service.database.owner(
      "update webhook_endpoints set failing_since = now() - interval '119 hours', failing_told_at = now() where endpoint_id = $1",
      [endpoint_id],
    );
    const on = await org.admin("PATCH", `/webhooks/endpoints/${endpoint_id}`, { body });
    expect(on.json.data).toMatchObject({ enabled: true, failing_since: null });
    const [row] = await service.database.owner("select failing_told_at from webhook_endpoints where endpoint_id = $1", [endpoint_id]);
    expect(row).toEqual({ failing_told_at: null });
  });

  test("a change without `enabled` keeps the failing state", async () => {
    const org = await service.newOrg();
    const { endpoint_id } = (await create(org)).json.data;
    await service.database.owner("update webhook_endpoints set failing_since = now() where endpoint_id = $1", [endpoint_id]);
    const renamed = await org.admin("PATCH", `/webhooks/endpoints/${endpoint_id}`, { body: { description: "B", url: URL_OF_ALL } });
    expect(renamed.json.data.failing_since).toEqual(time);
  });

  test("refuses the same input as creating", async () => {
    const org = await service.newOrg();
    const { endpoint_id } = (await create(org)).json.data;
    for (const body of [{ url: "https://169.254.169.254/" }, { url: "ftp://example.com" }, { event_types: ["nothing"] }]) {
      expect((await org.admin("PATCH", `/webhooks/endpoints/${endpoint_id}`, { body })).status).toBe(422);
    }
  });
});

describe("DELETE /webhooks/endpoints/:endpoint_id", () => {
  test("succeeds once; afterwards the endpoint is not found, and its secrets are erased", async () => {
    const org = await service.newOrg();
    const { endpoint_id } = (await create(org)).json.data;
    const path = `/webhooks/endpoints/${endpoint_id}`;
    const gone = await org.admin("DELETE", path);
    expect([gone.status, gone.json]).toEqual([200, { data: { endpoint_id, deleted: true } }]);
    const asks: [string, string, object?][] = [
      ["DELETE", path],
      ["GET", path],
      ["PATCH", path],
      ["GET", `${path}/secret`],
      ["GET", `${path}/deliveries`],
      ["POST", `${path}/rotate-secret`],
      ["POST", `${path}/test`],
      ["POST", `${path}/replay`, { since: "2026-01-01T00:00:00.000Z" }],
    ];
    for (const [method, where, body] of asks) {
      const { status, json } = await org.admin(method, where, body === undefined ? {} : { body });
      expect([method, where, status, json]).toEqual([method, where, 404, refusedWith("Endpoint not found")]);
    }
    expect((await org.admin("GET", "/webhooks/endpoints")).json.data).toEqual([]);
    expect(
      await service.database.owner("select secret_enc, previous_secret_enc from webhook_endpoints where endpoint_id = $1", [endpoint_id]),
    ).toEqual([{ secret_enc: null, previous_secret_enc: null }]);
  });
});

describe("the secret", () => {
  test("is shown to an admin's session, each time with an audit entry, and to no key", async () => {
    const org = await service.newOrg();
    const { endpoint_id, secret } = (await create(org)).json.data;
    const path = `/webhooks/endpoints/${endpoint_id}/secret`;
    for (let look = 0; look < 2; look++) {
      expect((await org.admin("GET", path)).json).toEqual({ data: { endpoint_id, secret } });
    }
    expect((await (await org.newKey()).send("GET", path)).status).toBe(401);
    expect((await trail(org)).map(({ type }) => type)).toEqual(["endpoint.secret_shown", "endpoint.secret_shown", "endpoint.created"]);
    expect((await org.admin("GET", `/webhooks/endpoints/${newId("endpoint")}/secret`)).status).toBe(404);
    expect((await org.admin("GET", "/webhooks/endpoints")).status, "the connection still works").toBe(200);
  });

  test("forty concurrent reads all succeed: none waits for a connection that another holds", async () => {
    const org = await service.newOrg();
    const { endpoint_id } = (await create(org)).json.data;
    const looks = await Promise.all(Array.from({ length: 40 }, () => org.admin("GET", `/webhooks/endpoints/${endpoint_id}/secret`)));
    expect(new Set(looks.map(({ status }) => status))).toEqual(new Set([200]));
    const { json } = await org.admin("GET", "/org/audit-trail?limit=200");
    expect(json.data.filter(({ type }: { type: string }) => type === "endpoint.secret_shown")).toHaveLength(40);
  });

  test("rotates with an overlap of a day by default", async () => {
    const org = await service.newOrg();
    const { endpoint_id, secret } = (await create(org)).json.data;
    const path = `/webhooks/endpoints/${endpoint_id}`;
    const rotate = (body: object = {}) => org.admin("POST", `${path}/rotate-secret`, { body });
    const { status, json } = await rotate();
    expect([status, json.data]).toEqual([200, { endpoint_id, secret: expect.stringMatching(/^whsec_/), previous_secret_expires_at: time }]);
    expect(json.data.secret).not.toBe(secret);
    const left = Date.parse(json.data.previous_secret_expires_at) - Date.now();
    expect(Math.abs(left - 86_400_000)).toBeLessThan(60_000);
    const view = (await org.admin("GET", path)).json.data;
    expect(view).toMatchObject({ secret_rotated_at: time, previous_secret_expires_at: json.data.previous_secret_expires_at });
    expect((await rotate({ grace_period_seconds: 0 })).json.data.previous_secret_expires_at).toBeNull();
    expect((await org.admin("GET", path)).json.data.previous_secret_expires_at).toBeNull();
    for (const grace_period_seconds of [-1, 604_801, 1.5, "60"]) expect((await rotate({ grace_period_seconds })).status).toBe(422);
  });

  test("the audit trail contains actions and hosts, never a secret, a path or a query", async () => {
    const org = await service.newOrg();
    const { endpoint_id, secret } = (await create(org)).json.data;
    const path = `/webhooks/endpoints/${endpoint_id}`;
    const rotated = (await org.admin("POST", `${path}/rotate-secret`)).json.data.secret;
    await org.admin("PATCH", path, { body: { enabled: false } });
    await org.admin("DELETE", path);
    const entries = await trail(org);
    expect(entries.map(({ type }) => type)).toEqual([
      "endpoint.deleted",
      "endpoint.updated",
      "endpoint.secret_rotated",
      "endpoint.created",
    ]);
    expect(entries.at(-1)?.data).toMatchObject({ endpoint_id, host: "example.com", event_types: ["*"], enabled: true });
    for (const hidden of [secret, rotated, "tenant=7"]) expect(JSON.stringify(entries)).not.toContain(hidden);
  });
});

test("GET /webhooks/event-types lists the 17 types with the schema of their data", async () => {
  const org = await service.newOrg();
  const { status, json } = await org.admin("GET", "/webhooks/event-types");
  expect([status, json.meta]).toEqual([200, { page: 1, limit: 50, total: 17 }]);
  const names = (wanted: string) =>
    json.data.filter((one: { status: string }) => one.status === wanted).map((one: { event_type: string }) => one.event_type);
  expect([names("dispatched").length, names("reserved").length]).toEqual([9, 8]);
  const voided = json.data.find((one: { event_type: string }) => one.event_type === "envelope.voided");
  expect(voided.schema).toMatchObject({ type: "object", required: ["envelope_id", "reason", "customer_id", "external_id"] });
});
