// Real servers in temporary folders. Tests that need a second process run the built file, so run `npm run build` first.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, chown, mkdir, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client, type ClientConfig } from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { newMemoryFolder } from "../../../testing/memory-folder.ts";
import { runCommand } from "../../test/process.ts";
import { limitLog } from "./embedded/server-log.ts";
import { type EmbeddedPostgres, lookUpRunning, startEmbedded } from "./embedded.ts";
import { ensureEmbeddedLogins } from "./logins.ts";

const BUILT = fileURLToPath(new URL("../../dist/db/embedded.js", import.meta.url));
const notRoot = process.getuid?.() !== 0;

let made: string; // a data folder that has been started once; copying it saves most tests a second of initdb
let folder: string;
let dataDir: string;
let servers: EmbeddedPostgres[] = [];
let children: ChildProcess[] = [];
let outside: string[] = [];

const makeFolder = (): Promise<string> => newMemoryFolder("embedded-");

beforeAll(async () => {
  made = await makeFolder();
  await (await startEmbedded({ dataDir: join(made, "data") })).stop();
});

afterAll(() => rm(made, { recursive: true }));

beforeEach(async () => {
  folder = await makeFolder();
  dataDir = join(folder, "data");
});

afterEach(async () => {
  for (const child of children) child.kill("SIGKILL");
  for (const server of servers) await server.stop();
  for (const path of [folder, ...outside]) await rm(path, { recursive: true, force: true });
  [servers, children, outside] = [[], [], []];
});

/** Keeps owners and modes, which the server requires. */
const copyMade = () => execFileSync("cp", ["-a", join(made, "data"), dataDir]);

async function start(options: { dataDir?: string; settings?: Record<string, string> } = {}): Promise<EmbeddedPostgres> {
  const server = await startEmbedded({ dataDir, ...options });
  servers.push(server);
  return server;
}

