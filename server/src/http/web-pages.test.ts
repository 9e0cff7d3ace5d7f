import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { client } from "../../test/client.ts";
import { mailedSecret, sentEnvelope } from "../../test/envelopes.ts";
import { refusalText } from "../../test/refused-with.ts";
import { testService } from "../../test/service.ts";
import { BOOT_SCRIPT, EMBED_SCRIPT, hashOf, SCRIPT, shell, VERIFIER, VERIFIER_POLICY, writeWeb } from "../../test/web.ts";
import { newId } from "../shared/ids.ts";
import { newSlug } from "../shared/slugs.ts";
import { readBuiltWeb } from "./built-web.ts";

const built = { pages: { "sign/index.html": shell(), "console/index.html": shell(), "party/index.html": shell() } };
const service = testService({}, undefined, built);
const get = (path: string, headers: Record<string, string> = {}) => service.send("GET", `/${path}`, { headers });

describe("/assets", () => {
  test("are cached permanently, in the encoding that the browser accepts", async () => {
    for (const [accepted, encoding, read] of [
      ["br, gzip", "br", brotliDecompressSync],
      ["gzip, deflate", "gzip", gunzipSync],
      ["GZIP;q=1.0, br;q=0", "gzip", gunzipSync],
      ["deflate", undefined, (bytes: Buffer) => bytes],
      ["", undefined, (bytes: Buffer) => bytes],
    ] as const) {
      const { status, headers, bytes } = await get("/assets/sign-abc.js", accepted === "" ? {} : { "accept-encoding": accepted });
      expect([status, headers["content-encoding"]], accepted).toEqual([200, encoding]);
      expect(read(bytes).toString()).toBe(SCRIPT);
      expect(headers).toMatchObject({
        "cache-control": "public, max-age=31536000, immutable",
        vary: "Accept-Encoding",
        "content-type": "text/javascript; charset=utf-8",
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "permissions-policy": expect.stringContaining("microphone=()"),
      });
    }
  });

  test("have the type of their extension, and are sent uncompressed if no compressed file was built", async () => {
    const types = await Promise.all(
      ["sign-abc.css", "mark-abc.svg", "mark-abc.png", "caveat-abc.ttf", "caveat-abc.woff2"].map(async (name) => {
        const { headers } = await get(`/assets/${name}`, { "accept-encoding": "br" });
        return [headers["content-type"], headers["content-encoding"]];
      }),
    );
    expect(types).toEqual([
      ["text/css; charset=utf-8", "br"],
      ["image/svg+xml", "br"],
      ["image/png", undefined],
      ["font/ttf", undefined],
      ["font/woff2", undefined],
    ]);
  });

  test.each([
    "/assets/",
    "/assets/x.js",
    "/assets/..%2Fcsp.json",
    "/assets/%2e%2e/csp.json",
    "/assets/sign-abc.js.br",
    "/assets/__proto__",
    "/csp.json",
  ])("%s is 404, because only files of the build are served", async (path) => {
    const { status, headers } = await get(path);
    expect([status, headers["cache-control"]]).toEqual([404, "no-store"]);
  });
});

describe("/embed.js", () => {
  test("can be loaded as a module by any page, is revalidated every hour, and is 304 if unchanged", async () => {
    const first = await get("/embed.js", { "accept-encoding": "br" });
    expect([first.status, brotliDecompressSync(first.bytes).toString()]).toEqual([200, EMBED_SCRIPT]);
    expect(first.headers).toMatchObject({
      "cross-origin-resource-policy": "cross-origin",
      "access-control-allow-origin": "*",
      "cache-control": "public, max-age=3600",
      "content-type": "text/javascript; charset=utf-8",
      vary: "Accept-Encoding",
    });
    const { etag = "" } = first.headers;
    const known = await get("/embed.js", { "accept-encoding": "br", "if-none-match": `"x", W/${etag}` });
    expect([known.status, known.text, known.headers.etag]).toEqual([304, "", etag]);
    const plain = await get("/embed.js", { "if-none-match": etag });
    expect([plain.status, plain.text], "other bytes have another tag").toEqual([200, EMBED_SCRIPT]);
  });
});

