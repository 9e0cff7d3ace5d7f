// Generates the files of client/src/generated from the two OpenAPI documents.
import { bodyName, bodyType, operationsOf, pascal, queryName, resolved } from "./operations.mjs";
import { collectRefs, comment, declaration, indented, typeOf } from "./schema.mjs";

/** @typedef {import("./operations.mjs").Operation} Operation */
/** @typedef {import("./operations.mjs").Parameter} Parameter */

const HEAD = "// Written by `npm run generate` from openapi.json. Change the declarations of the service instead.\n";
const PAGES_HEAD =
  "// Written by `npm run generate` from openapi-pages.json: the protocol of Countersign's own pages. It may change in any release.\n";

/** @param {any} document @param {any} pages @returns {Record<string, string>} */
export function filesOf(document, pages) {
  const operations = operationsOf(document);
  return {
    "types.ts": HEAD + withImports(FILE_INPUT, typesOf(document, operations)),
    "operations.ts": `${HEAD}import type * as T from "./types.ts";\n\n${tableOf("operations", operations)}\n${mapOf("Operations", operations, "T.")}`,
    "resources.ts": HEAD + resourcesOf(document, operations),
    "lists.ts": `${HEAD}export { detailCodes, errorCodes } from "./error-codes.ts";\n${listsOf(document, (name) => !isCodes(name))}`,
    "error-codes.ts": HEAD + listsOf(document, isCodes),
    "events.ts": HEAD + eventsOf(document),
    "pages.ts": PAGES_HEAD + withImports(FILE_INPUT, pagesOf(pages)),
  };
}

const FILE_INPUT = [["FileInput", "../files.ts"]];
const RESOURCES = [
  ["Call", "../call.ts"],
  ["Caller", "../caller.ts"],
  ["Download", "../download.ts"],
  ["ConditionalOptions", "../options.ts"],
  ["IdempotentOptions", "../options.ts"],
  ["RequestOptions", "../options.ts"],
  ["List", "../pager.ts"],
];

/** Adds the imports that the text uses. @param {string[][]} imports @param {string} text */
function withImports(imports, text) {
  const used = imports.filter(([name]) => new RegExp(`\\b${name}\\b`).test(text));
  return `${used.map(([name, from]) => `import type { ${name} } from "${from}";\n`).join("")}\n${text}`;
}

/** @param {string} name */
const isCodes = (name) => name === "ErrorCode" || name === "DetailCode";

/** @param {any} pages */
function pagesOf(pages) {
  const operations = operationsOf(pages);
  return `${typesOf(pages, operations)}\n${tableOf("pageOperations", operations)}\n${mapOf("PageOperations", operations, "")}`;
}

/** @param {any} document @param {readonly Operation[]} operations */
function typesOf({ components: { schemas = {} } }, operations) {
  const requested = new Set();
  collectRefs(
    operations.map(({ body, query }) => [body, query]),
    schemas,
    requested,
  );
  const declared = Object.entries(schemas).map(([name, schema]) =>
    declaration(name, schema, { isRequest: requested.has(name), prefix: "" }),
  );
  const queries = operations.filter(({ query }) => query.length > 0).map((one) => declaration(queryName(one), querySchema(one), REQUEST));
  const bodies = operations.flatMap((one) =>
    /** @type {const} */ (["json", "form"]).flatMap((kind) => {
      const schema = one.body?.[kind] ?? null;
      return schema === null || schema.$ref !== undefined ? [] : [declaration(bodyName(one, kind), schema, REQUEST)];
    }),
  );
  const texts = [...declared, ...queries, ...bodies];
  return assertUniqueNames(texts).join("\n");
}

const REQUEST = { isRequest: true, prefix: "" };

/** @param {string[]} texts */
function assertUniqueNames(texts) {
  const names = ["FileInput", ...texts.map((text) => /^export (?:type|interface) (\w+)/m.exec(text)?.[1] ?? "")];
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`two types are named ${twice}`);
  return texts;
}

/** @param {Operation} operation */
function querySchema({ query }) {
  const properties = Object.fromEntries(
    query.map(({ name, schema, description }) => [name, { ...schema, ...(description !== undefined && { description }) }]),
  );
  return { type: "object", properties, required: query.filter(({ required }) => required).map(({ name }) => name) };
}

/** @param {string} name @param {readonly Operation[]} operations */
function tableOf(name, operations) {
  const rows = operations.map(({ id, method, path }) => `  ${id}: [${JSON.stringify(method)}, ${JSON.stringify(path)}],`);
  return `/** Method and path, by operation. */\nexport const ${name} = {\n${rows.join("\n")}\n} as const;\n`;
}

