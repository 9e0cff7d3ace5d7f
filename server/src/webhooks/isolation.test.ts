import { afterAll, expect, test } from "vitest";
import { newEndpoint, settledAttempts, testDeliveries, voidEvent } from "../../test/deliveries.ts";
import { type Receiver, startReceiver, type Treatment } from "../../test/receiver.ts";
import { type TestOrg, testService } from "../../test/service.ts";
import { LIMITS } from "./endpoint.ts";

const service = testService();
// Hanging receivers hang for longer than these tests, so events that arrive elsewhere did not wait for them.
testDeliveries(service, () => ({ limits: { ...LIMITS, connect_ms: 600_000, exchange_ms: 600_000 } }));

const receivers: Receiver[] = [];
async function receiver(always: Treatment = 200): Promise<Receiver> {
  const one = await startReceiver();
  one.always(always);
  receivers.push(one);
  return one;
}
afterAll(() => Promise.all(receivers.map((one) => one.close())));

async function leased({ org_id }: TestOrg): Promise<number | undefined> {
  const counted = "select count(*)::int as n from webhook_deliveries where org_id = $1 and leased_until > now()";
  return (await service.database.owner<{ n: number }>(counted, [org_id]))[0]?.n;
}

test("an endpoint that hangs occupies eight slots, and another organization's endpoint receives everything meanwhile", async () => {
  const [slow, quick] = [await service.newOrg(), await service.newOrg()];
  const [hanging, target] = [await receiver("hang"), await receiver()];
  await newEndpoint(slow, hanging);
  const { endpoint_id } = await newEndpoint(quick, target);
  for (let n = 0; n < 40; n++) await voidEvent(service, slow);
  await hanging.received(8);
  for (let n = 0; n < 20; n++) await voidEvent(service, quick);
  await target.received(20);
  const attempts = await settledAttempts(quick, endpoint_id, 20);
  expect(attempts.every(({ status }) => status === "succeeded")).toBe(true);
  expect(hanging.requests).toHaveLength(8);
  expect(await leased(slow)).toBeLessThanOrEqual(8);
});

test("an organization with many hanging endpoints leaves slots for the others", async () => {
  const [slow, quick] = [await service.newOrg(), await service.newOrg()];
  const [hanging, target] = [await receiver("hang"), await receiver()];
  for (let n = 0; n < 12; n++) await newEndpoint(slow, hanging);
  const { endpoint_id } = await newEndpoint(quick, target);
  for (let n = 0; n < 20; n++) await voidEvent(service, slow);
  await hanging.received(24);
  await voidEvent(service, quick);
  await target.received(1);
  expect(await settledAttempts(quick, endpoint_id, 1)).toHaveLength(1);
  expect(hanging.requests).toHaveLength(24);
  expect(await leased(slow)).toBeLessThanOrEqual(24);
});
