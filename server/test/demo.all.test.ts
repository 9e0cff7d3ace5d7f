import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { testDatabase } from "./database.ts";

/** Runs demo/ as `npm run demo` does, in a separate process, but on a database of the test suite to save time. */

const database = testDatabase();
const DEMO = fileURLToPath(new URL("../../demo/run.mjs", import.meta.url));
const WITHOUT_NETWORK = new URL("../../demo/without-network.mjs", import.meta.url).href;
// The demo takes about ten seconds on two idle cores.
const TIMEOUT_MS = 180_000;

async function run(args: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, args, { env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env } });
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, stdout, stderr };
}

test("the demo prints every step as plain text and exits", { timeout: TIMEOUT_MS }, async () => {
  const { code, stdout, stderr } = await run([DEMO, "--exit", "--database"], database.env);
  expect([code, stderr], stdout).toEqual([0, ""]);
  const titles = stdout.split("\n").flatMap((line) => /^✓ (.+?) +\d+\.\d s$/.exec(line)?.[1] ?? []);
  expect(titles).toEqual([
    "Service started on an empty folder",
    "Organization set up with the one-time link",
    "API key created",
    "Webhook receiver started",
    "Template created from a PDF with tags",
    "Envelope sent to two people",
    "Ann signs",
    "Sam signs",
    "Sealed, stored, evaluated: vaulted",
    "Webhooks received and verified",
    "Documents downloaded",
    "Evidence verified offline by a process without a network",
    "One byte flipped: refused",
    "Envelope waiting for you",
  ]);
  for (const line of [
    "2 of 2 have signed, the envelope is completed",
    "  score 100: single authoritative copy,",
    "  envelope.created, envelope.sent, vault.stored, vault.compliance.passed\n",
    "\n  VERIFIED\n",
    "FAILED copy.pdf: has the hash",
  ]) {
    expect(stdout).toContain(line);
  }
  expect(stdout, "no colors without a terminal").not.toContain("\x1b");
  const [organizations] = await database.owner<{ n: number }>("select count(*)::int as n from orgs");
  expect(organizations?.n).toBe(1);
});

test("a failing step prints the reason, and the demo exits with 1", async () => {
  const { code, stdout } = await run([DEMO, "--url", "http://127.0.0.1:1"], { API_KEY: "lk_none" });
  expect(code).toBe(1);
  expect(stdout).toMatch(/^✗ Webhook receiver started +\d+\.\d s$/m);
  expect(stdout).toContain("POST /webhooks/endpoints: no response from http://127.0.0.1:1/api/v2");
});

test.each([[["--what"]], [["--url", "http://localhost:3000"]]])("wrong usage is exit 2: %j", async (args) => {
  const { code, stderr } = await run([DEMO, ...args]);
  expect([code, stderr]).toEqual([2, expect.stringContaining("usage: npm run demo")]);
});

test.each([
  ["fetch", "await fetch('http://127.0.0.1:2048/')"],
  ["socket", "(await import('node:net')).connect(9, '127.0.0.1')"],
  ["server", "(await import('node:net')).createServer().listen(0)"],
  ["packet", "(await import('node:dgram')).createSocket('udp4')"],
  ["name", "await (await import('node:dns/promises')).lookup('localhost')"],
])("a process without a network gets no %s", async (_what, code) => {
  const tried = await run(["--import", WITHOUT_NETWORK, "--input-type=module", "--eval", code]);
  expect([tried.code, tried.stderr]).toEqual([1, expect.stringContaining("this program was started without a network")]);
});
