import { beforeAll, describe, expect, test } from "vitest";
import type { Send } from "../../test/client.ts";
import { refusedWith } from "../../test/refused-with.ts";
import { type TestOrg, testService } from "../../test/service.ts";
import { newMember } from "../../test/vaulted.ts";

const service = testService();
let org: TestOrg;
let member: Send;
let viewer: Send;
beforeAll(async () => {
  org = await service.newOrg();
  member = (await newMember(service, org, "member")).send;
  viewer = (await newMember(service, org, "viewer")).send;
});

const create = (send: Send, body: object) => send("POST", "/views", { body: { name: "Urgent", query: { tag: "Urgent" }, ...body } });
const namesOf = async (send: Send) => (await send("GET", "/views")).json.data.map(({ name }: { name: string }) => name);

describe("/views", () => {
  test("a person's own views are theirs alone, and shared ones are everyone's, by position", async () => {
    const made = await create(member, { query: { q: "lease", sort: "expires_at" } });
    expect([made.status, made.json.data]).toEqual([
      201,
      { view_id: expect.stringMatching(/^view_/), name: "Urgent", query: { q: "lease", sort: "expires_at" }, shared: false, position: 1 },
    ]);
    await create(member, { name: "First", position: 0 });
    await create(org.admin, { name: "Everyone's", shared: true, position: 5 });
    expect([await namesOf(member), await namesOf(org.admin), await namesOf(viewer)]).toEqual([
      ["First", "Urgent", "Everyone's"],
      ["Everyone's"],
      ["Everyone's"],
    ]);
  });

  test("are changed and deleted; one that is no longer shared belongs to the person who changed it", async () => {
    const { view_id } = (await create(org.admin, { name: "Plan", shared: true })).json.data;
    const change = (send: Send, body: object) => send("PATCH", `/views/${view_id}`, { body });
    expect((await change(member, { name: "Plan B", query: {} })).json.data).toMatchObject({ name: "Plan B", query: {}, shared: true });
    expect((await change(member, { shared: false })).json.data.shared).toBe(false);
    expect(await namesOf(org.admin)).not.toContain("Plan B");
    expect((await change(org.admin, { name: "x" })).json).toMatchObject({ error: "View not found" });
    expect((await member("DELETE", `/views/${view_id}`)).json.data).toEqual({ view_id });
    expect((await member("DELETE", `/views/${view_id}`)).json).toMatchObject(refusedWith("View not found"));
  });

  test("a viewer saves views, but neither shares nor changes shared ones", async () => {
    const own = await create(viewer, { name: "Mine" });
    expect(own.status).toBe(201);
    const { view_id } = (await create(member, { name: "Shared", shared: true })).json.data;
    const answers = [
      await create(viewer, { shared: true }),
      await viewer("PATCH", `/views/${own.json.data.view_id}`, { body: { shared: true } }),
      await viewer("PATCH", `/views/${view_id}`, { body: { name: "x" } }),
      await viewer("DELETE", `/views/${view_id}`),
    ];
    expect(answers.map(({ status, headers }) => [status, headers["x-error-code"]])).toEqual(Array(4).fill([403, "role_too_low"]));
  });

  test("need a session: a key gets 403", async () => {
    const { send } = await org.newKey();
    for (const [method, path] of [
      ["GET", "/views"],
      ["POST", "/views"],
      ["PATCH", "/views/x"],
      ["DELETE", "/views/x"],
    ] as const) {
      const { status, json } = await send(method, path);
      expect([status, json], `${method} ${path}`).toEqual([403, refusedWith("Only a member who is logged in can do this, not an API key")]);
    }
  });

  test("have only parameters of the list of envelopes; 422 names the others, and views that were saved earlier keep theirs", async () => {
    const known = { customer_id: "x", status: "sent", q: "lease", tag: "Urgent", owner: "me", discarded: "only", sort: "expires_at" };
    expect((await create(member, { query: known })).status).toBe(201);
    const refused = await create(member, { query: { q: "lease", colour: "red", page: "2" } });
    expect([refused.status, refused.json.details.map(({ field }: { field: string }) => field)]).toEqual([
      422,
      ["query.colour", "query.page"],
    ]);
    const own = await service.newOrg();
    await service.database.owner(
      "insert into saved_views (org_id, view_id, user_id, name, query, position) values ($1, 'view_01h2xcejqtf2nbrexx3vqjhp41', $2, 'Old', $3, 1)",
      [own.org_id, own.user_id, { colour: "red" }],
    );
    const change = (body: object) => own.admin("PATCH", "/views/view_01h2xcejqtf2nbrexx3vqjhp41", { body });
    expect((await change({ name: "Older" })).json.data).toMatchObject({ name: "Older", query: { colour: "red" } });
    expect((await change({ query: { colour: "blue" } })).status).toBe(422);
    expect((await own.admin("GET", "/views")).json.data).toMatchObject([{ name: "Older", query: { colour: "red" } }]);
  });

  test("have at most 20 parameters of 200 characters", async () => {
    const fieldOf = async (query: object) => {
      const { status, json } = await create(member, { query });
      return [status, json.details?.[0]?.field];
    };
    expect(await fieldOf({ q: 7 })).toEqual([422, "query.q"]);
    expect(await fieldOf({ q: "x".repeat(201) })).toEqual([422, "query.q"]);
    expect(await fieldOf(Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`p${n}`, ""])))).toEqual([422, "query"]);
  });

  test("stop at 100, and of many requests for the last one exactly one wins", async () => {
    const own = await service.newOrg();
    await service.database.owner(
      "insert into saved_views (org_id, view_id, user_id, name, query, position) select $1, 'view_' || n, $2, 'V', '{}', n from generate_series(1, 99) as n",
      [own.org_id, own.user_id],
    );
    const answers = await Promise.all(Array.from({ length: 6 }, () => create(own.admin, {})));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(new Set(answers.filter(({ status }) => status !== 201).map(({ headers }) => headers["x-error-code"]))).toEqual(
      new Set(["too_many_views"]),
    );
    const shared = await create(own.admin, { shared: true });
    expect([shared.status, shared.json.data.position], "shared ones are counted separately").toEqual([201, 1]);
  });
});
