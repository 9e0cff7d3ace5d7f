import { beforeAll, describe, expect, test } from "vitest";
import { chainOf, endedAs, linkTokenFor, mailedSecret, page, sentEnvelope, statusOf } from "../../test/envelopes.ts";
import { refusalText } from "../../test/refused-with.ts";
import { type TestOrg, testService } from "../../test/service.ts";
import { REFUSALS_PER_MINUTE } from "../http/quota.ts";
import { newSlug, type Slug } from "../shared/slugs.ts";
import { newLinkSecret } from "../signing/link-store.ts";

const service = testService();

const askWith = (slug: string, secret: string | null) =>
  service.send("POST", `/embed/links/${slug}/token`, { body: secret === null ? {} : { secret } });
/** with the secret of an e-mail */
const ask = async (slug: Slug) => askWith(slug, await mailedSecret(service, slug));
const forgetRefusals = () => service.database.owner("delete from quotas where subject like 'refused:%'");

let some: TestOrg;
beforeAll(async () => {
  some = await service.newOrg();
});

describe("POST /embed/links/:slug/token", () => {
  test("returns envelope, token and expiry to the holder of the link, and records it in the chain", async () => {
    const org = await service.newOrg();
    const { envelope_id, signers } = await sentEnvelope(service, org);
    const { slug } = signers[0];
    const { status, json } = await ask(slug);
    expect([status, json]).toEqual([
      200,
      {
        data: {
          envelope_id,
          token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
          expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/),
        },
      },
    ]);
    expect(await chainOf(service, org.org_id, envelope_id)).toEqual([
      {
        type: "token.minted",
        actor: { kind: "signer", id: slug },
        data: { widget: "sign", user_email: "ann@example.com", by: slug, token_sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
      },
    ]);
    expect(await statusOf(service, envelope_id), "fetching a link is not opening it").toBe("sent");
  });

  test("opens the envelope as the signer", async () => {
    const org = await service.newOrg();
    const { envelope_id, signers } = await sentEnvelope(service, org);
    const open = page(service, await linkTokenFor(service, signers[0].slug));
    expect((await open("GET", `/embed/sign/${envelope_id}`)).json.data.you).toMatchObject({ email: "ann@example.com", mode: "sign" });
  });

  test("returns the same bytes for an unknown slug, a slug without its secret, a wrong secret and nonsense", async () => {
    const { signers } = await sentEnvelope(service, some);
    const { slug } = signers[0];
    const spelled = [newSlug(), `${slug}0`, "x", "%00", "..%2F..", `A${slug.slice(1)}`];
    const secret = await mailedSecret(service, slug);
    const secrets = [null, "", slug, newLinkSecret(), secret.toUpperCase(), `${secret}0`];
    const answers = await Promise.all([...spelled.map((one) => askWith(one, secret)), ...secrets.map((one) => askWith(slug, one))]);
    expect(answers.map(({ status }) => status)).toEqual([...spelled, ...secrets].map(() => 404));
    expect(new Set(answers.map(({ text }) => text))).toEqual(
      new Set([refusalText("This link is not valid, or is no longer valid", "path", "slug")]),
    );
  });

  test.each(["voided", "declined", "expired"] as const)("returns 409 with that code for an envelope that is %s", async (status) => {
    const { envelope_id, signers } = await sentEnvelope(service, some, { status });
    const answer = await ask(signers[0].slug);
    expect([endedAs(answer), answer.json.error]).toEqual([[409, status], "This document can no longer be signed"]);
    expect(await statusOf(service, envelope_id)).toBe(status);
  });

  test("returns 409 for an envelope that has expired, even before the sweep has run", async () => {
    const { signers } = await sentEnvelope(service, some, { expires_at: new Date(Date.now() - 1) });
    expect(endedAs(await ask(signers[0].slug))).toEqual([409, "expired"]);
  });

  test.each(["completed", "vaulted"] as const)("works for an envelope that is %s: its signers return for their copy", async (status) => {
    const { signers } = await sentEnvelope(service, some, { status });
    expect((await ask(signers[0].slug)).status).toBe(200);
  });

  test("stops working when the signer is corrected, and so do the tokens it returned", async () => {
    const org = await service.newOrg();
    const { envelope_id, signers } = await sentEnvelope(service, org);
    const { slug } = signers[0];
    const secret = await mailedSecret(service, slug);
    const open = page(service, await linkTokenFor(service, slug, secret));
    const corrected = newSlug();
    await service.database.owner("update signers set email = 'sam@example.com', slug = $2 where slug = $1", [slug, corrected]);
    await forgetRefusals();
    expect((await askWith(slug, secret)).status).toBe(404);
    expect((await open("GET", `/embed/sign/${envelope_id}`)).status).toBe(401);
    expect((await ask(corrected)).status).toBe(200);
  });

  test("counts unknown slugs per address like refused keys; a valid one is never refused because of that", async () => {
    await forgetRefusals();
    const { signers } = await sentEnvelope(service, some);
    const answers = await Promise.all(Array.from({ length: REFUSALS_PER_MINUTE + 5 }, () => askWith(newSlug(), newLinkSecret())));
    const count = (wanted: number) => answers.filter(({ status }) => status === wanted).length;
    expect([count(404), count(429)]).toEqual([REFUSALS_PER_MINUTE, 5]);
    const refused = await askWith(newSlug(), newLinkSecret());
    expect([refused.status, refused.json, refused.headers["retry-after"]]).toEqual([429, { error: "Rate limit exceeded" }, "60"]);
    expect((await ask(signers[0].slug)).status).toBe(200);
    await forgetRefusals();
  });

  test("returns at most 20 tokens per minute and link, so that the envelope's chain cannot be filled up", async () => {
    const org = await service.newOrg();
    const { envelope_id, signers } = await sentEnvelope(service, org);
    const secret = await mailedSecret(service, signers[0].slug);
    const answers = await Promise.all(Array.from({ length: 25 }, () => askWith(signers[0].slug, secret)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(5);
    expect(await chainOf(service, org.org_id, envelope_id)).toHaveLength(20);
  });
});
