// The frame around every page. Addresses written as `site:path#fragment` become relative, so that the site works under any path.
import { escaped } from "./html.mjs";

/** @typedef {{ path: string, title: string, method?: string | null }} NavItem path: with a fragment for a part of a page */
/**
 * @typedef {object} Page
 * @property {string} path without a slash at its start; empty for the first page
 * @property {string} title
 * @property {string} about for lists of pages and for programs that preview links
 * @property {string} html
 * @property {"guide" | "reference" | "error" | "plain" | "home"} kind
 * @property {readonly { id: string, text: string, depth: number }[]} [toc] the parts of a guide
 * @property {string} [markdown] the path of the page as Markdown
 * @property {readonly NavItem[]} [parts] the operations of a reference page, below its line in the navigation
 * @property {string} [eyebrow] what the page belongs to
 * @property {readonly [previous: NavItem | null, next: NavItem | null]} [neighbours]
 */
/** @typedef {{ title: string, items: readonly NavItem[], section: "guides" | "reference", isFolded?: boolean }} Group */
/** @typedef {{ css: string, script: string, search: string, index: string, icon: string }} Assets their paths in the site */
/**
 * @typedef {object} Frame
 * @property {readonly Group[]} groups
 * @property {Assets} assets
 * @property {string} version
 * @property {string} ending of the addresses of pages: empty, or `.html`
 * @property {string} [at] where the site is, for a page that is shown at any address; without it, addresses are relative
 */

/** @param {Page} page @param {Frame} frame */
export function renderPage(page, frame) {
  const { title, about, html, kind, path, eyebrow } = page;
  const { assets, version } = frame;
  const full =
    kind === "home" ? "Countersign documentation" : [title, ...(eyebrow === undefined ? [] : [eyebrow]), "Countersign"].join(" · ");
  const toc = tocOf(page);
  const groups = frame.groups.filter(({ section }) => (section === "reference") === (kind === "reference"));
  const text = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(full)}</title>
