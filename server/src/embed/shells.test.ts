import { beforeAll, describe, expect, test } from "vitest";
import { chainOf, sentEnvelope, signerStatuses, statusOf } from "../../test/envelopes.ts";
import { type Answer, type TestOrg, testService } from "../../test/service.ts";
import { BOOT_SCRIPT, hashOf, shell } from "../../test/web.ts";
import { newId } from "../shared/ids.ts";
import { newSlug } from "../shared/slugs.ts";

const pages = { "sign/index.html": shell(), "vault/index.html": shell().replace("Countersign", "Vault") };
const service = testService({ PUBLIC_URL: "https://sign.example.com" }, undefined, { pages });
const local = testService({}, undefined, { pages: { "sign/index.html": shell() } });

const get = (path: string, of = service) => of.send("GET", `/${path}`);
const bootOf = ({ text }: Answer) => JSON.parse(/id="boot">(.*)<\/script>/.exec(text)?.[1] ?? "");
const framersOf = ({ headers }: Answer) => /frame-ancestors ([^;]*);/.exec(headers["content-security-policy"] ?? "")?.[1];
const allow = (org: TestOrg, embed_origins: string[]) => org.admin("PATCH", "/org/settings", { body: { embed_origins } });

let some: TestOrg;
beforeAll(async () => {
  some = await service.newOrg();
});

describe("the page of a widget", () => {
  test("allows only its own scripts, and is never cached", async () => {
    const { envelope_id } = await sentEnvelope(service, some);
    const { status, headers, text } = await get(`/sign/${envelope_id}`);
    expect([status, headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    expect(headers["content-security-policy"]).toBe(
      `default-src 'none'; script-src 'self' '${hashOf(BOOT_SCRIPT)}'; style-src 'self'; img-src 'self' blob:; font-src 'self'; ` +
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    );
    expect(headers).toMatchObject({
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "permissions-policy": expect.stringContaining("camera=(), "),
      "strict-transport-security": "max-age=31536000",
    });
    expect(text).toBe(shell().replace(">null<", '>{"origins":[]}<'));
  });

  test("can be framed by the origins of its organization, and contains them", async () => {
    const org = await service.newOrg();
    const { envelope_id } = await sentEnvelope(service, org);
    const origins = ["https://app.example.com", "https://app.example.com:8443"];
    await allow(org, origins);
    for (const widget of ["sign", "vault"]) {
      const answer = await get(`/${widget}/${envelope_id}`);
      expect([framersOf(answer), bootOf(answer), answer.headers["x-frame-options"]]).toEqual([origins.join(" "), { origins }, undefined]);
    }
    expect((await get(`/vault/${envelope_id}`)).text).toContain("<title>Vault</title>");
    await allow(org, []);
    expect(framersOf(await get(`/sign/${envelope_id}`))).toBe("'none'");
  });

  test("is identical for an unknown id, a malformed one and an organization without origins", async () => {
    const { envelope_id } = await sentEnvelope(service, some);
    const named = [envelope_id, "", newId("envelope"), newId("org"), "x", envelope_id.toUpperCase(), "env_%00", "..%2F..", "%3Cscript%3E"];
    const answers = await Promise.all(named.map((id) => get(`/sign/${id}`)));
    expect(answers.map(({ status }) => status)).toEqual(named.map(() => 200));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    const withoutId = answers.map(({ headers: { "x-request-id": _, date: __, ...headers } }) => JSON.stringify(headers));
    expect(new Set(withoutId).size).toBe(1);
    expect(answers[0]?.headers["x-frame-options"]).toBe("DENY");
  });

  test("in local mode can also be framed from any port of this machine, also for an unknown id", async () => {
    const org = await local.newOrg();
    const { envelope_id } = await sentEnvelope(local, org);
    const origins = ["http://localhost:*", "http://127.0.0.1:*"];
    const [known, unknown] = [await get(`/sign/${envelope_id}`, local), await get(`/sign/${newId("envelope")}`, local)];
    expect([framersOf(known), bootOf(known)]).toEqual([origins.join(" "), { origins }]);
    expect([unknown.text, framersOf(unknown)]).toEqual([known.text, framersOf(known)]);
    expect(known.headers["strict-transport-security"]).toBeUndefined();
    await allow(org, ["http://partner.localhost:4000"]);
    expect(bootOf(await get(`/sign/${envelope_id}`, local)).origins).toEqual(["http://partner.localhost:4000", ...origins]);
  });

  test("that was not built is not found", async () => {
    expect((await get(`/vault/${newId("envelope")}`, local)).status).toBe(404);
    expect((await get("/sign")).status).toBe(404);
    expect((await service.send("POST", `//sign/${newId("envelope")}`)).status).toBe(404);
  });
});

describe("the page of a signing link", () => {
  test("contains the slug and no token, and cannot be framed: the secret after the # of the link is never sent to it", async () => {
    const org = await service.newOrg();
    await allow(org, ["https://app.example.com"]);
    const { signers } = await sentEnvelope(service, org);
    const answer = await get(`/s/${signers[0].slug}`);
    expect([answer.status, bootOf(answer)]).toEqual([200, { origins: [], slug: signers[0].slug }]);
    expect([framersOf(answer), answer.headers["x-frame-options"]]).toEqual(["'none'", "DENY"]);
  });

  test("records and changes nothing, because programs fetch links before people do", async () => {
    const org = await service.newOrg();
    const { envelope_id, signers } = await sentEnvelope(service, org);
    for (const method of ["GET", "GET", "HEAD"]) expect((await service.send(method, `//s/${signers[0].slug}`)).status).toBe(200);
    expect(await chainOf(service, org.org_id, envelope_id)).toEqual([]);
    expect([await statusOf(service, envelope_id), await signerStatuses(service, envelope_id)]).toEqual(["sent", ["pending"]]);
  });

  test("is the same for a slug that exists and one that does not; text that is not a slug is not repeated", async () => {
    const { signers } = await sentEnvelope(service, some, { status: "voided" });
    const unknown = newSlug();
    for (const slug of [signers[0].slug, unknown]) expect(bootOf(await get(`/s/${slug}`))).toEqual({ origins: [], slug });
    for (const nonsense of ["x", "%3C%2Fscript%3E", "%00", unknown.toUpperCase()]) {
      const answer = await get(`/s/${nonsense}`);
      expect([answer.status, bootOf(answer)]).toEqual([200, { origins: [], slug: null }]);
    }
  });
});
