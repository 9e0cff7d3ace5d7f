import { describe, expect, test } from "vitest";
import {
  chainOf,
  endedAs,
  newSession,
  page,
  sentEnvelope,
  setSigner,
  signerStatuses,
  statusOf,
  type TestEnvelope,
  tokenFor,
  voidEnvelope,
} from "../../../test/envelopes.ts";
import { type TestOrg, testService } from "../../../test/service.ts";
import { until } from "../../../test/until.ts";
import type { Slug } from "../../shared/slugs.ts";

const service = testService();

const both = ["ann@example.com", "sam@example.com"] as const;
const decline = ({ envelope_id }: TestEnvelope) => `/embed/sign/${envelope_id}/decline`;
const pageOf = async (org: TestOrg, { envelope_id }: TestEnvelope, email = "ann@example.com", session?: string) =>
  page(service, await tokenFor(org, envelope_id, email), session);
const declines = async (org: TestOrg, { envelope_id }: TestEnvelope) =>
  (await chainOf(service, org.org_id, envelope_id)).filter(({ type }) => type === "envelope.declined");

describe("POST /embed/sign/:envelope_id/decline", () => {
  test("ends the envelope for everyone, with the reason in the chain, without what would turn its direction, and no event", async () => {
    const org = await service.newOrg();
    const envelope = await sentEnvelope(service, org, { signers: both, order: "parallel" });
    const session = newSession();
    const send = await pageOf(org, envelope, "ann@example.com", session);
    const { status, json } = await send("POST", decline(envelope), { body: { reason: "Wrong \u202eprice" } });
    expect([status, json]).toEqual([
      200,
      { data: { envelope_id: envelope.envelope_id, status: "declined", declined_at: expect.stringMatching(/Z$/) } },
    ]);
    expect([await statusOf(service, envelope.envelope_id), await signerStatuses(service, envelope.envelope_id)]).toEqual([
      "declined",
      ["declined", "cancelled"],
    ]);
    expect(await declines(org, envelope)).toEqual([
      {
        type: "envelope.declined",
        actor: { kind: "signer", id: envelope.signers[0].slug },
        data: { reason: "Wrong price", signing_session: session },
      },
    ]);
    expect(await service.database.owner("select from events where org_id = $1", [org.org_id])).toEqual([]);
    const [row] = await service.database.owner(
      `select e.ended_at is not null as ended, s.ended_at is not null as submission_ended, g.decline_reason from envelopes e
       join submissions s on s.envelope_id = e.envelope_id join signers g on g.envelope_id = e.envelope_id where g.slug = $1`,
      [envelope.signers[0].slug],
    );
    expect(row).toEqual({ ended: true, submission_ended: true, decline_reason: "Wrong price" });
  });

  test("needs no reason and no body; a reason has at most 500 characters", async () => {
    const org = await service.newOrg();
    const envelope = await sentEnvelope(service, org);
    const send = await pageOf(org, envelope);
    const long = await send("POST", decline(envelope), { body: { reason: "x".repeat(501) } });
    expect([long.status, long.json.details[0]]).toMatchObject([422, { field: "reason", code: "too_long" }]);
    expect((await send("POST", decline(envelope))).status).toBe(200);
    expect((await declines(org, envelope))[0]?.data).toMatchObject({ reason: null });
  });

  test("is reported by the page to everyone afterwards, but not who declined", async () => {
    const org = await service.newOrg();
    const envelope = await sentEnvelope(service, org, { signers: both, order: "parallel" });
    const [ann, sam] = [await pageOf(org, envelope), await pageOf(org, envelope, "sam@example.com")];
    await ann("POST", decline(envelope), { body: { reason: "Not at this price" } });
    for (const send of [ann, sam]) {
      const answer = await send("GET", `/embed/sign/${envelope.envelope_id}`);
      expect([endedAs(answer), answer.text.toLowerCase().includes("ann"), answer.text.includes("price")]).toEqual([
        [409, "declined"],
        false,
        false,
      ]);
      expect(endedAs(await send("POST", decline(envelope)))).toEqual([409, "declined"]);
    }
  });

  test("is possible for a signer whose turn has not come, and for one who is locked out", async () => {
    const org = await service.newOrg();
    const waiting = await sentEnvelope(service, org, { signers: both });
    expect((await (await pageOf(org, waiting, "sam@example.com"))("POST", decline(waiting))).status).toBe(200);
    const locked = await sentEnvelope(service, org);
    await setSigner(service, locked.signers[0].slug, "locked");
    expect((await (await pageOf(org, locked))("POST", decline(locked))).status).toBe(200);
  });

  test("is refused for a viewer, and leaves no trace", async () => {
    const org = await service.newOrg();
    const envelope = await sentEnvelope(service, org);
    const { status, json } = await (await pageOf(org, envelope, "boss@example.com"))("POST", decline(envelope));
    expect([status, json.error, json.details[0].code]).toEqual([
      403,
      "This document is read-only for you, because you are not one of its signers",
      "read_only",
    ]);
    expect([await statusOf(service, envelope.envelope_id), await declines(org, envelope)]).toEqual(["sent", []]);
  });

  test("is refused for a signer who has signed, and leaves no trace", async () => {
    const org = await service.newOrg();
    const envelope = await sentEnvelope(service, org, { signers: both, status: "viewed" });
    await setSigner(service, envelope.signers[0].slug, "signed");
    const { status, json } = await (await pageOf(org, envelope))("POST", decline(envelope));
    expect([status, json]).toEqual([
      409,
      {
        error: "You have already signed this document",
        details: [{ location: "path", field: null, code: "conflict", message: "a signature cannot be taken back here" }],
      },
    ]);
    expect([await statusOf(service, envelope.envelope_id), await signerStatuses(service, envelope.envelope_id)]).toEqual([
      "viewed",
      ["signed", "pending"],
    ]);
  });

  test("with an Idempotency-Key repeats the first response", async () => {
    const org = await service.newOrg();
    const envelope = await sentEnvelope(service, org);
    const send = await pageOf(org, envelope);
    const request = { body: { reason: "No" }, headers: { "idempotency-key": "k" } };
    const [first, second] = [await send("POST", decline(envelope), request), await send("POST", decline(envelope), request)];
    expect([first.status, second.status, second.text === first.text, second.headers["idempotent-replayed"]]).toEqual([
      200,
      200,
      true,
      "true",
    ]);
    expect(await declines(org, envelope)).toHaveLength(1);
  });
});