async function query(server: EmbeddedPostgres, text: string, config: ClientConfig = server.connection): Promise<Record<string, unknown>[]> {
  const client = new Client(config);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

const settingOf = async (server: EmbeddedPostgres, name: string) => (await query(server, `show ${name}`))[0]?.[name];
const lockFile = (server: EmbeddedPostgres) => join(server.clusterDir, "postmaster.pid");
const lockLines = async (server: EmbeddedPostgres) => (await readFile(lockFile(server), "utf8")).split("\n");
const pidOf = async (server: EmbeddedPostgres) => Number((await lockLines(server))[0]);

/** Starts the database in another Node process, which then waits. Resolves with that process and its result. */
async function startInChild(): Promise<{ child: ChildProcess; startedHere: boolean; pid: string }> {
  if (!existsSync(BUILT)) throw new Error(`${BUILT} does not exist: run \`npm run build\` first.`);
  const script = `
    const { startEmbedded } = await import(process.argv[1]);
    const { startedHere, clusterDir } = await startEmbedded({ dataDir: process.argv[2] });
    const { readFileSync } = await import("node:fs");
    const pid = readFileSync(clusterDir + "/postmaster.pid", "utf8").split("\\n")[0];
    console.log(JSON.stringify({ startedHere, pid }));
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script, BUILT, dataDir], {
    detached: true, // a separate process group, which the tests can signal as a terminal does
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  const [line] = await Promise.race([
    once(child.stdout, "data"),
    once(child, "exit").then(() => Promise.reject(new Error("The child ended early."))),
  ]);
  return { child, ...JSON.parse(line) };
}

test("the first start creates a database that is reachable by its socket and by its URL", async () => {
  const server = await start();
  expect(server).toMatchObject({ startedHere: true, clusterDir: join(dataDir, "postgres") });
  expect(server.connection).toMatchObject({ host: server.clusterDir, user: "countersign", database: "countersign" });
  const described =
    "select current_user, current_database(), version() like 'PostgreSQL 18.4 %' as version, inet_server_addr() is null as local";
  const answer = [{ current_user: "countersign", current_database: "countersign", version: true, local: true }];
  expect(await query(server, described)).toEqual(answer);
  expect(await query(server, described, { connectionString: server.url })).toEqual(answer);
});

test("the server is durable, small, closed to the network and requires a password", async () => {
  copyMade();
  const server = await start();
  const names = [
    "fsync",
    "full_page_writes",
    "synchronous_commit",
    "data_checksums",
    "listen_addresses",
    "server_encoding",
    "shared_buffers",
    "jit",
  ];
  const values = Object.fromEntries(await Promise.all(names.map(async (name) => [name, await settingOf(server, name)])));
  expect(values).toEqual({
    fsync: "on",
    full_page_writes: "on",
    synchronous_commit: "on",
    data_checksums: "on",
    listen_addresses: "",
    server_encoding: "UTF8",
    shared_buffers: "32MB",
    jit: "off",
  });
  expect((await lockLines(server))[5]).toBe(""); // the TCP address it listens on
  expect(await query(server, "select datlocprovider, datlocale from pg_database where datname = current_database()")).toEqual([
    { datlocprovider: "b", datlocale: "C.UTF-8" },
  ]);
  await expect(query(server, "select 1", { ...server.connection, password: "wrong" })).rejects.toMatchObject({ code: "28P01" });
  expect((await stat(server.clusterDir)).mode & 0o777).toBe(0o700);
  expect((await stat(join(server.clusterDir, ".s.PGSQL.5432"))).mode & 0o777).toBe(0o700);
  for (const name of ["postgres.password", "postgres.logins"]) expect((await stat(join(dataDir, name))).mode & 0o777).toBe(0o600);
  expect(server.connection.password).toMatch(/^[0-9a-f]{64}$/);
});

test("a service on a database that has not been migrated says what to run", async () => {
  copyMade();
  const { url, appUrl, logins } = await start();
  await ensureEmbeddedLogins(url, logins);
  const { code, stderr } = await runCommand(["serve"], { DATABASE_APP_URL: appUrl, DATA_DIR: folder, PORT: "0" });
  expect([code, stderr]).toEqual([1, "The database is empty or incomplete. Run: countersign migrate\n"]);
});

test("a second start and a command use the running server, and stop ends it", async () => {
  copyMade();
  expect(await lookUpRunning(dataDir)).toBeNull();
  const first = await start();
  const second = await start();
  const found = await lookUpRunning(dataDir);
  expect(second).toMatchObject({ startedHere: false, connection: first.connection });
  expect(found).toMatchObject({ startedHere: false, connection: first.connection, url: first.url });
  await found?.stop();
  expect(await lookUpRunning(dataDir)).toBeNull();
  await first.stop();
  await first.stop();
});

test("the server survives a killed service and is used by the next one", async () => {
  copyMade();
  const { child, startedHere, pid } = await startInChild();
  process.kill(-(child.pid ?? 0), "SIGINT"); // Ctrl-C reaches the whole process group
  process.kill(-(child.pid ?? 0), "SIGKILL");
  await once(child, "exit");
  const server = await start();
  expect([startedHere, server.startedHere]).toEqual([true, false]);
  expect(String(await pidOf(server))).toBe(pid);
  expect(await query(server, "select 1 as one")).toEqual([{ one: 1 }]);
});

test("a killed server is started again with all committed data", async () => {
  copyMade();
  const server = await start();
  await query(server, "create table kept as select 42 as answer");
  process.kill(await pidOf(server), "SIGKILL");
  const next = await start();
  expect(next.startedHere).toBe(true);
  expect(await query(next, "select answer from kept")).toEqual([{ answer: 42 }]);
});

test("a start waits for a server that is stopping", async () => {
  copyMade();
  const first = await start();
  const stopping = first.stop();
  const next = await start();
  await stopping;
  expect(await query(next, "select 1 as one")).toEqual([{ one: 1 }]);
});

test("a lock file whose pid now belongs to another process of the same user is ignored", async () => {
  copyMade();
  const server = await start();
  const lines = await lockLines(server);
  await server.stop();
  const { uid, gid } = await stat(server.clusterDir);
  const stranger = spawn("sleep", ["60"], { uid, gid, stdio: "ignore" });
  children.push(stranger);
  await writeFile(lockFile(server), [stranger.pid, ...lines.slice(1)].join("\n"), { mode: 0o600 });
  await chown(lockFile(server), uid, gid);

  expect(await lookUpRunning(dataDir)).toBeNull();
  const next = await start();
  expect(next.startedHere).toBe(true);
  expect(await query(next, "select 1 as one")).toEqual([{ one: 1 }]);
});

test("three simultaneous starts on a new folder share one server", async () => {
  const racers = await Promise.all([startInChild(), startInChild(), start()]);
  const server = racers[2];
  const pid = String(await pidOf(server));
  expect(racers.filter((racer) => racer.startedHere)).toHaveLength(1);
  expect(racers.slice(0, 2).map((racer) => "pid" in racer && racer.pid)).toEqual([pid, pid]);
  expect((await readdir(dataDir)).sort()).toEqual(["postgres", "postgres.logins", "postgres.password"]);
});

test("leftovers of a crash during the first start are ignored, and removed after an hour", async () => {
  const old = join(dataDir, "postgres.draft-abcdef");
  const fresh = join(dataDir, "postgres.draft-ghijkl");
  for (const draft of [old, fresh]) await mkdir(join(draft, "cluster"), { recursive: true });
  await chmod(dataDir, 0o711);
  await utimes(old, new Date(0), new Date(0));
  const server = await start();
  expect(await query(server, "select 1 as one")).toEqual([{ one: 1 }]);
  expect([existsSync(old), existsSync(fresh)]).toEqual([false, true]);
});

test("a path that is too long for a socket is served over loopback, with the password", async () => {
  dataDir = join(folder, "long".repeat(25));
  const server = await start();
  expect(server.connection.host).toBe("127.0.0.1");
  expect(await settingOf(server, "listen_addresses")).toBe("127.0.0.1");
  expect(await query(server, "select 1 as one", { connectionString: server.url })).toEqual([{ one: 1 }]);
  await expect(query(server, "select 1", { ...server.connection, password: "wrong" })).rejects.toMatchObject({ code: "28P01" });
  expect(await start()).toMatchObject({ startedHere: false, connection: server.connection });
});

test("a data folder with spaces, quotes and umlauts in its path works", async () => {
  dataDir = join(folder, `my "data", it's für mich`);
  const server = await start();
  expect(await query(server, "select 1 as one", { connectionString: server.url })).toEqual([{ one: 1 }]);
  expect((await start()).startedHere).toBe(false);
});