describe("/verify/", () => {
  test("is public, with the policy that the page declares for itself, and cannot be framed", async () => {
    for (const path of ["/verify/", "/verify"]) {
      const { status, headers, bytes } = await get(path, { "accept-encoding": "br" });
      expect([status, brotliDecompressSync(bytes).toString()]).toEqual([200, VERIFIER]);
      expect(headers).toMatchObject({
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": `${VERIFIER_POLICY}; frame-ancestors 'none'`,
        "cache-control": "public, max-age=3600",
        "x-frame-options": "DENY",
      });
      expect((await get(path, { "accept-encoding": "br", "if-none-match": headers.etag ?? "" })).status).toBe(304);
    }
  });
});

describe("a build that", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "countersign-web-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test("is incomplete is refused at the start with a sentence that says what to do", () => {
    expect(() => readBuiltWeb(join(folder, "nowhere"))).toThrow("The pages are not built (csp.json is missing). Run: npm run build");
    writeWeb(folder, { policies: {} });
    expect(() => readBuiltWeb(folder)).toThrow("The signing page is not built. Run: npm run build");
    writeWeb(folder);
    rmSync(join(folder, "embed.js"));
    expect(() => readBuiltWeb(folder)).toThrow("(embed.js) is not built. Run: npm run build");
  });

  test.each([
    ["of another build", shell("other()"), [hashOf(BOOT_SCRIPT)]],
    ["that the policy does not name", shell().replace("</html>", "<script defer>more()</script></html>"), [hashOf(BOOT_SCRIPT)]],
    ["that no longer exists", shell().replace(`<script>${BOOT_SCRIPT}</script>`, ""), [hashOf(BOOT_SCRIPT)]],
    ["that csp.json does not list", shell(), []],
  ])("has a script %s is refused", (_name, html, hashes) => {
    writeWeb(folder, { pages: { "sign/index.html": html }, policies: { "sign/index.html": hashes } });
    expect(() => readBuiltWeb(folder)).toThrow("csp.json does not list exactly the inline scripts of sign/index.html");
  });

  test("has a page without a boot block, or with two, is refused", () => {
    const block = '<script type="application/json" id="boot">null</script>';
    for (const html of [shell().replace(block, ""), shell().replace(block, block + block)]) {
      writeWeb(folder, { pages: { "sign/index.html": html } });
      expect(() => readBuiltWeb(folder)).toThrow("sign/index.html must have one empty boot block");
    }
  });

  test("has a verifier without a policy is refused", () => {
    writeWeb(folder);
    writeFileSync(join(folder, "verify.html"), "<!doctype html>");
    expect(() => readBuiltWeb(folder)).toThrow("The verifier declares no policy. Run: npm run build");
  });

  test("was read at the start is served even if the folder changes", () => {
    const web = readBuiltWeb(writeWeb(folder));
    writeFileSync(join(folder, "assets/late.js"), "");
    expect([...web.assets.keys()].sort()).toEqual([
      "caveat-abc.ttf",
      "caveat-abc.woff2",
      "mark-abc.png",
      "mark-abc.svg",
      "sign-abc.css",
      "sign-abc.js",
    ]);
  });
});

