import { afterEach, describe, expect, test } from "vitest";
import type { Endpoint } from "../src/http/endpoint.ts";
import { refusalFor, statusOfProblem } from "../src/http/problem.ts";
import { apiDocuments, declaredEndpoints } from "../src/main.ts";
import { newId } from "../src/shared/ids.ts";
import { Problem, type ProblemCode, problems } from "../src/shared/problems.ts";
import { newSlug } from "../src/shared/slugs.ts";
import { client } from "./client.ts";
import { testService } from "./service.ts";

/** Every refusal has its code in a header and in `details`. Generated from the list of endpoints. */

const service = testService();
const declared = declaredEndpoints();
const codes = Object.keys(problems) as ProblemCode[];
const named = (endpoints: readonly Endpoint[]) => endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const);
const idFor = (kind: string) =>
  kind === "slug" ? newSlug() : kind === "number" ? "1" : kind === "tag" ? "tag" : newId(kind as Parameters<typeof newId>[0]);
const pathOf = ({ path, params }: Endpoint) => path.replace(/:(\w+)/g, (_, name: string) => idFor(params[name] ?? ""));

describe("a problem", () => {
  test.each(named(declared))("of %s has its code in the header and, with its sentence, in details", (_name, endpoint) => {
    const params = Object.keys(endpoint.params);
    for (const code of new Set<ProblemCode>([...endpoint.problems, endpoint.missing, "internal", "database_away"])) {
      // Its body has no details.
      if (code === "rate_limited") continue;
      const { status, headers, body } = refusalFor(new Problem(code), { credential: "X-API-Key", params });
      const [detail] = body.details ?? [];
      expect([status, headers["x-error-code"], body.details?.length]).toEqual([statusOfProblem(code), code, 1]);
      expect([detail?.code, detail?.message]).toEqual([code, body.error]);
      expect(detail?.location === "path" ? params : [null, "X-API-Key", "Authorization"]).toContain(detail?.field);
    }
  });

  test("with its own details keeps them, and the header has the problem's code", () => {
    const details = [{ location: "path", field: "envelope_id", code: "voided", message: "was voided" }] as const;
    const { headers, body } = refusalFor(new Problem("envelope_ended", "", { details }));
    expect([headers["x-error-code"], body.details]).toEqual(["envelope_ended", details]);
  });

  test("with an empty list of details looks like one without", () => {
    expect(refusalFor(new Problem("envelope_not_found", "", { details: [] })).body.details).toHaveLength(1);
  });

  test("for an exceeded limit has exactly the body of the specification", () => {
    const { headers, body } = refusalFor(new Problem("rate_limited"));
    expect([headers["x-error-code"], JSON.stringify(body)]).toEqual(["rate_limited", '{"error":"Rate limit exceeded"}']);
  });

  test("for customers who share an e-mail address has candidates", () => {
    const candidates = [{ customer_id: "cust_1", name: null, client_id: null }];
    expect(refusalFor(new Problem("several_customers", "", { candidates })).body).toMatchObject({
      candidates,
      details: [{ code: "several_customers" }],
    });
  });

  test("has a code that the published description lists", () => {
    const published = JSON.stringify(apiDocuments());
    for (const code of codes) expect(published).toContain(`"${code}"`);
    expect(published).toContain('"request"');
  });
});

