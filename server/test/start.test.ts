import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { client } from "./client.ts";
import { type Running, runCommand, startProcess, stopProcess } from "./process.ts";
import { PASSWORD } from "./service.ts";
import { until } from "./until.ts";

/** `npm start` as people meet it: the built program on the embedded database. */

let folder: string;
let running: Running[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "countersign-start-"));
  await chmod(folder, 0o755);
});
afterEach(async () => {
  for (const one of running) await stopProcess(one);
  running = [];
  await rm(folder, { recursive: true, force: true });
});

const dataDir = () => join(folder, "data");

async function start(): Promise<Running> {
  const one = await startProcess("start", { DATA_DIR: dataDir() });
  running.push(one);
  return one;
}

async function postmasterPid(): Promise<number> {
  return Number((await readFile(join(dataDir(), "postgres/postmaster.pid"), "utf8")).split("\n")[0]);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const sendTo = (one: Running) => client(one.url.replace("localhost", "127.0.0.1"));

async function setUp(one: Running): Promise<string> {
  const token = /\/console\/setup#token=([\w-]+)/.exec(one.stdout())?.[1];
  const body = { token, org_name: "Acme", name: "Ada", email: "ada@example.com", password: PASSWORD, mode: "token" };
  const { status, json } = await sendTo(one)("POST", "/setup", { body });
  expect(status).toBe(201);
  return json.data.token;
}

const logIn = (one: Running) => sendTo(one)("POST", "/auth/login", { body: { email: "ada@example.com", password: PASSWORD } });

test("a first start prints the address and a set-up link that works once; Ctrl-C ends service and database; a second start has the data", async () => {
  const first = await start();
  expect(first.stdout()).toContain(`Countersign is running at ${first.url}`);
  await setUp(first);
  expect(await stopProcess(first, "SIGINT")).toBe(0);
  await expect(postmasterPid()).rejects.toThrow("ENOENT");

  const second = await start();
  expect(second.stdout()).not.toContain("/console/setup");
  expect((await logIn(second)).status).toBe(200);
  expect(second.stderr()).not.toMatch(/"level":50/);
});

test("Ctrl-C that arrives twice, from the terminal and through npm, is one orderly stop", async () => {
  const one = await start();
  one.child.kill("SIGINT");
  one.child.kill("SIGINT");
  expect(await one.exited).toBe(0);
  await expect(postmasterPid()).rejects.toThrow("ENOENT");
});

test("after kill -9 the database lives on, and the next start takes it over", async () => {
  const first = await start();
  await setUp(first);
  const pid = await postmasterPid();
  await stopProcess(first, "SIGKILL");
  expect(isAlive(pid)).toBe(true);
  const second = await start();
  expect(await postmasterPid()).toBe(pid);
  expect((await logIn(second)).status).toBe(200);
  expect(await stopProcess(second)).toBe(0);
  await expect(postmasterPid()).rejects.toThrow("ENOENT");
});

test("a second instance on the same folder is refused clearly, and the first goes on", async () => {
  const first = await start();
  const { code, stderr } = await runCommand(["start"], { DATA_DIR: dataDir(), PORT: "0" });
  expect([code, stderr]).toEqual([1, expect.stringContaining(`Another Countersign is running on ${dataDir()}.`)]);
  expect((await sendTo(first)("GET", "//readyz")).status).toBe(200);
});

test("a port that is taken is said in one sentence, and the database does not stay behind", async () => {
  const first = await start();
  const other = join(folder, "other");
  const { code, stderr } = await runCommand(["start"], { DATA_DIR: other, PORT: new URL(first.url).port });
  expect(code).toBe(1);
  expect(stderr).toContain("The port is taken by another program.");
  await expect(readFile(join(other, "postgres/postmaster.pid"))).rejects.toThrow("ENOENT");
});

test("a database that is killed is started again by the service, and nothing that was acknowledged is lost", async () => {
  const one = await start();
  const token = await setUp(one);
  const headers = { authorization: `Bearer ${token}` };
  const { json } = await sendTo(one)("POST", "/partners/keys", { headers, body: { partner_name: "P", scopes: ["envelopes:read"] } });
  process.kill(await postmasterPid(), "SIGKILL");
  await until("the service to be ready again", async () => (await sendTo(one)("GET", "//readyz")).status === 200);
  const answer = await sendTo(one)("GET", "/partner/envelopes", { headers: { "x-api-key": json.data.api_key } });
  expect([answer.status, answer.json]).toEqual([200, { data: [], meta: { page: 1, limit: 20, total: 0 } }]);
});

test("a database that is killed under a long query is waited for until the query lets go of its memory", async () => {
  const one = await start();
  const password = (await readFile(join(dataDir(), "postgres.password"), "utf8")).trim();
  const client = new pg.Client({ host: join(dataDir(), "postgres"), user: "countersign", password, database: "countersign" });
  client.on("error", () => undefined);
  await client.connect();
  // About six seconds of work that looks at no signal: longer than a plain relaunch would try.
  const query = client.query("select count(*) from generate_series(1, 25000000)").catch(() => undefined);
  await until("the query to run", async () => (await activeQueries(password)) > 0);
  process.kill(await postmasterPid(), "SIGKILL");
  await until("the service to be ready again", async () => (await sendTo(one)("GET", "//readyz")).status === 200, 55_000);
  await query;
  expect(one.child.exitCode).toBeNull();
}, 90_000);

async function activeQueries(password: string): Promise<number> {
  const client = new pg.Client({ host: join(dataDir(), "postgres"), user: "countersign", password, database: "countersign" });
  await client.connect();
  const { rows } = await client.query(
    "select from pg_stat_activity where state = 'active' and query like '%generate_series%' and pid <> pg_backend_pid()",
  );
  await client.end();
  return rows.length;
}

test("commands work beside a running service, and alone", async () => {
  const one = await start();
  await setUp(one);
  const beside = await runCommand(["orgs", "list"], { DATA_DIR: dataDir() });
  expect([beside.code, beside.stdout]).toEqual([0, expect.stringMatching(/^org_[0-9a-z]{26} {2}Acme {2}\(1 members\)\n$/)]);
  expect((await sendTo(one)("GET", "//readyz")).status).toBe(200);
  await stopProcess(one);
  const alone = await runCommand(["orgs", "list"], { DATA_DIR: dataDir() });
  expect([alone.code, alone.stdout]).toEqual([0, beside.stdout]);
  await expect(readFile(join(dataDir(), "postgres/postmaster.pid"))).rejects.toThrow("ENOENT");
});
