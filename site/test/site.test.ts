import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { posix } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { operationsOf } from "../../client/generator/operations.mjs";
import { downloads } from "../pages.mjs";
import { headingIds } from "../src/html.mjs";
import { addressesIn, type BuiltPage, type BuiltSite, builtSite, dist, pageOf, root } from "./built-site.ts";

/** What the documentation site promises, of every page. */

let site: BuiltSite;
beforeAll(() => {
  site = builtSite();
});

const document = JSON.parse(readFileSync(`${root}openapi.json`, "utf8"));
const operations = operationsOf(document);
const read = (name: string): string => readFileSync(root + name, "utf8");
const served = Object.keys(downloads).map((name) => `downloads/${name}`);

/** The addresses of a page that lead nowhere. */
function lostOn({ path, html }: BuiltPage, { files, pages }: BuiltSite): string[] {
  const base = `http://site/docs/${path}`;
  return addressesIn(html).filter((address) => {
    const { origin, pathname, hash } = new URL(address, base);
    if (origin !== "http://site") return !address.startsWith("https://");
    if (!pathname.startsWith("/docs/")) return true;
    const target = decodeURIComponent(pathname.slice("/docs/".length));
    if (served.includes(target)) return false;
    const page = pages.get(target);
    if (hash === "" || page === undefined) return hash !== "" || !files.has(target);
    return !page.ids.has(decodeURIComponent(hash.slice(1)));
  });
}

describe("links", () => {
  test("of every page lead to a page, a part of one, a file or a download", () => {
    expect(site.pages.size).toBeGreaterThan(300);
    const lost = [...site.pages.values()].map((page) => [page.path, lostOn(page, site)] as const);
    expect(lost.filter(([, addresses]) => addresses.length > 0)).toEqual([]);
  });

  test("are relative, so that the site works under any path", () => {
    for (const { path, html } of site.pages.values())
      expect(
        addressesIn(html).filter((address) => address.startsWith("/") || address.startsWith("site:")),
        path,
      ).toEqual([]);
  });

  test("the check can fail", () => {
    const page = pageOf(
      "errors/some",
      '<a href="../errors#details"><a href="../errors#nothing"><a href="nowhere"><a href="http://a.example"><a href="/x">',
    );
    expect(lostOn(page, site)).toEqual(["../errors#nothing", "nowhere", "http://a.example", "/x"]);
  });
});

test("the page for any other address leads to the overview, the reference, the errors and the search, from any depth", () => {
  const { notFound } = JSON.parse(readFileSync(`${dist}site.json`, "utf8"));
  const html = readFileSync(dist + notFound.file, "utf8");
  const addresses = addressesIn(html).filter((address) => !address.startsWith("#"));
  expect(addresses.filter((address) => !address.startsWith("/docs/"))).toEqual([]);
  expect(addresses.filter((address) => !site.files.has(address.slice("/docs/".length)))).toEqual([]);
  const content = /<article>([\s\S]*)<\/article>/.exec(html)?.[1] ?? "";
  expect(addressesIn(content)).toEqual(["#search", "/docs/", "/docs/reference", "/docs/errors"]);
  expect(html).toContain('id="search"');
});

