import { connect, type Socket } from "node:net";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { client } from "../../test/client.ts";
import { proxyTo } from "../../test/proxy.ts";
import { refusalText, refusedWith } from "../../test/refused-with.ts";
import { AT_ONCE, testService } from "../../test/service.ts";
import { isRequestTooExpensive } from "../../test/thread-time.ts";
import { connectDb } from "../db/connect.ts";
import { eventTypes } from "../events/catalogue.ts";
import { buildFeatures } from "../features.ts";
import { makeLogger } from "../logger.ts";
import { buildHttp, declaredEndpoints } from "../main.ts";
import { newId } from "../shared/ids.ts";
import { deprecationHeaders } from "./deprecation.ts";
import type { Endpoint } from "./endpoint.ts";
import { openApiDocument } from "./openapi.ts";
import type { AnsweredSample } from "./server.ts";

const service = testService();
const rateHeaders = ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"];

describe("a malformed request", () => {
  test("malformed JSON is 400, and nothing is created", async () => {
    const { admin } = await service.newOrg();
    for (const raw of ["{", "{'a':1}", "\u00ff{}", '{"a":1}x', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d])]) {
      const { status, json } = await admin("POST", "/partners/keys", { raw, headers: { "content-type": "application/json" } });
      expect([status, json]).toEqual([400, refusedWith("The request body is not valid JSON")]);
    }
    expect((await admin("GET", "/partners/keys")).json.meta.total).toBe(0);
  });

  test.each(["[]", '"text"', "5", "null", "true"])("a body of %s is 422, because it is not an object", async (raw) => {
    const { admin } = await service.newOrg();
    const { status, json } = await admin("POST", "/partners/keys", { raw, headers: { "content-type": "application/json" } });
    expect(status).toBe(422);
    expect(json.details).toEqual([{ location: "body", field: null, code: "invalid_type", message: "must be a JSON object" }]);
  });

  test("NUL is 422 in a value, in a name, at any depth and in the query", async () => {
    const { admin, newKey } = await service.newOrg();
    const key = await newKey();
    const path = `/partners/keys/${key.key_id}`;
    for (const webhook of [{ a: "x\0" }, { "x\0": 1 }, { a: [{ b: ["\0"] }] }]) {
      const { status, json } = await admin("PATCH", path, { body: { webhook } });
      expect([status, json.details[0].code]).toEqual([422, "invalid_format"]);
    }
    const query = await key.send("GET", "/partner/envelopes?customer_id=%00");
    expect([query.status, query.json.details[0]]).toMatchObject([422, { location: "query", field: "customer_id", code: "invalid_format" }]);
  });

  test("an object with more than 2,000 members is 422 before it is parsed, at any depth; a list can be longer", async () => {
    const members = (count: number) => `{${Array.from({ length: count }, (_, n) => `"m${n}":0`).join(",")}}`;
    const details = [{ location: "body", field: null, code: "invalid_value", message: "must have at most 2,000 members in an object" }];
    const { admin, newKey } = await service.newOrg();
    const { key_id } = await newKey();
    const post = (raw: string) => admin("PATCH", `/partners/keys/${key_id}`, { raw, headers: { "content-type": "application/json" } });
    for (const text of [members(2_001), `{"a":[{"b":${members(2_001)}}]}`, `{"a":${members(70_000)}`]) {
      expect((await post(text)).json).toEqual({ error: "Validation failed", details });
    }
    for (const text of [members(2_000), `{"a":[${"0,".repeat(5_000)}0]}`]) expect((await post(text)).text).not.toContain("2,000 members");
  });

  test("a body that is nested more than 32 levels deep is 422 before it is parsed, even if it is not valid JSON", async () => {
    const { admin, newKey } = await service.newOrg();
    const { key_id } = await newKey();
    const headers = { "content-type": "application/json" };
    const closed = (levels: number) => `{"webhook":{"a":${"[".repeat(levels)}${"]".repeat(levels)}}}`;
    const details = [{ location: "body", field: null, code: "invalid_value", message: "must be nested at most 32 levels deep" }];
    for (const raw of [closed(31), closed(200_000), "[".repeat(1_048_576)]) {
      const { status, json } = await admin("PATCH", `/partners/keys/${key_id}`, { raw, headers });
      expect([status, json]).toEqual([422, { error: "Validation failed", details }]);
    }
    expect((await admin("PATCH", `/partners/keys/${key_id}`, { raw: closed(30), headers })).status).toBe(200);
  });

  test("a mebibyte of opening brackets costs almost no CPU time", async () => {
    const { admin, newKey } = await service.newOrg();
    const path = `/partners/keys/${(await newKey()).key_id}`;
    const raw = "[".repeat(1_048_576);
    const send = () => admin("PATCH", path, { raw, headers: { "content-type": "application/json" } });
    expect(await isRequestTooExpensive(send, 20)).toBe(false);
  });

  test("a Content-Type other than JSON is 415", async () => {
    const { admin } = await service.newOrg();
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/jsonx", ""]) {
      const { status, json } = await admin("POST", "/partners/keys", {
        raw: '{"a":1}',
        headers: type === "" ? {} : { "content-type": type },
      });
      expect([status, json]).toEqual([415, refusedWith("The body must be application/json in UTF-8, without a Content-Encoding")]);
    }
  });

  test("JSON with a charset parameter is accepted", async () => {
    const { admin } = await service.newOrg();
    const raw = JSON.stringify({ partner_name: "Acme", scopes: ["envelopes:read"] });
    expect((await admin("POST", "/partners/keys", { raw, headers: { "content-type": "Application/JSON; charset=utf-8" } })).status).toBe(
      201,
    );
  });

  test("a missing or empty body counts as {} with any Content-Type", async () => {
    const { admin, newKey } = await service.newOrg();
    const { key_id } = await newKey();
    for (const headers of [{}, { "content-type": "text/plain" }, { "content-type": "application/json" }]) {
      expect((await admin("POST", `/partners/keys/${key_id}/rotate`, { raw: "", headers })).status).toBe(200);
      expect((await admin("POST", "/partners/keys", { raw: "", headers })).json.details.map((one: { code: string }) => one.code)).toEqual([
        "required",
        "required",
      ]);
      expect((await admin("DELETE", `/partners/keys/${newId("key")}`, { headers })).status).toBe(404);
    }
  });

  test("a body over 1 MiB is 413, with or without Content-Length, and nothing is created", async () => {
    const { admin } = await service.newOrg();
    const raw = JSON.stringify({ partner_name: "Acme", scopes: ["envelopes:read"], padding: "x".repeat(1_048_576) });
    const declared = await admin("POST", "/partners/keys", { raw, headers: { "content-type": "application/json" } });
    expect([declared.status, declared.json]).toEqual([413, refusedWith("The request body is too large. The maximum is 1 MB")]);
    const { token } = await service.newOrg();
    const chunked = await rawRequest(
      `POST /api/v2/partners/keys HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n` +
        `Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n${raw.length.toString(16)}\r\n${raw}\r\n0\r\n\r\n`,
    );
    expect(chunked).toMatch(/^HTTP\/1\.1 413 /);
    expect((await admin("GET", "/partners/keys")).json.meta.total).toBe(0);
  });

  test("without a credential and over 16 KB is 413, with or without Content-Length", async () => {
    const anonymous = declaredEndpoints().filter(({ access }) => access === "anyone");
    expect(anonymous.length).toBeGreaterThan(8);
    const raw = JSON.stringify({ email: "ann@example.com", password: "x".repeat(16_384) });
    for (const { method, path } of anonymous) {
      const { status, json } = await service.send(method, path.replace(/:\w+/g, "x"), {
        raw,
        headers: { "content-type": "application/json" },
      });
      expect([path, status, json]).toEqual([path, 413, refusedWith("The request body is too large. The maximum is 16 KB")]);
    }
    const chunked = await rawRequest(
      "POST /api/v2/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n" +
        `Connection: close\r\n\r\n${raw.length.toString(16)}\r\n${raw}\r\n0\r\n\r\n`,
    );
    expect(chunked).toMatch(/^HTTP\/1\.1 413 /);
    const most = JSON.stringify({ email: "ann@example.com", password: "" }).length;
    const whole = { email: "ann@example.com", password: "x".repeat(16_384 - most) };
    expect((await service.send("POST", "/auth/login", { body: whole })).status).toBe(422);
  });

  test("without a credential and far too large is not read to the end", async () => {
    const read = new Promise<number>((resolve) => {
      service.app.server.once("connection", (socket: Socket) => socket.once("close", () => resolve(socket.bytesRead)));
    });
    const pieces = "x".repeat(65_536);
    await new Promise<void>((resolve) => {
      const socket = connect(Number(new URL(service.url).port), "127.0.0.1");
      socket.write(
        "POST /api/v2/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 104857600\r\n\r\n",
      );
      // As much as the server accepts.
      const more = (): void => {
        while (socket.writable && socket.write(pieces));
      };
      socket.on("drain", more);
      socket.on("error", () => undefined);
      socket.once("close", () => resolve());
      socket.resume();
      more();
    });
    expect(await read).toBeLessThan(1_048_576);
  });

  test("a name that is built to be slow to match costs no more CPU time than another and is 422", async () => {
    const [name, password] = [`${"a".repeat(15_000)}\u0001`, "mauve otter kettle 1931"];
    const token = "x".repeat(40);
    for (const [path, body] of [
      ["/auth/invitations/accept", { token, name, password, mode: "token" }],
      ["/setup", { token, org_name: "Acme", name, email: "ann@example.com", password }],
    ] as const) {
      const { status, json } = await service.send("POST", path, { body });
      expect([path, status, json.details.find((one: { field: string }) => one.field === "name")]).toEqual([
        path,
        422,
        { location: "body", field: "name", code: "too_long", message: "must have at most 200 characters" },
      ]);
      expect(await isRequestTooExpensive(() => service.send("POST", path, { body }), 20)).toBe(false);
    }
  });

  test("with two Host headers is 400, for any values and any path", async () => {
    for (const [first, second] of [
      ["localhost", "localhost"],
      ["localhost", "example.com"],
      ["example.com", "localhost"],
    ]) {
      for (const path of ["/healthz", "/api/v2/partner/envelopes", "/nowhere", "/console/"]) {
        const answer = await rawRequest(`GET ${path} HTTP/1.1\r\nHost: ${first}\r\nhost: ${second}\r\nConnection: close\r\n\r\n`);
        expect(answer).toMatch(/^HTTP\/1\.1 400 [\s\S]*\r\nx-error-code: duplicate_host\r\n/);
        expect(answer.endsWith(refusalText("The request has more than one Host header"))).toBe(true);
      }
    }
  });

  test("is refused before its body is read: 401 arrives even if the body never does", async () => {
    const answer = await rawRequest(
      "POST /api/v2/partners/keys HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900000\r\n\r\n",
      /\r\n\r\n\{.*\}$/s,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
    expect(answer).toContain(refusalText("Invalid or expired session", "header", "Authorization"));
  });

  test("with a mebibyte of tiny values costs no more than parsing it", async () => {
    const { admin, newKey } = await service.newOrg();
    const path = `/partners/keys/${(await newKey()).key_id}`;
    const raw = `{"a":[${"[],".repeat(340_000)}[]]}`;
    const statuses: number[] = [];
    const send = async () => {
      statuses.push((await admin("PATCH", path, { raw, headers: { "content-type": "application/json" } })).status);
    };
    expect(await isRequestTooExpensive(send, 500)).toBe(false);
    expect(new Set(statuses)).toEqual(new Set([422]));
  });

  test("with a content encoding or another charset is 415", async () => {
    const { admin } = await service.newOrg();
    for (const headers of [
      { "content-type": "application/json", "content-encoding": "gzip" },
      { "content-type": "application/json; charset=latin1" },
    ]) {
      expect((await admin("POST", "/partners/keys", { raw: "{}", headers })).status).toBe(415);
    }
  });

  test("with headers over 16 KiB is 431, without a Host 421, and with an unknown Expect it is served", async () => {
    const large = await rawRequest(`GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: ${"x".repeat(20_000)}\r\n\r\n`);
    expect(large).toMatch(/^HTTP\/1\.1 431 [\s\S]*\r\nx-error-code: headers_too_large\r\n/);
    expect(large.endsWith(refusalText("The request's headers are too large"))).toBe(true);
    expect(await rawRequest("GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n")).toMatch(/^HTTP\/1\.1 421 /);
    expect(await rawRequest("GET /healthz HTTP/1.1\r\nHost: localhost\r\nExpect: wonders\r\nConnection: close\r\n\r\n")).toMatch(
      /^HTTP\/1\.1 200 /,
    );
  });

  test.each(["/docs/../package.json", "/docs/assets/../../package.json", "/docs/%2e%2e/package.json"])(
    "for a file outside the documentation, %s, is 404, not 500",
    async (path) => {
      const answer = await rawRequest(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1\.1 404 /);
    },
  );

  test("that is not HTTP is a plain 400 with the headers of every response", async () => {
    const answer = await rawRequest("HELLO\r\n\r\n");
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(answer.endsWith(refusalText("Bad request"))).toBe(true);
    for (const header of [
      "x-content-type-options: nosniff",
      "referrer-policy: no-referrer",
      "permissions-policy: ",
      "cache-control: no-store",
      "x-error-code: malformed_request",
    ])
      expect(answer).toContain(`\r\n${header}`);
  });
});