/** @param {string} name @param {readonly Operation[]} operations @param {string} prefix */
function mapOf(name, operations, prefix) {
  const rows = operations.map((one) => `  ${one.id}: {\n${indented(indented(memberLines(one, prefix)))}\n  };`);
  return `/** The parameters and the response of each operation. */\nexport interface ${name} {\n${rows.join("\n")}\n}\n`;
}

/** @param {Operation} operation @param {string} prefix */
function memberLines(operation, prefix) {
  const { method, path, pathParameters, query, answer } = operation;
  const params = pathParameters.map(({ name, type }) => `${name}: ${type(prefix)}`);
  const kinds = bodyKinds(operation);
  const optional = kinds.length > 0 && !needsBody(operation) ? " | undefined" : "";
  const answered = answer.type(prefix);
  return [
    `method: ${JSON.stringify(method)};`,
    `path: ${JSON.stringify(path)};`,
    `params: ${params.length === 0 ? "undefined" : `{ ${params.join("; ")} }`};`,
    `query: ${query.length === 0 ? "undefined" : `${prefix}${queryName(operation)}${query.some(({ required }) => required) ? "" : " | undefined"}`};`,
    `body: ${kinds.length === 0 ? "undefined" : kinds.map((kind) => bodyType(operation, kind, prefix)).join(" | ")}${optional};`,
    `kind: ${JSON.stringify(answer.kind)};`,
    `answer: ${answer.kind === "list" ? `(${answered})[]` : answered};`,
    ...(answer.kind === "list" ? ["meta: { page: number; limit: number; total: number };"] : []),
  ].join("\n");
}

/** @param {Operation} operation @returns {("json" | "form")[]} */
const bodyKinds = ({ body }) => /** @type {const} */ (["json", "form"]).filter((kind) => (body?.[kind] ?? null) !== null);
/** @param {Operation} operation */
const needsBody = ({ body }) => body?.required === true;

/** @typedef {{ methods: Operation[], inner: Map<string, Resource> }} Resource */

/** @param {any} document @param {readonly Operation[]} operations */
function resourcesOf(document, operations) {
  /** @type {Resource} */
  const root = { methods: [], inner: new Map() };
  for (const operation of operations) placeOf(root, operation).methods.push(operation);
  if (root.methods.length > 0) throw new Error(`${root.methods[0]?.id} has no resource`);
  const classes = [...root.inner].flatMap(([name, resource]) => classesOf(document, name, resource));
  const fields = [...root.inner.keys()].map((name) => `readonly ${name}: ${className(name)};`);
  const made = [...root.inner.keys()].map((name) => `this.${name} = new ${className(name)}(caller);`);
  const all = `/** Every operation, by resource. */\nexport class Resources {\n${indented(fields.join("\n"))}\n\n  constructor(caller: Caller) {\n${indented(indented(made.join("\n")))}\n  }\n}\n`;
  const tables = 'import { operations } from "./operations.ts";\nimport type * as T from "./types.ts";\n';
  return tables + withImports(RESOURCES, [...classes, all].join("\n"));
}

/** @param {Resource} root @param {Operation} operation */
function placeOf(root, { id, sdk }) {
  if (sdk === null) throw new Error(`${id} has no x-sdk`);
  let place = root;
  for (const name of sdk.split(".").slice(0, -1)) {
    const next = place.inner.get(name) ?? { methods: [], inner: new Map() };
    place.inner.set(name, next);
    place = next;
  }
  return place;
}

/** @param {string} name as in `vault.exports` */
const className = (name) => `${pascal(name)}Resource`;

/** Nested resources come first. @param {any} document @param {string} name @param {Resource} resource @returns {string[]} */
function classesOf(document, name, { methods, inner }) {
  const within = [...inner].flatMap(([key, resource]) => classesOf(document, `${name}.${key}`, resource));
  const fields = [...inner.keys()].map((key) => `readonly ${key}: ${className(`${name}.${key}`)};`);
  const made = [...inner.keys()].map((key) => `this.${key} = new ${className(`${name}.${key}`)}(caller);`);
  const start = [
    "protected readonly caller: Caller;",
    ...fields,
    "",
    "constructor(caller: Caller) {",
    indented(["this.caller = caller;", ...made].join("\n")),
    "}",
  ];
  const body = [start.join("\n"), ...methods.map((one) => methodOf(document, one))].join("\n\n");
  return [...within, `export class ${className(name)} {\n${indented(body)}\n}\n`];
}

