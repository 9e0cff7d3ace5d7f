import { execFile, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { webhookTestHeaders } from "../../client/src/index.ts";
import { type Scope, scopes } from "../src/shared/scopes.ts";
import { testJobs } from "./jobs.ts";
import { freePort } from "./process.ts";
import { testService } from "./service.ts";
import { until } from "./until.ts";

/** The client as integrators get it: downloaded from the service, installed in a separate project, compiled and run there. */

const service = testService({ PORT: String(await freePort()) });
testJobs(service);
const root = fileURLToPath(new URL("../../", import.meta.url));
const run = promisify(execFile);
const DOWNLOAD = "//docs/downloads/countersign-client.tgz";

let project: string;
beforeAll(async () => {
  project = mkdtempSync(join(tmpdir(), "countersign-project-"));
  install((await service.send("GET", DOWNLOAD)).bytes);
});
afterAll(() => rmSync(project, { recursive: true }));

const packed = () => entriesOf(readFileSync(`${root}client/dist/countersign-client.tgz`));

/** The files of a tar archive, by name. */
function entriesOf(tgz: Buffer): Map<string, Buffer> {
  const [tar, entries] = [gunzipSync(tgz), new Map<string, Buffer>()];
  for (let at = 0; tar[at] !== 0; ) {
    const text = (from: number, length: number) => tar.toString("utf8", at + from, at + from + length).replace(/\0[\s\S]*$/, "");
    const size = Number.parseInt(text(124, 12), 8);
    entries.set(text(0, 100), tar.subarray(at + 512, at + 512 + size));
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return entries;
}

function install(tgz: Buffer): void {
  for (const [name, bytes] of entriesOf(tgz)) {
    const path = join(project, "node_modules/@countersign/client", name.replace(/^package\//, ""));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
  }
  // What the project itself contains.
  mkdirSync(join(project, "node_modules/@types"), { recursive: true });
  for (const name of ["@types/node", "undici-types"]) symlinkSync(`${root}node_modules/${name}`, join(project, "node_modules", name));
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "integration", type: "module" }));
}

const strict = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: false, target: "ES2022" };

/** The compiler's output; empty on success. */
async function compiled(options: object, file: string): Promise<string> {
  const config = { compilerOptions: { ...strict, outDir: "out", ...options }, files: [file] };
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify(config));
  const { stdout } = await run(process.execPath, [`${root}node_modules/typescript/bin/tsc`, "-p", project]).catch((error) => error);
  return stdout;
}

const nodeNext = { module: "NodeNext", moduleResolution: "NodeNext", types: ["node"] };
const bundler = { module: "ESNext", moduleResolution: "bundler", lib: ["ES2023", "DOM"], types: [] };

describe("the download", () => {
  test("is the package of the build, and is not sent again to a client that has it", async () => {
    const first = await service.send("GET", DOWNLOAD);
    expect([first.status, first.headers["content-type"]]).toEqual([200, "application/gzip"]);
    expect(first.headers["content-disposition"]).toBe('attachment; filename="countersign-client.tgz"');
    expect(first.bytes.equals(readFileSync(`${root}client/dist/countersign-client.tgz`))).toBe(true);
    const again = await service.send("GET", DOWNLOAD, { headers: { "if-none-match": first.headers.etag ?? "" } });
    expect([again.status, again.text]).toEqual([304, ""]);
  });

  test("contains what npm pack would put into it, byte for byte", () => {
    const folder = mkdtempSync(join(tmpdir(), "countersign-pack-"));
    const { status, stderr } = spawnSync("npm", ["pack", "--ignore-scripts", "--silent", "--pack-destination", folder], {
      cwd: `${root}client`,
    });
    expect(status, stderr.toString()).toBe(0);
    const npms = entriesOf(readFileSync(join(folder, readdirSync(folder)[0] ?? "")));
    rmSync(folder, { recursive: true });
    const ours = packed();
    expect([...ours.keys()].sort()).toEqual([...npms.keys()].sort());
    for (const [name, bytes] of npms) expect(ours.get(name)?.equals(bytes), name).toBe(true);
  });

  test("could be published to a registry, which refuses a private package", () => {
    expect(JSON.parse(packed().get("package/package.json")?.toString() ?? "")).not.toHaveProperty("private");
  });

  test("has no dependencies, runs no scripts, and exports only what is in it", () => {
    const manifest = JSON.parse(packed().get("package/package.json")?.toString() ?? "");
    for (const name of ["dependencies", "peerDependencies", "optionalDependencies", "scripts", "bin"])
      expect(manifest[name], name).toBeUndefined();
    const targets = Object.values<Record<string, string>>(manifest.exports).flatMap(Object.values);
    expect(targets.length).toBeGreaterThan(5);
    for (const target of targets) expect([...packed().keys()]).toContain(target.replace("./", "package/"));
  });

  test("can be read by tar", () => {
    const { status, stdout } = spawnSync("tar", ["tzf", `${root}client/dist/countersign-client.tgz`]);
    expect([status, stdout.toString().trim().split("\n").sort()]).toEqual([0, [...packed().keys()].sort()]);
  });
});