describe("an unknown path or method", () => {
  test("an unknown path is 404 with any method, credential and body", async () => {
    const { admin } = await service.newOrg();
    for (const method of ["GET", "POST", "DELETE"]) {
      const { status, json } = await admin(method, "/nowhere", { raw: "{", headers: { "content-type": "text/plain" } });
      expect([status, json]).toEqual([404, refusedWith("Not found")]);
    }
    expect(await service.send("GET", "/%ff")).toMatchObject({ status: 404, json: refusedWith("Not found") });
  });

  test("an unsupported method is 405 with Allow, before any credential is checked", async () => {
    const answer = await service.send("PUT", "/partners/keys");
    expect(answer).toMatchObject({ status: 405, json: refusedWith("Method not allowed"), headers: { allow: "GET, HEAD, POST" } });
    expect((await service.send("GET", "/auth/login")).headers.allow).toBe("POST");
    expect((await service.send("OPTIONS", "/partner/envelopes")).status).toBe(405);
    expect((await service.send("PROPFIND", "/partner/envelopes?limit=1")).headers.allow).toBe("GET, HEAD, POST");
    // A fixed word of a path is not an id, and a segment that is too long for an id matches no path.
    expect((await service.send("GET", "/customers/bulk")).headers.allow).toBe("POST");
    for (const method of ["PUT", "GET"]) expect((await service.send(method, `/customers/${"x".repeat(201)}`)).status).toBe(404);
  });

  test("HEAD answers like GET, without a body", async () => {
    const { newKey } = await service.newOrg();
    const key = await newKey();
    const answer = await key.send("HEAD", "/partner/envelopes");
    expect([answer.status, answer.text]).toEqual([200, ""]);
  });
});