/** @param {any} document @param {Operation} operation */
function methodOf(document, operation) {
  const { id, sdk, about, pathParameters, query, answer } = operation;
  const kinds = bodyKinds(operation);
  const isRequired = { body: needsBody(operation) && !isAllOptional(document, operation), query: query.some(({ required }) => required) };
  const given = [
    ...pathParameters.map(({ name, type }) => `${name}: ${type("T.")}`),
    ...(kinds.length === 0
      ? []
      : [`body: ${kinds.map((kind) => bodyType(operation, kind, "T.")).join(" | ")}${isRequired.body || isRequired.query ? "" : " = {}"}`]),
    ...(query.length === 0 ? [] : [`query: T.${queryName(operation)}${isRequired.query ? "" : " = {}"}`]),
    `options: ${optionsType(operation)} = {}`,
  ];
  const input = [
    ...(pathParameters.length === 0 ? [] : [`params: { ${pathParameters.map(({ name }) => name).join(", ")} }`]),
    ...(kinds.length === 0 ? [] : ["body"]),
    ...formParts(document, operation),
    ...(query.length === 0 ? [] : ["query"]),
    ...(operation.headers.has("idempotency-key") ? ["idempotent: true"] : []),
    ...(answer.kind === "list" ? [`key: ${JSON.stringify(answer.key)}`] : []),
    "options",
  ];
  const type = answer.type("T.");
  const [name, call] = {
    data: [`Call<${type}>`, "data"],
    none: [`Call<${type}>`, "data"],
    file: [`Call<Download<${type}>>`, "file"],
    list: [`List<${type}>`, "list"],
  }[answer.kind];
  const signature = `${sdk?.split(".").at(-1)}(${given.join(", ")}): ${name}`;
  return `${comment(about)}${signature} {\n  return this.caller.${call}(operations.${id}, { ${input.join(", ")} });\n}`;
}

/** Whether an empty object is a valid body. @param {any} document @param {Operation} operation */
function isAllOptional(document, operation) {
  return bodyKinds(operation).some((kind) => (resolved(document, operation.body?.[kind]).required ?? []).length === 0);
}

/** @param {Operation} operation */
function optionsType({ headers }) {
  const types = [
    ...(headers.has("idempotency-key") ? ["IdempotentOptions"] : []),
    ...(headers.has("if-match") ? ["ConditionalOptions"] : []),
  ];
  return types.length === 0 ? "RequestOptions" : types.join(" & ");
}

/** The parts of a form that are files, and those that are JSON. @param {any} document @param {Operation} operation */
function formParts(document, { body }) {
  if ((body?.form ?? null) === null) return [];
  const parts = Object.entries(resolved(document, body?.form).properties).map(([name, schema]) => [name, resolved(document, schema)]);
  const files = parts.filter(([, { format }]) => format === "binary").map(([name]) => name);
  const json = parts.filter(([, { contentMediaType }]) => contentMediaType === "application/json").map(([name]) => name);
  return [`form: { files: ${JSON.stringify(files)}, json: ${JSON.stringify(json)}, only: ${body?.json === null} }`];
}

/** Constants for the named enums of strings. @param {any} document @param {(name: string) => boolean} wanted */
function listsOf({ components: { schemas = {} } }, wanted) {
  return Object.entries(schemas)
    .filter(
      ([name, schema]) =>
        Array.isArray(schema.enum) && schema.enum.every((/** @type {unknown} */ value) => typeof value === "string") && wanted(name),
    )
    .map(([name, { description, enum: values }]) => {
      const items = values.map((/** @type {string} */ value) => `  ${JSON.stringify(value)},\n`).join("");
      return `\n${comment(description === undefined ? [] : [description])}export const ${listName(name)} = [\n${items}] as const;\n`;
    })
    .join("");
}

/** `EnvelopeStatus` becomes `envelopeStatuses`. @param {string} name */
function listName(name) {
  const plural = /(s|x|ch)$/.test(name) ? `${name}es` : name.replace(/([^aeiou])y$/, "$1ie").concat("s");
  return plural.replace(/^[A-Z]/, (letter) => letter.toLowerCase());
}

/** @param {any} document */
function eventsOf(document) {
  const events = Object.entries(document.webhooks ?? {}).map(([type, item]) => {
    const { schema } = resolved(document, item.post.requestBody).content["application/json"];
    return [JSON.stringify(type), typeOf(schema, { isRequest: false, prefix: "T." })];
  });
  const names = events.map(([type]) => `  ${type},\n`).join("");
  const map = events.map(([type, name]) => `  ${type}: ${name};\n`).join("");
  return `import type * as T from "./types.ts";

/** The event types that are sent. \`eventTypes\` in lists.ts also contains reserved types. Later versions may send others. */
export const sentEventTypes = [
${names}] as const;

/** The event of each type. */
export interface EventOfType {
${map}}
`;
}
