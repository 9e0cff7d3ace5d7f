// Turns a Markdown file of the repository into a page: headings with ids, highlighted code, links to other pages, samples as tabs.
import { existsSync } from "node:fs";
import { posix } from "node:path";
import { Marked } from "marked";
import { codeBlock, codeTabs } from "./code.mjs";
import { escaped, headingIds } from "./html.mjs";

/** @typedef {{ id: string, text: string, depth: number, plain: string }} Section a part of the page below a heading, for search */
/**
 * @typedef {object} Rendered
 * @property {string} title
 * @property {string} about the first paragraph as plain text
 * @property {string} html without the title
 * @property {readonly Section[]} sections the first one is the text before the first heading, with an empty id
 * @property {string} markdown the source, with samples in full
 */
/**
 * @typedef {object} Site what links and directives need to know
 * @property {string} root of the repository, with a slash at its end
 * @property {ReadonlyMap<string, string>} pageOf the site's path of a file of the repository
 * @property {(code: string) => string | null} targetOf where words in code lead: an operation or an error code
 * @property {(flow: string, languages: readonly string[]) => readonly import("./code.mjs").Variant[]} samplesOf
 * @property {(operation: string) => { about: string, variants: readonly import("./code.mjs").Variant[] }} requestOf
 * @property {(path: string) => { address: string, width: number, height: number }} imageOf
 */

const DIRECTIVE = /^\{\{(sample|request) ([\w-]+)((?: [\w-]+)*)\}\}[ \t]*(?:\n|$)/;

/**
 * Addresses inside the site are written as `site:path#fragment`; the layout makes them relative.
 * @param {string} source @param {string} file its path in the repository @param {Site} site @returns {Rendered}
 */