describe("every response", () => {
  test("under /api/v2 has the three rate-limit headers, a request id and no-store", async () => {
    const { admin, newKey } = await service.newOrg();
    const key = await newKey({ scopes: ["customers:read"] });
    const tagged = await admin("GET", "/org/settings");
    const answers = [
      tagged,
      await admin("GET", "/org/settings", { headers: { "if-none-match": tagged.headers.etag ?? "" } }),
      await service.send("GET", "/partner/envelopes"),
      await key.send("GET", "/partner/envelopes"),
      await admin("GET", "/nowhere"),
      await admin("PUT", "/partners/keys"),
      await admin("POST", "/partners/keys", { raw: "x".repeat(1_100_000) }),
      await admin("POST", "/partners/keys", { raw: "x" }),
      await service.send("POST", "/auth/login", { body: {} }),
      await service.send("GET", "/openapi.json"),
    ];
    expect(answers.map((answer) => answer.status)).toEqual([200, 304, 401, 403, 404, 405, 413, 415, 422, 200]);
    for (const { headers, status } of answers) {
      for (const name of rateHeaders) expect(headers[name], `${status} ${name}`).toMatch(/^\d+$/);
      expect(headers).toMatchObject({
        "x-request-id": expect.stringMatching(/^req_/),
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
      });
    }
  });

  test("of a single record has an ETag, and If-None-Match gives 304 until it changes", async () => {
    const { admin } = await service.newOrg();
    const first = await admin("GET", "/org/settings");
    const headers = { "if-none-match": `"other", W/${first.headers.etag}` };
    const known = await admin("GET", "/org/settings", { headers });
    expect([known.status, known.text, known.headers["content-type"], known.headers.etag]).toEqual([304, "", undefined, first.headers.etag]);
    await admin("PATCH", "/org/settings", { body: { min_retention_days: 30 } });
    expect((await admin("GET", "/org/settings", { headers })).status).toBe(200);
  });

  test("an unexpected error is a 500 that reveals nothing", async () => {
    const { newKey } = await service.newOrg();
    const key = await newKey();
    await service.database.owner("alter table envelopes rename to gone");
    const answer = await key.send("GET", "/partner/envelopes");
    await service.database.owner("alter table gone rename to envelopes");
    expect([answer.status, answer.text]).toEqual([500, refusalText("Internal server error")]);
    for (const name of rateHeaders) expect(answer.headers[name]).toMatch(/^\d+$/);
    expect((await key.send("GET", "/partner/envelopes")).status).toBe(200);
  });
});

