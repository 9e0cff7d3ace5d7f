import { describe, expect, test } from "vitest";
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
import { type TestOrg, testService } from "../../../test/service.ts";

const service = testService();

const both = ["ann@example.com", "sam@example.com"] as const;
const withoutMints = async (org: TestOrg, { envelope_id }: TestEnvelope) =>
  (await chainOf(service, org.org_id, envelope_id)).filter(({ type }) => type !== "token.minted");

async function open(org: TestOrg, { envelope_id }: TestEnvelope, email: string, session?: string) {
  return page(service, await tokenFor(org, envelope_id, email), session)("GET", `/embed/sign/${envelope_id}`);
}

describe("GET /embed/sign/:envelope_id", () => {
  test("tells a signer about the envelope, themselves, the state and the clocks, and nothing else", async () => {
    const org = await service.newOrg("Example Company");
    const envelope = await sentEnvelope(service, org, { message: "Please sign by Friday", expires_at: new Date("2099-01-15T09:00:00Z") });
    const { status, json, headers } = await open(org, envelope, "ann@example.com");
    expect([status, json]).toEqual([
      200,
      {
        data: {
          envelope: {
            envelope_id: envelope.envelope_id,
            name: "Lease",
            status: "viewed",
            expires_at: "2099-01-15T09:00:00.000Z",
            sender: "Example Company",
            message: "Please sign by Friday",
          },
          you: { name: "Ann", email: "ann@example.com", role: "Buyer", status: "viewed", mode: "sign" },
          state: "ready",
          token_expires_at: expect.stringMatching(/Z$/),
          server_time: expect.stringMatching(/Z$/),
        },
      },
    ]);
    const left = Date.parse(json.data.token_expires_at) - Date.parse(json.data.server_time);
    expect(left).toBeGreaterThan(880_000);
    expect(left).toBeLessThanOrEqual(900_000);
    expect([headers.etag, headers["cache-control"]]).toEqual([undefined, "no-store"]);
  });

  test("at a signer's first opening makes signer and envelope viewed, each with its entry", async () => {
    const org = await service.newOrg();
    const envelope = await sentEnvelope(service, org, { signers: both, order: "parallel" });
    const session = newSession();
    await open(org, envelope, "ANN@example.com", session);
    expect([await statusOf(service, envelope.envelope_id), await signerStatuses(service, envelope.envelope_id)]).toEqual([
      "viewed",
      ["viewed", "pending"],
    ]);
    const actor = { kind: "signer", id: envelope.signers[0].slug };
    const opened = { user_email: "ANN@example.com", credential: "embed_token", signing_session: session };
    expect(await withoutMints(org, envelope)).toEqual([
      { type: "signer.opened", actor, data: opened },
      { type: "envelope.viewed", actor, data: { signing_session: session } },
    ]);
    const [row] = await service.database.owner("select viewed_at from signers where slug = $1", [envelope.signers[0].slug]);
    expect(row?.viewed_at).toBeInstanceOf(Date);
  });

  test("records an opening once in each session, and the envelope's once at all", async () => {
    const org = await service.newOrg();
    const envelope = await sentEnvelope(service, org, { signers: both, order: "parallel" });
    const [one, two] = [newSession(), newSession()];
    for (const session of [one, one, two, one]) await open(org, envelope, "ann@example.com", session);
    await open(org, envelope, "sam@example.com", one);
    expect((await withoutMints(org, envelope)).map(({ type, actor }) => [type, actor.id])).toEqual([
      ["signer.opened", envelope.signers[0].slug],
      ["envelope.viewed", envelope.signers[0].slug],
      ["signer.opened", envelope.signers[0].slug],
      ["signer.opened", envelope.signers[1]?.slug],
    ]);
  });

  test("opened fifty times at once in one session is recorded once", async () => {
    const org = await service.newOrg();
    const envelope = await sentEnvelope(service, org);
    const send = page(service, await tokenFor(org, envelope.envelope_id, "ann@example.com"));
    const answers = await Promise.all(Array.from({ length: 50 }, () => send("GET", `/embed/sign/${envelope.envelope_id}`)));
    expect(new Set(answers.map(({ status, json }) => `${status} ${json.data.you.status}`))).toEqual(new Set(["200 viewed"]));
    expect((await withoutMints(org, envelope)).map(({ type }) => type)).toEqual(["signer.opened", "envelope.viewed"]);
  });

  test("fires no event: the specification reserves envelope.viewed", async () => {
    const org = await service.newOrg();
    await open(org, await sentEnvelope(service, org), "ann@example.com");
    expect(await service.database.owner("select from events where org_id = $1", [org.org_id])).toEqual([]);
  });

  test("shows whoever is no signer a read-only view, which is recorded but makes nothing viewed", async () => {
    const org = await service.newOrg();
    const envelope = await sentEnvelope(service, org);
    const session = newSession();
    const { status, json } = await open(org, envelope, "boss@example.com", session);
    expect([status, json.data.state, json.data.you]).toEqual([
      200,
      "read_only",
      { name: null, email: "boss@example.com", role: null, status: null, mode: "view" },
    ]);
    expect([await statusOf(service, envelope.envelope_id), await signerStatuses(service, envelope.envelope_id)]).toEqual([
      "sent",
      ["pending"],
    ]);
    expect(await withoutMints(org, envelope)).toEqual([
      {
        type: "viewer.opened",
        actor: { kind: "viewer", id: "viewer" },
        data: { user_email: "boss@example.com", credential: "embed_token", signing_session: session },
      },
    ]);
  });

  test("keeps a signer waiting until everybody before them has signed, and does not make them viewed", async () => {
    const org = await service.newOrg();
    const envelope = await sentEnvelope(service, org, { signers: both });
    const [ann] = envelope.signers;
    expect((await open(org, envelope, "sam@example.com")).json.data).toMatchObject({ state: "waiting", you: { status: "pending" } });
    expect([await statusOf(service, envelope.envelope_id), await signerStatuses(service, envelope.envelope_id)]).toEqual([
      "sent",
      ["pending", "pending"],
    ]);
    await setSigner(service, ann.slug, "viewed");
    expect((await open(org, envelope, "sam@example.com")).json.data.state).toBe("waiting");
    await setSigner(service, ann.slug, "signed");
    expect((await open(org, envelope, "sam@example.com")).json.data).toMatchObject({ state: "ready", you: { status: "viewed" } });
  });

  test("becomes viewed also in the session in which the signer waited", async () => {
    const org = await service.newOrg();
    const envelope = await sentEnvelope(service, org, { signers: both });
    const session = newSession();
    expect((await open(org, envelope, "sam@example.com", session)).json.data.state).toBe("waiting");
    await setSigner(service, envelope.signers[0].slug, "signed");
    expect((await open(org, envelope, "sam@example.com", session)).json.data).toMatchObject({ state: "ready", you: { status: "viewed" } });
    expect(await statusOf(service, envelope.envelope_id)).toBe("viewed");
  });

  test("lets all sign at once in parallel", async () => {
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
    const envelope = await sentEnvelope(service, org, values);
    await setSigner(service, envelope.signers[0].slug, status);
    const { json } = await open(org, envelope, "ann@example.com");
    expect([json.data.state, json.data.you.status]).toEqual([state, status]);
    expect(await statusOf(service, envelope.envelope_id), "only a page that can be shown is viewed").toBe("sent");
  });

  test("records that a signer came by the mail's link", async () => {
    const org = await service.newOrg();
    const envelope = await sentEnvelope(service, org);
    const send = page(service, await linkTokenFor(service, envelope.signers[0].slug));
    await send("GET", `/embed/sign/${envelope.envelope_id}`);
    expect((await withoutMints(org, envelope))[0]).toMatchObject({ type: "signer.opened", data: { credential: "email_link" } });
  });
});
