// One page for each tag of openapi.json, and the page that all of them share.
import { pageOfTag } from "./api.mjs";
import { codeBlock, codeTabs } from "./code.mjs";
import { fieldsTable, parametersTable } from "./fields.mjs";
import { escaped } from "./html.mjs";
import { renderInline, renderSentences } from "./markdown.mjs";
import { requestsOf } from "./requests.mjs";

/** @typedef {import("./api.mjs").Api} Api */
/** @typedef {import("./api.mjs").Operation} Operation */
/** @typedef {Record<string, any>} Json */
/** @typedef {{ id: string, title: string, method: string | null, words: string }} Entry what the navigation and the filter list */
/** @typedef {{ path: string, title: string, about: string, html: string, entries: readonly Entry[] }} ReferencePage */

// Longer examples are folded.
const LONG_EXAMPLE_LINES = 24;

/** @param {Api} api @param {string} tag @param {string} about @param {Pick<import("./markdown.mjs").Site, "targetOf">} site @returns {ReferencePage} */
export function referencePage(api, tag, about, site) {
  const operations = api.operations.filter((one) => one.tag === tag);
  const objects = objectsOf(api, operations);
  const shown = new Map([...objects.keys()].map((name) => [name, `object-${name}`]));
  const context = { resolve: api.resolve, site, shown };
  const events = tag === EVENTS_TAG ? eventsOf(api) : [];
  const html = [
    `<p class="lead">${escaped(about)}</p>`,
    filterBox(operations.length),
    ...operations.map((one) => operationSection(api, one, context)),
    ...(events.length === 0 ? [] : [eventsSection(events, context)]),
    ...(objects.size === 0 ? [] : [objectsSection(objects, context)]),
  ].join("\n");
  return {
    path: pageOfTag(tag),
    title: tag,
    about,
    html,
    entries: [
      ...operations.map((one) => ({ id: one.id, title: one.summary, method: one.method, words: `${one.path} ${one.read.sdk} ${one.id}` })),
      ...events.map(({ type }) => ({ id: type, title: type, method: null, words: "event webhook" })),
    ],
  };
}

const EVENTS_TAG = "Events and deliveries";

/** The script shows it, because it does nothing without one. @param {number} count */
function filterBox(count) {
  return `<div class="filter" hidden><label for="filter">Filter the ${count} operations of this page</label><input type="search" id="filter" autocomplete="off" spellcheck="false"><p role="status" class="hidden-visually"></p></div>`;
}

/** What the operations return, each once. @param {Api} api @param {readonly Operation[]} operations */
function objectsOf(api, operations) {
  /** @type {Map<string, Json>} */
  const found = new Map();
  for (const operation of operations) {
    for (const name of operation.read.answer.type("").split(" | ")) {
      const schema = api.document.components.schemas[name];
      if (schema?.properties !== undefined) found.set(name, schema);
    }
  }
  return found;
}

/** @typedef {import("./fields.mjs").Context} Context */

/** @param {Api} api @param {Operation} operation @param {Context} context */
function operationSection(api, operation, context) {
  const { id, summary, method, path, description, raw } = operation;
  const stability = raw.deprecated ? "deprecated" : raw["x-stability"] === "beta" ? "beta" : null;
  const words = `${summary} ${method} ${path} ${operation.read.sdk} ${id}`.toLowerCase();
  const text = [
    renderSentences(description, context.site),
    ...(raw.deprecated ? [`<p class="note caution">${escaped(capital(raw["x-stability"]))}.</p>`] : []),
    ...(stability === "beta"
      ? ['<p class="note caution">Beta: it may change in any release, always with a line in the changelog.</p>']
      : []),
    accessLine(operation),
    ...parameterTables(operation, context),
    ...bodyTables(api, operation, context),
    answerLine(operation, context),
    errorList(raw["x-error-codes"] ?? {}),
  ];
  const code = [
    codeTabs(`request-${id}`, `Request: ${summary}`, requestsOf(api, operation), { wraps: true }),
    ...exampleAnswers(api, operation),
  ];
  return `<section class="operation" id="${id}" data-words="${escaped(words)}">
<h2><a class="anchor" href="#${id}">${escaped(summary)}</a>${stability === null ? "" : ` <span class="chip">${stability}</span>`}</h2>
<p class="route"><b class="method ${method.toLowerCase()}">${method}</b> <code>${routeOf(path)}</code></p>
<div class="operation-columns"><div class="operation-text">${text.join("\n")}</div><div class="operation-code">${code.join("\n")}</div></div>
</section>`;
}

