// The request of an operation in curl, TypeScript and Python, from its example.
import { pythonArgument } from "../../client/generator/python.mjs";

/** @typedef {import("./api.mjs").Api} Api */
/** @typedef {import("./api.mjs").Operation} Operation */
/** @typedef {Record<string, any>} Json */
/**
 * @typedef {object} Request
 * @property {readonly { name: string, value: string, isNumber: boolean }[]} params
 * @property {readonly { name: string, value: unknown }[]} query
 * @property {Json | null} json
 * @property {readonly Part[] | null} form
 */
/** @typedef {{ name: string, kind: "file" | "json" | "text", value: unknown }} Part value: of a file its name */

const WIDTH = 76;

/** @param {Api} api @param {Operation} operation @returns {Request} */
export function exampleRequest(api, operation) {
  const { pathParameters, query, body } = operation.read;
  const content = api.resolve(operation.raw.requestBody ?? {}).content ?? {};
  const json = content["application/json"];
  const form = content["multipart/form-data"];
  const isForm = body !== null && (json === undefined || (api.exampleOf(json) === undefined && form !== undefined));
  return {
    params: pathParameters.map(({ name, type }) => ({ name, value: api.idOf(name), isNumber: type("") === "number" })),
    query: query
      .filter(({ required }) => required)
      .map(({ name, schema }) => ({ name, value: schema.enum?.[0] ?? schema.default ?? "ann" })),
    json: body === null || isForm ? null : /** @type {Json} */ (api.exampleOf(json) ?? {}),
    form: isForm ? formOf(api, form) : null,
  };
}

/** @param {Api} api @param {Json} media @returns {Part[]} */
function formOf(api, media) {
  const { properties, required = [] } = api.resolve(media.schema);
  const example = /** @type {Json} */ (
    api.exampleOf(media) ?? Object.fromEntries(required.map((/** @type {string} */ name) => [name, "(the bytes of lease.pdf)"]))
  );
  return Object.entries(example).map(([name, value]) => {
    const { format, contentMediaType } = api.resolve(properties[name]);
    // The example either names a file or is the text of a CSV file.
    if (format === "binary") return { name, kind: "file", value: /^\(the bytes of ([\w.-]+)\)$/.exec(String(value))?.[1] ?? "rows.csv" };
    if (contentMediaType === "application/json") return { name, kind: "json", value: JSON.parse(String(value)) };
    return { name, kind: "text", value };
  });
}

/** @param {Api} api @param {Operation} operation @returns {readonly import("./code.mjs").Variant[]} */
export function requestsOf(api, operation) {
  const request = exampleRequest(api, operation);
  return [
    { language: "curl", code: curlOf(operation, request) },
    { language: "typescript", code: typescriptOf(api, operation, request) },
    { language: "python", code: pythonOf(api, operation, request) },
  ];
}

/** @param {Operation} operation @param {Request} request */
function curlOf(operation, request) {
  const { method, credential, read } = operation;
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_all, name) => request.params.find((one) => one.name === name)?.value ?? "");
  const query = request.query.map(({ name, value }) => `${name}=${encodeURIComponent(String(value))}`).join("&");
  const url = `"$COUNTERSIGN_URL/api/v2${path}${query === "" ? "" : `?${query}`}"`;
  const implied = request.json === null && request.form === null ? "GET" : "POST";
  const lines = [
    `curl ${method === implied ? "" : `-X ${method} `}${url}`,
    ...(credential === "key" ? ['-H "X-API-Key: $COUNTERSIGN_API_KEY"'] : []),
    ...(credential === "session" ? ['-H "Authorization: Bearer $COUNTERSIGN_TOKEN"'] : []),
    ...(request.json === null ? [] : ['-H "Content-Type: application/json"', `-d ${shellQuoted(JSON.stringify(request.json, null, 2))}`]),
    ...(request.form ?? []).map(curlPart),
    ...(read.answer.kind === "file" ? [`-o ${fileName(operation)}`] : []),
  ];
  return lines.join(" \\\n  ");
}

/** @param {Part} part */
function curlPart({ name, kind, value }) {
  if (kind === "file") return `-F ${name}=@${value}`;
  // In the value of -F, a semicolon would mean something.
  return `--form-string ${shellQuoted(`${name}=${kind === "json" ? shortJson(value) : value}`)}`;
}

/** @param {unknown} value */
function shortJson(value) {
  const line = JSON.stringify(value);
  return line.length <= WIDTH - 20 ? line : JSON.stringify(value, null, 2);
}

