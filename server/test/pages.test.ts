import { describe, expect, test } from "vitest";
import { downloads } from "../../site/pages.mjs";
import { testService } from "./service.ts";

const service = testService();

describe("the console", () => {
  test.each(["//console", "//console/", "//console/setup", "//console/envelopes/new"])(
    "%s is one page, which loads only its own files and cannot be framed",
    async (path) => {
      const { status, text, headers } = await service.send("GET", path);
      expect([status, headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
      const policy = headers["content-security-policy"] ?? "";
      for (const rule of ["default-src 'none'", "script-src 'self';", "style-src 'self'", "frame-ancestors 'none'", "trusted-types 'none'"])
        expect(policy).toContain(rule);
      expect(headers).toMatchObject({
        "cache-control": "no-store",
        "referrer-policy": "no-referrer",
        "x-frame-options": "DENY",
        "cross-origin-opener-policy": "same-origin",
      });
      expect(text).not.toMatch(/(src|href)="(https?:)?\/\//);
      expect(text).toContain('<script type="application/json" id="boot">{"mail":"outbox"');
    },
  );

  test("is where the root redirects to", async () => {
    expect(await service.send("GET", "//")).toMatchObject({ status: 302, headers: { location: "/console/" } });
  });
});

describe("the documentation", () => {
  test("is served with its style sheet and script, from this server only", async () => {
    expect(await service.send("GET", "//docs")).toMatchObject({ status: 302, headers: { location: "/docs/" } });
    const page = await service.send("GET", "//docs/");
    expect([page.status, page.headers["cache-control"]]).toEqual([200, "no-cache"]);
    expect(page.headers["content-security-policy"]).toMatch(/^default-src 'none'; script-src 'self'; /);
    const assets = [...page.text.matchAll(/(?:src|href)="(assets\/[^"]+)"/g)].map(([, address = ""]) => address);
    expect(assets.map((address) => address.split(".").at(-1)).sort()).toEqual(["css", "js", "svg"]);
    for (const address of assets) {
      const { status, headers } = await service.send("GET", `//docs/${address}`);
      expect([status, headers["cache-control"]], address).toEqual([200, "public, max-age=31536000, immutable"]);
    }
  });

  test("has a page for a resource and for an error code, what programs read, and the downloads", async () => {
    for (const path of ["reference/envelopes", "errors/envelope_not_found", "llms.txt", "postman.json", "changelog.atom"])
      expect((await service.send("GET", `//docs/${path}`)).status, path).toBe(200);
    for (const name of Object.keys(downloads)) expect((await service.send("GET", `//docs/downloads/${name}`)).status, name).toBe(200);
    expect((await service.send("GET", "//docs/openapi.json")).json).toEqual((await service.send("GET", "/openapi.json")).json);
  });
});
