import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import MiniSearch from "minisearch";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { weightOf } from "../assets/search.ts";
import { guides } from "../pages.mjs";
import { atomFeed, integratorVersions } from "../src/changelog.mjs";
import { makeSite } from "../src/make-site.mjs";
import { renderMarkdown } from "../src/markdown.mjs";
import { samplesOf } from "../src/samples.mjs";
import { addressesIn, builtSite, dist, pageOf, root } from "./built-site.ts";

/** How the site is made: what stops the build, and the files beside the pages. */

const site = builtSite();
const textOf = (path: string): string => readFileSync(dist + (site.files.get(path)?.file ?? expect.fail(path)), "utf8");

describe("the build stops", () => {
  let folder: string;
  /** A repository with the files of this one, which a test can replace. */
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "countersign-site-"));
    const inDocs = guides.flatMap(({ files }) => files);
    for (const path of [...inDocs, "docs/errors.md", "docs/samples", "docs/images", "openapi.json", "CHANGELOG.md"]) {
      mkdirSync(join(folder, dirname(path)), { recursive: true });
      symlinkSync(root + path, join(folder, path));
    }
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const write = (path: string, text: string) => {
    rmSync(join(folder, path), { force: true });
    writeFileSync(join(folder, path), text);
  };
  const made = () => makeSite(`${folder}/`, { ending: "" });

  test("at a guide that is in no list", async () => {
    write("docs/guides/new-guide.md", "# New\n");
    await expect(made()).rejects.toThrow("Not in the list of site/pages.mjs: docs/guides/new-guide.md");
  });

  test("at a line of the list without its file", async () => {
    rmSync(join(folder, "docs/guides/webhooks.md"));
    await expect(made()).rejects.toThrow("In the list of site/pages.mjs, but not there: docs/guides/webhooks.md");
  });

  test.each([
    ["without a title", "Text only.\n", "docs/guides/webhooks.md does not begin with a title: # Title"],
    ["with a link that leads nowhere", "# A\n[x](nowhere.md)\n", "docs/guides/webhooks.md links to nowhere.md, which does not exist."],
    ["with code in an unknown language", "# A\n```cobol\nSTOP RUN.\n```\n", 'The site does not know the language "cobol".'],
    [
      "with a sample that has no files",
      "# A\n{{sample nothing}}\n",
      "{{sample nothing}}: docs/samples/nothing/ has no file for curl (.sh).",
    ],
    ["with a sample in an unknown language", "# A\n{{sample embed cobol}}\n", '{{sample embed}} names "cobol", which is none of curl, '],
    ["with a request that does not exist", "# A\n{{request nothing}}\n", "{{request nothing}} is no operation of openapi.json."],
  ])("at a guide %s", async (_name, text, message) => {
    write("docs/guides/webhooks.md", text);
    await expect(made()).rejects.toThrow(message);
  });

  test("at a tag that is in no list", async () => {
    const document = JSON.parse(readFileSync(`${root}openapi.json`, "utf8"));
    document.paths["/partner/me"].get.tags = ["Something new"];
    write("openapi.json", JSON.stringify(document));
    await expect(made()).rejects.toThrow("The tags of openapi.json and of site/pages.mjs differ: Something new");
  });
});

describe("a sample", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "countersign-samples-"));
    mkdirSync(join(folder, "flow"));
    for (const name of ["run.sh", "run.mjs", "run.py", "main.go", "run.php", "Main.java"])
      writeFileSync(join(folder, "flow", name), `${name}\n`);
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const names = (...languages: string[]) => samplesOf(`${folder}/`, "flow", languages).map(({ label, code }) => `${label}: ${code.trim()}`);

  test("has six languages, or those that are named, in their order", () => {
    expect(names()).toEqual(["curl: run.sh", "JavaScript: run.mjs", "Python: run.py", "Go: main.go", "PHP: run.php", "Java: Main.java"]);
    expect(names("python", "curl")).toEqual(["Python: run.py", "curl: run.sh"]);
  });

  test("with a missing file, or with two of a language, stops the build", () => {
    rmSync(join(folder, "flow", "run.php"));
    expect(() => names()).toThrow("docs/samples/flow/ has no file for php (.php).");
    expect(names("go")).toEqual(["Go: main.go"]);
    writeFileSync(join(folder, "flow", "run.ts"), "");
    expect(() => names("typescript")).toThrow("docs/samples/flow/ has several files for typescript.");
  });
});