/** @param {string} text */
const shellQuoted = (text) => (/^[\w=.@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/** @param {Api} api @param {Operation} operation @param {Request} request */
function typescriptOf(api, operation, request) {
  const { read } = operation;
  const body = bodyValue(request, (name) => new Code(`{ path: ${JSON.stringify(name)} }`));
  const query = request.query.length === 0 ? [] : [Object.fromEntries(request.query.map(({ name, value }) => [name, value]))];
  const given = [
    ...request.params.map(({ value, isNumber }) => (isNumber ? Number(value) : value)),
    ...(body === null ? [] : [body]),
    ...query,
  ];
  const call = `cs.${read.sdk}(${given.map((value) => literal(value, TYPESCRIPT, "")).join(", ")})`;
  const name = resultName(api, operation);
  if (read.answer.kind === "file") return `const file = await ${call};\nawait file.saveTo(${JSON.stringify(fileName(operation))});`;
  if (read.answer.kind === "list") return `for await (const ${name} of ${call}) {\n  console.log(${name}${memberOf(read.answer.key)});\n}`;
  return name === null ? `await ${call};` : `const ${name} = await ${call};`;
}

/** @param {string | null} key */
const memberOf = (key) => (key === null ? "" : `.${key}`);

/** @param {Api} api @param {Operation} operation @param {Request} request */
function pythonOf(api, operation, request) {
  const { read } = operation;
  const body = bodyValue(request, (name) => new Code(`pathlib.Path(${JSON.stringify(name)})`));
  const given = [
    ...request.params.map(({ value, isNumber }) => literal(isNumber ? Number(value) : value, PYTHON, "")),
    ...(body === null ? [] : [literal(body, PYTHON, "")]),
    ...request.query.map(({ name, value }) => `${pythonArgument(name)}=${literal(value, PYTHON, "")}`),
  ];
  const call = `cs.${read.sdk?.split(".").map(pythonArgument).join(".")}(${given.join(", ")})`;
  const needs = request.form?.some(({ kind }) => kind === "file") ? "import pathlib\n\n" : "";
  const name = resultName(api, operation);
  const result = name === null ? null : pythonArgument(name);
  if (read.answer.kind === "file") return `${needs}file = ${call}\nfile.save_to(${JSON.stringify(fileName(operation))})`;
  if (read.answer.kind === "list") {
    const shown = read.answer.key === null ? result : `${result}[${JSON.stringify(read.answer.key)}]`;
    return `${needs}for ${result} in ${call}:\n    print(${shown})`;
  }
  return needs + (result === null ? call : `${result} = ${call}`);
}

/** The body as clients take it: a file by its name. @param {Request} request @param {(name: string) => unknown} file */
function bodyValue({ json, form }, file) {
  if (form === null) return json;
  return Object.fromEntries(form.map(({ name, kind, value }) => [name, kind === "file" ? file(String(value)) : value]));
}

/** What the result is called; null if it says nothing. @param {Api} api @param {Operation} operation */
function resultName(api, { read, raw }) {
  if (read.answer.kind === "none") return null;
  const type = read.answer.type("");
  if (type === "Done") return null;
  const [first = ""] = type.split(" | ");
  const known = /^[A-Z]\w*$/.test(first) && api.document.components.schemas[first] !== undefined;
  const name = known
    ? first.replace(/^[A-Z]+(?![a-z])|^[A-Z]/, (letters) => letters.toLowerCase())
    : read.answer.kind === "list"
      ? "item"
      : "result";
  return name === raw.operationId || RESERVED.has(name) ? "result" : name;
}

const RESERVED = new Set(["import", "export", "package", "default", "cs"]);

/** @param {Operation} operation */
function fileName({ id, raw }) {
  const types = Object.entries(raw.responses).flatMap(([status, { content = {} }]) => (status.startsWith("2") ? Object.keys(content) : []));
  const type = types.find((one) => FILE_NAMES[one] !== undefined) ?? "";
  const words = id.replace(/^(?:get|download|export|list)_/, "").replaceAll("_", "-");
  return `${words}.${FILE_NAMES[type] ?? "bin"}`;
}

/** @type {Record<string, string>} */
const FILE_NAMES = {
  "application/pdf": "pdf",
  "application/zip": "zip",
  "text/csv": "csv",
  "image/png": "png",
  "image/webp": "webp",
  "application/x-ndjson": "ndjson",
};

/** Written as it is. */
class Code {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
  }
}

/** @typedef {{ key: (name: string) => string, words: Record<string, string>, open: string, close: string, step: string }} Style */
/** @type {Style} */
const TYPESCRIPT = {
  key: (name) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)),
  words: { true: "true", false: "false", null: "null" },
  open: "{ ",
  close: " }",
  step: "  ",
};
/** @type {Style} */
const PYTHON = {
  key: (name) => JSON.stringify(name),
  words: { true: "True", false: "False", null: "None" },
  open: "{",
  close: "}",
  step: "    ",
};

/** A value as source code: on one line if it is short. @param {any} value @param {Style} style @param {string} indent @returns {string} */
function literal(value, style, indent) {
  if (value === null || typeof value === "boolean") return style.words[String(value)] ?? "";
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value !== "object") return String(value);
  if (value instanceof Code) return value.text;
  const inner = indent + style.step;
  const isList = Array.isArray(value);
  const entries = isList
    ? value.map((one) => literal(one, style, inner))
    : Object.entries(value).map(([name, one]) => `${style.key(name)}: ${literal(one, style, inner)}`);
  if (entries.length === 0) return isList ? "[]" : "{}";
  const line = isList ? `[${entries.join(", ")}]` : `${style.open}${entries.join(", ")}${style.close}`;
  if (line.length + indent.length <= WIDTH && !line.includes("\n")) return line;
  const [first, last] = isList ? ["[", "]"] : ["{", "}"];
  return `${first}\n${entries.map((entry) => `${inner}${entry},\n`).join("")}${indent}${last}`;
}