export function renderMarkdown(source, file, site) {
  const idOf = headingIds();
  /** @type {Section[]} */
  const sections = [{ id: "", text: "", depth: 1, plain: "" }];
  let groups = 0;
  // Inside a link, code is no link of its own.
  let isInLink = false;
  const marked = new Marked({ gfm: true, async: false });
  marked.use({
    extensions: [
      {
        name: "directive",
        level: "block",
        start: (text) => /^\{\{(?:sample|request) /m.exec(text)?.index,
        tokenizer(text) {
          const [raw, kind = "", name = "", rest = ""] = DIRECTIVE.exec(text) ?? [];
          return raw === undefined ? undefined : { type: "directive", raw, kind, name, words: rest.split(" ").filter(Boolean) };
        },
        renderer: (token) => {
          const { about, variants } = expansionOf(token, site);
          groups += 1;
          return codeTabs(`code-${groups}`, about, variants);
        },
      },
    ],
    renderer: {
      heading({ tokens, depth, text }) {
        if (depth === 1) return "";
        const shown = this.parser.parseInline(tokens);
        const id = idOf(plainOf(tokens) || text);
        return `<h${depth} id="${id}"><a class="anchor" href="#${id}">${shown}</a></h${depth}>\n`;
      },
      code: ({ text, lang = "" }) => codeBlock(text, lang.split(/\s/)[0] ?? ""),
      codespan: ({ text }) => (isInLink ? `<code>${escaped(text)}</code>` : codeSpan(text, site)),
      link({ href, tokens, raw }) {
        // An address in the text is an example, such as http://localhost:PORT, and no link.
        if (!raw.startsWith("[")) return escaped(raw);
        isInLink = true;
        const shown = this.parser.parseInline(tokens);
        isInLink = false;
        const address = addressOf(href, file, site);
        return address === null ? shown : `<a href="${escaped(address)}">${shown}</a>`;
      },
      image({ href, text }) {
        const { address, width, height } = site.imageOf(posix.join(posix.dirname(file), href));
        return `<img src="${address}" alt="${escaped(text)}" width="${width}" height="${height}" loading="lazy">`;
      },
      table({ header, rows }) {
        const names = header.map(({ tokens }) => plainOf(tokens));
        const cell = (/** @type {import("marked").Tokens.TableCell} */ { tokens }, /** @type {number} */ index) =>
          `<td data-label="${escaped(names[index] ?? "")}">${this.parser.parseInline(tokens)}</td>`;
        const head = header.map(({ tokens }) => `<th scope="col">${this.parser.parseInline(tokens)}</th>`).join("");
        return `<table><thead><tr>${head}</tr></thead><tbody>${rows.map((row) => `<tr>${row.map(cell).join("")}</tr>`).join("\n")}</tbody></table>\n`;
      },
      // The text of the repository has no HTML, but words in angle brackets.
      html: ({ text }) => (/^<!--[\s\S]*-->\s*$/.test(text) ? "" : escaped(text)),
    },
  });
  const tokens = marked.lexer(source.replaceAll("\r\n", "\n"));
  const title = tokens.find((token) => token.type === "heading" && token.depth === 1);
  if (title === undefined) throw new Error(`${file} does not begin with a title: # Title`);
  const html = marked.parser(tokens);
  collectSections(tokens, sections);
  return {
    title: plainOf([title]),
    about: plainOf(tokens.filter(({ type }) => type === "paragraph").slice(0, 1)),
    html,
    sections,
    markdown: tokens.map((token) => (token.type === "directive" ? asFences(token, site) : token.raw)).join(""),
  };
}

/** @param {import("marked").Token[]} tokens @param {Section[]} sections */
function collectSections(tokens, sections) {
  const idOf = headingIds();
  for (const token of tokens) {
    if (token.type === "heading" && token.depth > 1) {
      const text = plainOf(token.tokens ?? []);
      sections.push({ id: idOf(text), text, depth: token.depth, plain: "" });
    } else if (token.type !== "heading") {
      const last = sections.at(-1);
      if (last !== undefined) last.plain += `${plainOf([token])} `;
    }
  }
}

/** A sentence of the API description: paragraphs and inline code, nothing else. @param {string} text @param {Pick<Site, "targetOf">} site */
export function renderSentences(text, site) {
  return text
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${renderInline(paragraph, site)}</p>`)
    .join("");
}

/** Text in which only backticks and double asterisks mean something. @param {string} text @param {Pick<Site, "targetOf">} site */
export function renderInline(text, site) {
  return text
    .split(/(`[^`]+`|\*\*[^*]+\*\*)/)
    .map((part) => {
      if (part.startsWith("`") && part.length > 2) return codeSpan(part.slice(1, -1), site);
      if (part.startsWith("**") && part.length > 4) return `<strong>${escaped(part.slice(2, -2))}</strong>`;
      return escaped(part);
    })
    .join("");
}

/** @param {string} text @param {Pick<Site, "targetOf">} site */
function codeSpan(text, site) {
  const target = site.targetOf(text);
  const code = `<code>${escaped(text)}</code>`;
  return target === null ? code : `<a href="site:${target}">${code}</a>`;
}

/** Where a link leads; null if it is to a file of the repository that has no page. @param {string} href @param {string} file @param {Site} site */
function addressOf(href, file, site) {
  if (/^[a-z][a-z0-9+.-]*:/i.test(href) || href.startsWith("#")) return href;
  if (href === "/docs" || href.startsWith("/docs/")) return `site:${href.slice("/docs/".length)}`;
  if (href.startsWith("/")) return href;
  const [path = "", fragment] = href.split("#");
  const target = posix.join(posix.dirname(file), path).replace(/\/$/, "");
  const page = site.pageOf.get(target);
  if (page !== undefined) return `site:${page}${fragment === undefined ? "" : `#${fragment}`}`;
  if (!existsSync(site.root + target)) throw new Error(`${file} links to ${href}, which does not exist.`);
  return null;
}

/** @param {Record<string, any>} token @param {Site} site */
function expansionOf({ kind, name, words }, site) {
  if (kind === "sample") return { about: `Sample ${name.replaceAll("-", " ")}`, variants: site.samplesOf(name, words) };
  return site.requestOf(name);
}

/** @param {Record<string, any>} token @param {Site} site */
function asFences(token, site) {
  const { variants } = expansionOf(token, site);
  return `${variants.map(({ language, code }) => `\`\`\`${language === "curl" ? "sh" : language}\n${code.trimEnd()}\n\`\`\`\n`).join("\n")}\n`;
}

/** The words of tokens. @param {readonly import("marked").Token[]} tokens @returns {string} */
export function plainOf(tokens) {
  return tokens
    .map((token) => {
      if (token.type === "table") {
        const cells = [token.header, ...token.rows].flat();
        return cells.map((/** @type {import("marked").Tokens.TableCell} */ cell) => plainOf(cell.tokens)).join(" ");
      }
      if (token.type === "list")
        return token.items.map((/** @type {import("marked").Tokens.ListItem} */ item) => plainOf(item.tokens)).join(" ");
      if ("tokens" in token && token.tokens !== undefined) return plainOf(token.tokens);
      return token.type === "space" ? " " : "text" in token ? token.text : "";
    })
    .join("")
    .replaceAll(/\s+/g, " ");
}
