import { expect, test } from "vitest";
import { testClock } from "../fixtures/clock.ts";
import { scriptedPeer } from "../fixtures/peer.ts";
import { Countersign } from "./client.ts";

const peer = scriptedPeer();
const open = () => new Countersign({ baseUrl: peer.url, apiKey: "lk_test" }, testClock());

const page = (number: number, ids: string[], { limit = 2, total = 5 } = {}) => ({
  json: { data: ids.map((envelope_id) => ({ envelope_id })), meta: { page: number, limit, total } },
});

async function walked(query = {}): Promise<string[]> {
  const ids: string[] = [];
  for await (const { envelope_id } of open().envelopes.list(query)) ids.push(envelope_id);
  return ids;
}

test("await gives one page", async () => {
  peer.steps.push(page(1, ["e", "d"]));
  expect(await open().envelopes.list({ limit: 2 })).toEqual({
    data: [{ envelope_id: "e" }, { envelope_id: "d" }],
    meta: { page: 1, limit: 2, total: 5 },
  });
  peer.steps.push(page(1, ["e", "d"]));
  expect((await open().envelopes.list().withResponse()).status).toBe(200);
});

test("for await gets every page, with the limit that the service uses and the same filters", async () => {
  peer.steps.push(page(1, ["e", "d"]), page(2, ["c", "b"]), page(3, ["a"]));
  expect(await walked({ limit: 1000, status: "sent" })).toEqual(["e", "d", "c", "b", "a"]);
  expect(peer.seen.map(({ path }) => path.split("?")[1])).toEqual([
    "limit=1000&status=sent",
    "limit=2&status=sent&page=2",
    "limit=2&status=sent&page=3",
  ]);
});

test("rows that new rows pushed onto the next page are returned once", async () => {
  peer.steps.push(page(1, ["e", "d"]), page(2, ["d", "c"], { total: 6 }), page(3, ["b", "a"], { total: 6 }));
  expect(await walked()).toEqual(["e", "d", "c", "b", "a"]);
});

test("iteration ends after the last page, full or not, and an empty list has one page", async () => {
  peer.steps.push(page(1, ["b", "a"], { total: 2 }));
  expect(await walked()).toEqual(["b", "a"]);
  peer.steps.push(page(1, [], { total: 0 }));
  expect(await walked()).toEqual([]);
  // Rows have left the list in the meantime.
  peer.steps.push(page(1, ["c", "b"]), page(2, []));
  expect(await walked()).toEqual(["c", "b"]);
  expect(peer.seen).toHaveLength(4);
});

test("a list whose count stopped at its limit does not end as if it were complete", async () => {
  const capped = (number: number, ids: string[]) => {
    const { json } = page(number, ids, { total: 4 });
    return { json: { ...json, meta: { ...json.meta, total_capped: true } } };
  };
  const refusal = { status: 422, headers: { "x-error-code": "page_too_deep" }, json: { error: "This list ends after 10,000 rows" } };
  peer.steps.push(capped(1, ["e", "d"]), capped(2, ["c", "b"]), refusal);
  await expect(walked()).rejects.toMatchObject({ name: "ValidationError", code: "page_too_deep" });
});

test("leaving the loop early requests no further page, and a failed request throws", async () => {
  peer.steps.push(page(1, ["e", "d"]));
  for await (const _row of open().envelopes.list()) break;
  expect(peer.seen).toHaveLength(1);
  peer.steps.push(page(1, ["e", "d"]), { status: 403, json: { error: "Missing required scope" } });
  await expect(walked()).rejects.toMatchObject({ name: "PermissionError" });
});
