import { afterAll, beforeAll, expect, test } from "vitest";
import { client } from "./client.ts";
import { testDatabase } from "./database.ts";
import { type Running, runCommand, startProcess, stopProcess } from "./process.ts";
import { refusedWith } from "./refused-with.ts";
import { PASSWORD } from "./service.ts";

/** The set-up link makes its holder an admin, so it is printed in only one place, where the operator sees it. */

const database = testDatabase();
let env: Record<string, string>;
let processes: Running[] = [];

beforeAll(async () => {
  env = { ...database.env, APP_SECRET: "processes that share a secret: 8d1f0c77aa", PUBLIC_URL: "http://localhost:3998" };
  const worker = await startProcess("worker", env);
  processes = [worker, ...(await Promise.all([startProcess("serve", env), startProcess("serve", env)]))];
});
afterAll(() => Promise.all(processes.map((running) => stopProcess(running))));

const tokenIn = (text: string) => /\/console\/setup#token=([\w-]{43})/.exec(text)?.[1];
const printedBefore =
  /^No organization is set up yet\. The set-up link was printed at \d{4}-[\d:.T-]+Z\.\nIf you no longer have it, print a new one with: countersign setup-link$/m;

async function setUp(token: string | undefined) {
  const { url } = processes[1] as Running;
  const body = { token, org_name: "Acme", name: "Ada", email: "ada@example.com", password: PASSWORD, mode: "token" };
  return client(url.replace("localhost", "127.0.0.1"))("POST", "/setup", { body });
}

test("one of several processes prints the set-up link, and the others say when it was printed", async () => {
  const [worker = "", ...serving] = processes.map(({ stdout, stderr }) => stdout() + stderr());
  expect([tokenIn(worker), worker.match(printedBefore)]).toEqual([undefined, null]);
  expect(serving.filter((text) => tokenIn(text) !== undefined)).toHaveLength(1);
  expect(serving.filter((text) => printedBefore.test(text))).toHaveLength(1);
});

test("a link that was printed more than a day ago opens nothing, and the next start says so", async () => {
  const token = processes.map(({ stdout }) => tokenIn(stdout())).find((one) => one !== undefined);
  await database.owner("update instance_setup set link_printed_at = now() - interval '24 hours 1 minute'");
  const refused = await setUp(token);
  expect([refused.status, refused.json]).toEqual([422, refusedWith("The link is not valid, was already used, or has expired")]);
  const late = await startProcess("serve", env);
  expect(late.stdout()).toMatch(/The set-up link was printed at \S+ and has expired\.\nPrint a new one with: countersign setup-link$/m);
  await stopProcess(late);
});

const reachable: readonly (readonly [where: string, settings: Record<string, string>])[] = [
  ["outside local mode", { PUBLIC_URL: "https://sign.example.com", HOST: "127.0.0.1", METRICS_PORT: "0" }],
  ["in local mode on all addresses, as in a container,", { HOST: "0.0.0.0" }],
];
test.each(reachable)(
  "%s the link is printed to a terminal only, so that it is in no log; the command prints it",
  async (_where, settings) => {
    await database.owner("update instance_setup set link_printed_at = null, link_printed_by = null");
    const away = { ...env, ...settings };
    const serving = await startProcess("serve", away);
    expect([tokenIn(serving.stdout() + serving.stderr()), serving.stdout()]).toEqual([
      undefined,
      expect.stringMatching(/^No organization is set up yet\. Print a set-up link with: countersign setup-link$/m),
    ]);
    await stopProcess(serving);
    expect(tokenIn((await runCommand(["setup-link"], away)).stdout)).toBeDefined();
  },
);

test("an operator can print a new link, which replaces the old one; the audit trail says who printed it", async () => {
  const first = processes.map(({ stdout }) => tokenIn(stdout())).find((token) => token !== undefined);
  const printed = await runCommand(["setup-link"], { ...env, SUDO_USER: "ann" });
  const second = tokenIn(printed.stdout);
  expect([printed.code, printed.stdout.split("\n")[0]]).toEqual([
    0,
    "Set up your organization with this link. It works once, for 24 hours, and the previous link no longer works:",
  ]);
  expect(second).not.toBe(first);
  const refused = await setUp(first);
  expect([refused.status, refused.json]).toEqual([422, refusedWith("The link is not valid, was already used, or has expired")]);
  const { status, json } = await setUp(second);
  expect(status).toBe(201);

  const { url } = processes[2] as Running;
  const send = client(url.replace("localhost", "127.0.0.1"), { authorization: `Bearer ${json.data.token}` });
  expect((await send("GET", "/org/audit-trail")).json.data.at(-1)).toMatchObject({
    type: "org.created",
    data: { name: "Acme", setup_link: { printed_by: expect.stringMatching(/ \(sudo by ann\)$/), printed_at: expect.any(String) } },
  });
  const late = await runCommand(["setup-link"], env);
  expect([late.code, late.stdout, late.stderr]).toEqual([
    1,
    "",
    "This installation is already set up. Log in, or ask an admin for an invitation\n",
  ]);
});
