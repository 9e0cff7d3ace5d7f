import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCli } from "../../cli/src/cli.ts";
import { readFollower } from "../../cli/src/event-follower.ts";
import { listen, listenSecret } from "../../cli/src/listen.ts";
import { verifyWebhook } from "../../client/src/index.ts";
import { makeLogger } from "../src/logger.ts";
import { buildHttp } from "../src/main.ts";
import { newId, timeOf } from "../src/shared/ids.ts";
import { voidEvent } from "./deliveries.ts";
import { newEnvelope, newTemplate } from "./lease.ts";
import { newSandbox } from "./sandboxes.ts";
import { type TestOrg, testService } from "./service.ts";
import { until } from "./until.ts";

/** The command `countersign-dev` against the real service. */

const service = testService();
const WAITS = { poll_ms: 20, again_ms: 10, longestAgain_ms: 40 };

/** Started again on the same port, as a process would be. */
function restarting<T>(
  start: (port: number) => Promise<{ readonly port: number; readonly stop: () => Promise<unknown>; readonly one: T }>,
) {
  let running: Awaited<ReturnType<typeof start>> | null = null;
  let port = 0;
  return {
    get url() {
      return `http://127.0.0.1:${port}`;
    },
    async start() {
      running = await start(port);
      port = running.port;
    },
    async stop() {
      await running?.stop();
      running = null;
    },
  };
}

const instance = restarting<FastifyInstance>(async (port) => {
  const { config, db, features } = service;
  const one = await buildHttp({ config, db, features, logger: makeLogger("silent") });
  const url = await one.listen({ port, host: "127.0.0.1" });
  return { one, port: Number(new URL(url).port), stop: () => one.close() };
});

interface Taken {
  readonly id: string;
  readonly type: string;
}
const taken: Taken[] = [];
/** What the receiver answers; 200 when there is nothing left. */
const answers: number[] = [];
let secret = "";
const receiver = restarting<Server>(async (port) => {
  const one = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const status = answers.shift() ?? 200;
    const event = await verifyWebhook(Buffer.concat(chunks), request.headers, secret);
    if (status === 200) taken.push({ id: event.event_id, type: event.event_type });
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => one.listen(port, "127.0.0.1", resolve));
  const stop = () => {
    one.closeAllConnections();
    return new Promise((resolve) => one.close(resolve));
  };
  return { one, port: (one.address() as AddressInfo).port, stop };
});

beforeAll(async () => {
  await instance.start();
  await receiver.start();
});
afterAll(async () => {
  await receiver.stop();
  await instance.stop();
});

interface Listening {
  readonly org: TestOrg;
  readonly lines: string[];
  takes(count: number): Promise<void>;
  stop(): Promise<{ readonly sent: number; readonly refused: number }>;
}

async function listening(given: { types?: string[]; since?: Date; org?: TestOrg } = {}): Promise<Listening> {
  const { org = await service.newOrg(), types = [], since = null } = given;
  const { api_key } = await org.newKey({ scopes: ["webhooks:read"], rate_limit_rpm: 10_000 });
  [taken.length, answers.length, secret] = [0, 0, listenSecret(api_key)];
  const [lines, end]: [string[], AbortController] = [[], new AbortController()];
  const follower = await readFollower({ baseUrl: instance.url, apiKey: api_key, since, types, signal: end.signal });
  const print = (line: string) => void lines.push(line);
  const ended = listen({ follower, target: `${receiver.url}/hooks`, apiKey: api_key, print, signal: end.signal, waits: WAITS });
  return {
    org,
    lines,
    takes: (count) => until(`${count} events; the command says ${lines.join(" | ")}`, async () => taken.length >= count),
    stop: () => {
      end.abort();
      return ended;
    },
  };
}

const idsTaken = () => taken.map(({ id }) => id);

/** Once, in the order of their times; events of one millisecond have no order. */
function expectEach(events: readonly string[]): void {
  expect(idsTaken().toSorted()).toEqual(events.toSorted());
  const times = idsTaken().map(timeOf);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
}