test("a server that cannot start says why, with the end of its log", async () => {
  copyMade();
  await expect(start({ settings: { shared_buffers: "plenty" } })).rejects.toThrow(
    /server\.log:\n.*invalid value for parameter "shared_buffers": "plenty"/s,
  );
});

test("a database without its password file is not changed, and one of another version is not started", async () => {
  copyMade();
  const server = await start();
  await server.stop();
  await rm(join(dataDir, "postgres.password"));
  await expect(start()).rejects.toThrow(/postgres\.password is missing/);
  expect(existsSync(join(dataDir, "postgres.password"))).toBe(false);
  await writeFile(join(dataDir, "postgres.password"), "0".repeat(64), { mode: 0o600 });
  await expect(start()).rejects.toThrow(/password authentication failed.*not the password of the database/s);
  await writeFile(join(server.clusterDir, "PG_VERSION"), "17\n");
  await expect(start()).rejects.toThrow(/created by PostgreSQL 17/);
});

test("a folder that is not a database is not changed", async () => {
  await mkdir(join(dataDir, "postgres/photos"), { recursive: true });
  await chmod(dataDir, 0o711);
  await expect(start()).rejects.toThrow(/is not empty and holds no PostgreSQL database/);
  expect(await readdir(join(dataDir, "postgres"))).toEqual(["photos"]);
});

test("a log that is too long keeps its end, and the server continues writing to it", async () => {
  copyMade();
  const server = await start();
  const file = join(server.clusterDir, "server.log");
  await writeFile(file, `${"noise\n".repeat(1_500_000)}the end\n`, { flag: "a" });
  await limitLog(server.clusterDir);
  expect((await stat(file)).size).toBeLessThan(1_100_000);
  await expect(query(server, "select nonsense")).rejects.toThrow();
  const text = await readFile(file, "utf8");
  expect(text.slice(0, 6)).toBe("noise\n");
  expect(text.slice(-200)).toMatch(/\nnoise\nthe end\n[^\n]*column "nonsense" does not exist[^\n]*\n$/);
});

test.skipIf(notRoot)(
  "as root, a data folder that PostgreSQL's account cannot reach has its cluster in /var/lib/countersign (needs root)",
  async () => {
    await chmod(folder, 0o700);
    const server = await start();
    outside.push(server.clusterDir);
    expect(server.clusterDir).toMatch(/^\/var\/lib\/countersign\/[0-9a-f]{32}$/);
    expect(await readFile(join(dataDir, "postgres.path"), "utf8")).toBe(`${server.clusterDir}\n`);
    expect(await query(server, "select 1 as one")).toEqual([{ one: 1 }]);
    expect(await lookUpRunning(dataDir)).toMatchObject({ connection: server.connection });
    await server.stop();
    await rm(server.clusterDir, { recursive: true });
    await expect(start()).rejects.toThrow(/names the database folder .*but there is no database/);
  },
);

test.skipIf(notRoot)(
  "as root, a folder that another user's service uses is rejected, and the error names its owner (needs root)",
  async () => {
    await mkdir(dataDir);
    await writeFile(join(dataDir, "postgres.password"), "", { mode: 0o600 });
    await chown(join(dataDir, "postgres.password"), 12345, 12345);
    await expect(start()).rejects.toThrow(/belongs to uid 12345, and this process runs as root/);
  },
);
