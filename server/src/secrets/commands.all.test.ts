import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { memoryFolder } from "../../../testing/memory-folder.ts";
import { client } from "../../test/client.ts";
import { sentEnvelope } from "../../test/envelopes.ts";
import { killCommand, type Running, runCommand, startProcess, stopProcess } from "../../test/process.ts";
import { PASSWORD, testService } from "../../test/service.ts";
import { contexts } from "../signing/sealed-columns.ts";

/** The commands, as operators run them: the built program, on the embedded database and on an external one. */

let folder: string;
let running: Running | null = null;
beforeAll(async () => {
  folder = await mkdtemp(join(memoryFolder(), "countersign-rotate-"));
  await chmod(folder, 0o755); // if the tests run as root, the server runs as another user, who needs access
});
afterAll(async () => {
  if (running !== null) await stopProcess(running);
  await rm(folder, { recursive: true, force: true });
});

const DATA_DIR = () => join(folder, "data");
const secrets = (...args: string[]) => runCommand(["secrets", ...args], { DATA_DIR: DATA_DIR() });
const secretFile = () => readFile(join(DATA_DIR(), "app.secret"), "utf8");
const ready = async ({ url }: Running) => (await fetch(`${url.replace("localhost", "127.0.0.1")}/readyz`)).status;

test("on one machine: rotate adds a version while the service is stopped; killed in the middle, the service starts and the next run goes on", async () => {
  running = await startProcess("start", { DATA_DIR: DATA_DIR() });
  const send = client(running.url.replace("localhost", "127.0.0.1"));
  const token = /\/console\/setup#token=([\w-]+)/.exec(running.stdout())?.[1];
  const body = { token, org_name: "Acme", name: "Ada", email: "ada@example.com", password: PASSWORD, mode: "token" };
  const set = await send("POST", "/setup", { body });
  expect([set.status, await ready(running)]).toEqual([201, 200]);
  const { refresh_token } = set.json.data;
  const early = await secrets("rotate");
  expect([early.code, early.stderr]).toEqual([1, "Stop the service first. It does not know the new version until it starts again.\n"]);
  expect(await secretFile()).toMatch(/^[0-9a-f]{64}\n$/);
  await stopProcess(running);

  expect(await killCommand(["secrets", "rotate"], { DATA_DIR: DATA_DIR() }, /Version 2 is in/)).toBe("SIGKILL");
  expect(await secretFile()).toMatch(/^2:[0-9a-f]{64}\n1:[0-9a-f]{64}\n$/);
  running = await startProcess("start", { DATA_DIR: DATA_DIR() });
  const at = client(running.url.replace("localhost", "127.0.0.1"));
  const refreshed = await at("POST", "/auth/refresh", { body: { refresh_token } });
  expect([refreshed.status, await ready(running)]).toEqual([200, 200]);
  const rewrapped = await secrets("re-wrap");
  expect([rewrapped.code, rewrapped.stderr]).toEqual([0, ""]);
  expect(rewrapped.stdout).toMatch(/^Entered values encrypted: 0\.$/m);
  expect((await secrets("status")).stdout).toMatch(
    /^version 1: accepted; values: 0\nversion 2: in use since \S+; values: [1-9]\d*\ndocuments that are not encrypted: 0\nentered values that are not encrypted: 0\n$/,
  );
  const trail = await at("GET", "/org/audit-trail", { headers: { authorization: `Bearer ${refreshed.json.data.token}` } });
  expect(trail.json.data.map((entry: { type: string }) => entry.type)).toContain("secret.rotated");

  const wait = await secrets("retire", "1");
  expect([wait.code, wait.stderr]).toEqual([1, expect.stringContaining("seven days after it was replaced")]);
  const retired = await secrets("retire", "1", "--now");
  expect([retired.code, retired.stderr]).toEqual([0, ""]);
  expect(await secretFile()).toMatch(/^2:[0-9a-f]{64}\n$/);
  await stopProcess(running);
  running = await startProcess("start", { DATA_DIR: DATA_DIR() });
  expect(await ready(running)).toBe(200);
  await stopProcess(running);
  running = null;

  const again = await secrets("rotate");
  expect([again.code, again.stdout]).toEqual([0, expect.stringContaining("Values encrypted again under version 3: ")]);
}, 180_000);

const service = testService();
test("with the secret in the settings, rotate says the steps; a wrong secret is refused by every command and changes nothing", async () => {
  const APP_SECRET = service.config.appSecrets[0].secret;
  const env = { ...service.database.env, APP_SECRET };
  const steps = await runCommand(["secrets", "rotate"], env);
  expect([steps.code, steps.stderr]).toEqual([
    1,
    expect.stringContaining("2. Add it second, as in APP_SECRETS=1:<present secret>,2:<new secret>"),
  ]);
  const wrong = { ...env, APP_SECRET: "5".repeat(32) };
  for (const command of [["serve"], ["worker"], ["orgs", "list"], ["secrets", "re-wrap"]]) {
    const { code, stderr } = await runCommand(command, wrong);
    expect([command, code, stderr]).toEqual([command, 1, "APP_SECRET is not the one that this database was made with\n"]);
  }
  const status = await runCommand(["secrets", "status"], env);
  expect([status.code, status.stdout]).toEqual([
    0,
    expect.stringMatching(
      /^version 1: in use since \S+; values: \d+\ndocuments that are not encrypted: 0\nentered values that are not encrypted: 0\n$/,
    ),
  ]);
  expect((await runCommand(["secrets", "retire", "x"], env)).code).toBe(2);
}, 120_000);

test("re-wrap encrypts what people entered before values were encrypted; killed as it begins, the next run does the rest", async () => {
  const env = { ...service.database.env, APP_SECRET: service.config.appSecrets[0].secret };
  const { org_id, ...org } = await service.newOrg();
  const { envelope_id } = await sentEnvelope(service, { ...org, org_id }, { kba_required: true });
  const all = 20_000;
  await service.database.owner(
    `insert into kba_questions (org_id, slug, set_no, question_no, question, answer_hash)
     select org_id, slug, 1, n, 'Question ' || n, 'hash ' || n from signers, generate_series(1, ${all}) n where envelope_id = $1`,
    [envelope_id],
  );
  const left = async () =>
    Number(/entered values that are not encrypted: (\d+)/.exec((await runCommand(["secrets", "status"], env)).stdout)?.[1]);
  expect(await left()).toBe(all);
  const off = await runCommand(["secrets", "re-wrap"], { ...env, ENCRYPT_BLOBS: "false" });
  expect([off.code, await left()]).toEqual([0, all]);

  // The line before it begins.
  expect(await killCommand(["secrets", "re-wrap"], env, /Keys of organizations wrapped/)).toBe("SIGKILL");
  const rest = await left();
  const { code, stdout, stderr } = await runCommand(["secrets", "re-wrap"], env);
  expect([code, stderr, Number(/Entered values encrypted: (\d+)/.exec(stdout)?.[1]), await left()]).toEqual([0, "", rest, 0]);
  const rows = await service.database.owner<{ question_no: number; answer_hash: string; question_sealed: Buffer }>(
    "select question_no, answer_hash, question_sealed from kba_questions where org_id = $1",
    [org_id],
  );
  const { values } = service.features.envelopes;
  const wrong = await service.db.tx(org_id, async () =>
    rows.filter(({ question_no, answer_hash, question_sealed }) => {
      const text = values.open(org_id, question_sealed, contexts.question(org_id, answer_hash)).toString();
      return text !== `Question ${question_no}`;
    }),
  );
  expect([rows.length, wrong]).toEqual([all, []]);
}, 120_000);
