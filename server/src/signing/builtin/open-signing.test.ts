import { describe, expect, test } from "vitest";
import { signAll } from "../../../test/ceremony.ts";
import {
  chainOf,
  linkTokenFor,
  newSession,
  page,
  sentEnvelope,
  setSigner,
  signerStatuses,
  statusOf,
  type TestEnvelope,
  tokenFor,
} from "../../../test/envelopes.ts";
import { png } from "../../../test/png.ts";
import { type TestOrg, testService } from "../../../test/service.ts";
import { currentText } from "../../texts/current-texts.ts";

const service = testService();

const both = ["ann@example.com", "sam@example.com"] as const;
const withoutMints = async (org: TestOrg, { envelope_id }: TestEnvelope) =>
  (await chainOf(service, org.org_id, envelope_id)).filter(({ type }) => type !== "token.minted");

async function open(org: TestOrg, { envelope_id }: TestEnvelope, email: string, session?: string) {
  return page(service, await tokenFor(org, envelope_id, email), session)("GET", `/embed/sign/${envelope_id}`);
}

describe("GET /embed/sign/:envelope_id", () => {
  test("returns everything that the page needs for a signer, and nothing else", async () => {
    const org = await service.newOrg("Example Company");
    const envelope = await sentEnvelope(service, org, { message: "Please sign by Friday", expires_at: new Date("2099-01-15T09:00:00Z") });
    const { status, json, headers } = await open(org, envelope, "ann@example.com");
    const hash = expect.stringMatching(/^[0-9a-f]{64}$/);
    expect([status, json]).toEqual([
      200,
      {
        data: {
          envelope: {
            envelope_id: envelope.envelope_id,
            name: "Lease",
            status: "sent",
            expires_at: "2099-01-15T09:00:00.000Z",
            sender: "Example Company",
            message: "Please sign by Friday",
            success_text: null,
          },
          you: {
            name: "Ann",
            email: "ann@example.com",
            role: "Buyer",
            status: "pending",
            mode: "sign",
            signed_at: null,
            paper_requested_at: null,
          },
          recipient: { kind: "signer", step: 1, delivery: "email" },
          state: "ready",
          signers: { signed: 0, total: 1, before_you: 0 },
          identity: { state: "not_required", valid_until: null, attempts_left: null, level: 0, steps: [] },
          consent: { accepted_at: null, disclosure: currentText(service.features.texts, "disclosure") },
          agreement: null,
          intent: currentText(service.features.texts, "intent"),
          document: {
            prepared_sha256: hash,
            state_sha256: hash,
            page_count: 1,
            pages: [{ n: 1, w: 612, h: 792 }],
            prints_by_language: false,
          },
          documents: [],
          fields: [
            {
              field_id: "f0",
              name: "Signature Buyer",
              type: "signature",
              required: true,
              readonly: false,
              options: null,
              settings: {},
              areas: [{ page: 1, x: 0.1, y: 0.1, w: 0.3, h: 0.06 }],
              document: 1,
              value: false,
              error: { code: "required", message: "must be signed" },
            },
          ],
          others: [],
          marks: [],
          signature: null,
          initials: null,
          progress: { done: 0, total: 1 },
          revision: 0,
          copy: { ready: false },
          default_locale: "en",
          branding: {},
          token_expires_at: expect.stringMatching(/Z$/),
          token_renewable: false,
          server_time: expect.stringMatching(/Z$/),
        },
      },
    ]);
    const left = Date.parse(json.data.token_expires_at) - Date.parse(json.data.server_time);
    expect(left).toBeGreaterThan(880_000);
    expect(left).toBeLessThanOrEqual(900_000);
    expect([headers.etag, headers["cache-control"]]).toEqual([undefined, "no-store"]);
  });

  test("shows legal texts in the language of the page, or in English if there is no translation; other texts are the sender's own", async () => {
    const org = await service.newOrg();
    await org.admin("PATCH", "/org/settings", { body: { default_locale: "fr" } });
    const { envelope_id } = await sentEnvelope(service, org);
    const send = page(service, await tokenFor(org, envelope_id, "ann@example.com"));
    for (const [lang, locale] of [
      ["de", "de"],
      ["es", "es"],
      ["fr", "fr"],
      ["en", "en"],
      ["it", "en"],
      ["", "en"],
      ["DE", "en"],
    ] as const) {
      const { consent, intent, default_locale } = (await send("GET", `/embed/sign/${envelope_id}?lang=${lang}`)).json.data;
      expect([consent.disclosure, intent, default_locale], lang).toEqual([
        currentText(service.features.texts, "disclosure", locale),
        currentText(service.features.texts, "intent", locale),
        "fr",
      ]);
      expect([consent.disclosure.locale, intent.locale]).toEqual([locale, locale]);
    }
    expect((await send("GET", `/embed/sign/${envelope_id}`)).json.data.intent.locale).toBe("en");
    expect((await send("GET", `/embed/sign/${envelope_id}?lang=${"x".repeat(21)}`)).status).toBe(422);
  });

  test("shows the sender's logo with their colours", async () => {
    const org = await service.newOrg();
    const logo = png({ width: 20, height: 10, text: "made on a Tuesday" }).toString("base64");
    const { json } = await org.admin("PATCH", "/org/settings", { body: { branding: { accent: "#0a7", logo } } });
    const { branding } = (await open(org, await sentEnvelope(service, org), "ann@example.com")).json.data;
    expect(branding).toEqual({ accent: "#0a7", logo: json.data.branding.logo });
  });

  test("records who opened it and how they came, once per session", async () => {
    const org = await service.newOrg();
    const envelope = await sentEnvelope(service, org, { signers: both, order: "parallel" });
    const [one, two] = [newSession(), newSession()];
    for (const session of [one, one, two, one]) await open(org, envelope, "ANN@example.com", session);
    await open(org, envelope, "sam@example.com", one);
    const [ann, sam] = envelope.signers;
    const opened = (signing_session: string, user_email = "ANN@example.com") => ({
      user_email,
      credential: "embed_token",
      signing_session,
      issued_by: org.user_id,
    });
    expect(await withoutMints(org, envelope)).toEqual([
      { type: "signer.opened", actor: { kind: "signer", id: ann.slug }, data: opened(one) },
      { type: "signer.opened", actor: { kind: "signer", id: ann.slug }, data: opened(two) },
      { type: "signer.opened", actor: { kind: "signer", id: sam?.slug }, data: opened(one, "sam@example.com") },
    ]);
    const rows = await service.database.owner("select slug, credential, ip, user_agent from signing_sessions where envelope_id = $1", [
      envelope.envelope_id,
    ]);
    expect(rows).toHaveLength(3);
    expect(rows[0]).toEqual({ slug: ann.slug, credential: "embed_token", ip: "127.0.0.1", user_agent: "a browser" });
  });

  test("opened fifty times at once in one session is recorded once", async () => {
    const org = await service.newOrg();
    const envelope = await sentEnvelope(service, org);
    const send = page(service, await tokenFor(org, envelope.envelope_id, "ann@example.com"));
    const answers = await Promise.all(Array.from({ length: 50 }, () => send("GET", `/embed/sign/${envelope.envelope_id}`)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await withoutMints(org, envelope)).map(({ type }) => type)).toEqual(["signer.opened"]);
  });

  test("does not count as viewed: a mail scanner that runs scripts has not seen the document", async () => {
    const org = await service.newOrg();
    const envelope = await sentEnvelope(service, org);
    await open(org, envelope, "ann@example.com");
    expect([await statusOf(service, envelope.envelope_id), await signerStatuses(service, envelope.envelope_id)]).toEqual([
      "sent",
      ["pending"],
    ]);
    expect(await service.database.owner("select from events where org_id = $1", [org.org_id])).toEqual([]);
  });

  test("shows a read-only view to people who are not signers; it is recorded, but nothing counts as viewed", async () => {
    const org = await service.newOrg();
    const envelope = await sentEnvelope(service, org);
    const session = newSession();
    const { status, json } = await open(org, envelope, "boss@example.com", session);
    expect([status, json.data.state, json.data.you, json.data.consent, json.data.fields]).toEqual([
      200,
      "read_only",
      { name: null, email: "boss@example.com", role: null, status: null, mode: "view", signed_at: null, paper_requested_at: null },
      null,
      [],
    ]);
    expect(await withoutMints(org, envelope)).toEqual([
      {
        type: "viewer.opened",
        actor: { kind: "viewer", id: "viewer" },
        data: { user_email: "boss@example.com", credential: "embed_token", signing_session: session, issued_by: org.user_id },
      },
    ]);
  });

  test("shows a signer no page or field until everyone before them has signed", async () => {
    const org = await service.newOrg();
    const envelope = await sentEnvelope(service, org, { signers: both });
    const [ann] = envelope.signers;
    const session = newSession();
    expect((await open(org, envelope, "sam@example.com", session)).json.data).toMatchObject({
      state: "waiting",
      signers: { signed: 0, total: 2, before_you: 1 },
      document: null,
      fields: null,
      others: null,
    });
    await setSigner(service, ann.slug, "viewed");
    expect((await open(org, envelope, "sam@example.com", session)).json.data.state).toBe("waiting");
    await signAll(service, org, envelope.envelope_id, [["ann@example.com"]]);
    expect((await open(org, envelope, "sam@example.com", session)).json.data).toMatchObject({
      state: "ready",
      signers: { signed: 1, total: 2, before_you: 0 },
    });
  });

  test("in parallel, everyone can sign at once", async () => {
    const org = await service.newOrg();
    const envelope = await sentEnvelope(service, org, { signers: both, order: "parallel" });
    for (const email of both) expect((await open(org, envelope, email)).json.data.state).toBe("ready");
  });

  test.each([
    ["signed", {}, "signed"],
    ["locked", {}, "locked"],
    ["pending", { kba_required: true }, "identity_unavailable"],
    ["signed", { kba_required: true }, "signed"],
  ] as const)("for a signer who is %s, with %j, the state is %s", async (status, values, state) => {
    const org = await service.newOrg();
    const envelope = await sentEnvelope(service, org, status === "signed" ? { signers: both } : values);
    if (status === "signed") {
      await signAll(service, org, envelope.envelope_id, [["ann@example.com"]]);
      const asks = "kba_required" in values;
      await service.database.owner("update envelopes set kba_required = $2 where envelope_id = $1", [envelope.envelope_id, asks]);
    } else await setSigner(service, envelope.signers[0].slug, status);
    const { json } = await open(org, envelope, "ann@example.com");
    expect([json.data.state, json.data.you.status]).toEqual([state, status]);
  });

  test("records that a signer used the link from the mail", async () => {
    const org = await service.newOrg();
    const envelope = await sentEnvelope(service, org);
    const send = page(service, await linkTokenFor(service, envelope.signers[0].slug));
    await send("GET", `/embed/sign/${envelope.envelope_id}`);
    expect((await withoutMints(org, envelope))[0]).toMatchObject({ type: "signer.opened", data: { credential: "email_link" } });
  });
});