describe("relative links of every Markdown file of the repository", () => {
  const tracked = spawnSync("git", ["ls-files", "*.md"], { cwd: root, encoding: "utf8" }).stdout.split("\n").filter(Boolean);
  const idsOf = (text: string): Set<string> => {
    const idOf = headingIds();
    const headings = withoutCode(text).matchAll(/^#{1,6} (.+)$/gm);
    return new Set(
      [...headings].map(([, heading = ""]) => idOf(heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll(/[`*]/g, ""))),
    );
  };
  const withoutCode = (text: string): string => text.replaceAll(/^(`{3,})[\s\S]*?^\1$/gm, "");

  function lostIn(name: string, text: string): string[] {
    const prose = withoutCode(text).replaceAll(/`[^`\n]*`/g, "``");
    const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, href = ""]) => href);
    return links.filter((href) => {
      if (/^[a-z][a-z0-9+.-]*:/i.test(href)) return false;
      const [path = "", fragment] = href.split("#");
      if (path.startsWith("/docs/") || path === "/docs") {
        const target = path.slice("/docs/".length);
        if (fragment === undefined) return !site.files.has(target) && !served.includes(target);
        return site.pages.get(target)?.ids.has(fragment) !== true;
      }
      const target = path === "" ? name : posix.join(posix.dirname(name), path);
      if (path !== "" && !existsSync(root + target)) return true;
      if (fragment === undefined || !target.endsWith(".md")) return false;
      return !idsOf(target === name ? text : read(target)).has(fragment);
    });
  }

  test.runIf(tracked.length > 0)("lead to files and headings that exist", () => {
    expect(tracked.length).toBeGreaterThan(200);
    const lost = tracked.filter((name) => existsSync(root + name)).map((name) => [name, lostIn(name, read(name))] as const);
    expect(lost.filter(([, links]) => links.length > 0)).toEqual([]);
  });

  test("the check can fail", () => {
    const text = "# A thing\n[1](b.md) [2](errors.md#details) [3](errors.md#nothing) [4](#a-thing) [5](#b) `[6](c.md)`\n";
    expect(lostIn("docs/a.md", text)).toEqual(["b.md", "errors.md#nothing", "#b"]);
  });
});

describe("pages", () => {
  const MAX_BYTES = 60_000;

  test("have at most 60 KB, compressed", () => {
    const large = [...site.pages.keys()].map((path) => {
      const { file } = site.files.get(path) ?? expect.fail(path);
      return { path, gzip: statSync(`${dist}${file}.gz`).size, br: statSync(`${dist}${file}.br`).size };
    });
    expect(large.filter(({ gzip, br }) => gzip > MAX_BYTES || br > MAX_BYTES)).toEqual([]);
  });

  test("the first one is at most 60 KB with its style sheet and its script", () => {
    const page = site.pages.get("") ?? expect.fail("no first page");
    const files = addressesIn(page.html).filter((address) => /^assets\/site-.*\.(css|js)$/.test(address));
    expect(files).toHaveLength(2);
    const sizes = [page.html, ...files.map((file) => readFileSync(dist + file, "utf8"))].map((text) => gzipSync(text).length);
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(MAX_BYTES);
  });

  test("load one script, which is deferred, have none inside, and no style or event handler in an attribute", () => {
    for (const { path, html } of site.pages.values()) {
      const scripts = [...html.matchAll(/<script\b[^>]*>([^<]*)/g)].map(([tag]) => tag);
      expect(scripts, path).toEqual([expect.stringMatching(/^<script defer src="[./]*assets\/site-\w+\.js">$/)]);
      expect(html, path).not.toMatch(/<style|\sstyle="|<[^>]+\son\w+="|javascript:/);
    }
  });

  test("have one title of their own, and every id once", () => {
    const titles = [...site.pages.values()].map(({ path, html, ids }) => {
      expect(html.match(/<h1/g), path).toHaveLength(1);
      expect(html.match(/ id="/g)?.length, path).toBe(ids.size);
      return /<title>(.*?)<\/title>/.exec(html)?.[1] ?? "";
    });
    expect(titles.filter((title, at) => titles.indexOf(title) !== at)).toEqual([]);
  });
});

describe("the reference", () => {
  const tags = [
    ...new Set(
      Object.values<Record<string, { tags: string[] }>>(document.paths).flatMap((item) => Object.values(item).flatMap((one) => one.tags)),
    ),
  ];
  const text = () => [...site.pages.values()].filter(({ path }) => path.startsWith("reference/"));

  test("has one page for each tag, and each operation once, with its request in three languages", () => {
    expect(
      text()
        .map(({ path }) => path)
        .sort(),
    ).toEqual(tags.map((tag) => `reference/${tag.toLowerCase().replaceAll(" ", "-")}`).sort());
    const sections = text().flatMap(({ html }) => [...html.matchAll(/<section class="operation" id="(\w+)"[\s\S]*?<\/section>/g)]);
    expect(sections.map(([, id]) => id).sort()).toEqual(operations.map(({ id }) => id).sort());
    for (const [section, id] of sections)
      for (const language of ["curl", "typescript", "python"]) expect(section, id).toContain(`id="request-${id}-${language}"`);
  });

  test("names each error of an operation once, as a link to its page", () => {
    for (const { html } of text()) {
      for (const [section, id = ""] of html.matchAll(/<section class="operation" id="(\w+)"[\s\S]*?<\/section>/g)) {
        const { method, path } = operations.find((one) => one.id === id) ?? expect.fail(id);
        const own: string[] = Object.values<string[]>(document.paths[path][method.toLowerCase()]["x-error-codes"] ?? {}).flat();
        const after = section.split("<h3>Errors</h3>")[1] ?? "";
        const linked = [...after.matchAll(/href="\.\.\/errors\/(\w+)"/g)].map(([, code]) => code);
        expect(linked, id).toEqual(own);
      }
    }
  });

  test("has a page for each code of docs/errors.md", () => {
    const codes = [...read("docs/errors.md").matchAll(/^\| `(\w+)` \|/gm)].map(([, code = ""]) => code);
    expect(codes.length).toBeGreaterThan(300);
    expect(codes.filter((code) => !site.pages.has(`errors/${code}`))).toEqual([]);
  });

  test("an error page says what to do, which operations return it, and links to them", () => {
    const { html } = site.pages.get("errors/envelope_wrong_status") ?? expect.fail("no page");
    expect(html.replaceAll(/<[^>]+>/g, "")).toContain("X-Error-Code: envelope_wrong_status");
    expect(html).toContain('href="../reference/envelopes#void_envelope"');
  });
});
