import { beforeAll, describe, expect, test } from "vitest";
import { chainOf, endedAs, page, sentEnvelope, signerStatuses, statusOf } from "../../test/envelopes.ts";
import { type Answer, type TestOrg, testService } from "../../test/service.ts";
import { BOOT_SCRIPT, hashOf, shell } from "../../test/web.ts";
import { REFUSALS_PER_MINUTE } from "../http/quota.ts";
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
  test("admits its own scripts and nothing else, and is kept by nobody", async () => {
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

  test("may be framed by the origins that its organization names, and knows them", async () => {
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

  test("is the same, byte for byte, for an unknown id, a malformed one and an organization that named nobody", async () => {
    const { envelope_id } = await sentEnvelope(service, some);
    const named = [envelope_id, "", newId("envelope"), newId("org"), "x", envelope_id.toUpperCase(), "env_%00", "..%2F..", "%3Cscript%3E"];
    const answers = await Promise.all(named.map((id) => get(`/sign/${id}`)));
    expect(answers.map(({ status }) => status)).toEqual(named.map(() => 200));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    const withoutId = answers.map(({ headers: { "x-request-id": _, date: __, ...headers } }) => JSON.stringify(headers));
    expect(new Set(withoutId).size).toBe(1);
    expect(answers[0]?.headers["x-frame-options"]).toBe("DENY");
  });

  test("in local mode may also be framed from any port of this machine, also for an unknown id", async () => {
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

  test("that was not built is not there", async () => {
    expect((await get(`/vault/${newId("envelope")}`, local)).status).toBe(404);
    expect((await get("/sign")).status).toBe(404);
    expect((await service.send("POST", `//sign/${newId("envelope")}`)).status).toBe(404);
  });
});

describe("the page of a mail's link", () => {
  test("holds a token that opens the envelope as its signer, and cannot be framed", async () => {
    const org = await service.newOrg();
    await allow(org, ["https://app.example.com"]);
    const { envelope_id, signers } = await sentEnvelope(service, org);
    const answer = await get(`/s/${signers[0].slug}`);
    const boot = bootOf(answer);
    expect([answer.status, boot]).toEqual([
      200,
      {
        origins: [],
        envelope_id,
        token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
        expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/),
        slug: signers[0].slug,
      },
    ]);
    expect([framersOf(answer), answer.headers["x-frame-options"]]).toEqual(["'none'", "DENY"]);
    const opened = await page(service, boot.token)("GET", `/embed/sign/${envelope_id}`);
    expect(opened.json.data.you).toMatchObject({ email: "ann@example.com", mode: "sign" });
  });

  test("records and moves nothing: programs fetch links before people do", async () => {
    const org = await service.newOrg();
    const { envelope_id, signers } = await sentEnvelope(service, org);
    for (const method of ["GET", "GET", "HEAD"]) expect((await service.send(method, `//s/${signers[0].slug}`)).status).toBe(200);
    expect(await chainOf(service, org.org_id, envelope_id)).toEqual([]);
    expect([await statusOf(service, envelope_id), await signerStatuses(service, envelope_id)]).toEqual(["sent", ["pending"]]);
  });

  test.each(["voided", "declined", "expired"] as const)("of an envelope that is %s says so at once, and holds no token", async (status) => {
    const { signers } = await sentEnvelope(service, some, { status });
    const answer = await get(`/s/${signers[0].slug}`);
    expect([answer.status, bootOf(answer)]).toEqual([
      200,
      { origins: [], envelope_id: null, token: null, expires_at: null, slug: signers[0].slug, problem: status },
    ]);
  });

  test("of an envelope whose time is over says so, though the sweep has not come; once all have signed it opens for the copy", async () => {
    const late = await sentEnvelope(service, some, { expires_at: new Date(Date.now() - 1) });
    expect(bootOf(await get(`/s/${late.signers[0].slug}`)).problem).toBe("expired");
    const done = await sentEnvelope(service, some, { status: "completed" });
    expect(bootOf(await get(`/s/${done.signers[0].slug}`))).toMatchObject({ envelope_id: done.envelope_id, token: expect.any(String) });
  });

  test("that is nobody's is 200 and says that it is not valid; what is no slug is not repeated", async () => {
    const unknown = newSlug();
    const nothing = { origins: [], envelope_id: null, token: null, expires_at: null, problem: "link_not_found" };
    expect(bootOf(await get(`/s/${unknown}`))).toEqual({ ...nothing, slug: unknown });
    for (const nonsense of ["x", "%3C%2Fscript%3E", "%00", unknown.toUpperCase()]) {
      const answer = await get(`/s/${nonsense}`);
      expect([answer.status, bootOf(answer)]).toEqual([200, { ...nothing, slug: null }]);
    }
  });

  test("counts with the tokens that are asked for: over twenty in a minute it is 429, and the page says so", async () => {
    const { envelope_id, signers } = await sentEnvelope(service, some);
    const { slug } = signers[0];
    for (let n = 0; n < 10; n++) {
      expect((await get(`/s/${slug}`)).status).toBe(200);
      expect((await service.send("POST", `/embed/links/${slug}/token`)).status).toBe(200);
    }
    const answer = await get(`/s/${slug}`);
    expect([answer.status, answer.headers["retry-after"], bootOf(answer)]).toEqual([
      429,
      "60",
      { origins: [], envelope_id: null, token: null, expires_at: null, slug, problem: "rate_limited" },
    ]);
    expect((await service.send("POST", `/embed/links/${slug}/token`)).status).toBe(429);
    expect(await statusOf(service, envelope_id)).toBe("sent");
  });

  test("that was corrected leads nowhere, and its token died with it", async () => {
    const org = await service.newOrg();
    const { envelope_id, signers } = await sentEnvelope(service, org);
    const { token } = bootOf(await get(`/s/${signers[0].slug}`));
    await service.database.owner("update signers set slug = $2, email = 'new@example.com' where slug = $1", [signers[0].slug, newSlug()]);
    expect((await page(service, token)("GET", `/embed/sign/${envelope_id}`)).status).toBe(401);
    expect(bootOf(await get(`/s/${signers[0].slug}`))).toMatchObject({ envelope_id: null, token: null });
  });

  test("holds a token that dies with the envelope", async () => {
    const { envelope_id, signers } = await sentEnvelope(service, some);
    const { token } = bootOf(await get(`/s/${signers[0].slug}`));
    await service.database.owner("update envelopes set status = 'voided' where envelope_id = $1", [envelope_id]);
    expect(endedAs(await page(service, token)("GET", `/embed/sign/${envelope_id}`))).toEqual([409, "voided"]);
  });
});

test("text that a page is told cannot end its block", async () => {
  const { envelope_id } = await sentEnvelope(service, some);
  await service.database.owner("update org_settings set embed_origins = array['</script><b>'] where org_id = $1", [some.org_id]);
  const answer = await get(`/sign/${envelope_id}`);
  await service.database.owner("update org_settings set embed_origins = '{}' where org_id = $1", [some.org_id]);
  expect([bootOf(answer).origins, answer.text.includes("</script><b>")]).toEqual([["</script><b>"], false]);
});

// Last: this address is known for it from then on.
test("a guessed link counts like a guessed key, and a true one opens all the same", async () => {
  const { signers } = await sentEnvelope(service, some);
  await service.database.owner("delete from quotas where subject like 'refused:%'");
  const statuses: number[] = [];
  for (let n = 0; n <= REFUSALS_PER_MINUTE; n++) statuses.push((await get(`/s/${newSlug()}`)).status);
  expect([statuses.slice(0, -1).every((status) => status === 200), statuses.at(-1)]).toEqual([true, 429]);
  expect(bootOf(await get("/s/x")).problem).toBe("rate_limited");
  expect((await service.send("POST", `/embed/links/${newSlug()}/token`)).status).toBe(429);
  expect((await get(`/s/${signers[0].slug}`)).status).toBe(200);
});