describe("countersign-dev listen", () => {
  test("waits as long as a 429 says before it asks again, and misses nothing", async () => {
    const asked: number[] = [];
    const limits: boolean[] = [];
    const event = { event_type: "webhook.test", event_id: newId("event"), org_id: "org_1", envelope_id: null, data: { message: "x" } };
    const peer = createServer((_request, response) => {
      asked.push(performance.now());
      // The question at the start gets no event; what follows is limited twice.
      limits.push(asked.length === 3 || asked.length === 4);
      const data = asked.length < 5 ? [] : [{ ...event, timestamp: new Date().toISOString() }];
      if (limits.at(-1)) response.writeHead(429, { "retry-after": "1" }).end(JSON.stringify({ error: "Rate limit exceeded" }));
      else response.end(JSON.stringify({ data, meta: { page: 1, limit: 200, total: data.length } }));
    });
    await new Promise<void>((resolve) => peer.listen(0, "127.0.0.1", resolve));
    const baseUrl = `http://127.0.0.1:${(peer.address() as AddressInfo).port}`;
    [taken.length, answers.length, secret] = [0, 0, listenSecret("lk_x")];
    const [lines, end]: [string[], AbortController] = [[], new AbortController()];
    const follower = await readFollower({ baseUrl, apiKey: "lk_x", since: null, types: [], signal: end.signal });
    const print = (line: string) => void lines.push(line);
    const ended = listen({ follower, target: `${receiver.url}/hooks`, apiKey: "lk_x", print, signal: end.signal, waits: WAITS });
    await until("the event", async () => taken.length > 0);
    end.abort();
    expect(await ended).toEqual({ sent: 1, refused: 0 });
    peer.closeAllConnections();
    await new Promise((resolve) => peer.close(resolve));
    expect(idsTaken()).toEqual([event.event_id]);
    const waited = asked.slice(1).map((at, n) => at - (asked[n] ?? 0));
    expect(waited[2], "the client waits once").toBeGreaterThanOrEqual(990);
    expect(waited[3], "then the command waits").toBeGreaterThanOrEqual(990);
    expect(lines.some((line) => line.includes("Rate limit exceeded"))).toBe(true);
  });

  test("sends each new event once, in order, signed, and none of before", async () => {
    const org = await service.newOrg();
    await voidEvent(service, org);
    const command = await listening({ org });
    const events = [await voidEvent(service, org), await voidEvent(service, org), await voidEvent(service, org)];
    await command.takes(3);
    events.push(await voidEvent(service, org));
    await command.takes(4);
    expect(await command.stop()).toEqual({ sent: 4, refused: 0 });
    expectEach(events);
    expect(command.lines[1]).toBe(`Secret of the signatures: ${secret}`);
  });

  test("misses nothing and repeats nothing while the receiver restarts", async () => {
    const command = await listening();
    const events = [await voidEvent(service, command.org)];
    await command.takes(1);
    await receiver.stop();
    for (let n = 0; n < 5; n++) events.push(await voidEvent(service, command.org));
    await until("a line that says so", async () => command.lines.some((line) => line.includes("no response. Sending it again")));
    events.push(await voidEvent(service, command.org));
    await receiver.start();
    answers.push(503, 502);
    await command.takes(7);
    expect(await command.stop()).toEqual({ sent: 7, refused: 0 });
    expectEach(events);
  });

  test("misses nothing and repeats nothing while the service restarts", async () => {
    const command = await listening();
    const events = [await voidEvent(service, command.org)];
    await command.takes(1);
    await instance.stop();
    for (let n = 0; n < 5; n++) events.push(await voidEvent(service, command.org));
    await until("a line that says so", async () => command.lines.some((line) => line.includes("Asking again")));
    await instance.start();
    events.push(await voidEvent(service, command.org));
    await command.takes(7);
    expect(await command.stop()).toEqual({ sent: 7, refused: 0 });
    expectEach(events);
  });

  test("sends an event that commits after newer ones", async () => {
    const command = await listening();
    const late = newId("event", Date.now() - 30_000);
    const first = await voidEvent(service, command.org);
    await command.takes(1);
    const { org_id } = command.org;
    const body = {
      event_type: "webhook.test",
      event_id: late,
      org_id,
      envelope_id: null,
      timestamp: new Date(Date.now() - 30_000),
      data: { message: "Late" },
    };
    await service.database.owner(
      "insert into events (org_id, event_id, event_type, occurred_at, body, fanned_out_at) values ($1, $2, 'webhook.test', now(), $3, now())",
      [org_id, late, Buffer.from(JSON.stringify(body))],
    );
    await command.takes(2);
    await command.stop();
    expect(idsTaken()).toEqual([first, late]);
  });

  test("sends the wanted types only, also from an earlier time on", async () => {
    const org = await service.newOrg();
    const created = (
      await org.admin("POST", "/partner/envelopes", {
        body: { envelope_name: "Lease", customer_email: "ann@example.com", customer_name: "Ann" },
      })
    ).json.data.envelope_id;
    await voidEvent(service, org, created);
    const command = await listening({ org, since: new Date(Date.now() - 60_000), types: ["envelope.created", "vault.*"] });
    await command.takes(1);
    await voidEvent(service, org);
    await org.admin("POST", "/partner/envelopes", {
      body: { envelope_name: "Other", customer_email: "ann@example.com", customer_name: "Ann" },
    });
    await command.takes(2);
    await command.stop();
    expect(taken.map(({ type }) => type)).toEqual(["envelope.created", "envelope.created"]);
  });

  test("leaves an event that the receiver refuses three times, says so, and goes on", async () => {
    const command = await listening();
    answers.push(500, 400, 500);
    const refused = await voidEvent(service, command.org);
    await until("a refusal", async () => command.lines.some((line) => line.includes(", left")));
    const next = await voidEvent(service, command.org);
    await command.takes(1);
    expect(await command.stop()).toEqual({ sent: 1, refused: 1 });
    expect(idsTaken()).toEqual([next]);
    expect(command.lines).toContain(`envelope.voided ${refused} → 500, left`);
  });

  test("ends with the error if the key is deactivated", async () => {
    const org = await service.newOrg();
    const { api_key, key_id } = await org.newKey({ scopes: ["webhooks:read"] });
    const signal = new AbortController().signal;
    const follower = await readFollower({ baseUrl: instance.url, apiKey: api_key, since: null, types: [], signal });
    await org.admin("DELETE", `/partners/keys/${key_id}`);
    const ended = listen({ follower, target: receiver.url, apiKey: api_key, print: () => undefined, signal, waits: WAITS });
    await expect(ended).rejects.toMatchObject({ status: 401 });
  });
});