describe("widgets on a separate host", () => {
  const apart = testService({ PUBLIC_URL: "https://console.example.com", EMBED_URL: "https://sign.example.com" }, undefined, built);
  const on = (host: string) => client(apart.url, { host });
  const shells = () => [`//sign/${newId("envelope")}`, `//s/${newSlug()}`];
  const files = ["//assets/sign-abc.js", "//embed.js", "//healthz", "//readyz"];
  const others = [
    "//",
    "//docs",
    "//docs/",
    "//docs/static/index.css",
    "//docs/openapi.json",
    "//console/setup",
    "/openapi.json",
    "/org/settings",
    "/partner/envelopes",
    "/auth/me",
    "//nowhere",
  ];
  const statuses = (host: string, paths: readonly string[], method = "GET") =>
    Promise.all(paths.map(async (path) => (await on(host)(method, path)).status));

  test("serve their pages only there", async () => {
    expect(await statuses("sign.example.com", shells())).toEqual([200, 200]);
    expect(await statuses("SIGN.example.com:443", shells())).toEqual([200, 200]);
    for (const host of ["console.example.com", "10.0.0.1", "sign.example.com.evil.test", "other.sign.example.com"]) {
      expect(await statuses(host, shells()), host).toEqual([404, 404]);
    }
  });

  test("share static files and health checks with the other host", async () => {
    for (const host of ["sign.example.com", "console.example.com"]) expect(await statuses(host, files)).toEqual([200, 200, 200, 200]);
  });

  test("serve nothing else there, with any method", async () => {
    for (const method of ["GET", "HEAD", "POST", "PUT"]) {
      expect(await statuses("sign.example.com", others, method), method).toEqual(others.map(() => 404));
    }
    expect(await statuses("sign.example.com", ["/embed/token", "/auth/login", "/setup", "/auth/refresh"], "POST")).toEqual([
      404, 404, 404, 404,
    ]);
    const missing = await on("sign.example.com")("GET", "/org/settings");
    expect([missing.text, missing.headers["cache-control"]]).toEqual([refusalText("Not found"), "no-store"]);
    expect(await statuses("console.example.com", ["//", "//console/setup", "/org/settings"])).toEqual([302, 200, 401]);
  });

  test("can call the API for widgets there", async () => {
    const org = await apart.newOrg();
    const { envelope_id, signers } = await sentEnvelope(apart, org);
    const send = on("sign.example.com");
    const { status, json } = await send("POST", `/embed/links/${signers[0].slug}/token`, {
      body: { secret: await mailedSecret(apart, signers[0].slug) },
    });
    expect(status).toBe(200);
    const headers = { authorization: `Bearer ${json.data.token}`, "x-signing-session": "0".repeat(32) };
    expect((await send("GET", `/embed/sign/${envelope_id}`, { headers })).status).toBe(200);
    expect((await send("GET", `/embed/sign/${envelope_id}/pages/1`, { headers })).status).toBe(200);
    expect((await send("GET", `/embed/sign/${envelope_id}`)).status).toBe(401);
    expect((await send("DELETE", `/embed/sign/${envelope_id}`)).status).toBe(405);
    expect((await on("console.example.com")("GET", `/embed/sign/${envelope_id}`, { headers })).status).toBe(200);
  });

  test("have the same security headers as everything else", async () => {
    for (const path of [...shells(), ...files, ...others]) {
      const { headers } = await on("sign.example.com")("GET", path);
      expect(headers, path).toMatchObject({
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff",
        "permissions-policy": expect.stringMatching(/^accelerometer=\(\), .*geolocation=\(\)/),
        "strict-transport-security": "max-age=31536000",
      });
    }
  });
});

describe("/p/", () => {
  test("is one page, which may use passkeys as the console may; what is below it stays 404, and signing pages may not use them", async () => {
    for (const path of ["/p", "/p/"]) {
      const { status, headers, bytes } = await get(path);
      expect([status, headers["content-type"]], path).toEqual([200, "text/html; charset=utf-8"]);
      expect(bytes.toString()).toContain('<script type="application/json" id="boot">{}</script>');
      expect(headers["permissions-policy"]).toContain("publickey-credentials-get=(self)");
      expect(headers["permissions-policy"]).toContain("publickey-credentials-create=(self)");
      expect(headers["permissions-policy"]).toContain("camera=()");
      expect(headers["content-security-policy"]).toContain("frame-ancestors 'none'");
      expect(headers["cross-origin-opener-policy"]).toBe("same-origin");
    }
    for (const path of ["/p/acts", "/p/api", "/p/api/unknown"]) expect((await get(path)).status, path).toBe(404);
    expect((await get("/p/api/session/passkey")).status).toBe(405);
    expect((await get("/console/")).headers["permissions-policy"]).toContain("publickey-credentials-get=(self)");
    expect((await get(`/sign/${newId("envelope")}`)).headers["permissions-policy"]).toContain("publickey-credentials-get=()");
  });
});
