import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { webhookTestHeaders } from "../../client/src/index.ts";
import { newEndpoint, settledAttempts, testDeliveries, voidEvent } from "./deliveries.ts";
import { freePort } from "./process.ts";
import { testService } from "./service.ts";
import { until } from "./until.ts";

/** Runs examples/receive-webhooks unchanged in a separate process. */

const service = testService();
testDeliveries(service);

const EXAMPLE = fileURLToPath(new URL("../../examples/receive-webhooks/receive.mjs", import.meta.url));
let running: ChildProcess | undefined;
afterAll(async () => {
  if (running === undefined) return;
  const ended = once(running, "exit");
  running.kill();
  await ended;
});

test("the example verifies deliveries, handles each event once and refuses forged or old ones", async () => {
  const [org, port] = [await service.newOrg(), await freePort()];
  const url = `http://localhost:${port}/`;
  const { endpoint_id, secret } = await newEndpoint(org, { url });
  let printed = "";
  running = spawn(process.execPath, [EXAMPLE], { env: { PATH: process.env.PATH, PORT: String(port), WEBHOOK_SECRET: secret } });
  for (const stream of [running.stdout, running.stderr]) {
    stream?.setEncoding("utf8").on("data", (chunk: string) => {
      printed += chunk;
    });
  }
  await until("the example to listen", async () => printed.includes("listening"));

  const event_id = await voidEvent(service, org);
  const [{ delivery_id, response_code }] = await settledAttempts(org, endpoint_id, 1);
  expect(response_code).toBe(204);
  await org.admin("POST", `/webhooks/deliveries/${delivery_id}/replay`);
  expect((await settledAttempts(org, endpoint_id, 2))[0]).toMatchObject({ status: "succeeded", trigger: "replay" });
  expect(printed.split("\n").filter((line) => line.includes(event_id))).toEqual([expect.stringContaining(`envelope.voided ${event_id}`)]);

  const body = JSON.stringify({ event_id: "evt_forged" });
  const forged = await webhookTestHeaders(body, `whsec_${Buffer.alloc(32).toString("base64")}`);
  const old = await webhookTestHeaders(body, secret, { at: new Date(Date.now() - 600_000) });
  for (const [headers, reason] of [
    [forged, "wrong_signature"],
    [old, "too_old"],
    [{}, "missing_header"],
  ] as const) {
    const answer = await fetch(url, { method: "POST", headers, body });
    expect([answer.status, await answer.text()]).toEqual([400, reason]);
  }
});
