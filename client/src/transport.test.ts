import { createServer } from "node:net";
import { afterEach, describe, expect, test, vi } from "vitest";
import { testClock } from "../fixtures/clock.ts";
import { scriptedPeer } from "../fixtures/peer.ts";
import { Countersign } from "./client.ts";
import { ConflictError, ConnectionError, CountersignError, LiveModeError, RateLimitError, ServerError } from "./errors.ts";
import type { ClientOptions } from "./options.ts";

const peer = scriptedPeer();

function open(options: Partial<ClientOptions> = {}) {
  const clock = testClock();
  return { cs: new Countersign({ baseUrl: peer.url, apiKey: "lk_test", ...options }, clock), clock };
}

const lease = { envelope_name: "Lease", customer_email: "ann@example.com", customer_name: "Ann" };
const busy = { status: 503, json: { error: "Try again" }, headers: { "x-error-code": "provider_unavailable" } };
const limited = { status: 429, json: { error: "Rate limit exceeded" }, headers: { "retry-after": "60", "x-error-code": "rate_limited" } };
const keys = () => peer.seen.map(({ headers }) => headers["idempotency-key"]);

/** A port on which nothing listens. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Fails with real connection errors the given number of times, then reaches the peer. */
async function refusedFirst(times: number): Promise<typeof fetch> {
  const port = await closedPort();
  return (url, init) => fetch(times-- > 0 ? String(url).replace(/:\d+\//, `:${port}/`) : url, init);
}

describe("a failed request is retried", () => {
  test.each([
    ["408", { status: 408, json: { error: "The request did not arrive in time" } }],
    ["502", { status: 502, text: "<html>" }],
    ["503", busy],
    ["504", { status: 504, text: "" }],
    ["a reset before the body", "reset before the body" as const],
    ["a reset after the body", "reset after the body" as const],
    ["an interrupted response", { json: { data: { envelope_id: "env_1" } }, cutAfter: 12 }],
  ])("after %s, up to twice, with growing pauses", async (_what, step) => {
    const { cs, clock } = open();
    peer.steps.push(step, step, { json: { data: { envelope_id: "env_1" } } });
    expect(await cs.envelopes.get("env_1")).toEqual({ envelope_id: "env_1" });
    expect(clock.waits).toEqual([500, 1000]);
    peer.steps.push(step, step, step);
    await expect(cs.envelopes.get("env_1")).rejects.toBeInstanceOf(CountersignError);
    expect(peer.seen).toHaveLength(6);
  });

  test("with jitter in the pauses, from half to one and a half", async () => {
    for (const [random, waits] of [
      [0, [250, 500]],
      [1, [750, 1500]],
    ] as const) {
      const clock = testClock(random);
      const cs = new Countersign({ baseUrl: peer.url, apiKey: "lk_test" }, clock);
      peer.steps.push(busy, busy);
      await cs.envelopes.get("env_1");
      expect(clock.waits).toEqual(waits);
    }
  });

  test("with pauses of at most 30 s on average", async () => {
    const { cs, clock } = open({ maxRetries: 9 });
    peer.steps.push(...Array.from({ length: 9 }, () => busy));
    await cs.envelopes.get("env_1");
    expect(clock.waits).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
  });

  test("after the time in Retry-After, in seconds or as a date, unless it is more than 90 s", async () => {
    const { cs, clock } = open();
    const date = new Date(clock.now() + 2000 + 5000).toUTCString();
    peer.steps.push({ ...busy, headers: { "retry-after": "2" } }, { ...busy, headers: { "retry-after": date } });
    await cs.envelopes.get("env_1");
    expect(clock.waits).toEqual([2000, 5000]);
    peer.steps.push({ ...busy, headers: { "retry-after": "91" } });
    await expect(cs.envelopes.get("env_1")).rejects.toBeInstanceOf(ServerError);
    expect(clock.waits).toEqual([2000, 5000]);
  });

  test("but not after 500 or a client error", async () => {
    const { cs } = open();
    for (const status of [400, 401, 403, 404, 409, 412, 422, 500]) {
      peer.steps.push({ status, json: { error: "No" } });
      await expect(cs.envelopes.get("env_1")).rejects.toMatchObject({ status });
    }
    expect(peer.seen).toHaveLength(8);
  });

  test("as many times as the client or the call allows", async () => {
    const { cs } = open({ maxRetries: 0 });
    peer.steps.push(busy);
    await expect(cs.envelopes.get("env_1")).rejects.toBeInstanceOf(ServerError);
    peer.steps.push(busy);
    expect(await cs.envelopes.get("env_1", { maxRetries: 1 })).toEqual({});
    expect(peer.seen).toHaveLength(3);
  });

  test("after a 409 that ends by itself, and after no other", async () => {
    const { cs, clock } = open();
    const conflict = (code: string) => ({
      status: 409,
      json: { error: "Conflict" },
      headers: { "x-error-code": code, "retry-after": "1" },
    });
    peer.steps.push(conflict("idempotency_in_progress"), conflict("document_not_ready"));
    await cs.envelopes.create(lease);
    expect(clock.waits).toEqual([1000, 1000]);
    peer.steps.push(conflict("envelope_wrong_status"));
    await expect(cs.envelopes.send("env_1")).rejects.toBeInstanceOf(ConflictError);
    expect(peer.seen).toHaveLength(4);
  });
});

describe("429", () => {
  test("is retried once, for every method, and does not count as a retry", async () => {
    const { cs, clock } = open();
    peer.steps.push(limited, busy, busy);
    expect(await cs.envelopes.create(lease)).toEqual({});
    expect(clock.waits).toEqual([60_000, 500, 1000]);
    peer.steps.push(limited);
    expect(await cs.vault.exports.acknowledge("exp_1", acknowledgement)).toEqual({});
    peer.steps.push(limited, limited);
    await expect(cs.envelopes.get("env_1")).rejects.toMatchObject({ name: "RateLimitError", retryAfterMs: 60_000, status: 429 });
  });

  test("is thrown immediately if the wait is longer than 90 s or onRateLimit is throw", async () => {
    const { cs, clock } = open();
    peer.steps.push({ ...limited, headers: { "retry-after": "91" } });
    await expect(cs.envelopes.get("env_1")).rejects.toBeInstanceOf(RateLimitError);
    peer.steps.push(limited);
    await expect(open({ onRateLimit: "throw" }).cs.envelopes.get("env_1")).rejects.toBeInstanceOf(RateLimitError);
    expect([clock.waits, peer.seen.length]).toEqual([[], 2]);
  });
});

// A POST that supports no Idempotency-Key.
const acknowledgement = { received_sha256: "0".repeat(64) } as never;

describe("a POST", () => {
  test.each(["reset before the body", "reset after the body", busy, limited] as const)(
    "that supports idempotency has one random key on all attempts (%j)",
    async (step) => {
      const { cs } = open();
      peer.steps.push(step);
      await cs.envelopes.create(lease);
      await cs.envelopes.create(lease);
      const [first, second, third] = keys();
      expect(first).toMatch(/^[0-9a-f-]{36}$/);
      expect(second).toBe(first);
      expect(third).not.toBe(first);
      expect(peer.seen.filter(({ body }) => body !== "").map(({ body }) => JSON.parse(body))).toContainEqual(lease);
    },
  );

  test("uses the given key", async () => {
    const { cs } = open();
    peer.steps.push(busy);
    await cs.envelopes.create(lease, { idempotencyKey: "order-17" });
    expect(keys()).toEqual(["order-17", "order-17"]);
  });

  test.each(["reset before the body", "reset after the body", busy] as const)(
    "without idempotency is not retried if anything may have been sent (%j)",
    async (step) => {
      const { cs } = open();
      peer.steps.push(step);
      await expect(cs.vault.exports.acknowledge("exp_1", acknowledgement)).rejects.toBeInstanceOf(CountersignError);
      expect([peer.seen.length, keys()]).toEqual([1, [undefined]]);
    },
  );

  test("without idempotency is retried if there was no connection", async () => {
    const { cs, clock } = open({ fetch: await refusedFirst(2) });
    await cs.vault.exports.acknowledge("exp_1", acknowledgement);
    expect([peer.seen.length, clock.waits]).toEqual([1, [500, 1000]]);
  });
});

describe("timeouts", () => {
  test("an attempt that takes too long is a ConnectionError and is retried", async () => {
    const { cs, clock } = open();
    peer.steps.push("hang", "hang", "hang");
    const call = cs.envelopes.get("env_1");
    const failed = expect(call).rejects.toMatchObject({
      name: "ConnectionError",
      status: 0,
      message: expect.stringContaining("no response in time"),
    });
    for (const sent of [1, 2, 3]) {
      await seen(sent);
      expect([...clock.timers].map(({ ms }) => ms)).toEqual([60_000]);
      clock.fire();
    }
    await failed;
    expect(clock.timers.size).toBe(0);
  });

  test("an attempt with a file has more time, and a call can set its own timeout", async () => {
    const { cs, clock } = open();
    const limits: number[] = [];
    const timer = clock.timer;
    clock.timer = (ms, run) => {
      limits.push(ms);
      return timer(ms, run);
    };
    await cs.envelopes.get("env_1");
    await cs.templates.create({ name: "Lease", file: new Blob(["%PDF"]) });
    await await cs.vault.verify("env_1", (zip) => zip.length);
    await cs.envelopes.get("env_1", { timeoutMs: 5 });
    expect(limits).toEqual([60_000, 300_000, 300_000, 5]);
    expect(clock.timers.size).toBe(0);
  });

  test("a signal aborts the request, or the pause after it, with its own reason", async () => {
    const { cs, clock } = open();
    const stop = new AbortController();
    peer.steps.push("hang");
    const call = cs.envelopes.get("env_1", { signal: stop.signal });
    await seen(1);
    const reason = new Error("the user went away");
    stop.abort(reason);
    await expect(call).rejects.toBe(reason);

    const later = new AbortController();
    clock.wait = async (_ms, signal) => {
      later.abort(reason);
      signal?.throwIfAborted();
    };
    peer.steps.push(busy);
    await expect(cs.envelopes.get("env_1", { signal: later.signal })).rejects.toBe(reason);
    await expect(cs.envelopes.get("env_1", { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(peer.seen).toHaveLength(2);
  });
});

async function seen(count: number): Promise<void> {
  while (peer.seen.length < count) await new Promise((resolve) => setImmediate(resolve));
}

describe("a credential", () => {
  afterEach(() => vi.unstubAllGlobals());

  test("is the API key, or the session's token, requested again before each attempt", async () => {
    const tokens = ["one", "two"];
    const { cs } = open({ apiKey: undefined, token: async () => tokens.shift() ?? "" });
    peer.steps.push(busy);
    await cs.envelopes.get("env_1");
    await open().cs.envelopes.get("env_1");
    expect(peer.seen.map(({ headers }) => [headers.authorization, headers["x-api-key"]])).toEqual([
      ["Bearer one", undefined],
      ["Bearer two", undefined],
      [undefined, "lk_test"],
    ]);
  });

  test("is not sent to another host by a redirect", async () => {
    const { cs } = open();
    peer.steps.push({ status: 307, headers: { location: `${peer.url.replace("127.0.0.1", "localhost")}/elsewhere` }, text: "" });
    await expect(cs.envelopes.get("env_1")).rejects.toMatchObject({ status: 307 });
    expect(peer.seen).toHaveLength(1);
  });

  test.each([
    ["https://sign.example.com/api/v2/partner/envelopes?limit=5", "Set baseUrl to https://sign.example.com"],
    ["https://example.com/sign/api/v2/partner/envelopes", "Set baseUrl to https://example.com/sign"],
    ["/countersign/api/v2/partner/envelopes", "Set baseUrl to {peer}/countersign"],
    ["/login", "Is baseUrl the address of Countersign?"],
    ["http://[", "Is baseUrl the address of Countersign?"],
  ])("is not sent after a redirect to %s, and the error gives advice: %s", async (location, advice) => {
    peer.steps.push({ status: 301, headers: { location }, text: "" });
    await expect(open().cs.envelopes.list({ limit: 5 })).rejects.toMatchObject({
      name: "CountersignError",
      status: 301,
      message: `GET /partner/envelopes: 301 redirects to ${location}. Redirects are not followed. ${advice.replace("{peer}", peer.url)}`,
    });
  });

  test.each(["lk_te\nst", "lk_test\n", "lk_tęst", "lk_te\0st"])(
    "that is not valid in a header is rejected immediately (%j)",
    async (secret) => {
      expect(() => open({ apiKey: secret })).toThrow(TypeError);
      expect(() => open({ apiKey: secret })).toThrow("apiKey contains a character that is not allowed in a header");
      const { cs, clock } = open({ apiKey: undefined, token: () => secret });
      const error: unknown = await cs.envelopes.get("env_1").catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(TypeError);
      expect(String(error)).not.toContain(secret);
      expect([peer.seen, clock.waits]).toEqual([[], []]);
    },
  );

  test("must not be an API key in a browser, must not be both kinds, and needs a valid baseUrl", () => {
    expect(() => open({ token: () => "" })).toThrow("either apiKey or token");
    for (const baseUrl of ["", "sign.example.com", "ftp://example.com"]) expect(() => open({ baseUrl })).toThrow("baseUrl must be");
    for (const end of ["?tenant=1", "/#/", "?"])
      expect(() => open({ baseUrl: `https://sign.example.com${end}` })).toThrow("baseUrl must have no query and no fragment");
    vi.stubGlobal("window", globalThis);
    expect(() => open()).toThrow("an API key must not be used in a browser");
    expect(() => open({ apiKey: undefined, token: () => "" })).not.toThrow();
  });

  test("must not be an API key in a browser's worker, but may be in Deno or in a worker on a server", () => {
    const { process } = globalThis;
    vi.stubGlobal("WorkerGlobalScope", Object);
    vi.stubGlobal("importScripts", () => undefined);
    expect(() => open()).not.toThrow();
    Reflect.deleteProperty(globalThis, "process");
    try {
      expect(() => open()).toThrow("an API key must not be used in a browser");
      Reflect.deleteProperty(globalThis, "importScripts");
      expect(() => open()).not.toThrow();
    } finally {
      Object.assign(globalThis, { process });
    }
    vi.stubGlobal("window", globalThis);
    vi.stubGlobal("Deno", {});
    expect(() => open()).not.toThrow();
  });
});

describe("a request", () => {
  test("goes to /api/v2, whether or not baseUrl ends with it", async () => {
    for (const end of ["", "/", "/api/v2", "/api/v2/"]) await open({ baseUrl: peer.url + end }).cs.envelopes.get("env_1");
    expect(new Set(peer.seen.map(({ path }) => path))).toEqual(new Set(["/api/v2/partner/envelopes/env_1"]));
  });

  test("has escaped IDs, and a missing ID is rejected before anything is sent", async () => {
    const { cs } = open();
    await cs.envelopes.get("a/b?c");
    expect(peer.seen[0]?.path).toBe("/api/v2/partner/envelopes/a%2Fb%3Fc");
    for (const id of ["", undefined as never]) await expect(cs.envelopes.get(id)).rejects.toThrow("envelope_id is required");
    for (const id of [".", ".."]) await expect(cs.envelopes.get(id)).rejects.toThrow(`envelope_id must be an ID; it is "${id}"`);
    expect(peer.seen).toHaveLength(1);
  });

  test("with a value that is not valid in a header is rejected before it is sent", async () => {
    const { cs, clock } = open();
    for (const [options, name] of [
      [{ idempotencyKey: "order\n17" }, "idempotencyKey"],
      [{ idempotencyKey: "поръчка" }, "idempotencyKey"],
      [{ headers: { "x-trace": "a\r\nb" } }, "the header x-trace"],
    ] as const)
      await expect(cs.envelopes.create(lease, options)).rejects.toMatchObject({
        name: "TypeError",
        message: expect.stringContaining(`${name} contains a character that is not allowed in a header`),
      });
    expect([peer.seen, clock.waits]).toEqual([[], []]);
  });

  test("has the given filters, except those that are undefined", async () => {
    await open().cs.envelopes.list({ status: "sent", customer_id: undefined, limit: 5 });
    expect(peer.seen[0]?.path).toBe("/api/v2/partner/envelopes?status=sent&limit=5");
  });

  test("that reaches another program says so", async () => {
    peer.steps.push({ text: "<html>Welcome to nginx" });
    await expect(open().cs.envelopes.get("env_1")).rejects.toThrow("GET /partner/envelopes/{envelope_id}: the response is not JSON");
  });

  test.each(["", "null", "[]", '"ok"', '{"status":"ok"}'])("that gets %j from another program says so", async (text) => {
    const { cs } = open();
    const calls = [
      () => cs.envelopes.get("env_1"),
      () => cs.envelopes.list(),
      () => cs.envelopes.waitFor("env_1", { until: "sent", timeoutMs: 1 }),
    ];
    for (const call of calls) {
      peer.steps.push({ text });
      const error = await call().catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(CountersignError);
      expect(error).toMatchObject({
        status: 200,
        message: expect.stringMatching(/^GET \/partner.*: the response is not .*\. Is baseUrl the address of Countersign\?$/),
      });
    }
  });

  test("with an ETag can return a 304, without data", async () => {
    peer.steps.push({ status: 304, text: "" });
    const answered = await open()
      .cs.envelopes.get("env_1", { headers: { "if-none-match": '"1"' } })
      .withResponse();
    expect([answered.status, answered.data]).toEqual([304, undefined]);
  });

  test("that gets no response names the address and keeps the error that fetch threw", async () => {
    const baseUrl = `http://127.0.0.1:${await closedPort()}`;
    const error = await open({ baseUrl })
      .cs.envelopes.get("env_1")
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({
      message: `GET /partner/envelopes/env_1: no response from ${baseUrl}/api/v2`,
      cause: expect.any(TypeError),
    });
  });

  test("can return status, headers and the remaining rate limit", async () => {
    const headers = {
      "x-request-id": "req_1",
      "x-ratelimit-limit": "100",
      "x-ratelimit-remaining": "99",
      "x-ratelimit-reset": "1767605460",
    };
    peer.steps.push({ status: 201, json: { data: { envelope_id: "env_1" } }, headers });
    const answered = await open().cs.envelopes.create(lease).withResponse();
    expect(answered).toMatchObject({ data: { envelope_id: "env_1" }, status: 201, requestId: "req_1" });
    expect(answered.rateLimit).toEqual({ limit: 100, remaining: 99, reset: new Date("2026-01-05T09:31:00.000Z") });
    expect((await open().cs.envelopes.get("env_1").withResponse()).rateLimit).toBeNull();
  });
});

describe("with requireTestMode", () => {
  const me = (mode: string) => ({ json: { data: { org_id: "org_1", org_name: "Acme", mode } } });
  const paths = () => peer.seen.map(({ method, path }) => `${method} ${path}`);

  test("a key of a live organization sends nothing but the question whose it is", async () => {
    const { cs } = open({ requireTestMode: true });
    peer.steps.push(me("live"), me("live"));
    const refused = expect.objectContaining({ message: expect.stringContaining("the key is of Acme (org_1), which is live") });
    await expect(cs.envelopes.create(lease)).rejects.toEqual(refused);
    await expect(cs.envelopes.create(lease)).rejects.toBeInstanceOf(LiveModeError);
    expect(paths()).toEqual(["GET /api/v2/partner/me", "GET /api/v2/partner/me"]);
  });

  test("a key of a sandbox asks once, also after the question failed", async () => {
    const { cs } = open({ requireTestMode: true, maxRetries: 0 });
    peer.steps.push({ status: 500, json: { error: "No" } });
    await expect(cs.envelopes.create(lease)).rejects.toBeInstanceOf(ServerError);
    peer.steps.push(me("test"));
    await cs.envelopes.create(lease);
    await cs.envelopes.get("env_1");
    const asked = "GET /api/v2/partner/me";
    expect(paths()).toEqual([asked, asked, "POST /api/v2/partner/envelopes", "GET /api/v2/partner/envelopes/env_1"]);
  });

  test("a session is asked again after it changed to another organization", async () => {
    const tokens = ["one", "one", "one", "two", "two"];
    const { cs } = open({ requireTestMode: true, apiKey: undefined, token: () => tokens.shift() ?? "" });
    peer.steps.push(me("test"), { json: { data: {} } }, me("live"));
    await cs.envelopes.get("env_1");
    await expect(cs.envelopes.get("env_1")).rejects.toBeInstanceOf(LiveModeError);
    expect(paths()).toHaveLength(3);
  });
});