describe("Markdown", () => {
  const links = {
    root,
    pageOf: new Map([["docs/errors.md", "errors"]]),
    targetOf: (words: string) => (words === "some_code" ? "errors/some_code" : null),
    samplesOf: () => [],
    requestOf: () => ({ about: "", variants: [] }),
    imageOf: () => ({ address: "", width: 1, height: 1 }),
  };
  const html = (text: string) => renderMarkdown(`# Title\n\n${text}`, "docs/a.md", links).html.trim();

  test.each([
    ["a link to a page", "[x](errors.md#details)", '<p><a href="site:errors#details">x</a></p>'],
    ["a link to a file without a page", "[the client](../client/package.json)", "<p>the client</p>"],
    ["an error code", "`some_code`", '<p><a href="site:errors/some_code"><code>some_code</code></a></p>'],
    ["code inside a link", "[`some_code`](errors.md)", '<p><a href="site:errors"><code>some_code</code></a></p>'],
    ["an address in the text", "http://localhost:3000", "<p>http://localhost:3000</p>"],
    ["words in angle brackets", "a <b onclick=x>", "<p>a &lt;b onclick=x&gt;</p>"],
    ["a comment", "a<!-- hidden -->", "<p>a</p>"],
    [
      "headings of the same name",
      "## A b\n## A b",
      '<h2 id="a-b"><a class="anchor" href="#a-b">A b</a></h2>\n<h2 id="a-b-1"><a class="anchor" href="#a-b-1">A b</a></h2>',
    ],
  ])("shows %s", (_name, text, shown) => {
    expect(html(text)).toBe(shown);
  });

  test("shows code in the colours of its language, escaped", () => {
    expect(html("```ts\nconst a = '<b>';\n```")).toContain(
      '<span class="hljs-keyword">const</span> a = <span class="hljs-string">&#x27;&lt;b&gt;&#x27;</span>;',
    );
  });
});

describe("search", () => {
  const { options, index } = JSON.parse(textOf([...site.files.keys()].find((path) => /^assets\/search-.*\.json$/.test(path)) ?? ""));
  const search = MiniSearch.loadJS(index, options);
  const found = (words: string) => search.search(words, { boostDocument: weightOf }).map(({ address }) => address as string);

  test.each([
    ["void an envelope", "reference/envelopes#void_envelope"],
    ["envelopes.void", "reference/envelopes#void_envelope"],
    ["POST /partner/envelopes/{envelope_id}/send", "reference/envelopes#send_envelope"],
    ["external_id", "reference/envelopes#create_envelope"],
    ["envelope_wrong_status", "errors/envelope_wrong_status"],
    ["several_customers", "errors/several_customers"],
    ["verify webhook signature", "guides/webhooks"],
    ["idempot", "guides/idempotency-and-retries"],
    ["sandbox", "guides/testing"],
    ["webhoks", "guides/webhooks"],
  ])("for %s finds %s among the first results", (words, address) => {
    expect(
      found(words)
        .slice(0, 8)
        .map((one) => (address.includes("#") ? one : one.split("#")[0])),
    ).toContain(address);
  });

  test.each([
    ["webhooks", "guides/webhooks"],
    ["rate limit", "guides/rate-limits"],
    ["quick start", "guides/quick-start"],
    ["idempotency", "guides/idempotency-and-retries"],
    ["python", "guides/client-python"],
    ["envelope_wrong_status", "errors/envelope_wrong_status"],
    ["void an envelope", "reference/envelopes#void_envelope"],
  ])("for %s finds %s first", (words, address) => {
    expect(found(words)[0]).toBe(address);
  });

  test("finds nothing for nonsense", () => {
    expect(found("xyzzyqwertz")).toEqual([]);
  });

  test("leads to pages, and to parts of them that exist", () => {
    const all = search.search(MiniSearch.wildcard).map(({ address }) => String(address).split("#"));
    expect(all.length).toBeGreaterThan(900);
    const lost = all.filter(
      ([path = "", id]) => site.pages.get(path) === undefined || (id !== undefined && !site.pages.get(path)?.ids.has(id)),
    );
    expect(lost).toEqual([]);
  });
});

