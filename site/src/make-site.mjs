// Every file of the site, in memory.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { guides as guideGroups, tags as tagGroups } from "../pages.mjs";
import { operationFinder, pageOfTag, readApi } from "./api.mjs";
import { atomFeed, changelogMarkdown, integratorVersions } from "./changelog.mjs";
import { detailPage, nameOfStatus, problemPage, problemTables, readErrors, statusesOf, withoutTable } from "./errors.mjs";
import { renderPage, withRelativeLinks } from "./layout.mjs";
import { llmsFull, llmsIndex, referenceMarkdown } from "./llms.mjs";
import { renderMarkdown } from "./markdown.mjs";
import { postmanCollection } from "./postman.mjs";
import { referenceIndex, referencePage } from "./reference.mjs";
import { requestsOf } from "./requests.mjs";
import { samplesOf } from "./samples.mjs";
import { bundleScripts } from "./scripts.mjs";
import { searchIndex } from "./search-index.mjs";

/** @typedef {{ bytes: Buffer, type: string }} File */
/** @typedef {import("./layout.mjs").Page} Page */
/** @typedef {import("./search-index.mjs").Found} Found */

const own = fileURLToPath(new URL("../", import.meta.url));
const HOME = "site/home.md";

/** @type {Record<string, string>} */
const TYPES = {
  "": "text/html; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".md": "text/markdown; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
  ".atom": "application/atom+xml; charset=utf-8",
};

/**
 * @param {string} root the repository to read, with a slash at its end
 * @param {{ ending: string }} look of the addresses of pages
 * @returns {Promise<{ files: ReadonlyMap<string, File>, notFound: Buffer }>} by path in the site; and the page for any other path below /docs/
 */
