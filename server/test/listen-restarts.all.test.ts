import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { client, type Send } from "./client.ts";
import { testDatabase } from "./database.ts";
import { freePort, type Running, startProcess, stopProcess } from "./process.ts";
import { PASSWORD } from "./service.ts";
import { until } from "./until.ts";

/** `countersign-dev listen` as integrators run it, through `kill -9` of the receiver and of the service. All three are processes of their own. */

const inRepository = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const COMMAND = inRepository("cli/dist/countersign-dev.mjs");
const RECEIVER = inRepository("examples/receive-webhooks/receive.mjs");

interface Program {
  readonly child: ChildProcess;
  /** the lines of its standard output */
  readonly lines: () => readonly string[];
  readonly closed: Promise<number | null>;
}

const started = new Set<Program>();
function startProgram(args: readonly string[], env: Readonly<Record<string, string>>): Program {
  const child = spawn(process.execPath, args, { env: { PATH: process.env.PATH, ...env }, stdio: ["ignore", "pipe", "inherit"] });
  let printed = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
  });
  const closed = new Promise<number | null>((resolve) => child.once("close", resolve));
  const program = { child, lines: () => printed.split("\n").slice(0, -1), closed };
  started.add(program);
  return program;
}
async function kill9({ child, closed }: Program): Promise<void> {
  child.kill("SIGKILL");
  await closed;
}

const database = testDatabase();
const ports = { service: 0, receiver: 0 };
let service: Running;
const startService = async () => {
  const own = {
    APP_SECRET: "one secret for every start: 5b0c9d1e77",
    LOG_LEVEL: "error",
    SETUP_ORG: "Acme",
    SETUP_EMAIL: "ada@example.com",
  };
  service = await startProcess("serve", { ...database.env, ...own, SETUP_PASSWORD: PASSWORD, PORT: String(ports.service) });
};
let send: Send;
let api_key = "";

beforeAll(async () => {
  [ports.service, ports.receiver] = [await freePort(), await freePort()];
  await startService();
  send = client(`http://127.0.0.1:${ports.service}`);
  const body = { email: "ada@example.com", password: PASSWORD, mode: "token" };
  const { token } = (await send("POST", "/auth/login", { body })).json.data;
  const key = { partner_name: "P", scopes: ["envelopes:write", "webhooks:read"], rate_limit_rpm: 100_000 };
  api_key = (await send("POST", "/partners/keys", { body: key, headers: { authorization: `Bearer ${token}` } })).json.data.api_key;
});
afterAll(async () => {
  for (const program of started) if (program.child.exitCode === null) await kill9(program);
  await stopProcess(service);
});

/** The ids of the events that a receiver has verified and worked on, in every run of it. */
const receivers: Program[] = [];
const received = (): string[] => receivers.flatMap(({ lines }) => lines().flatMap((line) => /^[\w.]+ (evt_\w+) /.exec(line)?.[1] ?? []));
async function startReceiver(secret: string): Promise<void> {
  const program = startProgram([RECEIVER], { PORT: String(ports.receiver), WEBHOOK_SECRET: secret });
  receivers.push(program);
  await until("the receiver to listen", async () => program.lines().some((line) => line.startsWith("listening")));
}
const lastReceiver = (): Program => receivers.at(-1) ?? expect.fail("no receiver");

const startListen = (...more: string[]): Program =>
  startProgram([COMMAND, "listen", "--forward-to", `http://127.0.0.1:${ports.receiver}/`, ...more], {
    COUNTERSIGN_URL: `http://127.0.0.1:${ports.service}`,
    COUNTERSIGN_API_KEY: api_key,
  });
const says = (command: Program, words: string) =>
  until(
    `"${words}" from the command, which says ${command.lines().join(" | ")}`,
    async () => command.lines().some((line) => line.includes(words)),
    30_000,
  );

const headers = () => ({ "x-api-key": api_key });
const envelope = { envelope_name: "Lease", customer_name: "Ann", customer_email: "ann@example.com" };
/** Each envelope makes an event. A request that is cut off by the end of the service may have made one or not. */
async function makeEvents(count: number): Promise<void> {
  for (let n = 0; n < count; n++)
    expect((await send("POST", "/partner/envelopes", { body: envelope, headers: headers() })).status).toBe(201);
}
async function makeEventsUntilItEnds(): Promise<void> {
  for (;;) {
    try {
      await send("POST", "/partner/envelopes", { body: envelope, headers: headers() });
    } catch (error) {
      expect((error as NodeJS.ErrnoException).code).toMatch(/^ECONN(RESET|REFUSED)$/);
      return;
    }
  }
}
async function eventsOfTheService(): Promise<string[]> {
  const ids: string[] = [];
  for (let page = 1; ; page++) {
    const { data, meta } = (await send("GET", `/webhooks/events?limit=200&page=${page}`, { headers: headers() })).json;
    ids.push(...data.map(({ event_id }: { event_id: string }) => event_id));
    if (ids.length >= meta.total) return ids;
  }
}

const takesAll = async (command: Program): Promise<void> => {
  const all = await eventsOfTheService();
  const missing = () => all.filter((event_id) => !received().includes(event_id));
  await until(`${all.length} events; the command says ${command.lines().at(-1)}`, async () => missing().length === 0, 60_000);
};

test("nothing is missed when the receiver, the service and the command are killed", { timeout: 180_000 }, async () => {
  const begin = new Date();
  const command = startListen();
  await says(command, "Secret of the signatures: ");
  const [, secret = ""] = /(whsec_\S+)/.exec(command.lines().join("\n")) ?? [];
  await startReceiver(secret);
  await makeEvents(3);
  await takesAll(command);

  // The receiver ends in the middle of a queue of events, and the next one has no memory of what the first one took.
  await makeEvents(20);
  await until("the first of them", async () => received().length > 3);
  await kill9(lastReceiver());
  await makeEvents(5);
  await says(command, "Sending it again until the receiver answers");
  await startReceiver(secret);
  await takesAll(command);

  // The service ends while envelopes are created.
  const creating = makeEventsUntilItEnds();
  await until("an event of these", async () => received().length > 30);
  await stopProcess(service, "SIGKILL");
  await creating;
  await says(command, "Asking again");
  await startService();
  await makeEvents(3);
  await takesAll(command);

  // Both at once.
  await makeEvents(5);
  await Promise.all([kill9(lastReceiver()), stopProcess(service, "SIGKILL")]);
  await Promise.all([startService(), startReceiver(secret)]);
  await makeEvents(2);
  await takesAll(command);

  // What was sent and not answered yet when a receiver ended is sent again: at most one event each time.
  const all = await eventsOfTheService();
  const taken = received();
  expect(taken.filter((event_id) => !all.includes(event_id))).toEqual([]);
  expect(taken.length - new Set(taken).size).toBeLessThanOrEqual(2);

  // The command starts again with a time before it ended, and its signatures have the same secret.
  await kill9(command);
  await makeEvents(2);
  const again = startListen("--since", begin.toISOString());
  await takesAll(again);
  expect(again.lines()).toContain(`Secret of the signatures: ${secret}`);
  again.child.kill("SIGINT");
  expect([await again.closed, again.lines().at(-1)]).toEqual([0, expect.stringMatching(/^\d+ sent, 0 refused\.$/)]);
});