describe("the Host of a request in local mode", () => {
  test.each(["localhost", "localhost:3000", "app.localhost", "127.0.0.1:80", "127.9.9.9", "[::1]:3000"])("%s is served", async (host) => {
    expect((await service.send("GET", "//healthz", { headers: { host } })).status).toBe(200);
  });
  test.each(["example.com", "localhost.example.com", "127.0.0.1.example.com", "10.0.0.1"])(
    "%s is 421 with a sentence that says what to do",
    async (host) => {
      const { status, json } = await service.send("GET", "/partner/envelopes", { headers: { host } });
      expect([status, json.error]).toEqual([421, expect.stringContaining("Set PUBLIC_URL")]);
    },
  );
});

describe("a deprecated operation", () => {
  const stability = { since: "2027-01-01", until: "2028-01-01", use: "get_key" };
  const announced = {
    deprecation: "@1798761600",
    sunset: "Sat, 01 Jan 2028 00:00:00 GMT",
    link: '</docs>; rel="deprecation"; type="text/html"',
  };
  const samples: AnsweredSample[] = [];
  const logged: string[] = [];
  let deprecating: { send: ReturnType<typeof client>; end(): Promise<void> };
  beforeAll(async () => {
    const { db, config, features } = service;
    const logger = pino({ base: null }, { write: (line: string) => void logged.push(line) });
    const names = ["list_keys", "create_key", "log_in", "list_envelopes"];
    const declare = (endpoint: Endpoint) => (names.includes(endpoint.name) ? { ...endpoint, stability } : endpoint);
    const app = await buildHttp({ config, db, features, logger, declare, checks: AT_ONCE, onAnswered: (sample) => samples.push(sample) });
    deprecating = { send: client(await app.listen({ port: 0, host: "127.0.0.1" })), end: () => app.close() };
  });
  afterAll(() => deprecating.end());

  test("says since when, until when and where to read more, in each response and in no other", async () => {
    const { token } = await service.newOrg();
    const headers = { authorization: `Bearer ${token}` };
    const send = async (method: string, path: string, sent?: object) => {
      const answer = await deprecating.send(method, path, { headers, ...(sent !== undefined && { body: sent }) });
      const { deprecation, sunset, link } = answer.headers;
      return [answer.status, { deprecation, sunset, link }];
    };
    expect(await send("GET", "/partners/keys")).toEqual([200, announced]);
    expect(await send("GET", "/partners/keys?pag=1")).toEqual([422, announced]);
    expect(await send("POST", "/partners/keys", {})).toEqual([422, announced]);
    expect(await send("POST", "/auth/login", {})).toEqual([422, announced]);
    expect(await send("GET", "/org/settings")).toEqual([200, {}]);
    expect(await send("GET", "/nothing")).toEqual([404, {}]);
    expect((await deprecating.send("GET", "/partners/keys")).headers).toMatchObject(announced);
  });

  test("is counted, and its callers are in the log", async () => {
    const { newKey } = await service.newOrg();
    const { api_key, key_id } = await newKey({ scopes: ["envelopes:read"] });
    [samples.length, logged.length] = [0, 0];
    for (const path of ["/partner/envelopes", "/partner/tags"]) await deprecating.send("GET", path, { headers: { "x-api-key": api_key } });
    const [deprecated, other] = ["/api/v2/partner/envelopes", "/api/v2/partner/tags"];
    expect(samples.map((one) => [one.route, one.deprecated])).toEqual([
      [deprecated, true],
      [other, false],
    ]);
    const lines = logged.map((line) => JSON.parse(line)).filter(({ msg }) => msg === "request");
    expect(lines.map((line) => [line.route, line.actor, line.deprecated])).toEqual([
      [deprecated, key_id, true],
      [other, key_id, undefined],
    ]);
  });

  test("works for twelve months at least, and names another operation", () => {
    expect(deprecationHeaders(stability)).toEqual(announced);
    expect(() => deprecationHeaders({ ...stability, until: "2027-12-31" })).toThrow("works until 2028-01-01 at least");
    expect(() => deprecationHeaders({ ...stability, since: "2027-02-30" })).toThrow("2027-02-30 is not a day");
    const described = (use: string) =>
      openApiDocument(
        declaredEndpoints().map((one) => (one.name === "list_keys" ? { ...one, stability: { ...stability, use } } : one)),
        eventTypes,
        "1.0.0",
      );
    expect(JSON.stringify(described("get_key"))).toContain(
      '"deprecated":true,"x-stability":"deprecated since 2027-01-01: may be removed from 2028-01-01 on; use get_key"',
    );
    for (const use of ["list_kys", "list_keys"]) expect(() => described(use)).toThrow(`list_keys: ${use} is no other operation`);
  });
});

