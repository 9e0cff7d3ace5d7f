// These tests use separate servers, because logins belong to a whole server and the tests create, change and drop them.
import { readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { runMigrations } from "graphile-worker";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newMemoryFolder } from "../../../testing/memory-folder.ts";
import { client } from "../../test/client.ts";
import { databaseUrl, withClient } from "../../test/global-setup.ts";
import { runCommand, startProcess, stopProcess } from "../../test/process.ts";
import { until } from "../../test/until.ts";
import { type EmbeddedPostgres, lookUpRunning, startEmbedded } from "./embedded.ts";
import { urlFor } from "./logins.ts";
import { migrate, readMigrations } from "./migrate.ts";

const APP_SECRET = "a secret of the logins' tests: 8d1f0c77aa";
const LINES =
  /^DATABASE_APP_URL=(postgres:\/\/countersign_serve:([\w-]{32})@\S+)\nDATABASE_QUEUE_URL=(postgres:\/\/countersign_queue:([\w-]{32})@\S+)\n$/;

let folder: string;
let server: EmbeddedPostgres;
/** the server's administrator, in a database whose owner cannot create roles */
let adminUrl: string;
let ownerUrl: string;

beforeAll(async () => {
  folder = await newMemoryFolder("logins-");
  // The server logs every statement.
  server = await startEmbedded({ dataDir: join(folder, "data"), settings: { fsync: "off", log_statement: "all" } });
  await withClient(server.url, async (admin) => {
    await admin.query("create role plain_owner login password 'x'");
    await admin.query("create database plain owner plain_owner");
  });
  adminUrl = databaseUrl(server.url, "plain");
  ownerUrl = urlFor(adminUrl, "plain_owner", "x");
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

const run = (args: string[], env: Record<string, string> = {}) => runCommand(args, { APP_SECRET, DATABASE_URL: ownerUrl, ...env });
const logins = (...flags: string[]) => run(["database", "logins", ...flags]);

function settingsOf(text: string): { env: Record<string, string>; passwords: string[] } {
  const [, appUrl, app, queueUrl, queue] = LINES.exec(text) ?? expect.fail(text);
  return { env: { DATABASE_APP_URL: appUrl ?? "", DATABASE_QUEUE_URL: queueUrl ?? "" }, passwords: [app ?? "", queue ?? ""] };
}

const REFUSED =
  "This database login cannot create or change these roles. Let an administrator run the output of: countersign database logins --print\n";

describe("countersign database logins", () => {
  let env: Record<string, string>;
  let passwords: string[];

  test("by an owner who cannot create roles changes nothing and says who must run what, as migrate does", async () => {
    for (const args of [["database", "logins"], ["migrate"]]) {
      const { code, stdout, stderr } = await run(args);
      expect([args, code, stdout, stderr]).toEqual([args, 1, "", REFUSED]);
    }
    const { rows } = await withClient(adminUrl, (admin) =>
      admin.query("select rolname from pg_roles where rolname like 'countersign\\_%'"),
    );
    expect(rows).toEqual([]);
  });

  test("--print prints the statements for an administrator, and the settings", async () => {
    const { code, stdout, stderr } = await logins("--print");
    expect(code).toBe(0);
    const [sentence, ...lines] = stderr.split("\n");
    expect(sentence).toBe("After running these statements, pass these settings to serve and worker. The passwords are shown only once.");
    ({ env, passwords } = settingsOf(lines.join("\n")));
    for (const password of passwords) expect(stdout).not.toContain(password);
    expect(stdout.replace(/SCRAM-SHA-256\$4096:[^']+/g, "…").split("\n")).toEqual([
      "create role countersign_app nologin;",
      ...["countersign_serve", "countersign_queue"].flatMap((login) => [
        `create role ${login} login password '…';`,
        ...(login === "countersign_serve" ? ["grant countersign_app to countersign_serve;"] : []),
        `grant connect on database "plain" to ${login};`,
        `alter role ${login} in database "plain" set statement_timeout = '30s';`,
        `alter role ${login} in database "plain" set idle_in_transaction_session_timeout = '60s';`,
        `alter role ${login} in database "plain" set TimeZone = 'UTC';`,
      ]),
      "",
    ]);
    await withClient(adminUrl, (admin) => admin.query(stdout));
  });

  test("creates all that a service needs for a migrated database, without superuser or role attributes", async () => {
    expect(await run(["migrate"])).toMatchObject({ code: 0 });
    const service = await startProcess("start", { ...env, APP_SECRET, DATA_DIR: folder });
    await whenReady(service.url);
    const users = await withClient(adminUrl, (admin) =>
      admin.query("select distinct usename from pg_stat_activity where datname = 'plain' and pid <> pg_backend_pid() order by 1"),
    );
    expect(await stopProcess(service)).toBe(0);
    expect(users.rows).toEqual([{ usename: "countersign_queue" }, { usename: "countersign_serve" }]);
  });

  test("a second time keeps the passwords and changes nothing", async () => {
    for (const flags of [[], ["--print"]]) {
      const { code, stdout, stderr } = await logins(...flags);
      const kept = ["countersign_serve", "countersign_queue"].map(
        (login) => `${login} keeps its password. To change it, run: countersign database logins --new-passwords\n`,
      );
      expect([code, stdout, stderr]).toEqual([0, flags.length > 0 ? "-- Nothing to do.\n" : "", kept.join("")]);
    }
    expect((await run(["orgs", "list"], env)).code).toBe(0);
  });

  test("--new-passwords replaces both, and prints them once, also for an address that names a socket only in its query", async () => {
    const socketUrl = adminUrl.replace(/@localhost:5432(?=\/)/, "@");
    expect(socketUrl).toContain("@/plain?host=");
    const { code, stdout } = await run(["database", "logins", "--new-passwords"], { DATABASE_URL: socketUrl });
    expect(code).toBe(0);
    const renewed = settingsOf(stdout);
    expect(await run(["orgs", "list"], env)).toMatchObject({
      code: 1,
      stderr: "The database refuses the login in DATABASE_APP_URL. Check user and password.\n",
    });
    expect((await run(["orgs", "list"], renewed.env)).code).toBe(0);
    passwords.push(...renewed.passwords);
    env = renewed.env;
  });

  test("revokes rights that a login must not have", async () => {
    await withClient(adminUrl, (admin) => admin.query("alter role countersign_serve bypassrls createrole"));
    expect((await run(["orgs", "list"], env)).code).toBe(78);
    expect((await run(["database", "logins"], { DATABASE_URL: adminUrl })).code).toBe(0);
    expect((await run(["orgs", "list"], env)).code).toBe(0);
  });

  test("on a server without logins creates those in the settings, so that a restored service works with its settings", async () => {
    await withClient(adminUrl, (admin) => admin.query("alter role countersign_serve nologin password null"));
    const { code, stdout } = await run(["database", "logins"], { ...env, DATABASE_URL: adminUrl });
    expect([code, stdout]).toEqual([0, ""]);
    expect((await run(["orgs", "list"], env)).code).toBe(0);
  });

  test("puts no password into a statement, so the server's log contains none", async () => {
    const log = await readFile(join(server.clusterDir, "server.log"), "utf8");
    expect(log).toContain("alter role countersign_serve");
    expect(passwords).toHaveLength(4);
    for (const password of passwords) expect(log).not.toContain(password);
  });

  test("does nothing for the embedded database", async () => {
    const { code, stdout, stderr } = await runCommand(["database", "logins"], { DATA_DIR: join(folder, "none") });
    expect([code, stdout, stderr]).toEqual([0, "", "The embedded database already has both logins. They are created at each start.\n"]);
  });
});

describe("a data folder from a release without logins", () => {
  let dataDir: string;
  beforeAll(async () => {
    dataDir = join(await newMemoryFolder("upgrade-"), "data");
    const old = await startEmbedded({ dataDir });
    const all = await readMigrations();
    await migrate(
      old.url,
      all.slice(
        0,
        all.findIndex(({ name }) => name.startsWith("0021")),
      ),
    );
    await runMigrations({ connectionString: old.url });
    await withClient(old.url, (owner) => owner.query("drop role countersign_queue; grant countersign_app to countersign"));
    await old.stop();
    await rm(join(dataDir, "postgres.logins"));
  });
  afterAll(() => rm(join(dataDir, ".."), { recursive: true, force: true }));

  test("gets logins at its first start, in a file that only the service can read, and uses only them; a lost file is created again", async () => {
    const before: string[] = [];
    for (const round of ["after the upgrade", "after a loss"]) {
      const service = await startProcess("start", { DATA_DIR: dataDir });
      await whenReady(service.url);
      const connected = await loginsConnected(dataDir);
      expect([round, await stopProcess(service), connected]).toEqual([round, 0, ["countersign_queue", "countersign_serve"]]);
      const file = join(dataDir, "postgres.logins");
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      const text = await readFile(file, "utf8");
      expect(text).toMatch(/^countersign_serve:[0-9a-f]{64}\ncountersign_queue:[0-9a-f]{64}\n$/);
      expect(before).not.toContain(text);
      before.push(text);
      await rm(file);
    }
  });
});

/** Asks as a load balancer does: on a busy machine a check can miss its two seconds. */
const whenReady = (url: string) =>
  until("a ready service", async () => (await client(url.replace("localhost", "127.0.0.1"))("GET", "//readyz")).status === 200, 60_000);

/** The logins connected to the embedded database, without this connection. */
async function loginsConnected(dataDir: string): Promise<string[]> {
  const { url } = (await lookUpRunning(dataDir)) ?? expect.fail();
  const { rows } = await withClient(url, (owner) =>
    owner.query<{ usename: string }>(
      "select distinct usename from pg_stat_activity where datname = 'countersign' and pid <> pg_backend_pid() order by 1",
    ),
  );
  return rows.map(({ usename }) => usename);
}
