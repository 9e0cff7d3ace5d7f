import { type ChildProcess, execFile, spawn, spawnSync } from "node:child_process";
import { createHash, X509Certificate } from "node:crypto";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, describe, expect, test } from "vitest";
import { testDeliveries } from "./deliveries.ts";
import { accept, invite, newEmail } from "./invitations.ts";
import { freePort } from "./process.ts";
import { testService } from "./service.ts";
import { until } from "./until.ts";

/** Runs examples/lender.mjs and examples/lender.py unchanged in separate processes. examples/sign.mjs is the borrower. */

const service = testService({ PORT: String(await freePort()) });
testDeliveries(service);
const running = new Set<ChildProcess>();
afterAll(() => {
  for (const child of running) child.kill();
});
const inRepository = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const run = promisify(execFile);
const hasPython = spawnSync("python3", ["-c", "import sys; sys.exit(sys.version_info < (3, 9))"]).status === 0;

interface Lender {
  readonly language: string;
  readonly command: readonly [program: string, ...args: string[]];
  /** What the process needs beside its settings. */
  readonly env: Readonly<Record<string, string>>;
  readonly hasProgram: boolean;
}
const lenders: readonly Lender[] = [
  { language: "TypeScript", command: [process.execPath, inRepository("examples/lender.mjs")], env: {}, hasProgram: true },
  {
    language: "Python",
    command: ["python3", inRepository("examples/lender.py")],
    env: {
      PYTHONPATH: inRepository("clients/python"),
      PYTHONDONTWRITEBYTECODE: "1",
      COUNTERSIGN_VERIFY: inRepository("verify/dist/package/countersign-verify.js"),
    },
    hasProgram: hasPython,
  },
];

async function start({ command: [program, ...args], env: own }: Lender, env: Record<string, string>) {
  const port = String(await freePort());
  const child = spawn(program, args, { env: { PATH: process.env.PATH, COUNTERSIGN_URL: service.url, PORT: port, ...own, ...env } });
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

describe.each(lenders)("the lender's example in $language", (lender) => {
  test.skipIf(!lender.hasProgram)("works from start to end, twice for the same borrower", { timeout: 120_000 }, async () => {
    const org = await service.newOrg("Example Lender");
    const { api_key } = await org.newKey();
    const colleague = (await accept(service, (await invite(org, newEmail(), "admin")).token)).json.data.user.user_id;
    const env = { COUNTERSIGN_API_KEY: api_key, COUNTERSIGN_ROOT: await pinnedRoot(), CUSTODIAN_USER_ID: colleague };
    for (const _loan of ["first", "second"]) {
      const lending = await start(lender, env);
      await until("the address for the borrower", async () => {
        if (lending.complaint !== "") throw new Error(lending.complaint);
        return /#token=\S+\n/.test(lending.printed);
      });
      const embed_url = /show this in your page: (\S+)/.exec(lending.printed)?.[1] ?? "";
      await run(process.execPath, [inRepository("examples/sign.mjs"), embed_url]);
      expect([await lending.ended, lending.complaint], lending.printed).toEqual([0, ""]);
      expect(lending.printed).toMatch(/env_\w+ is voided\n/);
      expect(lending.printed).toMatch(/^reminded ann@example\.com$/m);
      expect(lending.printed).toMatch(/^[0-9a-f]{16}…, \d+ bytes: VERIFIED$/m);
      expect(lending.printed).toMatch(new RegExp(`^cp_\\w+ is waiting for ${colleague}$`, "m"));
    }
    const { json } = await org.admin("GET", "/customers");
    expect(json.data).toHaveLength(1);
    const endpoints = await org.admin("GET", "/webhooks/endpoints");
    expect(endpoints.json.data, "its endpoint is gone").toEqual([]);
  });

  test.skipIf(!lender.hasProgram)("reports a refusal with its code and the id of the request", async () => {
    const refused = await start(lender, { COUNTERSIGN_API_KEY: `lk_${"0".repeat(40)}` });
    expect(await refused.ended).toBe(1);
    expect(refused.complaint).toMatch(
      /^AuthenticationError \(\w+\): POST \/webhooks\/endpoints: 401 Invalid or missing API key.*quote \S+ when you ask/,
    );
  });
});

test.skipIf(!hasPython)("in Python, evidence of another root is not valid, and says which step failed", { timeout: 60_000 }, async () => {
  const [, python] = lenders;
  if (python === undefined) throw new Error("no lender in Python");
  const { api_key } = await (await service.newOrg("Example Lender")).newKey();
  const lending = await start(python, { COUNTERSIGN_API_KEY: api_key, COUNTERSIGN_ROOT: "0".repeat(64) });
  await until("the address for the borrower", async () => /#token=\S+\n/.test(lending.printed));
  await run(process.execPath, [inRepository("examples/sign.mjs"), /in your page: (\S+)/.exec(lending.printed)?.[1] ?? ""]);
  expect(await lending.ended).toBe(1);
  expect(lending.complaint).toMatch(/^the evidence is not valid:[\s\S]*FAILED/);
});
