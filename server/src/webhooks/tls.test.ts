import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { certified } from "../../test/certified.ts";
import { newEndpoint, settledAttempts, testDeliveries } from "../../test/deliveries.ts";
import { type Running, startProcess, stopProcess } from "../../test/process.ts";
import { type Certified, type Receiver, startReceiver } from "../../test/receiver.ts";
import { testService } from "../../test/service.ts";

const receivers: Receiver[] = [];
async function secureReceiver(certificate: Certified): Promise<Receiver> {
  const receiver = await startReceiver(certificate);
  receivers.push(receiver);
  return receiver;
}
afterAll(() => Promise.all(receivers.map((one) => one.close())));

test("the certificates of these tests are valid now", () => expect(Date.now()).toBeGreaterThan(Date.parse("2026-03-05T00:00:00Z")));

const service = testService();
testDeliveries(service);
test("an untrusted certificate is a TLS error, and no request is sent", async () => {
  const [org, receiver] = [await service.newOrg(), await secureReceiver(certified("127.0.0.1"))];
  const { endpoint_id } = await newEndpoint(org, receiver);
  await org.admin("POST", `/webhooks/endpoints/${endpoint_id}/test`);
  expect((await settledAttempts(org, endpoint_id, 1))[0]).toMatchObject({ status: "failed", error: "tls_error", response_code: null });
  expect(receiver.requests).toEqual([]);
});

test("a receiver that does not speak TLS is a TLS error", async () => {
  const [org, plain] = [await service.newOrg(), await startReceiver()];
  receivers.push(plain);
  const { endpoint_id } = await newEndpoint(org, { url: plain.url.replace("http:", "https:") });
  await org.admin("POST", `/webhooks/endpoints/${endpoint_id}/test`);
  expect((await settledAttempts(org, endpoint_id, 1))[0]).toMatchObject({ status: "failed", error: "tls_error" });
});

const trustingService = testService();
let folder: string;
let worker: Running;
const good = certified("127.0.0.1");
const wrongName = certified("127.0.0.9");
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "countersign-tls-"));
  writeFileSync(join(folder, "ca.pem"), good.cert + wrongName.cert);
  worker = await startProcess("worker", {
    ...trustingService.database.env,
    APP_SECRET: trustingService.config.appSecrets[0].secret,
    DATA_DIR: folder,
    NODE_EXTRA_CA_CERTS: join(folder, "ca.pem"),
  });
});
afterAll(async () => {
  await stopProcess(worker);
  rmSync(folder, { recursive: true, force: true });
});

test("a worker process delivers by https to receivers that its authorities vouch for, under that name only", async () => {
  const org = await trustingService.newOrg();
  const [right, wrong] = [await secureReceiver(good), await secureReceiver(wrongName)];
  const endpoints = [await newEndpoint(org, right), await newEndpoint(org, wrong)];
  await org.admin("POST", `/partners/keys/${(await org.newKey()).key_id}/test-webhook`);
  const [delivered, refused] = await Promise.all(endpoints.map(({ endpoint_id }) => settledAttempts(org, endpoint_id, 1)));
  expect(delivered?.[0]).toMatchObject({ status: "succeeded", response_code: 200, trigger: "test" });
  expect(refused?.[0]).toMatchObject({ status: "failed", error: "tls_error" });
  expect([right.requests.length, wrong.requests.length]).toEqual([1, 0]);
});