describe("over HTTP", () => {
  // So many refused credentials would exceed the limit for guessing.
  afterEach(async () => {
    await service.database.owner("delete from quotas where subject like 'refused:%'");
  });

  const withCredential = declared.filter(({ access }) => access !== "anyone");
  test.each(named(withCredential))("%s without a credential is 401 for the credential's header", async (_name, endpoint) => {
    const isByKey = endpoint.access !== "anyone" && "anyScope" in endpoint.access;
    const { status, headers, json } = await service.send(endpoint.method, pathOf(endpoint));
    const field = isByKey ? "X-API-Key" : "Authorization";
    const code = headers["x-error-code"];
    expect([status, json.details]).toEqual([401, [{ location: "header", field, code, message: json.error }]]);
  });

  test.each(named(withCredential))(
    "%s with an API key in Authorization says where it belongs, whether or not the key is valid",
    async (_name, endpoint) => {
      const { newKey } = await service.newOrg();
      const { api_key } = await newKey();
      for (const authorization of [`Bearer ${api_key}`, api_key, `Bearer lk_${"0".repeat(40)}`]) {
        const { status, headers, json } = await client(service.url, { authorization })(endpoint.method, pathOf(endpoint));
        expect([status, headers["x-error-code"], json]).toEqual([
          401,
          "api_key_in_authorization",
          {
            error: "Send the API key in the X-API-Key header",
            details: [
              {
                location: "header",
                field: "Authorization",
                code: "api_key_in_authorization",
                message: "Send the API key in the X-API-Key header",
              },
            ],
          },
        ]);
      }
    },
  );

  test("a missing scope is reported for the key's header, a role that is too low for the session's", async () => {
    const org = await service.newOrg();
    const { send } = await org.newKey({ scopes: ["vault:read"] });
    const byKey = await send("GET", "/partner/envelopes");
    expect([byKey.headers["x-error-code"], byKey.json.details[0]]).toMatchObject([
      "scope_missing",
      { location: "header", field: "X-API-Key" },
    ]);
  });

  test("a missing record is reported for its path parameter, unless the body names it", async () => {
    const { newKey } = await service.newOrg();
    const { send } = await newKey();
    const missing = await send("GET", `/partner/envelopes/${newId("envelope")}`);
    expect([missing.headers["x-error-code"], missing.json.details]).toEqual([
      "envelope_not_found",
      [{ location: "path", field: "envelope_id", code: "envelope_not_found", message: "Envelope not found" }],
    ]);
    const body = { envelope_id: newId("envelope"), user_email: "ann@example.com", widget_type: "sign" };
    const named = await send("POST", "/embed/token", { body });
    expect([named.status, named.json.details]).toEqual([
      404,
      [{ location: "request", field: null, code: "envelope_not_found", message: "Envelope not found" }],
    ]);
  });

  test("errors without a route have both too", async () => {
    for (const [method, path, status, code] of [
      ["GET", "/nowhere", 404, "not_found"],
      ["PATCH", "/partner/envelopes", 405, "method_not_allowed"],
      ["GET", "//nowhere", 404, "not_found"],
      ["GET", "//assets/nothing.js", 404, "not_found"],
      ["GET", "//docs/nothing.json", 404, "not_found"],
      ["GET", "/partner/%", 404, "not_found"],
    ] as const) {
      const answer = await service.send(method, path);
      expect([path, answer.status, answer.headers["x-error-code"], answer.json.details]).toEqual([
        path,
        status,
        code,
        [{ location: "request", field: null, code, message: answer.json.error }],
      ]);
    }
  });

  test("429 has the header and exactly the body of the specification", async () => {
    const { newKey } = await service.newOrg();
    const { send } = await newKey({ rate_limit_rpm: 1 });
    await send("GET", "/partner/envelopes");
    const { status, headers, text } = await send("GET", "/partner/envelopes");
    expect([status, headers["x-error-code"], text]).toEqual([429, "rate_limited", '{"error":"Rate limit exceeded"}']);
  });
});

describe("messages about values", () => {
  interface Shape {
    readonly [name: string]: unknown;
  }
  const schemasIn = (schema: unknown): Shape[] =>
    typeof schema !== "object" || schema === null ? [] : [schema as Shape, ...Object.values(schema).flatMap(schemasIn)];

  test("every pattern and format has its own", () => {
    const all = declared.flatMap(({ name, query, body, form, answer, alternative }) => {
      const parts = form === null || form === "arriving" ? null : form.parts;
      return [query, body, parts, answer, alternative?.answer].flatMap(schemasIn).map((schema) => ({ name, schema }));
    });
    const formed = all.filter(({ schema }) => typeof schema.pattern === "string" || typeof schema.format === "string");
    expect(formed.length).toBeGreaterThan(200);
    expect(formed.filter(({ schema }) => typeof schema["x-message"] !== "string")).toEqual([]);
  });

  test("none is published", () => {
    expect(JSON.stringify(apiDocuments())).not.toContain("x-message");
  });

  test("say what is allowed", async () => {
    const { admin, newKey } = await service.newOrg();
    const { send } = await newKey();
    const messageOf = async (answer: ReturnType<typeof send>) => (await answer).json.details[0].message;
    const body = { envelope_name: "Lease", customer_email: "ann", customer_name: "Ann" };
    expect(await messageOf(send("POST", "/partner/envelopes", { body }))).toBe("must be an e-mail address, for example ann@example.com");
    expect(await messageOf(send("GET", "/partner/envelopes?created_from=yesterday"))).toBe(
      "must be an ISO 8601 time with a time zone, for example 2026-01-31T12:00:00Z",
    );
    const custodian = (default_custodian_user_id: unknown) => admin("PATCH", "/org/settings", { body: { default_custodian_user_id } });
    expect(await messageOf(custodian("sam"))).toBe("must be a user ID (usr_…)");
    expect(await messageOf(custodian(7))).toBe("must be a string or null");
    expect(await messageOf(admin("PATCH", "/org/settings", { body: { min_retention_days: "many" } }))).toBe("must be a whole number");
    expect(await messageOf(admin("POST", "/partners/keys", { body: { partner_name: "A", scopes: [] } }))).toBe("must have at least 1 item");
  });
});
