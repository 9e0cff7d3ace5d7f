// Generates clients/python/countersign.py: clients/python/runtime.py, and a method for each operation at its x-sdk.
import { operationsOf, resolved } from "./operations.mjs";

/** @typedef {import("./operations.mjs").Operation} Operation */
/** @typedef {{ methods: Operation[], inner: Map<string, Resource> }} Resource */

const HEAD = "# Written by `npm run generate` from openapi.json and clients/python/runtime.py. Change those instead.\n";
const WIDTH = 130;
const KEYWORDS = new Set(
  "and as assert async await break class continue def del elif else except False finally for from global if import in is lambda None nonlocal not or pass raise return True try while with yield".split(
    " ",
  ),
);
/** Classes of the runtime that a resource extends. */
const BASES = new Map([["envelopes", "_Waiting"]]);

/** @param {any} document @param {string} runtime @returns {string} */
export function pythonFileOf(document, runtime) {
  /** @type {Resource} */
  const root = { methods: [], inner: new Map() };
  for (const operation of operationsOf(document)) place(root, operation);
  const classes = [...root.inner].flatMap(([name, resource]) => classesOf(document, name, resource));
  const version = `# The version of the API description that this file was written from.\nVERSION = ${quoted(document.info.version)}\n`;
  return `${[HEAD + runtime.trimEnd(), `${version}\n\n# Operations ${"-".repeat(WIDTH - "# Operations ".length - 1)}`.trimEnd(), ...classes, connectionOf(root)].join("\n\n\n")}\n`;
}

/** @param {Resource} root @param {Operation} operation */
function place(root, operation) {
  const names = operation.sdk?.split(".") ?? [];
  if (names.length < 2) throw new Error(`${operation.id} has no resource`);
  let at = root;
  for (const name of names.slice(0, -1)) {
    const next = at.inner.get(name) ?? { methods: [], inner: new Map() };
    at.inner.set(name, next);
    at = next;
  }
  at.methods.push(operation);
}

/** Nested resources come first. @param {any} document @param {string} name @param {Resource} resource @returns {string[]} */
function classesOf(document, name, { methods, inner }) {
  const within = [...inner].flatMap(([key, resource]) => classesOf(document, `${name}.${key}`, resource));
  const names = [...methods.map((one) => methodName(one)), ...[...inner.keys()].map(snake)];
  const twice = names.find((one, index) => names.indexOf(one) !== index);
  if (twice !== undefined) throw new Error(`${name} has two members named ${twice}`);
  const init =
    inner.size === 0
      ? []
      : [
          [
            "    def __init__(self, caller: _Caller) -> None:",
            "        super().__init__(caller)",
            ...[...inner.keys()].map((key) => `        self.${snake(key)} = ${className(`${name}.${key}`)}(caller)`),
          ].join("\n"),
        ];
  const parts = [...init, ...methods.map((one) => methodOf(document, one))];
  return [...within, `class ${className(name)}(${BASES.get(name) ?? "_Resource"}):\n${parts.join("\n\n")}`];
}

/** @param {any} document @param {Operation} operation */
function methodOf(document, operation) {
  const { method, path, pathParameters, query, answer } = operation;
  const kinds = /** @type {const} */ (["json", "form"]).filter((kind) => (operation.body?.[kind] ?? null) !== null);
  const isIdempotent = operation.headers.has("idempotency-key");
  const isConditional = operation.headers.has("if-match");
  const named = [
    ...query.filter(({ required }) => required).map(({ name }) => `${pythonArgument(name)}: Any`),
    ...query.filter(({ required }) => !required).map(({ name }) => `${pythonArgument(name)}: Any = None`),
    ...(isIdempotent ? ["idempotency_key: Optional[str] = None"] : []),
    ...(isConditional ? ["if_match: Optional[str] = None"] : []),
    "timeout: Optional[float] = None",
  ];
  const isOptional =
    operation.body?.required !== true || kinds.some((kind) => (resolved(document, operation.body?.[kind]).required ?? []).length === 0);
  const body = kinds.length === 0 ? [] : [isOptional ? "body: Optional[Mapping[str, Any]] = None" : "body: Mapping[str, Any]"];
  const given = ["self", ...pathParameters.map(({ name }) => `${pythonArgument(name)}: Any`), ...body, "*", ...named];
  const params = `{${pathParameters.map(({ name }) => `${quoted(name)}: ${pythonArgument(name)}`).join(", ")}}`;
  const pairs = query.map(({ name }) => `${quoted(name)}: ${pythonArgument(name)}`);
  const short = `{${pairs.join(", ")}}`;
  const asked = short.length <= WIDTH - 20 ? short : `{\n${pairs.map((one) => `                ${one},\n`).join("")}            }`;
  const type = { data: "Any", none: "None", file: "Download", list: "ListCall" }[answer.kind];
  const head = `    def ${methodName(operation)}(${given.join(", ")}) -> ${type}:`;
  const signature =
    head.length <= WIDTH ? head : `    def ${methodName(operation)}(\n        ${given.join(",\n        ")},\n    ) -> ${type}:`;
  const about = docOf(document, operation);
  if (answer.kind === "list") {
    return `${signature}\n${about}\n${called("self._list", [quoted(path), params, asked, answer.key === null ? "None" : quoted(answer.key), "timeout"])}`;
  }
  const values = [
    quoted(method),
    quoted(path),
    ...(pathParameters.length === 0 ? [] : [`params=${params}`]),
    ...(query.length === 0 ? [] : [`query=${asked}`]),
    ...(kinds.length === 0 ? [] : [isOptional ? "body={} if body is None else body" : "body=body"]),
    ...formOf(document, operation),
    ...(isIdempotent ? ["idempotent=True", "idempotency_key=idempotency_key"] : []),
    ...(isConditional ? ["if_match=if_match"] : []),
    "timeout=timeout",
  ];
  return `${signature}\n${about}\n${called(`self._caller.${answer.kind === "file" ? "download" : "data"}`, values)}`;
}

