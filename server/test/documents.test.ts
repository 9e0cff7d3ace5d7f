import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Compile } from "typebox/compile";
import { describe, expect, test } from "vitest";
import { ALL } from "../../testing/all.ts";
import { SAMPLE_SECRET, settings } from "../src/config.ts";
import { statusOfProblem } from "../src/http/problem.ts";
import { answerExample, answerSchema } from "../src/http/wire-shapes.ts";
import { apiDocuments, declaredEndpoints } from "../src/main.ts";
import { setupLink } from "../src/orgs/setup.ts";
import { detailCodes, type ProblemCode, problems } from "../src/shared/problems.ts";
import { scopes } from "../src/shared/scopes.ts";
import { testJobs } from "./jobs.ts";
import { freePort } from "./process.ts";
import { refusalText } from "./refused-with.ts";
import { testService } from "./service.ts";

/** Checks every claim in the documents that can be checked automatically. */

const service = testService({ PORT: String(await freePort()) });
testJobs(service);
const read = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), "utf8");

describe("paths in the documents", () => {
  const root = new URL("../../", import.meta.url);
  const tracked = spawnSync("git", ["ls-files"], { cwd: root, encoding: "utf8" }).stdout.split("\n");
  // A decision describes the day it was made; the changelog and the frozen rules do so too.
  const guides = tracked.filter(
    (name) => name.endsWith(".md") && !/^(CHANGELOG\.md|docs\/decisions\/|evidence\/src\/rules\/1\/)/.test(name),
  );

  /** Paths with a folder and an extension that lead nowhere, seen from the root, from the document, from the service or from its pages. */
  function lost(name: string, text: string): string[] {
    const paths = [...text.matchAll(/`((?:[\w.-]+\/)+[\w.-]+\.(?:ts|tsx|mjs|sql|css|md))`/g)].map(([, path = ""]) => path);
    const bases = ["", `${name.slice(0, name.lastIndexOf("/") + 1)}`, "server/src/", "web/", "web/console/", "server/", "pdf/src/"];
    return paths
      .filter((path) => !path.includes("NNNN") && !bases.some((base) => existsSync(new URL(base + path, root))))
      .map((path) => `${name} names ${path}`);
  }

  test.runIf(tracked.length > 1)("lead to files that exist", () => {
    expect(guides.length).toBeGreaterThan(40);
    expect(guides.flatMap((name) => lost(name, read(name)))).toEqual([]);
  });

  test("the check can fail", () => {
    expect(lost("docs/a.md", "See `shared/ids.ts` and `shared/idz.ts`")).toEqual(["docs/a.md names shared/idz.ts"]);
  });
});

describe("docs/errors.md", () => {
  test("has every problem with its status and sentence, and no other", () => {
    const rows = [...read("docs/errors.md").matchAll(/^\| `(\w+)` \| (\d{3}) \| (.+?) \| .+ \|$/gm)].map(([, code, status, says]) => [
      code,
      Number(status),
      says,
    ]);
    const catalogue = Object.entries(problems).map(([code, { says }]) => [code, statusOfProblem(code as ProblemCode), says]);
    expect(rows).toEqual(catalogue);
  });

  test("explains every detail code, and no other", () => {
    const rows = [...read("docs/errors.md").matchAll(/^\| `(\w+)` \| [^|\d][^|]* \|$/gm)].map(([, code]) => code);
    expect(rows).toEqual([...detailCodes]);
  });
});

describe("openapi.json", () => {
  test.each(["api", "pages"] as const)("matches the endpoint declarations for %s (if not, run npm run openapi)", (which) => {
    const file = which === "api" ? "openapi.json" : "openapi-pages.json";
    expect(JSON.parse(read(file))).toEqual(JSON.parse(JSON.stringify(apiDocuments()[which])));
  });

  test.each(["openapi.json", "openapi-pages.json"])("%s is what the service serves", async (file) => {
    expect((await service.send("GET", `/${file}`)).json).toEqual(JSON.parse(read(file)));
  });

  test("shows examples that its own schemas allow", () => {
    const shown = declaredEndpoints().filter(({ examples }) => examples.request !== undefined || examples.answer !== undefined);
    expect(shown.length).toBeGreaterThan(5);
    for (const endpoint of shown) {
      const { name, examples, form, body } = endpoint;
      if (examples.answer !== undefined) expect(Compile(answerSchema(endpoint)).Errors(answerExample(endpoint)), name).toEqual([]);
      if (examples.request !== undefined && form !== null && form !== "arriving" && body === undefined) {
        const { file, ...parts } = examples.request;
        const values = Object.entries(parts).map(([part, text]) => [part, form.json[part] === undefined ? text : JSON.parse(String(text))]);
        expect(Compile(form.parts).Errors(Object.fromEntries(values)), name).toEqual([]);
        expect(typeof file).toBe("string");
      } else if (examples.request !== undefined && body !== undefined) expect(Compile(body).Errors(examples.request), name).toEqual([]);
    }
  });
});