/** Long paths may break after a slash. @param {string} path */
const routeOf = (path) => `/api/v2${escaped(path)}`.replaceAll("/", "/<wbr>").replace("<wbr>", "");

/** @param {string} text */
const capital = (text) => text.replace(/^./, (letter) => letter.toUpperCase());

/** @param {Operation} operation */
function accessLine({ credential, raw, read }) {
  const scopes = (raw["x-any-scope"] ?? []).map((/** @type {string} */ one) => `<code>${escaped(one)}</code>`).join(" or ");
  const permission = raw["x-permission"] === undefined ? "" : ` with <code>${escaped(raw["x-permission"])}</code>`;
  const fresh = raw["x-step-up"] ? ", confirmed in the last 10 minutes" : "";
  const access = {
    none: "No credential",
    session: `A session${permission}${fresh}`,
    key: `An API key with ${scopes}, or a session${permission}${fresh}`,
  }[credential];
  return `<dl class="facts"><div><dt>Access</dt><dd>${access}</dd></div><div><dt>Client</dt><dd><code>${escaped(read.sdk ?? "")}</code></dd></div></dl>`;
}

/** @param {Operation} operation @param {Context} context */
function parameterTables({ parameters }, context) {
  /** @type {[string, string][]} */
  const kinds = [
    ["path", "Path"],
    ["query", "Query"],
    ["header", "Headers"],
  ];
  return kinds.flatMap(([kind, title]) => {
    const found = parameters.filter((one) => one.in === kind);
    return found.length === 0 ? [] : [`<h3>${title}</h3>${parametersTable(found, context)}`];
  });
}

/** @param {Api} api @param {Operation} operation @param {Context} context */
function bodyTables(api, { raw }, context) {
  if (raw.requestBody === undefined) return [];
  const { content } = api.resolve(raw.requestBody);
  const kinds = Object.keys(content);
  return kinds.map((kind) => {
    const isForm = kind === "multipart/form-data";
    const title = isForm ? "Form" : "Body";
    const or = kinds.length > 1 && isForm ? " <small>instead of the JSON body</small>" : "";
    return `<h3>${title} <small><code>${kind}</code></small>${or}</h3>${fieldsTable(api.resolve(content[kind].schema), context)}`;
  });
}

/** @param {Operation} operation @param {Context} context */
function answerLine({ raw, read }, context) {
  const statuses = Object.keys(raw.responses).filter((status) => /^[23]/.test(status));
  const lines = statuses.map((status) => {
    const { description, content = {} } = raw.responses[status];
    const types = Object.keys(content).filter((type) => type !== "application/json");
    const names = content["application/json"] === undefined ? [] : read.answer.type("").split(" | ");
    const objects = names.map((name) =>
      context.shown.has(name) ? `<a href="#object-${name}"><code>${name}</code></a>` : `<code>${escaped(name)}</code>`,
    );
    const files = types.map((type) => `<code>${escaped(type)}</code>`);
    const what = [
      ...(objects.length === 0 ? [] : [`${read.answer.kind === "list" ? "a list of " : ""}${objects.join(" or ")}`]),
      ...files,
    ].join(" or ");
    return `<li><b class="status">${status}</b> ${what === "" ? escaped(description) : what}${description !== "Success" && what !== "" ? `. ${escaped(description)}` : ""}</li>`;
  });
  return `<h3>Response</h3><ul class="answers">${lines.join("")}</ul>`;
}

/** Each code once, as a link to its page. @param {Record<string, readonly string[]>} codes */
function errorList(codes) {
  const statuses = Object.entries(codes);
  if (statuses.length === 0) return "";
  const lines = statuses.map(([status, names]) => {
    const links = names.map((name) => `<a href="site:errors/${name}"><code>${name}</code></a>`).join(" ");
    return `<li><b class="status">${status}</b> ${links}</li>`;
  });
  return `<h3>Errors</h3><ul class="answers">${lines.join("")}</ul>`;
}

