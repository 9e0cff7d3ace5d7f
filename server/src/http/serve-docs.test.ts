import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fastify, { type FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { problemOf, refusalFor } from "./problem.ts";
import { serveDocs } from "./serve-docs.ts";

/** A small site, served as the service serves the built one. */

const PAGES = { "": "<h1>First</h1>", "guides/start": "<h1>Start</h1>", errors: "<h1>Errors</h1>" };
const NOT_FOUND = "<h1>Page not found</h1>";
const SCRIPT = "console.log(1)";

let folder: string;
let app: FastifyInstance;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "countersign-docs-"));
  app = fastify();
  app.setErrorHandler((error, _request, reply) => {
    const { status, headers, body } = refusalFor(problemOf(error), { credential: "Authorization", params: [] });
    return reply.code(status).headers(headers).send(body);
  });
  serveDocs(app, join(folder, "dist"));
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ method: "GET", url, headers });

test("a site that is not built is 404, and is served once it is built", async () => {
  expect((await get("/docs/")).statusCode).toBe(404);
  writeSite();
  expect((await get("/docs/")).statusCode).toBe(200);
});

function writeSite(): void {
  const written = (file: string, type: string, text: string, name = file) => {
    mkdirSync(join(folder, "dist", file, ".."), { recursive: true });
    writeFileSync(join(folder, "dist", file), text);
    for (const ending of [".br", ".gz"]) writeFileSync(join(folder, "dist", file + ending), `${ending} of ${name}`);
    return { file, type, tag: createHash("sha256").update(text).digest("base64url").slice(0, 27), compressed: true };
  };
  const html = "text/html; charset=utf-8";
  const pages = Object.entries(PAGES).map(([path, text]) => [path, written(`${path === "" ? "index" : path}.html`, html, text, path)]);
  const script = written("assets/site-abc.js", "text/javascript; charset=utf-8", SCRIPT);
  const files = { ...Object.fromEntries(pages), "assets/site-abc.js": script };
  const notFound = written("not-found.html", html, NOT_FOUND);
  writeFileSync(join(folder, "dist", "site.json"), JSON.stringify({ files, notFound }));
  writeFileSync(join(folder, "secret"), "not of the site");
}

describe("a page", () => {
  test("runs only scripts of this server, loads nothing from elsewhere and cannot be framed", async () => {
    const { statusCode, headers, body } = await get("/docs/guides/start");
    expect([statusCode, body, headers["content-type"]]).toEqual([200, PAGES["guides/start"], "text/html; charset=utf-8"]);
    expect(headers["content-security-policy"]).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; " +
        "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    );
    expect(headers).toMatchObject({ "cache-control": "no-cache", vary: "Accept-Encoding", "x-robots-tag": "noindex" });
  });

  test.each([
    ["br, gzip", "br", ".br of errors"],
    ["gzip", "gzip", ".gz of errors"],
    ["br;q=0, gzip;q=0.5", "gzip", ".gz of errors"],
    ["identity", undefined, PAGES.errors],
  ])("comes compressed as the browser accepts it: %s", async (accepted, encoding, body) => {
    const answer = await get("/docs/errors", { "accept-encoding": accepted });
    expect([answer.headers["content-encoding"], answer.body]).toEqual([encoding, body]);
  });

  test("is 304 for its tag in the same encoding only", async () => {
    const { headers } = await get("/docs/errors", { "accept-encoding": "br" });
    const tag = String(headers.etag);
    const again = await get("/docs/errors", { "accept-encoding": "br", "if-none-match": tag });
    expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, "", tag]);
    expect((await get("/docs/errors", { "accept-encoding": "gzip", "if-none-match": tag })).statusCode).toBe(200);
  });

  test("HEAD has the headers of GET", async () => {
    const { statusCode, headers, body } = await app.inject({ method: "HEAD", url: "/docs/errors" });
    expect([statusCode, headers["content-length"], body]).toEqual([200, String(PAGES.errors.length), ""]);
  });
});

test("an asset, whose name has the hash of its content, is kept for good", async () => {
  expect((await get("/docs/assets/site-abc.js")).headers["cache-control"]).toBe("public, max-age=31536000, immutable");
});

describe("other addresses", () => {
  test.each([
    ["/docs", "/docs/"],
    ["/docs/static/index.html", "/docs/"],
    ["/docs/json", "/docs/openapi.json"],
    ["/docs/guides/start/", "/docs/guides/start"],
    ["/docs/guides/start.html", "/docs/guides/start"],
    ["/docs/index.html", "/docs/"],
  ])("%s leads to %s", async (from, to) => {
    const { statusCode, headers } = await get(from);
    expect([statusCode, headers.location]).toEqual([302, to]);
  });

  test.each([
    "/docs/nothing",
    "/docs/nothing.html",
    "/docs/guides/nothing/",
    "/docs/not-found",
    "/docs//evil.example/",
    "/docs/%2F%2Fevil.example%2F",
    "/docs/assets/%2e%2e%2f%2e%2e%2fsecret",
    "/docs/assets/nothing",
    "/docs/__proto__",
    "/docs/constructor",
  ])("%s is 404 with the page that says so, and reads no other file", async (path) => {
    const { statusCode, headers, body } = await get(path, { "if-none-match": "*" });
    expect([statusCode, headers["x-error-code"], body]).toEqual([404, "not_found", NOT_FOUND]);
    expect(headers).toMatchObject({ "content-type": "text/html; charset=utf-8", "cache-control": "no-cache", "x-robots-tag": "noindex" });
    expect([headers["content-security-policy"]?.slice(0, 18), headers.etag]).toEqual(["default-src 'none'", undefined]);
  });

  test("that page comes compressed too", async () => {
    const { statusCode, headers, body } = await get("/docs/nothing", { "accept-encoding": "br" });
    expect([statusCode, headers["content-encoding"], headers.vary, body]).toEqual([404, "br", "Accept-Encoding", ".br of not-found.html"]);
  });

  test.each(["/docs/site.json", "/docs/errors.html.br", "/docs/guides/nothing.md", "/docs/assets/%2e%2e%2fsite.json"])(
    "%s, a file, is 404 as everywhere else, and reads no file",
    async (path) => {
      const { statusCode, headers, json } = await get(path);
      expect([statusCode, headers["x-error-code"], json().error]).toEqual([404, "not_found", "Not found"]);
    },
  );
});