test("the instance serves the command as one file that runs", async () => {
  const { status, headers, text } = await service.send("GET", "//docs/downloads/countersign-dev.mjs");
  expect([status, headers["content-type"]]).toEqual([200, "text/javascript; charset=utf-8"]);
  const folder = mkdtempSync(join(tmpdir(), "countersign-dev-"));
  const file = join(folder, "countersign-dev.mjs");
  writeFileSync(file, text);
  const org = await service.newOrg();
  const { api_key } = await org.newKey();
  const env = { PATH: process.env.PATH, COUNTERSIGN_URL: instance.url, COUNTERSIGN_API_KEY: api_key };
  const child = spawn(process.execPath, [file, "request", "GET", "/webhooks/events"], { env, cwd: folder });
  const out: string[] = [];
  child.stdout.on("data", (chunk: Buffer) => out.push(chunk.toString()));
  expect(await new Promise((resolve) => child.on("close", resolve))).toBe(0);
  expect(JSON.parse(out.join(""))).toEqual({ data: [], meta: { page: 1, limit: 50, total: 0 } });
  rmSync(folder, { recursive: true });
});

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function run(args: readonly string[], env: Record<string, string>, input = ""): Promise<Ran> {
  const [out, err]: [string[], string[]] = [[], []];
  const code = await runCli(args, {
    env,
    out: (text) => void out.push(typeof text === "string" ? text : Buffer.from(text).toString()),
    err: (text) => void err.push(text),
    readInput: async () => input,
    signal: new AbortController().signal,
  });
  return { code, out: out.join(""), err: err.join("") };
}

test("countersign-dev whoami says which organization the key reaches, and whether it is a sandbox", async () => {
  const org = await service.newOrg("Acme");
  const sandbox = await newSandbox(service, org, "Acme – Test");
  for (const [one, name, mode] of [
    [org, "Acme", "live"],
    [sandbox, "Acme – Test", "test, a sandbox"],
  ] as const) {
    const { api_key, key_id } = await one.newKey({ scopes: ["envelopes:read", "webhooks:read"], rate_limit_rpm: 90 });
    const { code, out, err } = await run(["whoami"], { COUNTERSIGN_URL: instance.url, COUNTERSIGN_API_KEY: api_key });
    expect([code, err]).toEqual([0, ""]);
    expect(out).toBe(
      `Organization: ${name} (${one.org_id})\nMode: ${mode}\nKey: Partner (${key_id}), 90 requests a minute\nScopes: envelopes:read, webhooks:read\n`,
    );
  }
  const refused = await run(["whoami"], { COUNTERSIGN_URL: instance.url, COUNTERSIGN_API_KEY: `lk_${"0".repeat(40)}` });
  expect([refused.code, refused.out]).toEqual([1, ""]);
});

