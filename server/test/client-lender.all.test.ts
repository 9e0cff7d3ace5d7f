import { type ChildProcess, execFile, spawn } from "node:child_process";
import { createHash, X509Certificate } from "node:crypto";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { testDeliveries } from "./deliveries.ts";
import { accept, invite, newEmail } from "./invitations.ts";
import { freePort } from "./process.ts";
import { testService } from "./service.ts";
import { until } from "./until.ts";

/** Runs examples/lender.mjs unchanged in a separate process. examples/sign.mjs is the borrower. */

const service = testService({ PORT: String(await freePort()) });
testDeliveries(service);
const running = new Set<ChildProcess>();
afterAll(() => {
  for (const child of running) child.kill();
});
const port = String(await freePort());
const example = (name: string) => fileURLToPath(new URL(`../../examples/${name}`, import.meta.url));
const run = promisify(execFile);

function start(env: Record<string, string>) {
  const child = spawn(process.execPath, [example("lender.mjs")], {
    env: { PATH: process.env.PATH, COUNTERSIGN_URL: service.url, PORT: port, ...env },
  });
  running.add(child);
  const started = { printed: "", complaint: "", ended: new Promise<number | null>((resolve) => child.once("close", resolve)) };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    started.printed += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    started.complaint += text;
  });
  return started;
}

async function pinnedRoot(): Promise<string> {
  const { root_certificate } = (await service.send("GET", "//.well-known/countersign-trust.json")).json;
  return createHash("sha256")
    .update(new X509Certificate(Buffer.from(root_certificate, "base64")).raw)
    .digest("hex");
}

test("the lender's example works from start to end, twice for the same borrower", { timeout: 120_000 }, async () => {
  const org = await service.newOrg("Example Lender");
  const { api_key } = await org.newKey();
  const colleague = (await accept(service, (await invite(org, newEmail(), "admin")).token)).json.data.user.user_id;
  const env = { COUNTERSIGN_API_KEY: api_key, COUNTERSIGN_ROOT: await pinnedRoot(), CUSTODIAN_USER_ID: colleague };
  for (const _loan of ["first", "second"]) {
    const lender = start(env);
    await until("the address for the borrower", async () => {
      if (lender.complaint !== "") throw new Error(lender.complaint);
      return /#token=\S+\n/.test(lender.printed);
    });
    const embed_url = /show this in your page: (\S+)/.exec(lender.printed)?.[1] ?? "";
    await run(process.execPath, [example("sign.mjs"), embed_url]);
    expect([await lender.ended, lender.complaint], lender.printed).toEqual([0, ""]);
    expect(lender.printed).toMatch(/env_\w+ is voided\n/);
    expect(lender.printed).toMatch(/^reminded ann@example\.com$/m);
    expect(lender.printed).toMatch(/^[0-9a-f]{16}…, \d+ bytes: VERIFIED$/m);
    expect(lender.printed).toMatch(new RegExp(`^cp_\\w+ is waiting for ${colleague}$`, "m"));
  }
  const { json } = await org.admin("GET", "/customers");
  expect(json.data).toHaveLength(1);
  const endpoints = await org.admin("GET", "/webhooks/endpoints");
  expect(endpoints.json.data, "its endpoint is gone").toEqual([]);
});

test("a refusal is reported with its code and the id of the request", async () => {
  const lender = start({ COUNTERSIGN_API_KEY: `lk_${"0".repeat(40)}` });
  expect(await lender.ended).toBe(1);
  expect(lender.complaint).toMatch(
    /^AuthenticationError \(\w+\): POST \/webhooks\/endpoints: 401 Invalid or missing API key.*quote \S+ when you ask/,
  );
});