export async function makeSite(root, { ending }) {
  const read = (/** @type {string} */ path) => readFileSync(root + path, "utf8");
  const api = readApi(JSON.parse(read("openapi.json")));
  const { problems, details } = readErrors(read("docs/errors.md"));
  const groups = checkedGuides(root);
  requireTags(api);

  /** @type {Map<string, File>} */
  const files = new Map();
  const add = (/** @type {string} */ path, /** @type {string | Buffer} */ content) => {
    const type = TYPES[extname(path)];
    if (type === undefined) throw new Error(`The site does not know the type of ${path}`);
    if (files.has(path)) throw new Error(`Two files of the site have the path ${path}`);
    files.set(path, { bytes: Buffer.from(content), type });
  };
  /** The name has the hash of the content, so that browsers can keep it. */
  const addAsset = (/** @type {string} */ name, /** @type {string | Buffer} */ content) => {
    const hash = createHash("sha256").update(content).digest("base64url").slice(0, 10).replaceAll(/[-_]/g, "0");
    const path = `assets/${name.replace(/(\.\w+)$/, `-${hash}$1`)}`;
    add(path, content);
    return path;
  };

  const pageOf = pathsOf(groups);
  const findOperation = operationFinder(api.operations);
  const codes = new Set(unambiguousCodes(api, [...problems.map(({ code }) => code)]));
  const everyCode = new Set([...problems, ...details].map(({ code }) => code));
  /** @type {Map<string, { address: string, width: number, height: number }>} */
  const images = new Map();
  /** @type {import("./markdown.mjs").Site} */
  const site = {
    root,
    pageOf,
    targetOf: (words) => findOperation(words)?.address ?? (codes.has(words) ? `errors/${words}` : null),
    samplesOf: (flow, languages) => samplesOf(`${root}docs/samples/`, flow, languages),
    requestOf: (id) => {
      const operation = api.operations.find((one) => one.id === id);
      if (operation === undefined) throw new Error(`{{request ${id}}} is no operation of openapi.json.`);
      return { about: operation.summary, variants: requestsOf(api, operation) };
    },
    imageOf: (path) => {
      const bytes = readFileSync(root + path);
      const known = images.get(path);
      if (known !== undefined) return known;
      const name = path.split("/").at(-1) ?? "";
      const image = { address: `site:${addAsset(name, bytes)}`, ...sizeOfPng(bytes, path) };
      images.set(path, image);
      return image;
    },
  };

  /** @type {Page[]} */
  const pages = [];
  /** @type {Found[]} */
  const found = [];
  /** @type {{ title: string, texts: import("./llms.mjs").Text[] }[]} */
  const texts = [];

  const written = groups.flatMap(({ title, files: inGroup }) =>
    inGroup.map((file) => ({ group: title, file, path: pageOf.get(file) ?? "" })),
  );
  const home = renderMarkdown(readFileSync(`${own}home.md`, "utf8"), HOME, site);
  pages.push({ path: "", kind: "home", title: home.title, about: home.about, html: home.html, markdown: "index.md" });
  texts.push({ title: "Overview", texts: [{ path: "index.md", title: home.title, about: home.about, markdown: home.markdown }] });
  add("index.md", home.markdown);

  const rendered = written.map(({ file, path, group }) => ({ path, group, ...renderMarkdown(read(file), file, site) }));
  rendered.forEach(({ path, group, title, about, html, sections, markdown }, index) => {
    const [before, after] = [rendered[index - 1], rendered[index + 1]];
    const item = (/** @type {typeof before} */ one) => (one === undefined ? null : { path: one.path, title: one.title });
    /** @type {[import("./layout.mjs").NavItem | null, import("./layout.mjs").NavItem | null]} */
    const neighbours = [item(before) ?? { path: "", title: "Overview" }, item(after)];
    pages.push({ path, kind: "guide", title, about, html, toc: sections, markdown: `${path}.md`, eyebrow: group, neighbours });
    add(`${path}.md`, markdown);
    found.push(...partsOf(title, path, sections));
  });
  for (const { title, files: inGroup } of groups) {
    const inside = rendered.filter(({ path }) => inGroup.some((file) => pageOf.get(file) === path));
    texts.push({
      title,
      texts: inside.map(({ path, title: name, about, markdown }) => ({ path: `${path}.md`, title: name, about, markdown })),
    });
  }

  pages.push({
    path: "reference",
    kind: "reference",
    title: "API reference",
    about: "Every operation of the API, by resource.",
    html: referenceIndex(api, tagGroups, site),
  });
  for (const { title: group, tags } of tagGroups) {
    /** @type {import("./llms.mjs").Text[]} */
    const inGroup = [];
    for (const [tag, about] of Object.entries(tags)) {
      const { path, title, html, entries } = referencePage(api, tag, about, site);
      const parts = entries.map((entry) => ({ path: `${path}#${entry.id}`, title: entry.title, method: entry.method }));
      pages.push({ path, kind: "reference", title, about, html, parts, eyebrow: "API reference", markdown: `${path}.md` });
      const markdown = referenceMarkdown(api, tag, about, (operation) => requestsOf(api, operation));
      add(`${path}.md`, markdown);
      inGroup.push({ path: `${path}.md`, title, about, markdown });
    }
    texts.push({ title: `API reference: ${group}`, texts: inGroup });
  }
  found.push(...api.operations.map((operation) => foundOperation(api, operation)));

  const errors = renderMarkdown(withoutTable(read("docs/errors.md")), "docs/errors.md", {
    ...site,
    targetOf: (words) => (everyCode.has(words) ? `errors/${words}` : site.targetOf(words)),
  });
  const at = errors.html.indexOf("<h2");
  pages.push({
    path: "errors",
    kind: "plain",
    title: errors.title,
    about: errors.about,
    html: `${errors.html.slice(0, at)}${problemTables(problems)}${errors.html.slice(at)}`,
    toc: [
      ...statusesOf(problems).map((status) => ({ id: `status-${status}`, text: `${status} ${nameOfStatus(status)}`, depth: 2 })),
      ...errors.sections,
    ],
    markdown: "errors.md",
  });
  add("errors.md", read("docs/errors.md"));
  texts.push({
    title: "Errors",
    texts: [{ path: "errors.md", title: errors.title, about: errors.about, markdown: read("docs/errors.md") }],
  });
  found.push(...partsOf(errors.title, "errors", errors.sections));
  for (const problem of problems) {
    const { code, says, todo, status } = problem;
    pages.push({
      path: `errors/${code}`,
      kind: "error",
      title: code,
      about: `${status}: ${says}. ${todo}`,
      html: problemPage(api, problem, site),
      eyebrow: "Errors",
    });
    found.push({
      title: code,
      page: says,
      address: `errors/${code}`,
      kind: "Error",
      names: `${status} ${says}`,
      text: todo.replaceAll("`", ""),
    });
  }
  for (const detail of details.filter(({ code }) => !problems.some((problem) => problem.code === code))) {
    const { code, about } = detail;
    pages.push({
      path: `errors/${code}`,
      kind: "error",
      title: code,
      about,
      html: detailPage(detail, site),
      eyebrow: "Errors: codes in details",
    });
    found.push({
      title: code,
      page: "A code in details",
      address: `errors/${code}`,
      kind: "Error",
      names: "details",
      text: about.replaceAll("`", ""),
    });
  }

  const versions = integratorVersions(read("CHANGELOG.md"));
  const changes = renderMarkdown(changelogMarkdown(versions), "CHANGELOG.md", site);
  pages.push({
    path: "changelog",
    kind: "plain",
    title: changes.title,
    about: changes.about,
    html: changes.html,
    toc: changes.sections,
    markdown: "changelog.md",
  });
  add("changelog.md", changes.markdown);
  add(
    "changelog.atom",
    atomFeed(versions, (markdown) =>
      withRelativeLinks(renderMarkdown(`# Changes\n\n${markdown}`, "CHANGELOG.md", site).html, "changelog", ending),
    ),
  );
  texts.push({
    title: "Changes",
    texts: [{ path: "changelog.md", title: changes.title, about: changes.about, markdown: changes.markdown }],
  });

  add("openapi.json", JSON.stringify(api.document));
  add("postman.json", JSON.stringify(postmanCollection(api, tagGroups), null, 1));
  add("llms.txt", llmsIndex(texts));
  add("llms-full.txt", llmsFull(texts));

  const scripts = await bundleScripts();
  const frame = {
    ending,
    version: api.document.info.version,
    groups: navigation(groups, rendered),
    assets: {
      css: addAsset("site.css", readFileSync(`${own}assets/site.css`)),
      icon: addAsset("icon.svg", readFileSync(`${own}assets/icon.svg`)),
      script: addAsset("site.js", scripts.site),
      search: addAsset("search.js", scripts.search),
      index: addAsset(
        "search.json",
        searchIndex(found.map((one) => ({ ...one, address: one.address.replace(/^[^#]+/, (path) => path + ending) }))),
      ),
    },
  };
  for (const page of pages) add(page.path, renderPage(page, frame));
  return { files, notFound: Buffer.from(renderPage(NOT_FOUND, { ...frame, at: "/docs/" })) };
}

/** @type {Page} */
const NOT_FOUND = {
  path: "not-found",
  kind: "plain",
  title: "Page not found",
  about: "There is no page at this address.",
  html: `<p class="lead">There is no page at this address. The link may be incomplete, or the page has another name now.</p>
<ul>
<li class="with-search" hidden><a href="#search">Search the documentation</a></li>
<li><a href="site:">Overview</a>: the guides, and where to begin.</li>
<li><a href="site:reference">API reference</a>: every operation.</li>
<li><a href="site:errors">Errors</a>: every code.</li>
</ul>`,
};

/** @typedef {typeof guideGroups} Groups */

/** Every guide is in the list, and every line of the list has its file. @param {string} root @returns {Groups} */
function checkedGuides(root) {
  const listed = guideGroups.flatMap(({ files }) => files);
  const present = existsSync(`${root}docs/guides`) ? readdirSync(`${root}docs/guides`).filter((name) => name.endsWith(".md")) : [];
  const missing = present.map((name) => `docs/guides/${name}`).filter((file) => !listed.includes(file));
  if (missing.length > 0) throw new Error(`Not in the list of site/pages.mjs: ${missing.join(", ")}`);
  const gone = listed.filter((file) => !existsSync(root + file));
  if (gone.length > 0) throw new Error(`In the list of site/pages.mjs, but not there: ${gone.join(", ")}`);
  const twice = listed.filter((file, index) => listed.indexOf(file) !== index);
  if (twice.length > 0) throw new Error(`Twice in the list of site/pages.mjs: ${twice.join(", ")}`);
  return guideGroups;
}

/** @param {import("./api.mjs").Api} api */
function requireTags({ operations }) {
  const listed = tagGroups.flatMap(({ tags }) => Object.keys(tags));
  const used = [...new Set(operations.map(({ tag }) => tag))];
  const wrong = [...used.filter((tag) => !listed.includes(tag)), ...listed.filter((tag) => !used.includes(tag))];
  if (wrong.length > 0) throw new Error(`The tags of openapi.json and of site/pages.mjs differ: ${wrong.join(", ")}`);
}

/** The page of each file of the repository that has one. @param {Groups} groups @returns {ReadonlyMap<string, string>} */
function pathsOf(groups) {
  const listed = groups.flatMap(({ files }) => files).map((file) => /** @type {const} */ ([file, pathOf(file)]));
  /** @type {[string, string][]} */
  const others = [
    ["docs/errors.md", "errors"],
    ["CHANGELOG.md", "changelog"],
    ["openapi.json", "openapi.json"],
    [HOME, ""],
  ];
  return new Map([...listed, ...others]);
}

/** `docs/guides/webhooks.md` becomes `guides/webhooks`, `client/README.md` `client`. @param {string} file */
const pathOf = (file) =>
  file
    .replace(/^docs\//, "")
    .replace(/\.md$/, "")
    .replace(/\/README$/, "")
    .toLowerCase();

/** Codes that are nothing else in the API: `read_only` is also a field. @param {import("./api.mjs").Api} api @param {readonly string[]} codes */
function unambiguousCodes({ document }, codes) {
  /** @type {Set<string>} */
  const others = new Set();
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    if (name === "ErrorCode" || name === "DetailCode") continue;
    const { properties = {}, enum: values = [] } = /** @type {Record<string, any>} */ (schema);
    for (const one of [...Object.keys(properties), ...values]) others.add(String(one));
  }
  return codes.filter((code) => code.includes("_") && !others.has(code));
}

/** @param {Groups} groups @param {readonly { path: string, title: string }[]} rendered @returns {readonly import("./layout.mjs").Group[]} */
function navigation(groups, rendered) {
  const paths = pathsOf(groups);
  const titleOf = (/** @type {string} */ path) => rendered.find((one) => one.path === path)?.title ?? "";
  return [
    { title: "Documentation", section: "guides", items: [{ path: "", title: "Overview" }] },
    ...groups.map(({ title, files, isFolded = false }) => ({
      title,
      isFolded,
      section: /** @type {const} */ ("guides"),
      items: files.map((file) => ({ path: paths.get(file) ?? "", title: titleOf(paths.get(file) ?? "") })),
    })),
    { title: "API reference", section: "reference", items: [{ path: "reference", title: "Overview" }] },
    ...tagGroups.map(({ title, tags }) => ({
      title,
      section: /** @type {const} */ ("reference"),
      items: Object.keys(tags).map((tag) => ({ path: pageOfTag(tag), title: tag })),
    })),
  ];
}

/** @param {string} page @param {string} path @param {readonly import("./markdown.mjs").Section[]} sections @returns {Found[]} */
function partsOf(page, path, sections) {
  return sections
    .filter(({ id, plain }) => id === "" || plain.trim() !== "")
    .map(({ id, text, plain }) => ({
      title: text === "" ? page : text,
      page,
      address: id === "" ? path : `${path}#${id}`,
      kind: "Guide",
      names: "",
      text: plain,
    }));
}

/** @param {import("./api.mjs").Api} api @param {import("./api.mjs").Operation} operation @returns {Found} */
function foundOperation(api, { summary, tag, address, method, path, read, description, parameters, raw }) {
  const bodies = Object.values(api.resolve(raw.requestBody ?? {}).content ?? {}).flatMap(({ schema }) =>
    Object.keys(api.resolve(schema).properties ?? {}),
  );
  const names = [method, path, read.sdk, ...parameters.map(({ name }) => name), ...bodies];
  return {
    title: summary,
    page: tag,
    address,
    kind: "Reference",
    names: [...new Set(names)].join(" "),
    text: description.replaceAll("`", ""),
  };
}

/** @param {Buffer} bytes @param {string} path */
function sizeOfPng(bytes, path) {
  if (bytes.toString("latin1", 1, 4) !== "PNG") throw new Error(`${path} is no PNG`);
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}