describe("while the database is unavailable", () => {
  let away: { send: ReturnType<typeof client>; shut(): void; open(): void; end(): Promise<void> };
  beforeAll(async () => {
    const proxy = await proxyTo(service.database.appUrl);
    const db = connectDb({ url: proxy.url });
    const app = await buildHttp({
      config: service.config,
      db,
      features: buildFeatures(service.config, db),
      logger: makeLogger("silent"),
      checks: AT_ONCE,
    });
    const url = await app.listen({ port: 0, host: "127.0.0.1" });
    const end = async () => {
      await app.close();
      await db.end();
      await proxy.close();
    };
    away = { send: client(url), shut: proxy.shut, open: proxy.open, end };
  });
  afterAll(() => away.end());

  test("responses are 503 with Retry-After and an empty quota, readiness says why, and everything works again when it is back", async () => {
    const { newKey } = await service.newOrg();
    const headers = { "x-api-key": (await newKey()).api_key };
    expect((await away.send("GET", "/partner/envelopes", { headers })).status).toBe(200);
    away.shut();
    const answer = await away.send("GET", "/partner/envelopes", { headers });
    expect([answer.status, answer.text]).toEqual([503, refusalText("Service unavailable")]);
    expect(answer.headers).toMatchObject({ "retry-after": "5", "x-ratelimit-limit": "100", "x-ratelimit-remaining": "0" });
    expect((await away.send("GET", "//healthz")).status).toBe(200);
    const readiness = await away.send("GET", "//readyz");
    expect(readiness).toMatchObject({ status: 503, json: { status: "not ready", checks: { database: "the database cannot be reached" } } });
    expect(readiness.headers["x-error-code"]).toBe("not_ready");
    expect(readiness.text).not.toMatch(/127\.0\.0\.1|\/tmp|socket/);
    away.open();
    expect((await away.send("GET", "/partner/envelopes", { headers })).status).toBe(200);
    expect(await away.send("GET", "//readyz")).toMatchObject({
      status: 200,
      json: { status: "ready", checks: { service: "ok", database: "ok", migrations: "ok" } },
    });
  });
});

/** Sends raw bytes over a separate socket. Resolves at the end, or as soon as `until` matches. */
function rawRequest(bytes: string, until?: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(service.url).port), "127.0.0.1", () => socket.write(bytes));
    let text = "";
    socket.setEncoding("utf8").on("data", (chunk) => {
      text += chunk;
      if (until?.test(text)) socket.destroy();
    });
    socket.once("error", reject);
    socket.once("close", () => resolve(text));
  });
}
