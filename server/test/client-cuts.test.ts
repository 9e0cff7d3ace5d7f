import { afterAll, beforeAll, expect, test } from "vitest";
import { testClock } from "../../client/fixtures/clock.ts";
import { Countersign } from "../../client/src/index.ts";
import { type CuttingProxy, cuttingProxy, fates, seeded } from "./cutting-proxy.ts";
import { testService } from "./service.ts";

/** The client against the real service, through a connection that is cut at random. */

const service = testService();
const SEED = Number(process.env.CUTS_SEED ?? 20_260_105);
let proxy: CuttingProxy;
beforeAll(async () => {
  proxy = await cuttingProxy(service.url, seeded(SEED));
});
afterAll(() => proxy.close());

// Three of four attempts fail, so that many failures in a row happen about once in three million requests.
const MAX_RETRIES = 50;
const [CREATES, AT_ONCE] = [50, 5];

test(`50 creates through cut connections create 50 envelopes (CUTS_SEED=${SEED})`, async () => {
  const { api_key } = await (await service.newOrg()).newKey();
  const cs = new Countersign({ baseUrl: proxy.url, apiKey: api_key, maxRetries: MAX_RETRIES }, testClock());
  const left = Array.from({ length: CREATES }, (_, index) => ({
    envelope_name: `Lease ${index}`,
    customer_email: "ann@example.com",
    customer_name: "Ann",
    external_id: `order-${index}`,
  }));
  const created: string[] = [];
  const worker = async () => {
    for (let body = left.pop(); body !== undefined; body = left.pop()) created.push((await cs.envelopes.create(body)).envelope_id);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));

  const straight = new Countersign({ baseUrl: service.url, apiKey: api_key });
  const kept: string[] = [];
  for await (const { envelope_id, external_id } of straight.envelopes.list({ limit: 7 })) kept.push(`${envelope_id} ${external_id}`);
  expect(new Set(created).size).toBe(CREATES);
  expect(kept.map((line) => line.split(" ")[0]).sort()).toEqual(created.sort());
  expect(new Set(kept.map((line) => line.split(" ")[1])).size).toBe(CREATES);
  // Otherwise no connection was cut.
  for (const fate of fates) expect(proxy.counts[fate], fate).toBeGreaterThan(10);
});
