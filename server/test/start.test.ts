import { execFileSync } from "node:child_process";
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { describeInAll } from "../../testing/all.ts";
import { memoryFolder } from "../../testing/memory-folder.ts";
import { lookUpRunning } from "../src/db/embedded.ts";
import { client } from "./client.ts";
import { type Running, runCommand, startProcess, stopProcess } from "./process.ts";
import { PASSWORD } from "./service.ts";
import { until } from "./until.ts";

/** `npm start` as users run it: the built program on the embedded database. */

let made: string; // a data folder with a migrated database: copying it saves the later starts the seconds that making one takes
let folder: string;
let running: Running[] = [];

async function makeFolder(): Promise<string> {
  const path = await mkdtemp(join(memoryFolder(), "countersign-start-"));
  await chmod(path, 0o755); // if the tests run as root, the server runs as another user, who needs access
  return path;
}

beforeEach(async () => {
  folder = await makeFolder();
});
afterEach(async () => {
  for (const one of running) await stopProcess(one);
  running = [];
  await rm(folder, { recursive: true, force: true });
});

const dataDir = () => join(folder, "data");

/** Keeps owners and modes, which the database server requires. */
const copyMade = (to: string) => execFileSync("cp", ["-a", join(made, "data"), to]);

async function start(): Promise<Running> {
  const one = await startProcess("start", { DATA_DIR: dataDir() });
  running.push(one);
  return one;
}

async function startOnCopy(): Promise<Running> {
  copyMade(dataDir());
  return start();
}

