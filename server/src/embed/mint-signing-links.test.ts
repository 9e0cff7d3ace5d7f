import { decodeJwt } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { onePage } from "../../../pdf/fixtures/pages.ts";
import { writePdf } from "../../../pdf/fixtures/writer.ts";
import { client } from "../../test/client.ts";
import { chainOf, page, sentEnvelope, setSigner, statusOf, voidEnvelope } from "../../test/envelopes.ts";
import { form } from "../../test/form.ts";
import { accept, invite, newEmail } from "../../test/invitations.ts";
import { refusedWith } from "../../test/refused-with.ts";
import { type TestOrg, testService } from "../../test/service.ts";
import { statuses } from "../envelopes/envelope.ts";

const service = testService();

const links = (id: string) => `/partner/envelopes/${id}/signing-links`;
const signersOf = (id: string) => `/partner/envelopes/${id}/signers`;

let some: TestOrg;
beforeAll(async () => {
  some = await service.newOrg();
});

describe("GET /partner/envelopes/:id/signing-links", () => {
  test("returns e-mail, name, slug, URL and status of each signer in their order, and nothing else", async () => {
    const org = await service.newOrg();
    const { envelope_id, signers } = await sentEnvelope(service, org, { signers: ["sam@example.com", "ann@example.com"] });
    await setSigner(service, signers[0].slug, "signed");
    const key = await org.newKey({ scopes: ["envelopes:read"] });
    const { status, json } = await key.send("GET", links(envelope_id));
    const address = expect.stringMatching(new RegExp(`^${service.config.embedUrl}/sign/${envelope_id}#token=[\\w.-]+$`));
    expect([status, json]).toEqual([
      200,
      {
        data: {
          signers: [
            { email: "sam@example.com", name: "Sam", slug: signers[0].slug, embed_url: address, status: "signed" },
            { email: "ann@example.com", name: "Ann", slug: signers[1]?.slug, embed_url: address, status: "pending" },
          ],
        },
      },
    ]);
  });

  test("a URL has the language that was chosen for its signer, or none", async () => {
    const org = await service.newOrg();
    const { envelope_id, signers } = await sentEnvelope(service, org, { signers: ["ann@example.com", "sam@example.com"] });
    await service.database.owner("update signers set locale = 'de' where slug = $1", [signers[0].slug]);
    const { json } = await org.admin("GET", links(envelope_id));
    const addresses = json.data.signers.map(({ embed_url }: { embed_url: string }) => embed_url.split("#")[0]);
    const page = `${service.config.embedUrl}/sign/${envelope_id}`;
    expect(addresses).toEqual([`${page}?lang=de`, page]);
  });

  test("each URL opens the envelope as its signer", async () => {
    const org = await service.newOrg();
    const { envelope_id } = await sentEnvelope(service, org, { signers: ["ann@example.com", "sam@example.com"], order: "parallel" });
    const { json } = await org.admin("GET", links(envelope_id));
    for (const { email, embed_url } of json.data.signers) {
      const token = embed_url.split("#token=")[1];
      expect(decodeJwt(token).userEmail).toBe(email);
      expect((await page(service, token)("GET", `/embed/sign/${envelope_id}`)).json.data.you).toMatchObject({ email, mode: "sign" });
    }
  });

  test("creates and records new tokens on every call; responses are never cached, and HEAD is refused", async () => {
    const org = await service.newOrg();
    const { envelope_id } = await sentEnvelope(service, org, { signers: ["ann@example.com", "sam@example.com"] });
    const first = await org.admin("GET", links(envelope_id));
    expect([first.headers.etag, first.headers["cache-control"]]).toEqual([undefined, "no-store"]);
    const second = await org.admin("GET", links(envelope_id), { headers: { "if-none-match": "*" } });
    expect(second.status).toBe(200);
    const head = await org.admin("HEAD", links(envelope_id));
    expect([head.status, head.headers.allow]).toEqual([405, "GET"]);
    const by = { type: "token.minted", actor: { kind: "user", id: org.user_id } };
    const [ann, sam] = ["ann@example.com", "sam@example.com"].map((user_email) => ({
      ...by,
      data: { widget: "sign", user_email, by: org.user_id, token_sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    }));
    expect(await chainOf(service, org.org_id, envelope_id)).toEqual([ann, sam, ann, sam]);
  });

  test.each(statuses)("of an envelope that is %s: links only while it can be signed, otherwise nothing is recorded", async (status) => {
    const { envelope_id } = await sentEnvelope(service, some, { status });
    const answer = await some.admin("GET", links(envelope_id));
    if (status === "sent" || status === "viewed") return expect(answer.status).toBe(200);
    expect([answer.status, answer.json]).toEqual([409, refusedWith(`The envelope is ${status}, which does not allow this`)]);
    expect(await chainOf(service, some.org_id, envelope_id)).toEqual([]);
  });

  test("of an expired envelope are refused even before the sweep has run", async () => {
    const org = await service.newOrg();
    const { envelope_id } = await sentEnvelope(service, org, { expires_at: new Date(Date.now() - 1) });
    expect((await org.admin("GET", links(envelope_id))).status).toBe(409);
  });

  test("requested while the envelope is being voided are in its chain if and only if they were returned", async () => {
    const org = await service.newOrg();
    const { envelope_id } = await sentEnvelope(service, org);
    const [answers] = await Promise.all([
      Promise.all(Array.from({ length: 20 }, () => org.admin("GET", links(envelope_id)))),
      voidEnvelope(service, envelope_id),
    ]);
    const minted = answers.filter(({ status }) => status === 200);
    expect(new Set(answers.map(({ status }) => status)).size).toBeLessThanOrEqual(2);
    expect(await chainOf(service, org.org_id, envelope_id)).toHaveLength(minted.length);
    expect([await statusOf(service, envelope_id), (await org.admin("GET", links(envelope_id))).status]).toEqual(["voided", 409]);
  });
});

describe("GET /partner/envelopes/:id/signers", () => {
  test.each(statuses)("shows the signers of an envelope that is %s, and creates no tokens", async (status) => {
    const { envelope_id, signers } = await sentEnvelope(service, some, { status, signers: ["ann@example.com", "sam@example.com"] });
    await setSigner(service, signers[0].slug, "signed");
    const { status: code, json, headers } = await some.admin("GET", signersOf(envelope_id));
    const never = { locale: null, viewed_at: null, signed_at: null, declined_at: null, paper_requested_at: null, authentication: [] };
    expect([code, json.data.signers]).toEqual([
      200,
      [
        { email: "ann@example.com", name: "Ann", role: "Buyer", order: 1, slug: signers[0].slug, status: "signed", ...never },
        { email: "sam@example.com", name: "Sam", role: "Seller", order: 2, slug: signers[1]?.slug, status: "pending", ...never },
      ],
    ]);
    expect(headers.etag).toBeTypeOf("string");
    expect(await chainOf(service, some.org_id, envelope_id)).toEqual([]);
  });

  test("shows the signers saved with an upload, who have no link yet", async () => {
    const org = await service.newOrg();
    const customer = await org.admin("POST", "/partner/customers", { body: { name: "Ann" } });
    const signers = JSON.stringify([{ email: "ann@example.com", name: "Ann", role: "Buyer", locale: "fr" }]);
    const path = `/partner/customers/${customer.json.data.customer_id}/documents`;
    const uploaded = await org.admin("POST", path, form({ signers }, { bytes: writePdf(onePage()) }));
    const { json } = await org.admin("GET", signersOf(uploaded.json.data.envelope_id));
    expect(json.data.signers).toEqual([
      {
        email: "ann@example.com",
        name: "Ann",
        role: "Buyer",
        order: 1,
        slug: null,
        status: "pending",
        locale: "fr",
        viewed_at: null,
        signed_at: null,
        declined_at: null,
        paper_requested_at: null,
        authentication: [],
      },
    ]);
  });

  test("shows a viewer everything except the slugs, and no signing links", async () => {
    const org = await service.newOrg();
    const { envelope_id } = await sentEnvelope(service, org);
    const { token } = await invite(org, newEmail(), "viewer");
    const joined = await accept(service, token);
    const viewer = client(service.url, { authorization: `Bearer ${joined.json.data.token}` });
    const { status, json } = await viewer("GET", signersOf(envelope_id));
    expect([status, json.data.signers[0]]).toMatchObject([200, { email: "ann@example.com", slug: null }]);
    const refused = await viewer("GET", links(envelope_id));
    expect([refused.status, refused.json]).toEqual([403, refusedWith("Permission required: esign:write")]);
  });
});
