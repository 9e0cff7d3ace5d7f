import { describe, expect, test } from "vitest";
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

describe("the API reference", () => {
  test("is served with its assets from this server only", async () => {
    const page = await service.send("GET", "//docs");
    expect(page.status).toBe(200);
    const assets = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address ?? "");
    expect(assets.length).toBeGreaterThan(3);
    for (const address of assets) {
      expect(address).not.toMatch(/^(https?:)?\/\//);
      expect((await service.send("GET", `/${new URL(address, "http://x/docs/").pathname}`)).status, address).toBe(200);
    }
  });
});
