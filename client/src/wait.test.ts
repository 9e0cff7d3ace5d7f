import { expect, test } from "vitest";
import { testClock } from "../fixtures/clock.ts";
import { scriptedPeer } from "../fixtures/peer.ts";
import { Countersign } from "./client.ts";
import { EnvelopeEndedError, WaitTimeoutError } from "./errors.ts";

const peer = scriptedPeer();

function open() {
  const clock = testClock();
  return { cs: new Countersign({ baseUrl: peer.url, apiKey: "lk_test" }, clock), clock };
}

const status = (value: string, etag = `"${value}"`) => ({ json: { data: { envelope_id: "env_1", status: value } }, headers: { etag } });
const same = { status: 304, text: "" };

test("polls with the last ETag, every 2 s at first and every 15 s at most", async () => {
  const { cs, clock } = open();
  peer.steps.push(status("sent"), same, same, status("viewed"), same, same, same, same, status("vaulted"));
  expect(await cs.envelopes.waitFor("env_1", { until: "vaulted", timeoutMs: 600_000 })).toEqual({
    envelope_id: "env_1",
    status: "vaulted",
  });
  expect(clock.waits).toEqual([2000, 3000, 4500, 6750, 10_125, 15_000, 15_000, 15_000]);
  expect(peer.seen.map(({ headers }) => headers["if-none-match"])).toEqual([
    undefined,
    ...Array(3).fill('"sent"'),
    ...Array(5).fill('"viewed"'),
  ]);
  expect(new Set(peer.seen.map(({ path }) => path))).toEqual(new Set(["/api/v2/partner/envelopes/env_1/status"]));
});

test("a later status also ends the wait", async () => {
  peer.steps.push(status("vaulted"));
  expect(await open().cs.envelopes.waitFor("env_1", { until: "completed", timeoutMs: 1 })).toMatchObject({ status: "vaulted" });
});

test.each(["declined", "voided", "expired"])("the wait ends when the envelope is %s", async (ended) => {
  peer.steps.push(status("sent"), status(ended));
  const waiting = open().cs.envelopes.waitFor("env_1", { until: "completed", timeoutMs: 600_000 });
  await expect(waiting).rejects.toBeInstanceOf(EnvelopeEndedError);
  await expect(waiting).rejects.toMatchObject({ envelope_id: "env_1", status: ended, message: `env_1 is ${ended}` });
});

test("when the time is up, it polls once more and throws a WaitTimeoutError", async () => {
  const { cs, clock } = open();
  peer.steps.push(status("sent"), same, same);
  const waiting = cs.envelopes.waitFor("env_1", { until: "completed", timeoutMs: 3000 });
  await expect(waiting).rejects.toBeInstanceOf(WaitTimeoutError);
  await expect(waiting).rejects.toThrow("env_1 is still sent after 3 s");
  expect(clock.waits).toEqual([2000, 1000]);
});

test("a signal or an error response ends the wait", async () => {
  const { cs } = open();
  const reason = new Error("enough");
  await expect(cs.envelopes.waitFor("env_1", { until: "sent", timeoutMs: 1, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  peer.steps.push({ status: 404, json: { error: "Envelope not found" } });
  await expect(cs.envelopes.waitFor("env_1", { until: "sent", timeoutMs: 1 })).rejects.toMatchObject({ name: "NotFoundError" });
});

test.each(["signed", "voided", "", undefined])("`until: %j` is rejected before anything is sent", async (until) => {
  const waiting = open().cs.envelopes.waitFor("env_1", { until: until as never, timeoutMs: 1 });
  await expect(waiting).rejects.toBeInstanceOf(TypeError);
  await expect(waiting).rejects.toThrow("until must be one of sent, viewed, completed, vaulted");
  expect(peer.seen).toHaveLength(0);
});
