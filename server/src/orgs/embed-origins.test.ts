import { beforeAll, describe, expect, test } from "vitest";
import { type TestOrg, testService } from "../../test/service.ts";

const change = (org: TestOrg, embed_origins: string[]) => org.admin("PATCH", "/org/settings", { body: { embed_origins } });

const invalid = (field: string, code: string, message: string) => ({
  error: "Validation failed",
  details: [{ location: "body", field, code, message }],
});
const notExact = "must be an exact origin such as https://app.example.com, without path or wildcard";

describe("embed_origins in local mode", () => {
  const service = testService();
  let org: TestOrg;
  beforeAll(async () => {
    org = await service.newOrg();
  });

  test.each([
    "https://app.example.com/",
    "https://app.example.com/path",
    "https://app.example.com?x=1",
    "https://*.example.com",
    "*",
    "https://App.example.com",
    "https://app.example.com:443",
    "https://user@app.example.com",
    "http://app.example.com",
    "javascript:alert(1)",
    "app.example.com",
    "null",
    "https://a;sandbox",
    "https://a,b",
    "https://'self'",
    "",
  ])("reject values that are not exact https origins: %j", async (origin) => {
    const { status, json } = await change(org, ["https://good.example.com", origin]);
    expect([status, json]).toEqual([422, invalid("embed_origins[1]", "invalid_format", notExact)]);
    expect((await org.admin("GET", "/org/settings")).json.data.embed_origins).toEqual([]);
  });

  test("reject duplicates", async () => {
    const { status, json } = await change(org, ["https://a.example.com", "https://a.example.com"]);
    expect([status, json]).toEqual([422, invalid("embed_origins", "duplicate", "must not repeat a value")]);
  });

  test("accept loopback addresses without https", async () => {
    const embed_origins = [
      "http://localhost:5173",
      "http://app.localhost",
      "http://127.0.0.1:8080",
      "http://127.0.0.2",
      "http://[::1]:3000",
    ];
    const { status, json } = await change(await service.newOrg(), embed_origins);
    expect([status, json.data.embed_origins]).toEqual([200, embed_origins]);
  });
});

describe("embed_origins outside local mode", () => {
  const service = testService({ PUBLIC_URL: "https://sign.example.com" });

  test("reject addresses without https, also loopback", async () => {
    const org = await service.newOrg();
    for (const origin of ["http://localhost:5173", "http://127.0.0.1:8080", "http://app.example.com"]) {
      const { status, json } = await change(org, [origin]);
      expect([status, json]).toEqual([422, invalid("embed_origins[0]", "invalid_format", notExact)]);
    }
    const { status, json } = await change(org, ["https://localhost:5173"]);
    expect([status, json.data.embed_origins]).toEqual([200, ["https://localhost:5173"]]);
  });
});