describe("countersign-dev trigger and sign", () => {
  const settings = async (one: TestOrg) => ({ COUNTERSIGN_URL: instance.url, COUNTERSIGN_API_KEY: (await one.newKey()).api_key });
  const eventsOf = async (one: TestOrg) => (await (await one.newKey()).send("GET", "/webhooks/events")).json.data;

  test("send an event and sign an envelope of a sandbox", async () => {
    const sandbox = await newSandbox(service, await service.newOrg());
    const env = await settings(sandbox);
    const key = await sandbox.newKey();
    const envelope_id = await newEnvelope(key, await newTemplate(key));
    const sent = await run(["trigger", "envelope.voided", "--envelope", envelope_id], env);
    const [event] = await eventsOf(sandbox);
    expect(sent).toEqual({ code: 0, out: `envelope.voided ${event.event_id}\n`, err: "" });
    expect(event.envelope_id).toBe(envelope_id);
    expect((await key.send("POST", `/partner/envelopes/${envelope_id}/send`, { body: {} })).status).toBe(200);
    const wrong = await run(["sign", envelope_id, "--value", "Rent=much"], env);
    expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining("values.Rent must be a number")]);
    const first = await run(["sign", envelope_id, "--email", "ann@example.com", "--value", "Rent=1200", "--value", "Pet=true"], env);
    expect(first).toEqual({ code: 0, out: `${envelope_id} is viewed\n`, err: "" });
    expect((await run(["sign", envelope_id], env)).out).toBe(`${envelope_id} is completed\n`);
  });

  test("refuse a live key with a sentence, and change nothing", async () => {
    const org = await service.newOrg("Acme");
    const env = await settings(org);
    for (const args of [
      ["trigger", "envelope.voided"],
      ["sign", "env_01h2xcejqtf2nbrexx3vqjhp41"],
    ]) {
      const { code, out, err } = await run(args, env);
      expect([code, out]).toEqual([1, ""]);
      expect(err).toBe(`This needs a key of a sandbox, and the key is of Acme (${org.org_id}), which is live. Nothing was changed\n`);
    }
    expect(await eventsOf(org)).toEqual([]);
  });

  test.each([
    [["trigger"], "Name one type of events"],
    [["trigger", "envelope.lost"], '"envelope.lost" is not a type of events'],
    [["sign"], "Name one envelope"],
    [["sign", "env_1", "--value", "Rent"], 'Rent is not a value such as "Tenant name=Ann"'],
    [["sign", "env_1", "--day", "1"], "Unknown option '--day'"],
  ])("%j is refused before anything is sent", async (args, sentence) => {
    const { code, err } = await run(args, { COUNTERSIGN_URL: "http://127.0.0.1:1", COUNTERSIGN_API_KEY: "lk_x" });
    expect([code, err]).toEqual([2, expect.stringContaining(sentence)]);
  });
});