const USE = `
import { Countersign, isCode, type FileInput } from "@countersign/client";
import type { Envelope, WebhookEvent } from "@countersign/client/types";
import { envelopeStatuses, errorCodes, scopes } from "@countersign/client/lists";
import { operations, type Operations } from "@countersign/client/operations";
import { pageOperations } from "@countersign/client/pages";
import { webhooks } from "@countersign/client/webhooks";

export async function use(cs: Countersign, file: FileInput, event: WebhookEvent): Promise<string> {
  const { envelope_id } = await cs.envelopes.create({ envelope_name: "Lease", customer_email: "ann@example.com", customer_name: "Ann", external_id: undefined });
  const envelope: Envelope = await cs.envelopes.get(envelope_id);
  for await (const one of cs.envelopes.list({ status: "sent", limit: 5 })) one.envelope_name.trim();
  await cs.apiKeys.create({ partner_name: "Mine", scopes }, { idempotencyKey: "one" });
  await cs.templates.create({ name: "Lease", file });
  const status: (typeof envelopeStatuses)[number] = envelope.status;
  const answer: Operations["get_envelope"]["answer"] = envelope;
  if (event.event_type === "vault.stored") event.data.hash.trim();

  // @ts-expect-error a misspelled field
  await cs.envelopes.create({ envelope_nmae: "Lease", envelope_name: "Lease", customer_email: "a@b.c", customer_name: "Ann" });
  // @ts-expect-error a missing field
  await cs.envelopes.create({ envelope_name: "Lease", customer_name: "Ann" });
  // @ts-expect-error a misspelled filter
  cs.envelopes.list({ stauts: "sent" });
  // @ts-expect-error an invalid value
  cs.envelopes.list({ status: "signed" });
  // @ts-expect-error a misspelled nested field
  await cs.envelopes.send(envelope_id, { signers: [{ email: "a@b.c", nmae: "Ann" }] });
  // @ts-expect-error an unknown scope
  await cs.apiKeys.create({ partner_name: "Mine", scopes: ["envelopes:raed"] });
  // @ts-expect-error the response has no such field
  envelope.sent;
  // @ts-expect-error an Idempotency-Key for an operation that accepts none
  await cs.envelopes.get(envelope_id, { idempotencyKey: "one" });
  // @ts-expect-error an unknown code
  isCode(null, "envelope_wrong_staus");
  // @ts-expect-error the data of another event
  if (event.event_type === "envelope.voided") event.data.hash;
  // @ts-expect-error a missing file
  await cs.templates.create({ name: "Lease" });
  // @ts-expect-error a status that cannot be waited for
  await cs.envelopes.waitFor(envelope_id, { until: "declined", timeoutMs: 1 });
  return [status, answer.status, errorCodes[0], operations.get_envelope[1], Object.keys(pageOperations)[0], typeof webhooks.unwrap].join();
}
`;

