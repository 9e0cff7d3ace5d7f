import { spawn, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { scriptedPeer } from "../fixtures/peer.ts";
import { webhookTestHeaders } from "./webhook-test-headers.ts";

/** clients/python/countersign.py against a server that follows a script. server/test/client-python.test.ts has the real service. */

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const hasPython = spawnSync("python3", ["-c", "import sys; sys.exit(sys.version_info < (3, 9))"]).status === 0;
if (!hasPython) process.stderr.write("Left out: tests of the Python client, because there is no python3 (3.9 or newer).\n");

const PRELUDE = `
import json, sys
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import countersign as c
naps = []
cs = c.Countersign(sys.argv[2], api_key="lk_1", sleep=naps.append)
def told(call):
    try: return call()
    except Exception as error: return [type(error).__name__, getattr(error, "code", None), str(error)]
`;

/** Runs a program and returns the JSON that it prints last. */
function python(url: string, program: string, input = ""): Promise<unknown> {
  const child = spawn("python3", ["-c", PRELUDE + program, here("../../clients/python"), url]);
  const [out, err]: [string[], string[]] = [[], []];
  child.stdout.on("data", (text: Buffer) => out.push(text.toString()));
  child.stderr.on("data", (text: Buffer) => err.push(text.toString()));
  child.stdin.end(input);
  return new Promise((resolve, reject) =>
    child.on("close", (status) => (status === 0 ? resolve(JSON.parse(out.join(""))) : reject(new Error(err.join(""))))),
  );
}

test("the file in the repository is what the generator writes", () => {
  const { status, stderr } = spawnSync(process.execPath, [here("../generate-python.mjs"), "--check"], { encoding: "utf8" });
  expect([status, stderr]).toEqual([0, ""]);
});

describe.skipIf(!hasPython)("the Python client", () => {
  const peer = scriptedPeer();

  test("sends the same Idempotency-Key with each attempt, and waits as long as it is told", async () => {
    const busy = {
      status: 409,
      headers: { "x-error-code": "idempotency_in_progress", "retry-after": "2" },
      json: { error: "In progress" },
    };
    peer.steps.push("reset after the body", busy, { status: 201, json: { data: { envelope_id: "env_1" } } });
    const program = 'made = cs.envelopes.create({"envelope_name": "Lease", "x": None}); print(json.dumps([made, naps]))';
    const [made, naps] = (await python(peer.url, program)) as [unknown, number[]];
    expect(made).toEqual({ envelope_id: "env_1" });
    expect([naps.length, naps[1]]).toEqual([2, 2]);
    expect(naps[0]).toBeGreaterThanOrEqual(0.25);
    expect(new Set(peer.seen.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
    const { method, path, headers, body } = peer.seen[2] ?? {};
    expect([method, path, body]).toEqual(["POST", "/api/v2/partner/envelopes", '{"envelope_name": "Lease", "x": null}']);
    expect(headers).toMatchObject({
      "x-api-key": "lk_1",
      "content-type": "application/json",
      "user-agent": expect.stringMatching(/^countersign-python\/\d/),
    });
  });

  test("repeats what is safe to repeat, up to two times, and nothing else", async () => {
    const away = { status: 503, json: { error: "Service unavailable" } };
    peer.steps.push(
      away,
      away,
      away,
      "reset after the body",
      { status: 429, headers: { "retry-after": "7" }, json: { error: "Rate limit exceeded" } },
      {
        json: { data: { ok: 1 } },
      },
    );
    const results = await python(
      peer.url,
      `
results = [told(lambda: cs.envelopes.get("env_1")), len(naps)]
results.append(told(lambda: cs.sessions.refresh({}))[0])
naps.clear()
results += [cs.envelopes.get("env_1"), naps]
results.append(told(lambda: c.Countersign("http://127.0.0.1:1", api_key="lk_1", sleep=naps.append).sessions.refresh({}))[0])
print(json.dumps(results + [len(naps)]))`,
    );
    expect(results).toEqual([
      ["ServerError", null, "GET /partner/envelopes/env_1: 503 Service unavailable"],
      2,
      "APIConnectionError",
      { ok: 1 },
      [7, expect.any(Number), expect.any(Number)],
      "APIConnectionError",
      3,
    ]);
  });

  test("raises errors by status, with code, details and candidates", async () => {
    const headers = { "x-error-code": "several_customers", "x-request-id": "req_1" };
    const details = [{ location: "body", field: "email", code: "invalid_format", message: "must be an e-mail address" }];
    peer.steps.push(
      { status: 409, headers, json: { error: "Several", details: [], candidates: [{ client_id: "17" }] } },
      { status: 422, headers: { "x-error-code": "invalid_request" }, json: { error: "Validation failed", details } },
      { status: 502, headers: { "retry-after": "91" }, text: "<html>bad gateway</html>" },
      { status: 301, headers: { location: "https://elsewhere.example/api/v2/auth/me" }, text: "" },
    );
    const results = await python(
      peer.url,
      `
results = []
try: cs.customers.look_up(email="ann@example.com")
except c.ConflictError as error: results.append([error.code, error.candidates, error.request_id, error.status])
try: cs.customers.create({"email": "ann"})
except c.ValidationError as error: results.append([str(error), error.for_field("email")])
results += [told(lambda: cs.me.get()), told(lambda: cs.me.get()), told(lambda: cs.envelopes.get("")), told(lambda: cs.envelopes.get("..")), naps]
print(json.dumps(results))`,
    );
    expect(results).toEqual([
      ["several_customers", [{ client_id: "17" }], "req_1", 409],
      ["POST /partner/customers: 422 Validation failed (email must be an e-mail address)", details],
      ["ServerError", null, "GET /auth/me: 502 <html>bad gateway</html>"],
      ["CountersignError", null, expect.stringContaining("redirects to https://elsewhere.example")],
      ["ValueError", null, expect.any(String)],
      ["ValueError", null, expect.any(String)],
      [],
    ]);
  });

  test("refuses a key that cannot be in a header, without telling it", async () => {
    const program =
      'print(json.dumps([told(lambda: c.Countersign(sys.argv[2], api_key=key).api_keys.me()) for key in ["lk_secret\\n", "", "lk_sécret"]]))';
    const refused = ["ValueError", null, "api_key must be lk_ and 40 digits or letters, without spaces or line ends"];
    expect(await python(peer.url, program)).toEqual([refused, refused, refused]);
    expect(peer.seen).toEqual([]);
  });

  test("uploads a file whose name is not text", async () => {
    peer.steps.push({ status: 201, json: { data: { template_id: "tmpl_1" } } });
    const program = 'print(json.dumps(told(lambda: cs.templates.create({"name": "L", "file": ("le\\udcffase.pdf", b"%PDF")}))))';
    expect(await python(peer.url, program)).toEqual({ template_id: "tmpl_1" });
    expect(peer.seen[0]?.body).toContain('filename="le?ase.pdf"');
  });

  test("walks all pages of a list, without rows that moved onto the next one", async () => {
    const page = (number: number, ids: number[]) => ({
      json: { data: ids.map((id) => ({ envelope_id: id })), meta: { page: number, limit: 2, total: 5 } },
    });
    peer.steps.push(page(1, [5, 4]), page(2, [4, 3]), page(3, [2]), page(1, [5, 4]));
    const program =
      'rows = [one["envelope_id"] for one in cs.envelopes.list(status="sent", discarded=True, limit=2)]; print(json.dumps([rows, cs.envelopes.list(limit=2).page().meta]))';
    expect(await python(peer.url, program)).toEqual([[5, 4, 3, 2], { page: 1, limit: 2, total: 5 }]);
    expect(peer.seen.map(({ path }) => path.split("?")[1])).toEqual([
      "status=sent&discarded=true&limit=2",
      "status=sent&discarded=true&page=2&limit=2",
      "status=sent&discarded=true&page=3&limit=2",
      "limit=2",
    ]);
  });

  test("fails at the end of a list whose count stopped at its limit", async () => {
    const capped = (number: number, ids: number[]) => ({
      json: { data: ids.map((id) => ({ envelope_id: id })), meta: { page: number, limit: 2, total: 4, total_capped: true } },
    });
    const refusal = { status: 422, headers: { "x-error-code": "page_too_deep" }, json: { error: "This list ends after 10,000 rows" } };
    peer.steps.push(capped(1, [5, 4]), capped(2, [3, 2]), refusal);
    const program = 'print(json.dumps(told(lambda: list(cs.envelopes.list(q="lease")))))';
    expect(await python(peer.url, program)).toEqual(["ValidationError", "page_too_deep", expect.stringContaining("10,000 rows")]);
  });

  test("keeps no part of a download that was cut off, and nothing before it is complete", async () => {
    const text = "x".repeat(100_000);
    peer.steps.push(
      { text, cutAfter: 70_000 },
      { text, headers: { "content-disposition": "attachment; filename=\"a.pdf\"; filename*=UTF-8''%C3%A4.pdf" } },
    );
    const results = await python(
      peer.url,
      `
import os, tempfile
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "a.pdf")
    results = [told(lambda: cs.envelopes.document.get("env_1").save_to(path))[0], os.listdir(folder)]
    file = cs.envelopes.document.get("env_1")
    file.save_to(path)
    results += [file.file_name, os.listdir(folder), os.path.getsize(path), told(file.bytes)[0]]
print(json.dumps(results))`,
    );
    expect(results).toEqual(["APIConnectionError", [], "ä.pdf", ["a.pdf"], 100_000, "RuntimeError"]);
  });

  test("verifies deliveries as the other client does", async () => {
    const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
    const other = `whsec_${Buffer.alloc(32, 8).toString("base64")}`;
    const body = '{"event_id":"evt_1","event_type":"webhook.test","data":{"message":"ü"}}';
    const given = await webhookTestHeaders(body, secret);
    const late = await webhookTestHeaders(body, secret, { at: new Date(Date.now() - 3_600_000) });
    const program = `
given = json.load(sys.stdin)
body = given["body"].encode()
def reason(*args):
    try: return c.verify_webhook(*args)["event_id"]
    except c.WebhookVerificationError as error: return error.reason
    except ValueError as error: return "ValueError"
headers, secret, other = given["headers"], given["secret"], given["other"]
print(json.dumps([
    reason(body, {name.upper(): value for name, value in headers.items()}, secret), reason(body, headers, [other, secret]),
    reason(body + b" ", headers, secret), reason(body, headers, other), reason(body, given["late"], secret), reason(body, {}, secret),
    reason(body, {**headers, "webhook-timestamp": "1700000000abc"}, secret), reason(body, headers, "whsec_?"),
    reason(body, {**headers, "webhook-signature": "v1,ü v1," + headers["webhook-signature"]}, secret)]))`;
    expect(await python(peer.url, program, JSON.stringify({ body, headers: given, late, secret, other }))).toEqual([
      "evt_1",
      "evt_1",
      "wrong_signature",
      "wrong_signature",
      "too_old",
      "missing_header",
      "malformed_timestamp",
      "ValueError",
      "wrong_signature",
    ]);
  });
});