<meta name="description" content="${escaped(shortened(about, 160))}">
<meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="site:${assets.css}">
<link rel="icon" type="image/svg+xml" href="site:${assets.icon}">
<link rel="alternate" type="application/atom+xml" title="Changes for integrators" href="site:changelog.atom">
${page.markdown === undefined ? "" : `<link rel="alternate" type="text/markdown" href="site:${page.markdown}">\n`}<script defer src="site:${assets.script}"></script>
</head>
<body class="${kind}">
<a class="skip" href="#content">Skip to content</a>
<header class="top">
<a class="brand" href="site:">Countersign <span>Docs</span></a>
<form class="search" role="search" hidden data-script="site:${assets.search}" data-index="site:${assets.index}">
<label class="hidden-visually" for="search">Search the documentation</label>
<input type="search" id="search" placeholder="Search" autocomplete="off" spellcheck="false" aria-keyshortcuts="/"><kbd aria-hidden="true">/</kbd>
<div class="results" hidden><p role="status"></p><ul></ul></div>
</form>
<nav class="sections" aria-label="Sections">${sectionLinks(page)}</nav>
</header>
<div class="frame">
<input type="checkbox" id="menu" class="hidden-visually"><label for="menu" class="menu-button"><span>Menu</span></label>
<nav class="side" aria-label="Pages"><div class="sections">${sectionLinks(page)}</div>
${groups.map((group) => navGroup(group, page)).join("\n")}</nav>
<main id="content" tabindex="-1">
<article>
${eyebrow === undefined ? "" : `<p class="eyebrow">${escaped(eyebrow)}</p>\n`}<h1${kind === "error" ? ' class="code-title"' : ""}>${escaped(title)}</h1>
${html}
</article>
${neighbourLinks(page)}
<footer>Countersign ${escaped(version)}. For programs: ${page.markdown === undefined ? "" : `<a href="site:${page.markdown}">this page as Markdown</a>, `}<a href="site:llms.txt">llms.txt</a>, <a href="site:llms-full.txt">llms-full.txt</a>.</footer>
</main>
${toc}
</div>
</body>
</html>
`;
  return withRelativeLinks(text, path, frame.ending, frame.at);
}

/** @param {Page} page */
function sectionLinks({ kind, path }) {
  /** @type {[string, string, boolean][]} */
  const links = [
    ["", "Guides", kind === "home" || kind === "guide"],
    ["reference", "API reference", kind === "reference"],
    ["errors", "Errors", kind === "error" || path === "errors"],
    ["changelog", "Changelog", path === "changelog"],
  ];
  return links.map(([to, name, isHere]) => `<a href="site:${to}"${isHere ? ' aria-current="true"' : ""}>${name}</a>`).join("");
}

/** @param {Group} group @param {Page} page */
function navGroup({ title, items, isFolded = false }, page) {
  const isOpen = !isFolded || items.some(({ path }) => path === page.path);
  return `<details${isOpen ? " open" : ""}><summary>${escaped(title)}</summary><ul>${items.map((item) => navItem(item, page)).join("")}</ul></details>`;
}

/** @param {NavItem} item @param {Page} page */
function navItem({ path, title }, page) {
  const isHere = path === page.path;
  const parts = isHere && page.parts !== undefined ? `<ul class="parts">${page.parts.map((part) => partItem(part)).join("")}</ul>` : "";
  return `<li><a href="site:${path}"${isHere ? ' aria-current="page"' : ""}>${escaped(title)}</a>${parts}</li>`;
}

/** @param {NavItem} part */
function partItem({ path, title, method }) {
  const shown =
    method === undefined || method === null
      ? ""
      : `<b class="method ${method.toLowerCase()}" aria-hidden="true">${method === "DELETE" ? "DEL" : method}</b>`;
  return `<li><a href="site:${path}">${shown}<span>${escaped(title)}</span></a></li>`;
}

/** @param {Page} page */
function tocOf({ toc = [] }) {
  const parts = toc.filter(({ depth, id }) => depth === 2 && id !== "");
  if (parts.length < 2) return "";
  const links = parts.map(({ id, text }) => `<li><a href="#${id}">${escaped(text)}</a></li>`).join("");
  return `<nav class="toc" aria-label="On this page"><h2>On this page</h2><ul>${links}</ul></nav>`;
}

/** @param {Page} page */
function neighbourLinks({ neighbours }) {
  if (neighbours === undefined) return "";
  const [previous, next] = neighbours;
  const link = (/** @type {NavItem | null} */ item, /** @type {string} */ rel, /** @type {string} */ label) =>
    item === null ? "" : `<a rel="${rel}" href="site:${item.path}"><small>${label}</small>${escaped(item.title)}</a>`;
  return `<nav class="neighbours" aria-label="Next and previous">${link(previous, "prev", "Previous")}${link(next, "next", "Next")}</nav>\n`;
}

/** @param {string} text @param {string} path of the page @param {string} ending @param {string} [at] where the site is, if links are not relative */
export function withRelativeLinks(text, path, ending, at) {
  const up = at ?? "../".repeat(path.split("/").length - 1);
  return text.replaceAll(/="site:([^"#]*)(#[^"]*)?"/g, (_all, target, fragment = "") => {
    if (target === path && fragment !== "") return `="${fragment}"`;
    const name = target === "" ? (ending === "" ? "" : `index${ending}`) : isFile(target) ? target : target + ending;
    return `="${up + name === "" ? "./" : up + name}${fragment}"`;
  });
}

/** Whether an address of the site has an ending of its own. @param {string} path */
export const isFile = (path) => /\.[a-z0-9]+$/.test(path);

/** At a space. @param {string} text @param {number} length */
export function shortened(text, length) {
  if (text.length <= length) return text;
  return `${text.slice(0, text.lastIndexOf(" ", length - 1)).replace(/[.,;:]$/, "")}…`;
}
