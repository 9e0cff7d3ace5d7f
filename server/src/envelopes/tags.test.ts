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

const create = async (more: object = {}, send = key.send) => send("POST", "/partner/envelopes", { body: envelopeBody(more) });
const newDraft = async (more: object = {}) => (await create(more)).json.data.envelope_id as string;
const metadataOf = async (envelope_id: string) => (await key.send("GET", `/partner/envelopes/${envelope_id}`)).json.data.metadata;
const change = (envelope_id: string, body: object) => key.send("PATCH", `/partner/envelopes/${envelope_id}`, { body });
const trailOf = async (envelope_id: string) =>
  (await key.send("GET", `/partner/envelopes/${envelope_id}/audit-trail`)).json.data.map(
    ({ type, data }: { type: string; data: object }) => ({ type, data }),
  );
const listed = async (own: TestOrg) => (await own.admin("GET", "/partner/tags")).json.data;

describe("the tags of an envelope", () => {
  test("are given when it is created, each once, and created with their first spelling", async () => {
    const own = await service.newOrg();
    const made = await create({ tags: ["Urgent", " north   Sea", "URGENT"] }, own.admin);
    expect([made.status, made.json.data.metadata.tags]).toEqual([201, ["north Sea", "Urgent"]]);
    expect((await create({ tags: ["urgent"] }, own.admin)).json.data.metadata.tags).toEqual(["Urgent"]);
    expect(await listed(own)).toEqual([
      { name: "north Sea", colour: null, envelopes: 1, envelopes_capped: false },
      { name: "Urgent", colour: null, envelopes: 2, envelopes_capped: false },
    ]);
    expect((await own.admin("GET", "/partner/envelopes?q=sea")).json.meta.total, "words of tags are searched").toBe(1);
  });

  test("and its owner can be changed in any status; nothing else can, and the time of the last change stays", async () => {
    const { envelope_id } = await sentEnvelope(service, org, { status: "completed" });
    const before = (await key.send("GET", `/partner/envelopes/${envelope_id}`)).json.data;
    const member = await newMember(service, org, "member");
    expect((await change(envelope_id, { tags: ["One", "Two"], owner_user_id: member.user_id })).status).toBe(200);
    expect((await change(envelope_id, { tags: ["two", "three"] })).json.data.metadata.tags).toEqual(["three", "Two"]);
    const after = (await key.send("GET", `/partner/envelopes/${envelope_id}`)).json.data;
    expect(after).toEqual({ ...before, metadata: { ...before.metadata, tags: ["three", "Two"], owner_user_id: member.user_id } });
    const refused = await change(envelope_id, { tags: [], envelope_name: "Other" });
    expect([refused.status, refused.headers["x-error-code"]]).toEqual([409, "envelope_wrong_status"]);
    expect((await metadataOf(envelope_id)).tags, "nothing of a refused change").toEqual(["three", "Two"]);
    const trail = await trailOf(envelope_id);
    expect(trail.slice(0, 3)).toMatchObject([
      { type: "envelope.tagged", data: { added: ["three"], removed: ["one"] } },
      { type: "envelope.owner_changed", data: { from: null, to: member.user_id } },
      { type: "envelope.tagged", data: { added: ["One", "Two"], removed: [] } },
    ]);
    expect((await change(envelope_id, { tags: ["TWO", "Three"], owner_user_id: member.user_id })).status).toBe(200);
    expect(await trailOf(envelope_id), "what changes nothing leaves no trace").toEqual(trail);
  });

  test("are at most 20, also when two requests give them at once", async () => {
    const tags = Array.from({ length: 20 }, (_, n) => `Tag ${n}`);
    const tooMany = await create({ tags: [...tags, "One more"] });
    expect([tooMany.status, tooMany.json.details[0]]).toMatchObject([422, { field: "tags", code: "too_long" }]);
    const envelope_id = await newDraft({ tags: tags.slice(0, 19) });
    const actions = ["A", "B", "C", "D", "E"].map((tag) =>
      key.send("POST", "/partner/envelopes/actions", { body: { action: "tag", envelope_ids: [envelope_id], tags: [tag] } }),
    );
    const answers = (await Promise.all(actions)).map(({ json }) => json.data);
    expect(answers.filter(({ done }) => done.length === 1)).toHaveLength(1);
    expect(answers.flatMap(({ failed }) => failed)[0]).toEqual({
      envelope_id,
      code: "invalid_request",
      error: "tags an envelope can have at most 20 tags",
    });
    expect((await metadataOf(envelope_id)).tags).toHaveLength(20);
  });

  test("have names of 1 to 50 characters in one line", async () => {
    for (const tag of ["", " ", "a\nb", "x".repeat(51)]) expect((await create({ tags: [tag] })).status, JSON.stringify(tag)).toBe(422);
    expect((await create({ tags: ["x".repeat(50), "契約"] })).status).toBe(201);
  });
});

