import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readApi } from "../src/api.mjs";
import { requestsOf } from "../src/requests.mjs";
import { root } from "./built-site.ts";

/** Every request of the reference, run as it is shown, in each language: against a server that writes down what arrives. */

type Json = Record<string, unknown>;
interface Received {
  readonly method: string;
  readonly path: string;
  readonly credential: string;
  readonly body: unknown;
}

const api = readApi(JSON.parse(readFileSync(`${root}openapi.json`, "utf8")));
const KEY = `lk_${"0".repeat(40)}`;

let folder: string;
let server: Server;
let url: string;
let received: Received[];
let next: number;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "countersign-requests-"));
  server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  for (const name of new Set(namedFiles())) writeFileSync(join(folder, name), `the bytes of ${name}`);
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true });
});

function namedFiles(): string[] {
  return api.operations.flatMap((one) => [...codeOf(one, "curl").matchAll(/=@([\w.-]+)/g)].map(([, name = ""]) => name));
}

const codeOf = (operation: (typeof api.operations)[number], language: string): string =>
  requestsOf(api, operation).find((one) => one.language === language)?.code ?? expect.fail(`${operation.id} in ${language}`);

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const type = request.headers["content-type"] ?? "";
  const { pathname, search } = new URL(request.url ?? "", url);
  received.push({
    method: request.method ?? "",
    path: pathname + search,
    credential: String(request.headers["x-api-key"] ?? request.headers.authorization ?? "none"),
    body: await bodyOf(Buffer.concat(chunks), type),
  });
  const operation = api.operations[next++];
  const [status, { content = {} }] = Object.entries<{ content?: Record<string, { examples?: object }> }>(
    operation?.raw.responses ?? {},
  ).find(([one]) => one.startsWith("2")) ?? ["200", {}];
  const file = Object.keys(content).find((one) => one !== "application/json");
  if (file !== undefined) return void response.writeHead(Number(status), { "content-type": file, "content-length": 4 }).end("file");
  const example = { ...(api.exampleOf(content["application/json"] ?? {}) as { data?: unknown; meta?: object }) };
  // One page, so that a list asks once.
  if (example.meta !== undefined) example.meta = { ...example.meta, page: 1, total: (example.data as unknown[]).length };
  response.writeHead(Number(status), { "content-type": "application/json" }).end(JSON.stringify(example));
}

async function bodyOf(bytes: Buffer, type: string): Promise<unknown> {
  if (bytes.length === 0) return null;
  if (type.startsWith("application/json")) return JSON.parse(bytes.toString("utf8"));
  const form = await new Response(new Uint8Array(bytes), { headers: { "content-type": type } }).formData();
  const parts = await Promise.all(
    [...form].map(async ([name, value]) => [name, typeof value === "string" ? value : { file: value.name, text: await value.text() }]),
  );
  return Object.fromEntries(parts);
}

/** What arrived, where it is not what the operation declares. */
function wrong(): string[] {
  return api.operations.flatMap((operation, index) => {
    const found = received[index];
    if (found === undefined) return [`${operation.id}: nothing arrived`];
    const pattern = new RegExp(`^/api/v2${operation.path.replaceAll(/\{\w+\}/g, "[^/]+")}(\\?|$)`);
    const credential = { key: KEY, session: "Bearer session", none: "none" }[operation.credential];
    return [
      ...(found.method === operation.method && pattern.test(found.path) ? [] : [`${operation.id}: ${found.method} ${found.path}`]),
      // The clients send the credential that they have, also where none is needed.
      ...(found.credential === credential || operation.credential === "none" ? [] : [`${operation.id}: ${found.credential}`]),
      ...(isDeepStrictEqual(plain(found.body, operation.raw), declaredBody(operation.raw))
        ? []
        : [`${operation.id}: ${JSON.stringify(found.body)}`]),
    ];
  });
}

function mediaOf(raw: Json): [type: string, media: Json] | null {
  const { content = {} } = api.resolve(raw.requestBody ?? {}) as { content?: Record<string, Json> };
  const kinds = Object.entries(content);
  return kinds.find(([, { examples }]) => examples !== undefined) ?? kinds[0] ?? null;
}

/** The example of the document. The parts of a form as values. */
function declaredBody(raw: Json): unknown {
  const [type = "", media = {}] = mediaOf(raw) ?? [];
  if (type === "") return null;
  const example = (api.exampleOf(media) ?? {}) as Json;
  return type === "application/json"
    ? example
    : Object.fromEntries(Object.entries(example).map(([name, value]) => [name, partValue(media, name, value)]));
}