describe("races", () => {
  test("of a hundred declines at once, one wins, and the others are told that it was declined", async () => {
    const org = await service.newOrg();
    const envelope = await sentEnvelope(service, org, { signers: both, order: "parallel" });
    const pages = [await pageOf(org, envelope), await pageOf(org, envelope, "sam@example.com")];
    const answers = await Promise.all(Array.from({ length: 100 }, (_, n) => pages[n % 2]?.("POST", decline(envelope)) ?? expect.fail()));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter((answer) => answer.status !== 200).map(endedAs)).toEqual(Array.from({ length: 99 }, () => [409, "declined"]));
    expect(await declines(org, envelope)).toHaveLength(1);
    expect((await signerStatuses(service, envelope.envelope_id)).sort()).toEqual(["cancelled", "declined"]);
  });

  test("of concurrent voids and declines exactly one wins, on each of thirty envelopes", async () => {
    const org = await service.newOrg();
    const envelopes = await Promise.all(Array.from({ length: 30 }, () => sentEnvelope(service, org)));
    const tokens = await Promise.all(envelopes.map((envelope) => pageOf(org, envelope)));
    for (const [index, envelope] of envelopes.entries()) {
      const send = tokens[index] ?? expect.fail();
      const sendDecline = () => send("POST", decline(envelope));
      const sendVoid = () => voidEnvelope(service, envelope.envelope_id);
      const [voided, declined] =
        index % 2 === 0
          ? await Promise.all([sendVoid(), sendDecline()])
          : await Promise.all([sendDecline(), sendVoid()]).then(([answer, done]) => [done, answer] as const);
      expect([voided, declined.status]).toEqual(voided ? [true, 409] : [false, 200]);
      if (voided) expect(endedAs(declined)).toEqual([409, "voided"]);
      expect(await statusOf(service, envelope.envelope_id)).toBe(voided ? "voided" : "declined");
      expect(await declines(org, envelope)).toHaveLength(voided ? 0 : 1);
    }
  });

  const waiting = async () =>
    (await service.database.owner("select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'")).length;

  test("a decline that waits for a void finds it voided", async () => {
    const org = await service.newOrg();
    const envelope = await sentEnvelope(service, org);
    const send = await pageOf(org, envelope);
    const answer = await service.db.tx(org.org_id, async (tx) => {
      await tx.query({
        name: "void",
        text: "update envelopes set status = 'voided' where org_id = $1 and envelope_id = $2",
        values: [org.org_id, envelope.envelope_id],
      });
      const declining = send("POST", decline(envelope));
      await until("the decline to wait", async () => (await waiting()) === 1);
      return [declining] as const;
    });
    expect(endedAs(await answer[0])).toEqual([409, "voided"]);
    expect(await signerStatuses(service, envelope.envelope_id)).toEqual(["pending"]);
  });

  test("a void that waits for a decline finds it declined", async () => {
    const org = await service.newOrg();
    const envelope = await sentEnvelope(service, org);
    const send = await pageOf(org, envelope);
    const [declining, voiding] = await service.db.tx(org.org_id, async (tx) => {
      // The chain's head is the last lock, so a decline that waits for it already has the envelope.
      await tx.query({
        name: "hold-head",
        text: "select from audit_heads where org_id = $1 and subject = $2 for update",
        values: [org.org_id, envelope.envelope_id],
      });
      const first = send("POST", decline(envelope));
      await until("the decline to wait", async () => (await waiting()) === 1);
      const second = voidEnvelope(service, envelope.envelope_id);
      await until("the void to wait", async () => (await waiting()) === 2);
      return [first, second] as const;
    });
    expect([(await declining).status, await voiding, await statusOf(service, envelope.envelope_id)]).toEqual([200, false, "declined"]);
  });

  test("a link that is opened while the envelope is being voided never counts as viewed after the void", async () => {
    const org = await service.newOrg();
    for (let i = 0; i < 10; i++) {
      const envelope = await sentEnvelope(service, org);
      const send = await pageOf(org, envelope);
      const [opened, voided] = await Promise.all([
        send("GET", `/embed/sign/${envelope.envelope_id}`),
        voidEnvelope(service, envelope.envelope_id),
      ]);
      expect(voided).toBe(true);
      expect(await statusOf(service, envelope.envelope_id)).toBe("voided");
      if (opened.status !== 200) expect(endedAs(opened)).toEqual([409, "voided"]);
    }
  });
});

