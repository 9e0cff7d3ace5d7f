import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { VERSION } from "./version.ts";

/** Runs client/generate.mjs like `npm run generate`, on two small documents that contain every special case once. */

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const generate = (...args: string[]) => spawnSync(process.execPath, [here("../generate.mjs"), ...args], { encoding: "utf8" });

let folder: string;
let [from, to] = ["", ""];
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "countersign-generate-"));
  [from, to] = [join(folder, "documents"), join(folder, "written")];
  cpSync(here("../fixtures/documents"), from, { recursive: true });
  expect(generate("--from", from, "--to", to)).toMatchObject({ status: 0, stderr: "" });
});
afterAll(() => rmSync(folder, { recursive: true }));

const written = (name: string) => readFileSync(join(to, name), "utf8");

describe("the generator", () => {
  test("writes the types of responses and requests", () => {
    const types = written("types.ts");
    expect(types).toContain(`export interface Box {
  box_id: string;
  /** Where it stands */
  status: BoxStatus;
  colours: Colour[];
  weight: number | null;
  owner: Owner | null;
  "content-type"?: string;
  metadata?: { [name: string]: unknown };
  prices?: { [name: string]: number };
  history?: (string | null)[];
}`);
    expect(types).toContain(`export interface CreateBoxRequest {
  readonly colour: Colour;
  readonly owner?: OwnerInput | undefined;
  readonly prefilled?: { readonly [name: string]: string | boolean } | undefined;
  /** Only a PUT keeps */
  readonly keep?: never | undefined;
}`);
    expect(types).toContain("readonly labels?: readonly string[] | undefined;");
    expect(types).toContain('/** What it looks like *\\/ outside */\nexport type Colour = "red" | "blue";');
    expect(types).toContain("export type Size = 1 | 2;");
    expect(types).toContain("export type WebhookEvent = BoxOpenedEvent;");
    expect(types).toContain(`export interface ListBoxesQuery {
  /** Only these */
  readonly colour?: Colour | undefined;
  readonly page?: number | undefined;
  readonly limit?: number | undefined;
}`);
    expect(types).toContain(`export interface UploadPictureForm {
  readonly file: FileInput;
  readonly name?: string | undefined;
  readonly labels?: readonly Colour[] | undefined;
}`);
  });

  test("writes a method for each operation at its x-sdk, with its parameters in order", () => {
    const resources = written("resources.ts");
    expect(resources).toContain(`  /**
   * List boxes.
   *
   * Newest first.
   *
   * Of one organization.
   */
  list(query: T.ListBoxesQuery = {}, options: RequestOptions = {}): List<T.Box> {
    return this.caller.list(operations.list_boxes, { query, key: "box_id", options });
  }`);
    expect(resources).toContain("create(body: T.CreateBoxRequest, options: IdempotentOptions = {}): Call<T.Box | T.Later> {");
    expect(resources).toContain("{ body, idempotent: true, options }");
    expect(resources).toContain("@beta");
    expect(resources).toContain(
      "/** @deprecated */\n  update(box_id: string, body: T.UpdateBoxRequest = {}, options: ConditionalOptions = {}): Call<T.Box> {",
    );
    expect(resources).toContain(
      "get(box_id: string, page: number, query: T.GetPictureQuery, options: RequestOptions = {}): Call<Download<T.Box>> {",
    );
    expect(resources).toContain(
      "upload(box_id: string, page: number, body: T.UploadPictureForm, options: RequestOptions = {}): Call<undefined> {",
    );
    expect(resources).toContain('form: { files: ["file"], json: ["labels"], only: true }');
    expect(resources).toContain("readonly pictures: BoxesPicturesResource;");
    expect(resources).toContain("readonly boxes: BoxesResource;");
  });

  test("writes the parameters and the response of each operation by its ID, also for the pages", () => {
    expect(written("operations.ts")).toContain('  list_boxes: ["GET", "/boxes"],');
    expect(written("operations.ts")).toContain(`  update_box: {
    method: "PATCH";
    path: "/boxes/{box_id}";
    params: { box_id: string };
    query: undefined;
    body: T.UpdateBoxRequest;
    kind: "data";
    answer: T.Box;
  };`);
    expect(written("pages.ts")).toContain('  open_page: ["GET", "/pages/{token}"],');
    expect(written("pages.ts")).toMatch(
      /interface PageOperations \{\n {2}open_page: \{[\s\S]*params: \{ token: string \};[\s\S]*answer: Page;\n {2}\};/,
    );
  });

  test("writes every named list of strings, the error codes and the events", () => {
    expect(written("lists.ts")).toContain('export const boxStatuses = [\n  "open",\n  "closed",\n] as const;');
    expect(written("lists.ts")).toMatch(/export const colours = /);
    expect(written("lists.ts")).toMatch(/export const policies = /);
    expect(written("lists.ts")).not.toMatch(/sizes/);
    expect(written("error-codes.ts")).toContain('export const errorCodes = [\n  "box_not_found",\n  "box_closed",\n] as const;');
    expect(written("events.ts")).toContain('export interface EventOfType {\n  "box.opened": T.BoxOpenedEvent;\n}');
  });

  test("--check reports changed, missing and left-over files and changes nothing", () => {
    expect(generate("--from", from, "--to", to, "--check").status).toBe(0);
    writeFileSync(join(to, "lists.ts"), "");
    writeFileSync(join(to, "left-over.ts"), "");
    rmSync(join(to, "events.ts"));
    const { status, stderr } = generate("--from", from, "--to", to, "--check");
    expect([status, stderr]).toEqual([1, "Not up to date: lists.ts, events.ts, left-over.ts. Run npm run generate.\n"]);
    expect(generate("--from", from, "--to", to).status).toBe(0);
    expect(generate("--from", from, "--to", to, "--check").status).toBe(0);
    expect(readdirSync(to)).not.toContain("left-over.ts");
  });

  test.each<[string, (document: Parsed) => void, string]>([
    [
      "an unknown keyword",
      (document) => Object.assign(document.components.schemas.Box ?? {}, { dependentRequired: {} }),
      "does not support the keyword dependentRequired",
    ],
    [
      "a not that is not empty",
      (document) => Object.assign(document.components.schemas.Meta ?? {}, { not: { type: "null" } }),
      "only an empty not",
    ],
    [
      "an unknown type",
      (document) => Object.assign(document.components.schemas.Meta ?? {}, { type: "file" }),
      "does not support the type file",
    ],
    [
      "a duplicate method name",
      (document) => Object.assign(document.paths["/boxes"]?.post ?? {}, { "x-sdk": "boxes.list" }),
      "two operations are named boxes.list",
    ],
    [
      "a method without a name",
      (document) => Reflect.deleteProperty(document.paths["/boxes"]?.post ?? {}, "x-sdk"),
      "create_box has no x-sdk",
    ],
    [
      "a broken reference",
      (document) => Reflect.deleteProperty(document.components.parameters, "Page"),
      "#/components/parameters/Page does not exist",
    ],
  ])("rejects %s", (_what, change, message) => {
    const odd = join(folder, "odd");
    cpSync(from, odd, { recursive: true });
    const document = JSON.parse(readFileSync(join(odd, "openapi.json"), "utf8"));
    change(document);
    writeFileSync(join(odd, "openapi.json"), JSON.stringify(document));
    const { status, stderr } = generate("--from", odd, "--to", join(folder, "nothing"));
    expect([status, stderr]).toEqual([1, expect.stringContaining(message)]);
  });
});

interface Parsed {
  readonly paths: Record<string, Record<string, object>>;
  readonly components: { readonly schemas: Record<string, object>; readonly parameters: Record<string, object> };
}

test("client/src/generated is up to date; otherwise run npm run generate", () => {
  expect(generate("--check")).toMatchObject({ status: 0, stderr: "" });
});

test("the version constant matches package.json", () => {
  expect(JSON.parse(readFileSync(here("../package.json"), "utf8")).version).toBe(VERSION);
});