/** @param {Api} api @param {Operation} operation */
function exampleAnswers(api, { raw }) {
  const [found] = Object.entries(raw.responses).filter(
    ([status, { content }]) => status.startsWith("2") && content?.["application/json"]?.examples !== undefined,
  );
  if (found === undefined) return [];
  const [status, { content }] = found;
  const text = JSON.stringify(api.exampleOf(content["application/json"]), null, 2);
  const block = codeBlock(text, "json", `Response ${status}`, { wraps: true });
  const lines = text.split("\n").length;
  if (lines <= LONG_EXAMPLE_LINES) return [block];
  return [`<details class="long-example"><summary>Response ${status}, ${lines} lines</summary>${block}</details>`];
}

/** @param {ReadonlyMap<string, Json>} objects @param {Context} context */
function objectsSection(objects, context) {
  const all = [...objects].map(([name, schema]) => {
    const about = schema.description === undefined ? "" : renderSentences(schema.description, context.site);
    return `<section class="object" id="object-${name}"><h3><a class="anchor" href="#object-${name}"><code>${name}</code></a></h3>${about}${fieldsTable(schema, context, [name])}</section>`;
  });
  return `<section class="objects" id="objects"><h2><a class="anchor" href="#objects">Objects</a></h2><p>What the operations of this page return under <code>data</code>.</p>${all.join("\n")}</section>`;
}

/** @param {Api} api @returns {{ type: string, summary: string, schema: Json }[]} */
function eventsOf(api) {
  return Object.entries(api.document.webhooks ?? {}).map(([type, item]) => {
    const { summary, requestBody } = /** @type {Json} */ (item).post;
    return { type, summary, schema: api.resolve(requestBody.content["application/json"].schema) };
  });
}

/** @param {readonly { type: string, summary: string, schema: Json }[]} events @param {Context} context */
function eventsSection(events, context) {
  const all = events.map(
    ({ type, summary, schema }) =>
      `<section class="object" id="${type}"><h3><a class="anchor" href="#${type}"><code>${type}</code></a></h3><p>${escaped(capital(summary))}.</p>${fieldsTable(schema, context)}</section>`,
  );
  return `<section class="objects" id="events"><h2><a class="anchor" href="#events">Events</a></h2><p>The bodies that are sent to your endpoints. Later versions can send other types.</p>${all.join("\n")}</section>`;
}

/** The page above all tags. @param {Api} api @param {readonly { title: string, tags: Record<string, string> }[]} groups @param {Pick<import("./markdown.mjs").Site, "targetOf">} site */
export function referenceIndex(api, groups, site) {
  const lists = groups.map(({ title, tags }) => {
    const rows = Object.entries(tags).map(([tag, about]) => {
      const count = api.operations.filter((one) => one.tag === tag).length;
      return `<li><a href="site:${pageOfTag(tag)}">${escaped(tag)}</a> <span class="count">${count}</span><p>${escaped(about)}</p></li>`;
    });
    return `<h2 id="${title.toLowerCase()}"><a class="anchor" href="#${title.toLowerCase()}">${escaped(title)}</a></h2><ul class="cards">${rows.join("")}</ul>`;
  });
  const [first = "", ...rules] = String(api.document.info.description).split(/\n{2,}/);
  const described = rules.map((rule) => {
    const [, name = "", text = ""] = /^\*\*([^*]+)\.\*\* ([\s\S]+)$/.exec(rule) ?? [];
    return `<dt>${escaped(name)}</dt><dd>${renderInline(text, site)}</dd>`;
  });
  const headers = Object.entries(api.document.components.headers).map(([name, { description = "", schema }]) => ({
    name,
    in: "header",
    schema,
    description,
  }));
  return [
    `<p class="lead">${escaped(first)} ${api.operations.length} operations, under <code>/api/v2</code> of your instance.</p>`,
    `<p>The same as one file: <a href="site:openapi.json">openapi.json</a> (OpenAPI 3.1) and <a href="site:postman.json">a Postman collection</a>.</p>`,
    ...lists,
    `<h2 id="rules"><a class="anchor" href="#rules">What holds for every operation</a></h2><dl class="rules">${described.join("")}</dl>`,
    `<h2 id="headers"><a class="anchor" href="#headers">Headers of responses</a></h2>${parametersTable(headers, { resolve: api.resolve, site, shown: new Map() })}`,
  ].join("\n");
}