describe("the owner of an envelope", () => {
  test("is the member who creates it, or the creator of the key that does", async () => {
    const member = await newMember(service, org, "member");
    expect((await create({}, member.send)).json.data.metadata.owner_user_id).toBe(member.user_id);
    expect((await create()).json.data.metadata.owner_user_id).toBe(org.user_id);
    expect((await create({ owner_user_id: member.user_id })).json.data.metadata.owner_user_id).toBe(member.user_id);
  });

  test("must be a member of the organization: a stranger is the same 422 as a user who does not exist", async () => {
    const stranger = await service.newOrg();
    const envelope_id = await newDraft();
    const answers = [
      await change(envelope_id, { owner_user_id: stranger.user_id }),
      await change(envelope_id, { owner_user_id: newId("user") }),
      await create({ owner_user_id: stranger.user_id }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([422, 422, 422]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  });
});

describe("PUT and DELETE /partner/tags/:tag", () => {
  test("create a tag, give it another name and colour, and delete it from its envelopes", async () => {
    const own = await service.newOrg();
    const path = (tag: string) => `/partner/tags/${encodeURIComponent(tag)}`;
    const save = async (tag: string, body: object) => {
      const { status, json, headers } = await own.admin("PUT", path(tag), { body });
      return status === 200 ? json.data : [status, headers["x-error-code"]];
    };
    expect(await save("To do", {})).toEqual({ name: "To do", colour: null });
    expect(await save("TO DO", { colour: "#1f6feb" })).toEqual({ name: "To do", colour: "#1f6feb" });
    const { envelope_id } = (await create({ tags: ["to do"] }, own.admin)).json.data;
    const find = async (query: string) => (await own.admin("GET", `/partner/envelopes?${query}`)).json.meta.total;
    expect(await save("to do", { name: "Next/week" })).toEqual({ name: "Next/week", colour: "#1f6feb" });
    expect([await find("tag=next/week"), await find("tag=to+do"), await find("q=next"), await find("q=do")]).toEqual([1, 0, 1, 0]);
    expect(await save("other", {})).toEqual({ name: "other", colour: null });
    expect(await save("other", { name: "NEXT/WEEK" })).toEqual([409, "tag_exists"]);
    expect((await own.admin("PUT", path("other"), { body: { colour: "red" } })).status).toBe(422);
    const gone = await own.admin("DELETE", path("next/WEEK"));
    expect([gone.status, gone.json.data]).toEqual([200, { removed: true }]);
    expect((await own.admin("GET", `/partner/envelopes/${envelope_id}`)).json.data.metadata.tags).toEqual([]);
    const again = await own.admin("DELETE", path("next/week"));
    expect([again.status, again.json]).toEqual([404, refusedWith("Tag not found")]);
    expect(await listed(own)).toEqual([{ name: "other", colour: null, envelopes: 0, envelopes_capped: false }]);
  });

  test("concern one organization", async () => {
    const [mine, theirs] = [await service.newOrg(), await service.newOrg()];
    await theirs.admin("PUT", "/partner/tags/Secret", { body: { colour: "#000000" } });
    expect((await mine.admin("DELETE", "/partner/tags/Secret")).status).toBe(404);
    expect((await mine.admin("PUT", "/partner/tags/secret", { body: {} })).json.data).toEqual({ name: "secret", colour: null });
    expect(await listed(theirs)).toMatchObject([{ name: "Secret", colour: "#000000" }]);
  });

  test("stop at 500 tags, and of many requests for the last one exactly one wins", async () => {
    const own = await service.newOrg();
    await service.database.owner(
      "insert into tags (org_id, tag_key, name) select $1, 't' || n, 't' || n from generate_series(1, 499) as n",
      [own.org_id],
    );
    const racers = Array.from({ length: 8 }, (_, n) => own.admin("PUT", `/partner/tags/racer${n}`, { body: {} }));
    const answers = await Promise.all(racers);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(new Set(answers.filter(({ status }) => status !== 200).map(({ headers }) => headers["x-error-code"]))).toEqual(
      new Set(["too_many_tags"]),
    );
    expect((await create({ tags: ["new"] }, own.admin)).json).toEqual(
      refusedWith("Your organization has 500 tags, the maximum. Delete a tag first"),
    );
    expect((await create({ tags: ["T7"] }, own.admin)).status, "those that exist can be used").toBe(201);
    expect(await listed(own)).toHaveLength(500);
  });

  test("a tag that is deleted while envelopes get it is on none of them, or on those that came after", async () => {
    const own = await service.newOrg();
    const ids = await Promise.all(Array.from({ length: 6 }, async () => (await create({}, own.admin)).json.data.envelope_id));
    const tag = (envelope_id: string) => own.admin("PATCH", `/partner/envelopes/${envelope_id}`, { body: { tags: ["Hot"] } });
    await tag(ids[0]);
    const answers = await Promise.all([...ids.slice(1).map(tag), own.admin("DELETE", "/partner/tags/hot"), ...ids.slice(1).map(tag)]);
    expect(answers.map(({ status }) => status)).toEqual(Array(11).fill(200));
    const tags = await Promise.all(ids.map(async (id) => (await own.admin("GET", `/partner/envelopes/${id}`)).json.data.metadata.tags));
    const [counted] = await listed(own);
    expect(tags.flat().length).toBe(counted?.envelopes ?? 0);
  });
});