async function postmasterPid(data = dataDir()): Promise<number> {
  return Number((await readFile(join(data, "postgres/postmaster.pid"), "utf8")).split("\n")[0]);
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

// A hook and two tests, because each has its own timeout: creating a database and loading the service twice takes nine seconds of CPU time,
// and on a busy machine a single test took over half a minute.
describe("a first start", () => {
  let home: string;
  let first: Running;
  let second: Running | undefined;
  beforeAll(async () => {
    home = join(await makeFolder(), "data");
    first = await startProcess("start", { DATA_DIR: home });
  });
  afterAll(async () => {
    for (const one of [first, second]) if (one !== undefined) await stopProcess(one);
    await rm(dirname(home), { recursive: true, force: true });
  });

  test("prints the address and a working set-up link; Ctrl-C stops the service and the database", async () => {
    expect(first.stdout()).toContain(`Countersign is running at ${first.url}`);
    await setUp(first);
    expect(await stopProcess(first, "SIGINT")).toBe(0);
    await expect(postmasterPid(home)).rejects.toThrow("ENOENT");
  });

  test("is followed by a second one that has the data and prints no link", async () => {
    second = await startProcess("start", { DATA_DIR: home });
    expect(second.stdout()).not.toContain("/console/setup");
    expect((await logIn(second)).status).toBe(200);
    expect(second.stderr()).not.toMatch(/"level":50/);
  });
});

describeInAll("on a data folder that was made before,", () => {
  beforeAll(async () => {
    made = await makeFolder();
    expect(await runCommand(["migrate"], { DATA_DIR: join(made, "data") })).toMatchObject({ code: 0, stderr: "" });
  });
  afterAll(() => rm(made, { recursive: true, force: true }));

  test("a Ctrl-C that arrives twice, from the terminal and through npm, causes one orderly stop", async () => {
    const one = await startOnCopy();
    one.child.kill("SIGINT");
    one.child.kill("SIGINT");
    expect(await one.exited).toBe(0);
    await expect(postmasterPid()).rejects.toThrow("ENOENT");
  });

  test("after kill -9 the database keeps running, and the next start uses it", async () => {
    const first = await startOnCopy();
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

  test("the service restarts a killed database, and nothing that was acknowledged is lost", async () => {
    const one = await startOnCopy();
    const token = await setUp(one);
    const headers = { authorization: `Bearer ${token}` };
    const { json } = await sendTo(one)("POST", "/partners/keys", { headers, body: { partner_name: "P", scopes: ["envelopes:read"] } });
    const killed = await postmasterPid();
    process.kill(killed, "SIGKILL");
    // A session can still answer for a moment after its server was killed, so wait for readiness on the new one.
    const isReady = async () => (await sendTo(one)("GET", "//readyz")).status === 200 && (await postmasterPid()) !== killed;
    await until("the service to be ready again", isReady);
    const answer = await sendTo(one)("GET", "/partner/envelopes", { headers: { "x-api-key": json.data.api_key } });
    expect([answer.status, answer.json]).toEqual([200, { data: [], meta: { page: 1, limit: 20, total: 0 } }]);
  });

  test("if a database is killed during a long query, the service waits until the query releases its memory", async () => {
    const one = await startOnCopy();
    const { session, ended } = await stuckQuery();
    try {
      process.kill(await postmasterPid(), "SIGKILL");
      await until("more launches to fail than a plain relaunch would try", async () => (await failedLaunches()) > 5, 30_000);
      expect((await sendTo(one)("GET", "//readyz")).status).toBe(503);
    } finally {
      process.kill(session, "SIGCONT");
    }
    await until("the service to be ready again", async () => (await sendTo(one)("GET", "//readyz")).status === 200, 55_000);
    await ended;
    expect(one.child.exitCode).toBeNull();
  }, 90_000);

  test("a stop while a killed database is being restarted ends the service and leaves no database running", async () => {
    const one = await startOnCopy();
    const { session, ended } = await stuckQuery(); // so that the start lasts longer than the stop
    try {
      process.kill(await postmasterPid(), "SIGKILL");
      await until("a launch to fail", async () => (await failedLaunches()) > 0);
      one.child.kill("SIGTERM");
      await until("the service to end", async () => one.child.exitCode !== null, 10_000);
    } finally {
      process.kill(session, "SIGCONT");
    }
    await ended;
    expect(await one.exited).toBe(0);
    expect(await lookUpRunning(dataDir())).toBeNull();
  });

  /** Paused by SIGSTOP, it behaves like a query in a tight loop: it handles no signal and keeps its memory. */
  async function stuckQuery(): Promise<{ session: number; ended: Promise<unknown> }> {
    const client = await connectTo(dataDir());
    const ended = client.query("select pg_sleep(600)").catch(() => undefined);
    const session = await processOfQuery("pg_sleep");
    process.kill(session, "SIGSTOP");
    return { session, ended };
  }

  async function connectTo(folder: string): Promise<pg.Client> {
    const password = (await readFile(join(folder, "postgres.password"), "utf8")).trim();
    const client = new pg.Client({ host: join(folder, "postgres"), user: "countersign", password, database: "countersign" });
    client.on("error", () => undefined);
    await client.connect();
    return client;
  }

  async function processOfQuery(part: string): Promise<number> {
    const client = await connectTo(dataDir());
    let pid: number | undefined;
    await until(`a query with ${part} to run`, async () => {
      const active = "select pid from pg_stat_activity where state = 'active' and query like $1 and pid <> pg_backend_pid()";
      pid = (await client.query<{ pid: number }>(active, [`%${part}%`])).rows[0]?.pid;
      return pid !== undefined;
    });
    await client.end();
    return pid ?? expect.fail();
  }

  async function failedLaunches(): Promise<number> {
    const log = await readFile(join(dataDir(), "postgres/server.log"), "utf8");
    return log.match(/pre-existing shared memory block/g)?.length ?? 0;
  }

  describe("with a running service", () => {
    let home: string;
    let first: Running;
    beforeAll(async () => {
      home = await makeFolder();
      copyMade(join(home, "data"));
      first = await startProcess("start", { DATA_DIR: join(home, "data") });
    });
    afterAll(async () => {
      await stopProcess(first);
      await rm(home, { recursive: true, force: true });
    });

    test("a second instance on the same folder is refused with a clear message, and the first keeps running", async () => {
      const { code, stderr } = await runCommand(["start"], { DATA_DIR: join(home, "data"), PORT: "0" });
      expect([code, stderr]).toEqual([1, expect.stringContaining(`Another Countersign is running on ${join(home, "data")}.`)]);
      expect((await sendTo(first)("GET", "//readyz")).status).toBe(200);
    });

    test("a port in use is reported in one sentence, and no database keeps running", async () => {
      const other = join(home, "other");
      copyMade(other);
      const { code, stderr } = await runCommand(["start"], { DATA_DIR: other, PORT: new URL(first.url).port });
      expect(code).toBe(1);
      expect(stderr).toContain("Another program is using the port.");
      await expect(readFile(join(other, "postgres/postmaster.pid"))).rejects.toThrow("ENOENT");
    });

    test("commands work with and without a running service", async () => {
      await setUp(first);
      const beside = await runCommand(["orgs", "list"], { DATA_DIR: join(home, "data") });
      expect([beside.code, beside.stdout]).toEqual([0, expect.stringMatching(/^org_[0-9a-z]{26} {2}Acme {2}\(1 members\)\n$/)]);
      expect((await sendTo(first)("GET", "//readyz")).status).toBe(200);
      await stopProcess(first);
      const alone = await runCommand(["orgs", "list"], { DATA_DIR: join(home, "data") });
      expect([alone.code, alone.stdout]).toEqual([0, beside.stdout]);
      await expect(readFile(join(home, "data/postgres/postmaster.pid"))).rejects.toThrow("ENOENT");
    });
  });
});
