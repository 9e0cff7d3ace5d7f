// A separate process opens the database, as a service does. The tests check that the process ends.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { newMemoryFolder } from "../../../testing/memory-folder.ts";
import { until } from "../../test/until.ts";
import { startEmbedded } from "./embedded.ts";

const BUILT = fileURLToPath(new URL("../../dist/db/open.js", import.meta.url));

let made: string; // a data folder that has been started once; copying it saves a second of initdb
let folder: string;
let child: ChildProcess | undefined;

const makeFolder = (): Promise<string> => newMemoryFolder("open-");

beforeAll(async () => {
  made = await makeFolder();
  await (await startEmbedded({ dataDir: join(made, "data") })).stop();
});
afterAll(() => rm(made, { recursive: true }));
beforeEach(async () => {
  folder = await makeFolder();
  execFileSync("cp", ["-a", join(made, "data"), folder]);
});
afterEach(async () => {
  child?.kill("SIGKILL");
  for (const pid of servers()) process.kill(pid, "SIGKILL");
  await rm(folder, { recursive: true, force: true });
});

/** Uses the system's process list, because a server that is still starting has not written a lock file. */
function servers(): number[] {
  const processes = execFileSync("ps", ["-A", "-ww", "-o", "pid=,args="], { encoding: "utf8" }).split("\n");
  return processes.filter((line) => line.includes(`/postgres -D ${folder}/`)).map((line) => Number.parseInt(line, 10));
}

/** Opens the database as a service does and closes it when it logs `closeAt`. Returns the logged lines. */
async function openUntil(closeAt: string): Promise<() => string> {
  const script = `
    const { openForService } = await import(process.argv[1]);
    let database;
    const log = (line) => {
      console.log(line);
      if (database !== undefined && line.includes(process.argv[3])) database.close().then(() => console.log("closed"));
    };
    const external = { databaseUrl: null, databaseAppUrl: null, databaseQueueUrl: null };
    database = await openForService({ ...external, dataDir: process.argv[2], log, fatal: log }, { worker: true });
    console.log("open");`;
  child = spawn(process.execPath, ["--input-type=module", "-e", script, BUILT, join(folder, "data"), closeAt], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let lines = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    lines += text;
  });
  await until("the database to be open", async () => lines.includes("\nopen\n"));
  return () => lines;
}

const postmasterPid = async () => Number((await readFile(join(folder, "data/postgres/postmaster.pid"), "utf8")).split("\n")[0]);

test.each(["The embedded database is gone", "PostgreSQL started"])(
  "closing while a killed server is restarted leaves no server running: at “%s”",
  async (line) => {
    const lines = await openUntil(line);
    const running = child ?? expect.fail();
    process.kill(await postmasterPid(), "SIGKILL");
    await until(`the process to end after\n${lines()}`, async () => running.exitCode !== null);
    expect([running.exitCode, servers()]).toEqual([0, []]);
    expect(lines()).toMatch(/\nclosed\n$/);
  },
);