describe("for programs", () => {
  test("llms.txt names every page that exists as Markdown, and llms-full.txt has them all", () => {
    const links = [...textOf("llms.txt").matchAll(/^- \[[^\]]+\]\(([^)]+)\): \S/gm)].map(([, path = ""]) => path);
    const texts = [...site.files.keys()].filter((path) => path.endsWith(".md"));
    expect(links.filter((path) => path.endsWith(".md")).sort()).toEqual(texts.sort());
    expect(links.filter((path) => !site.files.has(path))).toEqual([]);
    const full = textOf("llms-full.txt");
    for (const path of texts) expect(full, path).toContain(textOf(path).trim());
    expect(full).not.toMatch(/\{\{(sample|request) /);
  });

  test("postman.json has each operation once, in the folder of its tag, with its path, its credential and its body", () => {
    const document = JSON.parse(textOf("openapi.json"));
    const collection = JSON.parse(textOf("postman.json"));
    expect(collection.info.schema).toBe("https://schema.getpostman.com/json/collection/v2.1.0/collection.json");
    expect(collection.variable.map(({ key }: { key: string }) => key)).toEqual(["base_url", "api_key", "session_token"]);
    const requests: string[] = collection.item.flatMap(
      (folder: { name: string; item: { request: { method: string; url: { raw: string } } }[] }) =>
        folder.item.map(
          ({ request }) =>
            `${folder.name}: ${request.method} ${request.url.raw
              .replace("{{base_url}}", "")
              .split("?")[0]
              ?.replaceAll(/:(\w+)/g, "{$1}")}`,
        ),
    );
    const operations = Object.entries<Record<string, { tags: string[] }>>(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, { tags }]) => `${tags[0]}: ${method.toUpperCase()} ${path}`),
    );
    expect(requests.sort()).toEqual(operations.sort());
    const folders = new Map<string, { item: { name: string; request: Record<string, unknown> }[] }>(
      collection.item.map((one: { name: string }) => [one.name, one]),
    );
    const item = (folder: string, name: string) => folders.get(folder)?.item.find((one) => one.name === name)?.request;
    const example = document.components.examples.CreateEnvelopeRequest.value;
    const { body } = (item("Envelopes", "Create an envelope") ?? {}) as { body: { mode: string; raw: string } };
    expect([body.mode, JSON.parse(body.raw)]).toEqual(["raw", example]);
    expect(item("Envelopes", "Create an envelope")).not.toHaveProperty("auth");
    expect(item("Members", "List members")?.auth).toMatchObject({ type: "bearer" });
    expect(item("Templates", "Create a template from a PDF")?.body).toMatchObject({
      mode: "formdata",
      formdata: expect.arrayContaining([{ key: "file", type: "file", src: [] }]),
    });
  });
});

describe("the changelog for integrators", () => {
  const source = `# Changelog

## Unreleased
**Do this**
For operators.

For integrators:
- Send less & <more>.

**New**
- A thing.

**For integrators**
- A path is [new](docs/versions.md).
  It has two lines.

## 0.3.0 (2026-12-24)
**Do this**: nothing.

**For integrators**
- A field is new.

## 0.2.0 (2026-11-30)
**New**
- Nothing for integrators.
`;

  test("has what integrators must do, and what changed for them, by version", () => {
    expect(integratorVersions(source)).toEqual([
      {
        name: "Unreleased",
        day: null,
        markdown: "**Do this**\n\n- Send less & <more>.\n\n**What changed**\n\n- A path is [new](docs/versions.md).\n  It has two lines.\n",
      },
      { name: "0.3.0", day: "2026-12-24", markdown: "- A field is new.\n" },
    ]);
  });

  test("is a feed of the released versions, with ids that stay", () => {
    const feed = atomFeed(integratorVersions(source), (markdown) => `<ul><li>${markdown.slice(2).trim()}</li></ul>`);
    expect(feed).toBe(atomFeed(integratorVersions(source), (markdown) => `<ul><li>${markdown.slice(2).trim()}</li></ul>`));
    expect(feed.match(/<entry>/g)).toHaveLength(1);
    expect(feed).toContain("<title>Countersign 0.3.0: changes for integrators</title>\n    <updated>2026-12-24T00:00:00Z</updated>");
    expect(feed).toContain('href="changelog#030-2026-12-24"');
    expect(feed).toContain('<content type="html">&lt;ul&gt;&lt;li&gt;A field is new.&lt;/li&gt;&lt;/ul&gt;</content>');
    const ids = [...feed.matchAll(/<id>(urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12})<\/id>/g)].map(
      ([, id]) => id,
    );
    expect(new Set(ids).size).toBe(2);
  });

  test("of this repository is on its page, with a feed that is well-formed", () => {
    const versions = integratorVersions(readFileSync(`${root}CHANGELOG.md`, "utf8"));
    expect(versions.map(({ name }) => name)).toContain("0.1.0");
    const page = site.pages.get("changelog") ?? expect.fail("no page");
    for (const { name } of versions) expect(page.html).toContain(`">${name}`);
    expect(textOf("changelog.atom")).toMatch(
      /^<\?xml version="1\.0" encoding="utf-8"\?>\n<feed xmlns="http:\/\/www\.w3\.org\/2005\/Atom">[\s\S]+<\/feed>\n$/,
    );
  });
});

test("as static files, pages have the ending .html and link to each other with it", async () => {
  const { files } = await makeSite(root, { ending: ".html" });
  const page = pageOf("guides/webhooks", files.get("guides/webhooks")?.bytes.toString("utf8") ?? "");
  const inside = addressesIn(page.html).filter((address) => !/^(https:|#)/.test(address));
  expect(inside).toContain("../index.html");
  expect(inside).toContainEqual(expect.stringMatching(/^\.\.\/reference\/webhook-endpoints\.html#\w+$/));
  for (const address of inside) {
    const path = new URL(address, "http://site/docs/guides/webhooks.html").pathname.slice("/docs/".length);
    const name = path === "index.html" ? "" : path.replace(/\.html$/, "");
    expect(files.has(name) || name.startsWith("downloads/"), address).toBe(true);
  }
});
