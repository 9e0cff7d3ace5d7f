import { beforeAll, describe, expect, test } from "vitest";
import { sentEnvelope } from "../../test/envelopes.ts";
import { envelopeBody } from "../../test/lease.ts";
import { refusedWith } from "../../test/refused-with.ts";
import { type TestKey, type TestOrg, testService } from "../../test/service.ts";
import { newMember } from "../../test/vaulted.ts";
import { newId } from "../shared/ids.ts";

const service = testService();
let org: TestOrg;
let key: TestKey;
beforeAll(async () => {
  org = await service.newOrg();
  key = await org.newKey({ rate_limit_rpm: 100_000 });
});

const act = (body: object, send = key.send) => send("POST", "/partner/envelopes/actions", { body });
const draft = async () => (await key.send("POST", "/partner/envelopes", { body: envelopeBody() })).json.data.envelope_id as string;
const statusOf = async (id: string) => (await key.send("GET", `/partner/envelopes/${id}/status`)).json.data.status;

describe("POST /partner/envelopes/actions", () => {
  test("does to each what is possible, and says why the others failed; each id once", async () => {
    const [a, sent, done, missing] = [
      await draft(),
      await sentEnvelope(service, org),
      await sentEnvelope(service, org, { status: "completed" }),
      newId("envelope"),
    ];
    const ids = [a, sent.envelope_id, done.envelope_id, missing, a];
    const { status, json } = await act({ action: "void", reason: "wrong price", envelope_ids: ids });
    expect([status, json.data]).toEqual([
      200,
      {
        done: [a, sent.envelope_id],
        failed: [
          { envelope_id: done.envelope_id, code: "envelope_wrong_status", error: "The envelope is completed, which does not allow this" },
          { envelope_id: missing, code: "envelope_not_found", error: "Envelope not found" },
        ],
      },
    ]);
    const discarded = (await key.send("GET", "/partner/envelopes?discarded=only")).json.data;
    expect(
      discarded.map(({ envelope_id }: { envelope_id: string }) => envelope_id),
      "no one was asked to sign a draft",
    ).toEqual([a]);
    expect([await statusOf(a), await statusOf(sent.envelope_id), await statusOf(done.envelope_id)]).toEqual([
      "voided",
      "voided",
      "completed",
    ]);
  });

  test("reminds, discards, tags, untags and gives to another owner", async () => {
    const [a, b] = [await draft(), await draft()];
    const sent = await sentEnvelope(service, org);
    const member = await newMember(service, org, "member");
    expect((await act({ action: "remind", envelope_ids: [sent.envelope_id, a] })).json.data).toMatchObject({
      done: [sent.envelope_id],
      failed: [{ envelope_id: a, code: "envelope_wrong_status" }],
    });
    expect((await act({ action: "remind", envelope_ids: [sent.envelope_id] })).json.data.failed[0].code).toBe("reminded_already");
    expect((await act({ action: "tag", tags: ["One", "Two"], envelope_ids: [a, sent.envelope_id] })).json.data.done).toHaveLength(2);
    expect((await act({ action: "untag", tags: ["ONE", "unknown"], envelope_ids: [a, b] })).json.data.done).toHaveLength(2);
    expect((await act({ action: "set_owner", owner_user_id: member.user_id, envelope_ids: [a] })).json.data.done).toEqual([a]);
    const { metadata } = (await key.send("GET", `/partner/envelopes/${a}`)).json.data;
    expect([metadata.tags, metadata.owner_user_id]).toEqual([["Two"], member.user_id]);
    expect(
      (await key.send("GET", "/partner/tags")).json.data.map(({ name }: { name: string }) => name),
      "untag creates none",
    ).toEqual(["One", "Two"]);
    expect((await act({ action: "discard", envelope_ids: [a, sent.envelope_id] })).json.data).toMatchObject({
      done: [a],
      failed: [{ envelope_id: sent.envelope_id, code: "envelope_wrong_status" }],
    });
    expect((await key.send("GET", "/partner/envelopes?discarded=only")).json.data[0]).toMatchObject({ envelope_id: a, status: "voided" });
  });

  test("envelopes of a member who leaves stay theirs and stay open, until an admin gives them another owner", async () => {
    const leaving = await newMember(service, org, "member");
    const made = await leaving.send("POST", "/partner/envelopes", { body: envelopeBody() });
    const { envelope_id } = made.json.data;
    expect((await org.admin("DELETE", `/org/members/${leaving.user_id}`)).status).toBe(200);
    const owned = async () => {
      const { status, metadata } = (await key.send("GET", `/partner/envelopes/${envelope_id}`)).json.data;
      return [status, metadata.owner_user_id];
    };
    expect(await owned()).toEqual(["pending", leaving.user_id]);
    expect((await act({ action: "set_owner", owner_user_id: org.user_id, envelope_ids: [envelope_id] })).json.data.failed).toEqual([]);
    expect(await owned()).toEqual(["pending", org.user_id]);
  });

  test("an owner who is no member fails for each envelope", async () => {
    const a = await draft();
    const { json } = await act({ action: "set_owner", owner_user_id: newId("user"), envelope_ids: [a] });
    expect(json.data).toEqual({
      done: [],
      failed: [{ envelope_id: a, code: "invalid_request", error: "owner_user_id is not a member of your organization" }],
    });
  });

  test("of many requests that discard the same drafts, each draft is discarded once", async () => {
    const ids = await Promise.all(Array.from({ length: 5 }, draft));
    const answers = await Promise.all(Array.from({ length: 6 }, () => act({ action: "discard", envelope_ids: ids })));
    expect(answers.flatMap(({ json }) => json.data.done).sort()).toEqual([...ids].sort());
    expect(answers.flatMap(({ json }) => json.data.failed)).toHaveLength(25);
  });

  test("another organization's envelopes are missing", async () => {
    const stranger = await service.newOrg();
    const a = await draft();
    const { json } = await act({ action: "tag", tags: ["x"], envelope_ids: [a] }, stranger.admin);
    expect(json.data).toEqual({ done: [], failed: [{ envelope_id: a, code: "envelope_not_found", error: "Envelope not found" }] });
    expect((await stranger.admin("GET", "/partner/tags")).json.data).toEqual([]);
  });

  test("what an action needs is required, for up to 200 envelopes", async () => {
    const refusal = async (body: object) => {
      const { status, json } = await act(body);
      return [status, json.details[0].field, json.details[0].code];
    };
    const one = { envelope_ids: [newId("envelope")] };
    expect(await refusal({ action: "void", ...one })).toEqual([422, "reason", "required"]);
    expect(await refusal({ action: "tag", ...one })).toEqual([422, "tags", "required"]);
    expect(await refusal({ action: "untag", ...one })).toEqual([422, "tags", "required"]);
    expect(await refusal({ action: "set_owner", ...one })).toEqual([422, "owner_user_id", "required"]);
    expect(await refusal({ action: "burn", ...one })).toEqual([422, "action", "invalid_value"]);
    expect(await refusal({ action: "discard", envelope_ids: [] })).toEqual([422, "envelope_ids", "too_small"]);
    expect(await refusal({ action: "discard", envelope_ids: ["x"] })).toEqual([422, "envelope_ids[0]", "invalid_format"]);
    const many = Array.from({ length: 201 }, () => newId("envelope"));
    expect(await refusal({ action: "discard", envelope_ids: many })).toEqual([422, "envelope_ids", "too_long"]);
  });

  test("a key that can only send can remind, and nothing else", async () => {
    const sender = await org.newKey({ scopes: ["esign:write"] });
    const sent = await sentEnvelope(service, org);
    const ids = { envelope_ids: [sent.envelope_id] };
    expect((await act({ action: "remind", ...ids }, sender.send)).json.data.done).toEqual([sent.envelope_id]);
    const refused = await act({ action: "void", reason: "x", ...ids }, sender.send);
    expect([refused.status, refused.json]).toEqual([403, refusedWith("Missing required scope: envelopes:write")]);
  });
});
