import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { testService } from "./service.ts";

const service = testService();

describe("the page behind set-up, invitation and reset links", () => {
  test.each(["//console/setup", "//console/invite", "//console/reset"])(
    "%s admits exactly its own script and style, and cannot be framed",
    async (path) => {
      const { status, text, headers } = await service.send("GET", path);
      expect([status, headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
      const hash = (tag: string) =>
        createHash("sha256")
          .update(new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(text)?.[1] ?? "")
          .digest("base64");
      const policy = headers["content-security-policy"] ?? "";
      expect(policy).toContain(`script-src 'sha256-${hash("script")}';`);
      expect(policy).toContain(`style-src 'sha256-${hash("style")}';`);
      for (const rule of ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "trusted-types 'none'"])
        expect(policy).toContain(rule);
      expect(headers).toMatchObject({ "cache-control": "no-store", "referrer-policy": "no-referrer", "x-frame-options": "DENY" });
      expect(text).not.toMatch(/(src|href)="(https?:)?\/\//);
    },
  );
});

describe("the API reference", () => {
  test("is served with its assets from this server alone", async () => {
    const page = await service.send("GET", "//docs");
    expect(page.status).toBe(200);
    const assets = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address ?? "");
    expect(assets.length).toBeGreaterThan(3);
    for (const address of assets) {
      expect(address).not.toMatch(/^(https?:)?\/\//);
      expect((await service.send("GET", `/${new URL(address, "http://x/docs/").pathname}`)).status, address).toBe(200);
    }
  });

  test("is where the root leads", async () => {
    expect(await service.send("GET", "//")).toMatchObject({ status: 302, headers: { location: "/docs" } });
  });
});