describe("GET /embed/sign/:envelope_id/progress", () => {
  const progress = ({ envelope_id }: TestEnvelope) => `/embed/sign/${envelope_id}/progress`;

  test("tells an open page who has acted, and why the sender withdrew the document", async () => {
    const org = await service.newOrg();
    const key = await org.newKey();
    const envelope = await sentEnvelope(service, org, { signers: both, order: "parallel" });
    const ann = await pageOf(org, envelope);
    const sam = envelope.signers.find(({ email }) => email === "sam@example.com");
    const read = async () => (await ann("GET", progress(envelope))).json.data;
    expect(await read()).toEqual({ envelope_status: "sent", reason: null, your_status: "pending", signed: 0 });
    await setSigner(service, sam?.slug as Slug, "signed");
    expect(await read()).toMatchObject({ your_status: "pending", signed: 1 });
    const body = { reason: "The price was wrong" };
    expect((await key.send("POST", `/partner/envelopes/${envelope.envelope_id}/void`, { body })).status).toBe(200);
    expect(await read()).toMatchObject({ envelope_status: "voided", reason: "The price was wrong", your_status: "cancelled" });
  });

  test("does not tell the reason of a signer who declined, which is for the sender", async () => {
    const org = await service.newOrg();
    const envelope = await sentEnvelope(service, org, { signers: both, order: "parallel" });
    const sam = await pageOf(org, envelope, "sam@example.com");
    await (await pageOf(org, envelope))("POST", decline(envelope), { body: { reason: "I do not trust them" } });
    expect((await sam("GET", progress(envelope))).json.data).toMatchObject({ envelope_status: "declined", reason: null });
  });

  test("is for viewers too, and 404 for a token of another document", async () => {
    const org = await service.newOrg();
    const [envelope, other] = [await sentEnvelope(service, org), await sentEnvelope(service, org)];
    const boss = await pageOf(org, envelope, "boss@example.com");
    expect((await boss("GET", progress(envelope))).json.data.your_status).toBe(null);
    expect((await boss("GET", progress(other))).status).toBe(404);
  });
});