describe("in a strict project in another folder", () => {
  test.each([
    ["NodeNext", nodeNext],
    ["bundler", bundler],
  ])("it compiles, and misspelled code does not (%s)", { timeout: 120_000 }, async (_name, options) => {
    writeFileSync(join(project, "use.ts"), USE);
    expect(await compiled(options, "use.ts")).toBe("");
  });

  test("the check can fail", { timeout: 120_000 }, async () => {
    writeFileSync(join(project, "use.ts"), USE.replace(/ *\/\/ @ts-expect-error.*\n/g, ""));
    expect(await compiled(nodeNext, "use.ts")).toContain("stauts");
  });

  test.each(["docs/first-steps.md", "client/README.md"])(
    "the TypeScript of %s compiles, and runs against the service with a key of the scopes that it names",
    { timeout: 180_000 },
    async (readme) => {
      const text = readFileSync(root + readme, "utf8");
      const program = [...text.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, block]) => block).join("\n");
      expect(program).not.toBe("");
      writeFileSync(join(project, "readme.ts"), program);
      expect(await compiled(nodeNext, "readme.ts")).toBe("");
      const { stdout: lease } = await run(process.execPath, [`${root}examples/make-lease.mjs`], { encoding: "buffer" });
      writeFileSync(join(project, "lease.pdf"), lease);
      const { api_key } = await (await service.newOrg("Example Company")).newKey({ scopes: scopesNamedIn(text) });
      const { code, printed } = await followed(api_key);
      expect(code, printed).toBe(0);
      expect(readFileSync(join(project, "lease-signed.pdf")).subarray(0, 5).toString()).toBe("%PDF-");
      rmSync(join(project, "lease-signed.pdf"));
    },
  );
});

/** The scopes that the text before the first program names. */
function scopesNamedIn(readme: string): Scope[] {
  const before = readme.split("```ts\n")[0]?.split("\n## ").at(-1) ?? "";
  return scopes.filter((scope) => before.includes(`\`${scope}\``));
}

/** Runs the program. The signers sign as soon as it is their turn. */
async function followed(api_key: string): Promise<{ code: number | null; printed: string }> {
  const env = { PATH: process.env.PATH, COUNTERSIGN_URL: service.url, COUNTERSIGN_API_KEY: api_key };
  const child = spawn(process.execPath, ["out/readme.js"], { cwd: project, env });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
    });
  }
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  await until("the link of the first signer", async () => child.exitCode !== null || /#token=\S+\n/.test(printed));
  const envelope_id = /\/sign\/(env_\w+)#token=/.exec(printed)?.[1];
  if (envelope_id !== undefined) await sign(api_key, envelope_id);
  return { code: await ended, printed };
}

async function sign(api_key: string, envelope_id: string): Promise<void> {
  const links = () => service.send("GET", `/partner/envelopes/${envelope_id}/signing-links`, { headers: { "x-api-key": api_key } });
  for (const index of [0, 1]) await run(process.execPath, [`${root}examples/sign.mjs`, (await links()).json.data.signers[index].embed_url]);
}

test("the receiver of client/README.md accepts a delivery and refuses a forged one", { timeout: 60_000 }, async () => {
  const text = readFileSync(`${root}client/README.md`, "utf8");
  const receiver =
    [...text.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, block]) => block ?? "").find((block) => block.includes("receive(")) ?? "";
  writeFileSync(join(project, "receiver.ts"), `import { webhooks, WebhookVerificationError } from "@countersign/client";\n${receiver}`);
  expect(await compiled(nodeNext, "receiver.ts")).toBe("");
  const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
  const body = JSON.stringify({ event_type: "vault.stored", event_id: "evt_1", envelope_id: "env_1", data: { path: "a", hash: "abc" } });
  const program = `import { receive } from "./out/receiver.js";
for (const headers of ${JSON.stringify([await webhookTestHeaders(body, secret), {}])})
  console.log((await receive(new Request("http://localhost/", { method: "POST", body: ${JSON.stringify(body)}, headers }))).status);`;
  const { stdout } = await run(process.execPath, ["--input-type=module", "-e", program], {
    cwd: project,
    env: { ...process.env, WEBHOOK_SECRET: secret },
  });
  expect(stdout).toBe("keep abc\n204\n400\n");
});