describe("countersign-dev request", () => {
  const withKey = async () => ({
    COUNTERSIGN_URL: `${instance.url}/`,
    COUNTERSIGN_API_KEY: (await (await service.newOrg()).newKey()).api_key,
  });
  const lease = (name: string) => JSON.stringify({ envelope_name: name, customer_email: "ann@example.com", customer_name: "Ann" });

  test("sends a body, and reads one page of a list or all", async () => {
    const env = await withKey();
    for (const name of ["A", "B"])
      expect(await run(["request", "post", "/partner/envelopes", "-d", lease(name)], env)).toMatchObject({ code: 0, err: "" });
    expect((await run(["request", "POST", "/partner/envelopes", "-d", "@-"], env, lease("C"))).code).toBe(0);
    const page = JSON.parse((await run(["request", "GET", "/partner/envelopes?limit=2"], env)).out);
    expect([page.data.length, page.meta]).toEqual([2, { page: 1, limit: 2, total: 3 }]);
    const all = JSON.parse((await run(["request", "GET", "/api/v2/partner/envelopes?limit=2", "--all"], env)).out);
    expect(all.map((one: { envelope_name: string }) => one.envelope_name)).toEqual(["C", "B", "A"]);
  });

  test("says that a list has more rows than the service lists", async () => {
    const org = await service.newOrg();
    const { api_key } = await org.newKey({ scopes: ["webhooks:read"], rate_limit_rpm: 10_000 });
    await service.database.owner(
      `insert into events (org_id, event_id, event_type, envelope_id, occurred_at, body, fanned_out_at)
       select $1, first_event_id(now() - interval '1 hour') || lpad(n::text, 16, '0'), 'webhook.test', null, now(), $2, now()
       from generate_series(1, 10001) n`,
      [org.org_id, Buffer.from("{}")],
    );
    const env = { COUNTERSIGN_URL: instance.url, COUNTERSIGN_API_KEY: api_key };
    const { code, out, err } = await run(["request", "GET", "/webhooks/events?limit=200", "--all"], env);
    expect([code, JSON.parse(out).length]).toEqual([1, 10_000]);
    expect(err).toContain("there are more");
  });

  test("shows status, headers and the code of an error", async () => {
    const env = await withKey();
    const { code, out, err } = await run(["request", "GET", "/partner/envelopes/env_1", "-i"], env);
    expect([code, JSON.parse(out).error]).toEqual([1, "Envelope not found"]);
    expect(err).toMatch(/^404\n[\s\S]*x-request-id: req_[\s\S]*404 envelope_not_found\n$/);
  });

  test.each([
    [["request", "GET"], "Name a method and a path"],
    [["request", "GET", "partner"], "must begin with /"],
    [["request", "GET", "/auth/me", "-H", "nothing"], "is not a header"],
    [["request", "GET", "/auth/me", "-H", "Näme: x"], "is not a header"],
    [["request", "GET", "/auth/me", "-d", "{}"], "A GET has no body"],
    [["request", "G T", "/auth/me"], "G T is not a method"],
    [["request", "POST", "/auth/me", "-d", "@/nowhere/body.json"], "/nowhere/body.json cannot be read"],
    [["request", "GET", "/openapi.json", "-o", "/nowhere/openapi.json"], "/nowhere/openapi.json cannot be written"],
    [["request", "GET", "/partner/envelopes", "--all", "-o", "all.json"], "--all prints the rows"],
    [["request", "POST", "/partner/envelopes", "--all"], "--all is for lists"],
    [["request", "GET", "/partner/envelopes", "--nothing"], "Unknown option"],
    [["whoami", "now"], "Unexpected argument"],
    [["listen"], "--forward-to must be"],
    [["listen", "--forward-to", "localhost:1"], "--forward-to must be"],
    [["listen", "--forward-to", "http://localhost:1", "--since", "yesterday"], "--since must be a time"],
    [["listen", "--forward-to", "http://localhost:1", "--events", "envlope.sent"], '"envlope.sent" is not a type of events'],
    [["listen", "--forward-to", "http://localhost:1", "--events", ""], '"" is not a type of events'],
    [["listen", "--forward-to", "http://localhost:1", "--events", "vaults.*"], '"vaults.*" is not a type of events'],
    [["open"], "countersign-dev listen --forward-to URL"],
  ])("refuses %j and says why", async (args, says) => {
    const { code, out, err } = await run(args, { COUNTERSIGN_URL: instance.url, COUNTERSIGN_API_KEY: "lk_1" });
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(says);
  });

  test("says which setting is missing, and when nothing answers", async () => {
    expect(await run(["request", "GET", "/auth/me"], {})).toMatchObject({
      code: 2,
      err: expect.stringContaining("Set COUNTERSIGN_API_KEY"),
    });
    expect(await run(["request", "GET", "/auth/me"], { COUNTERSIGN_URL: "sign.example.com", COUNTERSIGN_API_KEY: "lk_1" })).toMatchObject({
      code: 2,
      err: expect.stringContaining("COUNTERSIGN_URL must be the address"),
    });
    const nowhere = { COUNTERSIGN_URL: "http://127.0.0.1:1", COUNTERSIGN_API_KEY: "lk_1" };
    expect(await run(["request", "GET", "/auth/me"], nowhere)).toMatchObject({ code: 2, err: expect.stringContaining("No response from") });
  });
});