function plain(body: unknown, raw: Json): unknown {
  const [type = "", media = {}] = mediaOf(raw) ?? [];
  if (type !== "multipart/form-data") return body;
  return Object.fromEntries(Object.entries(body as Json).map(([name, value]) => [name, partValue(media, name, value)]));
}

function partValue(media: Json, name: string, value: unknown): unknown {
  const part = api.resolve(api.resolve(media.schema).properties[name]);
  if (part.format === "binary") {
    const text = typeof value === "string" ? value : (value as { text: string }).text;
    return /the bytes of ([\w.-]+)/.exec(text)?.[1] ?? "rows.csv";
  }
  return part.contentMediaType === "application/json" ? JSON.parse(String(value)) : value;
}

async function run(program: string, args: readonly string[], env: Record<string, string> = {}): Promise<void> {
  received = [];
  next = 0;
  const child = spawn(program, args, { cwd: folder, env: { PATH: process.env.PATH ?? "", ...env } });
  let errors = "";
  child.stderr.on("data", (text) => {
    errors += text;
  });
  child.stdout.resume();
  const status = await new Promise((resolve) => child.on("close", resolve));
  expect([status, errors]).toEqual([0, ""]);
}

const has = (program: string, ...args: string[]): boolean => spawnSync(program, args).status === 0;

describe("every request of the reference sends what the operation declares", { timeout: 180_000 }, () => {
  test.runIf(has("curl", "--version") && has("bash", "--version"))("in curl", async () => {
    const lines = api.operations.map((one) => `${codeOf(one, "curl").replace("curl ", "curl -sS ")}\n`);
    writeFileSync(join(folder, "all.sh"), `set -eu\n${lines.join("\n")}`);
    await run("bash", ["all.sh"], { COUNTERSIGN_URL: url, COUNTERSIGN_API_KEY: KEY, COUNTERSIGN_TOKEN: "session" });
    expect(wrong()).toEqual([]);
  });

  test("in TypeScript", async () => {
    const blocks = api.operations.map(
      (one) => `{\n  const cs = ${one.credential === "session" ? "withSession" : "withKey"};\n${codeOf(one, "typescript")}\n}\n`,
    );
    const clients = `const withKey = new Countersign({ baseUrl: ${JSON.stringify(url)}, apiKey: "${KEY}" });\nconst withSession = new Countersign({ baseUrl: ${JSON.stringify(url)}, token: async () => "session" });\n`;
    writeFileSync(
      join(folder, "all.mjs"),
      `import { Countersign } from ${JSON.stringify(`${root}client/dist/index.js`)};\n${clients}${blocks.join("\n")}`,
    );
    await run(process.execPath, ["all.mjs"]);
    expect(wrong()).toEqual([]);
  });

  test.runIf(has("python3", "-c", "import sys; sys.exit(sys.version_info < (3, 9))"))("in Python", async () => {
    symlinkSync(`${root}clients/python/countersign.py`, join(folder, "countersign.py"));
    const blocks = api.operations.map((one) => [one.credential, codeOf(one, "python")]);
    writeFileSync(join(folder, "blocks.json"), JSON.stringify(blocks));
    const program = `import json
from countersign import Countersign
url, key = ${JSON.stringify(url)}, "${KEY}"
clients = {"key": Countersign(url, api_key=key), "none": Countersign(url, api_key=key), "session": Countersign(url, token=lambda: "session")}
for credential, code in json.load(open("blocks.json")):
    exec(code, {"cs": clients[credential], "print": lambda *values: None})
`;
    writeFileSync(join(folder, "all.py"), program);
    await run("python3", ["-B", "all.py"]);
    expect(wrong()).toEqual([]);
  });
});

test("every request in TypeScript has the types of the client", { timeout: 180_000 }, () => {
  const project = join(folder, "types");
  mkdirSync(project);
  const functions = api.operations.map((one) => `export async function ${one.id}(cs: Countersign) {\n${codeOf(one, "typescript")}\n}\n`);
  writeFileSync(join(project, "all.ts"), `import type { Countersign } from "@countersign/client";\n${functions.join("\n")}`);
  const options = {
    strict: true,
    noEmit: true,
    target: "ES2022",
    module: "ESNext",
    moduleResolution: "Bundler",
    skipLibCheck: true,
    lib: ["ES2023", "DOM"],
    types: [],
    paths: { "@countersign/client": [`${root}client/dist/index.d.ts`] },
  };
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions: options, files: ["all.ts"] }));
  const { stdout } = spawnSync(process.execPath, [`${root}node_modules/typescript/bin/tsc`, "--project", project], { encoding: "utf8" });
  expect(stdout).toBe("");
});