/** @param {string} name @param {readonly string[]} values */
function called(name, values) {
  const line = `        return ${name}(${values.join(", ")})`;
  return line.length <= WIDTH && !line.includes("\n")
    ? line
    : `        return ${name}(\n            ${values.join(",\n            ")},\n        )`;
}

/** @param {any} document @param {Operation} operation */
function formOf(document, { body }) {
  if ((body?.form ?? null) === null) return [];
  const parts = Object.entries(resolved(document, body?.form).properties).map(([name, schema]) => [name, resolved(document, schema)]);
  const files = parts.filter(([, { format }]) => format === "binary").map(([name]) => quoted(name));
  const json = parts.filter(([, { contentMediaType }]) => contentMediaType === "application/json").map(([name]) => quoted(name));
  return [`form={"files": [${files.join(", ")}], "json": [${json.join(", ")}], "only": ${body?.json === null ? "True" : "False"}}`];
}

/** @param {any} document @param {Operation} operation */
function docOf(document, operation) {
  const [first = operation.id, ...others] = operation.about;
  const fields = /** @type {const} */ (["json", "form"])
    .filter((kind) => (operation.body?.[kind] ?? null) !== null)
    .map((kind) => `${kind === "json" ? "`body`" : "`body`, with a file"}: ${fieldsOf(resolved(document, operation.body?.[kind]))}`);
  const paragraphs = [first, ...others.map((one) => one.replace(/^@/, "")), ...fields].map((text) => wrapped(escaped(text), WIDTH - 8));
  const text = paragraphs
    .join("\n\n")
    .replace(/^(?=.)/gm, "        ")
    .trimStart();
  return paragraphs.length === 1 ? `        """${text}"""` : `        """${text}\n        """`;
}

/** Required ones first. @param {{ properties?: Record<string, unknown>, required?: string[] }} schema */
function fieldsOf({ properties = {}, required = [] }) {
  const optional = Object.keys(properties).filter((name) => !required.includes(name));
  return [...required, ...optional.map((name) => `[${name}]`)].join(", ");
}

/** @param {string} text @param {number} width */
function wrapped(text, width) {
  /** @type {string[]} */
  const lines = [];
  for (const word of text.replaceAll("\n", " ").split(" ")) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.join("\n");
}

/** @param {Resource} root */
function connectionOf(root) {
  return `class Countersign:
    """A connection to the service, with a method for each operation.

    \`timeout\` and \`file_timeout\` are in seconds, for each time that nothing arrives. After a lost connection, 408, 502, 503 and 504 a
    request that is safe to repeat is sent \`max_retries\` more times. 429 is waited for once, unless \`on_rate_limit\` is "raise". With \`token\`
    instead of \`api_key\`, each request has the session token that it returns. \`context\` is for certificates of your own. Proxies of the
    environment are not used.
    """

    def __init__(
        self,
        base_url: str,
        api_key: Optional[str] = None,
        *,
        token: Optional[Callable[[], str]] = None,
        timeout: float = 60.0,
        file_timeout: float = 300.0,
        max_retries: int = 2,
        on_rate_limit: str = "wait",
        context: Optional[ssl.SSLContext] = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._caller = _Caller(base_url, api_key, token, timeout, file_timeout, max_retries, on_rate_limit, context, sleep)
${[...root.inner.keys()].map((name) => `        self.${snake(name)} = ${className(name)}(self._caller)`).join("\n")}

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Optional[Mapping[str, Any]] = None,
        body: Optional[Mapping[str, Any]] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
    ) -> Response:
        """Any request, with status and headers: \`cs.request("GET", "/partner/envelopes/env_…").headers["etag"]\`. \`path\` is that of the
        reference, without \`/api/v2\`.
        """
        return self._caller.response(method, path, query=query, body=body, headers=headers, timeout=timeout)`;
}

/** @param {Operation} operation */
const methodName = ({ sdk }) => pythonArgument(sdk?.split(".").at(-1) ?? "");

/** @param {string} name */
export const pythonArgument = (name) => (KEYWORDS.has(snake(name)) ? `${snake(name)}_` : snake(name));

/** @param {string} name */
const snake = (name) => name.replace(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase();

/** @param {string} name as in \`vault.exports\` */
const className = (name) => `${name.replace(/(?:^|\.)(\w)/g, (_all, letter) => letter.toUpperCase())}Resource`;

/** @param {string} text */
const quoted = (text) => JSON.stringify(text);

/** @param {string} text */
const escaped = (text) => text.replaceAll("\\", "\\\\").replaceAll('"""', '\\"\\"\\"').replace(/"$/, '\\"');
