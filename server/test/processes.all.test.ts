import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { scopes } from "../src/shared/scopes.ts";
import { client, type Send } from "./client.ts";
import { testDatabase } from "./database.ts";
import { type Running, runCommand, startProcess, stopProcess } from "./process.ts";
import { PASSWORD } from "./service.ts";
import { until } from "./until.ts";

/** Four processes of the built program on one external database. */

const database = testDatabase();
const SETUP = { SETUP_ORG: "Four", SETUP_EMAIL: "admin@example.com", SETUP_PASSWORD: PASSWORD };
let env: Record<string, string>;
let processes: Running[] = [];
let sends: Send[] = [];
let admin: Send[] = [];

beforeAll(async () => {
  env = {
    ...database.env,
    APP_SECRET: "four processes, one secret: 8d1f0c77aa",
    LOG_LEVEL: "error",
    PUBLIC_URL: "http://localhost:3999",
  };
  processes = await Promise.all([1, 2, 3, 4].map(() => startProcess("serve", { ...env, ...SETUP })));
  sends = processes.map(({ url }) => client(url.replace("localhost", "127.0.0.1")));
  const { json } = await (sends[0] as Send)("POST", "/auth/login", {
    body: { email: "admin@example.com", password: PASSWORD, mode: "token" },
  });
  admin = processes.map(({ url }) => client(url.replace("localhost", "127.0.0.1"), { authorization: `Bearer ${json.data.token}` }));
});
afterAll(() => Promise.all(processes.map((running) => stopProcess(running))));

const at = <T>(list: readonly T[], index: number): T => list[index % list.length] as T;

async function newKey(rate_limit_rpm: number): Promise<{ key_id: string; headers: Record<string, string> }> {
  const { json } = await at(admin, 0)("POST", "/partners/keys", { body: { partner_name: "P", scopes, rate_limit_rpm } });
  return { key_id: json.data.key_id, headers: { "x-api-key": json.data.api_key } };
}

test("four processes that are set up from the environment at once create one organization", async () => {
  expect(await database.owner("select name from orgs")).toEqual([{ name: "Four" }]);
});

test("with four processes and 32 connections, a limit of 100 admits exactly 100", async () => {
  const { headers } = await newKey(100);
  const statuses: number[] = [];
  const worker = async (n: number) => {
    for (let call = 0; call < 8; call++) statuses.push((await at(sends, n)("GET", "/partner/envelopes", { headers })).status);
  };
  await Promise.all(Array.from({ length: 32 }, (_, n) => worker(n)));
  expect(statuses.filter((status) => status === 200)).toHaveLength(100);
  expect(statuses.filter((status) => status === 429)).toHaveLength(156);
});

test("a key deactivated in one process is refused by every other on the next request", async () => {
  for (let round = 0; round < 5; round++) {
    const { key_id, headers } = await newKey(1000);
    for (const send of sends) expect((await send("GET", "/partner/envelopes", { headers })).status).toBe(200);
    expect((await at(admin, round)("DELETE", `/partners/keys/${key_id}`)).status).toBe(200);
    const after = await Promise.all(sends.map((send) => send("GET", "/partner/envelopes", { headers })));
    expect(after.map((answer) => answer.status)).toEqual([401, 401, 401, 401]);
  }
});

test("a session ended in one process is refused by every other on the next request", async () => {
  const { json } = await at(sends, 1)("POST", "/auth/login", { body: { email: "admin@example.com", password: PASSWORD, mode: "token" } });
  const headers = { authorization: `Bearer ${json.data.token}` };
  expect((await at(sends, 2)("GET", "/auth/me", { headers })).status).toBe(200);
  await at(sends, 3)("POST", "/auth/logout", { headers });
  for (const send of sends) expect((await send("GET", "/auth/me", { headers })).status).toBe(401);
});

test("no secret that passes through a process is in its log", async () => {
  const running = await startProcess("serve", { ...env, LOG_LEVEL: "debug" });
  const send = client(running.url.replace("localhost", "127.0.0.1"));
  const login = await send("POST", "/auth/login", { body: { email: "admin@example.com", password: PASSWORD, mode: "token" } });
  const { token, refresh_token } = login.json.data;
  const headers = { authorization: `Bearer ${token}` };
  const { json } = await send("POST", "/partners/keys", { headers, body: { partner_name: "P", scopes, rate_limit_rpm: 50 } });
  const { api_key } = json.data;
  await send("GET", `/partner/envelopes?customer_id=${api_key}&token=${refresh_token}`, { headers: { "x-api-key": api_key } });
  await send("GET", `/nowhere/${api_key}?token=${token}`);
  await send("POST", "/auth/refresh", { body: { refresh_token } });
  await stopProcess(running);
  expect(running.stderr()).toContain('"route":"/api/v2/partner/envelopes"');
  for (const secret of [PASSWORD, token, refresh_token, api_key, env.APP_SECRET ?? ""]) expect(running.stderr()).not.toContain(secret);
});

describe("a stop", () => {
  test("under load fails no accepted request, and exits with 0", async () => {
    const [running, send] = [at(processes, 3), at(sends, 3)]; // no later test uses this one
    const { headers } = await newKey(100_000);
    const outcomes: (number | string)[] = [];
    let refused = false;
    const load = async () => {
      while (!refused) {
        try {
          outcomes.push((await send("GET", "/partner/envelopes", { headers })).status);
        } catch (error) {
          // Once the listener is closed, a new connection is refused, or reset while it waits to be accepted.
          const { code, reusedSocket } = error as NodeJS.ErrnoException & { reusedSocket: boolean };
          refused = code === "ECONNREFUSED" || (code === "ECONNRESET" && !reusedSocket);
          if (!refused) outcomes.push(String(error));
        }
      }
    };
    const loads = Array.from({ length: 16 }, load);
    await until("200 answers", async () => outcomes.length >= 200);
    expect(await stopProcess(running)).toBe(0);
    await Promise.all(loads);
    expect(new Set(outcomes)).toEqual(new Set([200]));
  });
});

test("a start whose worker cannot start fails, and leaves nothing running", async () => {
  await database.owner("alter table worker_heartbeats rename column beat_at to set_aside");
  const { code } = await runCommand(["start"], { ...env, PORT: "0" });
  await database.owner("alter table worker_heartbeats rename column set_aside to beat_at");
  expect(code).toBe(1);
});

test("an external database that was not migrated is refused, with a message that says what to do", async () => {
  await database.owner("delete from schema_migrations where name = (select max(name) from schema_migrations)");
  const { code, stderr } = await runCommand(["serve"], { ...env, PORT: "0" });
  expect(code).toBe(1);
  expect(stderr).toContain("run countersign migrate");
  await database.owner("insert into schema_migrations (name, checksum) values ('x', 'x')");
  const newer = await runCommand(["serve"], { ...env, PORT: "0" });
  expect([newer.code, newer.stderr]).toEqual([1, expect.stringMatching(/has migration x where this program has|newer than this program/)]);
});
