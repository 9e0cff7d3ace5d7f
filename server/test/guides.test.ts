import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { describe, expect, test } from "vitest";
import { testInAll } from "../../testing/all.ts";
import type { Endpoint } from "../src/http/endpoint.ts";
import { declaredEndpoints } from "../src/main.ts";
import { commandsOf, namedIn, operationsOf, type Request, requestOf } from "./documented-requests.ts";

/** What the guides and the other documents show must be what the API accepts. */

const root = fileURLToPath(new URL("../../", import.meta.url));
const markdownIn = (folder: string): string[] =>
  readdirSync(`${root}${folder}`)
    .filter((name) => name.endsWith(".md"))
    .map((name) => `${folder}/${name}`);
const guides = markdownIn("docs/guides");
const documents = [...markdownIn("docs"), ...guides];
const read = (name: string): string => readFileSync(root + name, "utf8");
const endpoints = declaredEndpoints();

interface Block {
  readonly document: string;
  readonly line: number;
  readonly language: string;
  readonly text: string;
}

function blocksOf(document: string): Block[] {
  const text = read(document);
  return [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(({ 1: language = "", 2: inner = "", index }) => ({
    document,
    line: text.slice(0, index).split("\n").length,
    language,
    text: inner,
  }));
}

const blocks = documents.flatMap(blocksOf);
const inLanguage = (...languages: string[]) => blocks.filter(({ language }) => languages.includes(language));
const placeOf = ({ document, line }: Pick<Block, "document" | "line">) => `${document}:${line}`;

describe("the guides", () => {
  test("are the 25 of the design, each with a title, and a paragraph that says what the reader will be able to do", () => {
    expect(guides).toHaveLength(25);
    for (const guide of guides) expect(read(guide), guide).toMatch(/^# [^\n]+\n[A-Z@`][^\n]{80,}\n\n/);
  });

  test("name samples that exist in six languages", () => {
    const named = guides.flatMap((guide) => [...read(guide).matchAll(/^\{\{sample ([\w-]+)\}\}$/gm)].map(([, flow = ""]) => flow));
    const flows = readdirSync(`${root}docs/samples`, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
    expect(named.sort()).toEqual(flows.sort());
    for (const flow of flows) {
      expect(readdirSync(`${root}docs/samples/${flow}`).sort()).toEqual(["Main.java", "main.go", "run.mjs", "run.php", "run.py", "run.sh"]);
    }
  });

  test("say which POSTs take no Idempotency-Key", () => {
    const text = read("docs/guides/idempotency-and-retries.md");
    const without = endpoints.filter(({ method, sdk, idempotent }) => method === "POST" && sdk !== null && !idempotent);
    const left = without.map(({ path }) => path).filter((path) => !/^\/(auth|org)\//.test(path) && !text.includes(`\`${path}\``));
    expect(left).toEqual([]);
  });

  test("say where If-Match works", () => {
    const text = read("docs/guides/concurrency.md");
    const paths = endpoints.filter(({ ifMatch }) => ifMatch).map(({ method, path }) => `${method} ${path}`);
    expect(paths).toEqual([
      "PATCH /org/settings",
      "PATCH /org/security",
      "PATCH /partners/keys/:key_id",
      "PATCH /partner/customers/:customer_id",
      "PATCH /partner/templates/:template_id",
      "PATCH /partner/envelopes/:envelope_id",
      "PATCH /partner/envelopes/:envelope_id/documents/:document_id",
      "POST /partner/envelopes/:envelope_id/send",
      "PATCH /partner/forms/:form_id",
      "PATCH /webhooks/endpoints/:endpoint_id",
      "PATCH /partner/parties/:party_id",
    ]);
    expect(text).toContain(
      "`PATCH` of an envelope, a document of an envelope, a template, a customer, a public form, a party, an API key, a webhook endpoint, and of the organization's settings and security.",
    );
  });
});

describe("names in italics", () => {
  // Words on documents, of fields, of the collection and of the changelog.
  const ELSEWHERE = ["TEST – not legally binding", "Get what your credential is", "For integrators", "Signature 1", "Tenant"];
  const consoleWords = readdirSync(`${root}web/console/words`)
    .map((screen) => read(`web/console/words/${screen}/en.ts`))
    .join("\n");
  const unknownIn = (text: string): string[] =>
    [...text.replaceAll(/^```[\s\S]*?^```$/gm, "").matchAll(/(?<![*\w])\*([A-Z][^*\n]+)\*(?!\*)/g)]
      .map(([, name = ""]) => name)
      .filter((name) => !consoleWords.includes(name) && !ELSEWHERE.includes(name));

  test.each(["README.md", "docs/first-steps.md", "docs/sandboxes.md", ...guides])("of %s are words of the console", (document) => {
    expect(unknownIn(read(document))).toEqual([]);
  });

  test("the check can fail", () => {
    expect(unknownIn("Choose *Prepare sample*, **not** *API keys*.")).toEqual(["Prepare sample"]);
  });
});

describe("links", () => {
  const slugOf = (heading: string): string =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replace(/ /g, "-");
  const headingsOf = (text: string): string[] =>
    [...text.replace(/^```[\s\S]*?^```$/gm, "").matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => slugOf(heading));

  function brokenIn(document: string, text: string): string[] {
    const links = [...text.replace(/^```[\s\S]*?^```$/gm, "").matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)].map(([, link = ""]) => link);
    return links.filter((link) => {
      const [path = "", anchor] = link.split("#");
      const target = path === "" ? document : join(dirname(document), path);
      if (!existsSync(root + target)) return true;
      return anchor !== undefined && target.endsWith(".md") && !headingsOf(read(target)).includes(anchor);
    });
  }

  test.each(documents)("of %s lead to files and headings that exist", (document) => {
    expect(brokenIn(document, read(document))).toEqual([]);
  });

  test("the check can fail", () => {
    expect(brokenIn("docs/guides/a.md", "[a](b.md) [c](webhooks.md#nowhere) [d](webhooks.md#verify-it)")).toEqual([
      "b.md",
      "webhooks.md#nowhere",
    ]);
  });
});

describe("code", () => {
  test("in JSON parses", () => {
    expect(inLanguage("json").length).toBeGreaterThan(10);
    const broken = inLanguage("json").filter(({ text }) => !isJson(text));
    expect(broken.map(placeOf)).toEqual([]);
  });

  test("has a language", () => {
    const known = ["bash", "sh", "html", "js", "json", "python", "text", "ts", "tsx", "vue"];
    const plain = blocks.filter(({ document, language }) => guides.includes(document) && !known.includes(language));
    expect(plain.map(placeOf)).toEqual([]);
  });

  test("of the shell parses", async () => {
    const scripts = documents.map((document) => inLanguage("bash", "sh").filter((block) => block.document === document));
    const broken = await Promise.all(
      scripts.map(async (own) => ((await bashParses(own.map(({ text }) => text).join("\n"))) ? [] : own.map(placeOf))),
    );
    expect(broken.flat()).toEqual([]);
    expect(await bashParses("if true; do")).toBe(false);
  });

  const hasPython = spawnSync("python3", ["--version"]).status === 0;
  test.runIf(hasPython)("in Python parses (needs python3)", () => {
    const texts = inLanguage("python").map((block) => [placeOf(block), block.text]);
    const program = `
import ast, json, sys
for place, text in json.load(sys.stdin):
    try: ast.parse(text)
    except SyntaxError as error: print(place, error)`;
    const { status, stdout, stderr } = spawnSync("python3", ["-c", program], { input: JSON.stringify(texts), encoding: "utf8" });
    expect([status, stdout, stderr]).toEqual([0, "", ""]);
    expect(texts.length).toBeGreaterThan(3);
  });

  // What the blocks leave out, because an earlier one or the reader has it.
  const PRELUDE = `
import { type Countersign as Client, Countersign, isCode, RateLimitError } from "@countersign/client";
declare const [cs, envelope_id, baseUrl, apiKey]: [Client, string, string, string];
`;
  testInAll("in TypeScript compiles against the client", { timeout: 60_000 }, () => {
    const folder = join(root, "node_modules/.cache/guides");
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const files = inLanguage("ts").map((block, at) => {
      const name = `${at}-${relative("docs", block.document).replace(/\W/g, "-")}-${block.line}.ts`;
      // A block that imports stands for itself; its names would be declared twice.
      const own = /^import .*Countersign\b(?!\w)/m.test(block.text)
        ? ""
        : PRELUDE.replace(/\b(isCode), /, /^import .*isCode/m.test(block.text) ? "" : "$1, ");
      // Where both have a name, an inner scope has the block's.
      const [imports, rest] = [block.text.match(/^import .*;$/gm) ?? [], block.text.replace(/^import .*;$/gm, "")];
      writeFileSync(join(folder, name), `${own}${imports.join("\n")}\nexport async function block() {\n${rest}\n}\n`);
      return name;
    });
    expect(files.length).toBeGreaterThan(4);
    const compilerOptions = {
      ...{ strict: true, noEmit: true, skipLibCheck: false, exactOptionalPropertyTypes: true, target: "ES2023", module: "NodeNext" },
      types: ["node"],
    };
    writeFileSync(join(folder, "package.json"), '{"type":"module"}');
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
    const { stdout } = spawnSync(process.execPath, [`${root}node_modules/typescript/bin/tsc`, "-p", folder], { encoding: "utf8" });
    expect(stdout).toBe("");
  });
});

describe("requests", () => {
  /** Of other parts of the product, which have no declared endpoint. */
  const OTHERS = /^(\/(\.well-known|healthz|readyz|metrics|mail-events|log|vault-link|openapi\.json)\b|…$)/;

  const commands = inLanguage("bash", "sh").flatMap((block) =>
    commandsOf(block.text).flatMap((command) => {
      const request = requestOf(command);
      return request === null ? [] : [{ place: placeOf(block), request }];
    }),
  );
  const isLost = (request: Request) => !OTHERS.test(request.path) && operationsOf(request, endpoints).length === 0;
  const reached = commands.flatMap(({ place, request }) =>
    operationsOf(request, endpoints).map((operation) => ({ place, request, operation })),
  );

  test("with curl name operations that exist", () => {
    expect(commands.length).toBeGreaterThan(50);
    const lost = commands.filter(({ request }) => isLost(request));
    expect(lost.map(({ place, request }) => `${place} ${request.method} ${request.path}`)).toEqual([]);
  });

  test("in the text name operations that exist", () => {
    const lost = documents.flatMap((document) =>
      namedIn(read(document).replace(/^```[\s\S]*?^```$/gm, ""))
        .filter(isLost)
        .map(({ method, path }) => `${document} ${method} ${path}`),
    );
    expect(lost).toEqual([]);
  });

  test("have only parameters that their operation has", () => {
    const named = documents.flatMap((place) => namedIn(read(place)).map((request) => ({ place, request })));
    const unknown = [...commands, ...named].flatMap(({ place, request }) => {
      const known = operationsOf(request, endpoints).map(parametersOf);
      const lost = [...request.query.keys()].filter((name) => known.length > 0 && !known.some((names) => names.includes(name)));
      return lost.map((name) => `${place} ${request.path}?${name}`);
    });
    expect(unknown).toEqual([]);
  });

  test("have bodies and parts that their operation accepts", () => {
    const faults = reached.flatMap(({ place, request, operation }) => {
      if (request.body === null) return partFaults(operation, request.parts).map((fault) => `${place} ${fault}`);
      if (!isJson(request.body)) return [`${place} is not JSON: ${request.body}`];
      return bodyFaults(operation, JSON.parse(request.body)).map((fault) => `${place} ${fault}`);
    });
    expect(faults).toEqual([]);
    expect(reached.filter(({ request }) => request.body !== null).length).toBeGreaterThan(30);
  });

  test("in parts are what their operation accepts", () => {
    const send = endpointNamed("send_envelope");
    const fields = endpointNamed("place_fields");
    const checked = inLanguage("json").flatMap((block) => {
      const value = JSON.parse(block.text);
      if (["signers", "recipients", "reminders"].some((name) => value[name] !== undefined))
        return [{ block, faults: bodyFaults(send, value) }];
      if (value.placement !== undefined) return [{ block, faults: bodyFaults(fields, { fields: [value] }) }];
      return [];
    });
    expect(checked.filter(({ faults }) => faults.length > 0).map(({ block, faults }) => [placeOf(block), ...faults])).toEqual([]);
    expect(checked.length).toBeGreaterThan(6);
  });

  test("the checks can fail", () => {
    const [request] = commandsOf(`curl -sS "$API/partner/envelopes?stauts=x" -d '{"envelope_nmae": 1}' # a comment`).map(requestOf);
    if (request === undefined || request === null) return expect.fail("not a request");
    const [operation] = operationsOf(request, endpoints);
    if (operation === undefined) return expect.fail("not an operation");
    expect([operation.name, request.query.has("stauts"), parametersOf(operation)]).toEqual(["create_envelope", true, []]);
    expect(bodyFaults(operation, JSON.parse(request.body ?? ""))).not.toEqual([]);
    expect(operationsOf({ method: "GET", path: "/partner/envelope/:id" }, endpoints)).toEqual([]);
    expect(operationsOf({ method: "GET", path: "…/signatures" }, endpoints)).toEqual([]);
  });

  function endpointNamed(name: string): Endpoint {
    const found = endpoints.find((endpoint) => endpoint.name === name);
    if (found === undefined) throw new Error(`there is no endpoint ${name}`);
    return found;
  }
});

function parametersOf({ query, list }: Endpoint): string[] {
  return [...Object.keys(query?.properties ?? {}), ...(list === null ? [] : ["page", "limit"])];
}

function bodyFaults({ name, body }: Endpoint, value: unknown): string[] {
  // Unknown fields are refused, at the first level here; a misspelled one deeper is found where it is required.
  const closed = Type.Object(body?.properties ?? {}, { additionalProperties: false, required: body?.required ?? [] } as never);
  return [...Compile(closed).Errors(value)].map(({ instancePath, message }) => `${name} ${instancePath} ${message}`);
}

function partFaults({ name, form, attached }: Endpoint, parts: readonly string[]): string[] {
  if (parts.length === 0) return [];
  const known =
    form === "arriving" ? ["file"] : form === null ? [attached ?? "", "payload"] : ["file", ...Object.keys(form.parts.properties)];
  return parts.filter((part) => !known.includes(part)).map((part) => `${name} has no part ${part}`);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function bashParses(script: string): Promise<boolean> {
  const child = spawn("bash", ["-n"], { stdio: ["pipe", "ignore", "ignore"] });
  child.stdin.end(script);
  return new Promise((resolve) => child.once("close", (code) => resolve(code === 0)));
}