describe("settings", () => {
  const names = Object.keys(settings);

  test("are all in .env.example, with the sample secret that a public start refuses", () => {
    const listed = [...read(".env.example").matchAll(/^# ([A-Z0-9_]+)=(.*)$/gm)];
    expect(listed.map(([, name]) => name)).toEqual(names);
    expect(listed.find(([, name]) => name === "APP_SECRET")?.[2]).toBe(SAMPLE_SECRET);
  });

  test("are all in docs/operations.md with their defaults", () => {
    const rows = [...read("docs/operations.md").matchAll(/^\| `([A-Z0-9_]+)` \| (.+?) \| (.+?) \|$/gm)].map(
      ([, name, otherwise, about]) => [name, otherwise, about],
    );
    expect(rows).toEqual(Object.entries(settings).map(([name, { otherwise, about }]) => [name, otherwise, about]));
  });
});

const hasCurl = spawnSync("curl", ["--version"]).status === 0 && spawnSync("bash", ["--version"]).status === 0;
/** Runs a block of a document as it stands, with the address of the service of this test. */
const runAtService = (script: string, env: Record<string, string>) =>
  run(
    "bash",
    ["--norc", "-euo", "pipefail", "-c", script.replace("http://localhost:3000", service.url.replace("127.0.0.1", "localhost"))],
    env,
  );

describe("README.md", () => {
  test("names only existing commands and folders", () => {
    const { scripts } = JSON.parse(read("package.json"));
    const documents = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "docs/first-steps.md"].map(read).join("\n");
    for (const [, name] of documents.matchAll(/npm run ([\w-]+)/g)) expect(Object.keys(scripts), `npm run ${name}`).toContain(name);
    const maps = ["README.md", "ARCHITECTURE.md", "docs/first-steps.md"].map(read).join("\n");
    for (const [, path] of maps.matchAll(/`((?:bench|chaos|docs|evidence|examples|fuzz|pdf|server|scripts)\/[\w./-]*)`/g)) {
      expect(existsSync(new URL(`../../${path}`, import.meta.url)), path).toBe(true);
    }
  });

  test("starts with the two commands", () => {
    const firstBlock = /```sh\n([\s\S]*?)```/.exec(read("README.md"))?.[1] ?? "";
    expect(firstBlock.split("\n").map((line) => line.split("#")[0]?.trim())).toEqual(["npm start", "npm test", ""]);
    expect(read(".ci/run")).toContain("npm test");
  });

  test("is short: what it is, a picture, the two commands, the console, a first call, links", () => {
    const text = read("README.md");
    expect(text.split("\n").length).toBeLessThanOrEqual(41);
    expect(text).toMatch(/^!\[.+\]\(docs\/images\/signing\.png\)$/m);
    expect([...text.matchAll(/^## (.+)$/gm)].map(([, title]) => title)).toEqual(["The console", "A first call", "Links"]);
  });

  test.runIf(hasCurl)("its first call works unchanged (needs curl and bash)", async () => {
    const org = await service.newOrg("Acme");
    const named = scopes.filter((scope) => read("README.md").includes(`\`${scope}\``));
    expect(named).toEqual(["envelopes:read", "envelopes:write"]);
    const { api_key } = await org.newKey({ scopes: named });
    const { stdout, stderr, status } = await runAtService(/```sh\n(API=[\s\S]*?)```/.exec(read("README.md"))?.[1] ?? "", {
      API_KEY: api_key,
    });
    expect([status, stderr]).toEqual([0, ""]);
    const [me, created, list] = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(me.data).toMatchObject({ org_id: org.org_id, org_name: "Acme", scopes: named });
    expect(list).toEqual({
      data: [expect.objectContaining({ envelope_id: created.data.envelope_id })],
      meta: { page: 1, limit: 20, total: 1 },
    });
  });
});

describe("docs/first-steps.md", () => {
  test.runIf(hasCurl && ALL)("its steps from set-up to a signed document work unchanged (needs curl and bash)", async () => {
    const walk = /```sh\n(API=[\s\S]*?)```/.exec(read("docs/first-steps.md"))?.[1] ?? "";
    const token = (await setupLink(service.features.orgs))?.split("#token=")[1] ?? "";
    const folder = mkdtempSync(join(tmpdir(), "countersign-walk-"));
    const script = walk.replace("lease-signed.pdf", join(folder, "lease-signed.pdf"));
    const { stdout, stderr, status } = await runAtService(script, { SETUP_TOKEN: token });
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toContain('{"data":[],"meta":{"page":1,"limit":20,"total":0}}\n200\n');
    expect(stdout).toContain('Tenant  signature  Tenant signature  {"page":1,"x":0.2975');
    expect(stdout).toContain('Landlord  signature  Landlord signature  {"page":1');
    expect(stdout).toContain("1 of 2 have signed, the envelope is viewed");
    expect(stdout).toContain("2 of 2 have signed, the envelope is completed");
    const signed = readFileSync(join(folder, "lease-signed.pdf"));
    rmSync(folder, { recursive: true });
    expect((await service.features.pdf.verify(signed, { roots: [], at: new Date() })).map(({ intact }) => intact)).toEqual([true]);
    expect(stdout).toContain('"status":"deactivated"');
    expect(stdout.endsWith(`${refusalText("Invalid or missing API key", "header", "X-API-Key")}\n401\n`)).toBe(true);
  });
});

test("ARCHITECTURE.md has at most 100 lines", () => {
  expect(read("ARCHITECTURE.md").split("\n").length).toBeLessThanOrEqual(101);
});

async function run(
  program: string,
  args: string[],
  env: Record<string, string>,
): Promise<{ stdout: string; stderr: string; status: number | null }> {
  const { spawn } = await import("node:child_process");
  const child = spawn(program, args, { env: { ...process.env, ...env } });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk) => {
    stdout += chunk;
  });
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  return new Promise((resolve) => child.once("close", (status) => resolve({ stdout, stderr, status })));
}
