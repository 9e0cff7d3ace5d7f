import { expect, test } from "vitest";
import { testClock } from "../fixtures/clock.ts";
import { scriptedPeer } from "../fixtures/peer.ts";
import { Countersign } from "./client.ts";
import { type ConflictError, CountersignError, isCode, ValidationError } from "./errors.ts";

const peer = scriptedPeer();
const cs = () => new Countersign({ baseUrl: peer.url, apiKey: "lk_test", maxRetries: 0, onRateLimit: "throw" }, testClock());

async function refused(status: number, json: object, headers: Record<string, string> = {}): Promise<unknown> {
  peer.steps.push({ status, json, headers });
  return cs()
    .envelopes.get("env_1")
    .then(
      () => null,
      (error: unknown) => error,
    );
}

test.each([
  [400, "ValidationError"],
  [401, "AuthenticationError"],
  [403, "PermissionError"],
  [404, "NotFoundError"],
  [405, "CountersignError"],
  [408, "CountersignError"],
  [409, "ConflictError"],
  [412, "ConflictError"],
  [413, "ValidationError"],
  [415, "ValidationError"],
  [422, "ValidationError"],
  [429, "RateLimitError"],
  [500, "ServerError"],
  [503, "ServerError"],
])("%i throws a %s with the code, the message and the request ID", async (status, name) => {
  const error = await refused(status, { error: "No" }, { "x-error-code": "envelope_wrong_status", "x-request-id": "req_1" });
  expect(error).toBeInstanceOf(CountersignError);
  expect(error).toMatchObject({ name, status, code: "envelope_wrong_status", requestId: "req_1", details: [] });
  expect((error as Error).message).toBe(`GET /partner/envelopes/env_1: ${status} No`);
});

test("a validation error lists the errors of each field, and the first three in its message", async () => {
  const detail = (field: string | null, message: string) => ({ location: "body", field, code: "required", message });
  const details = [
    detail("a", "is required"),
    detail("a", "is odd"),
    detail("b", "is required"),
    detail(null, "is wrong"),
    detail("c", "is late"),
  ];
  const error = (await refused(422, { error: "Validation failed", details })) as ValidationError;
  expect(error).toBeInstanceOf(ValidationError);
  expect(error.for("a").map(({ message }) => message)).toEqual(["is required", "is odd"]);
  expect(error.for("d")).toEqual([]);
  expect(error.message).toBe("GET /partner/envelopes/env_1: 422 Validation failed (a is required; a is odd; b is required; 1 more)");
});

test("a detail that repeats the error is left out of the message", async () => {
  const details = [{ location: "path", field: "envelope_id", code: "envelope_not_found", message: "Envelope not found" }];
  const error = await refused(404, { error: "Envelope not found", details });
  expect(error).toMatchObject({ message: "GET /partner/envelopes/env_1: 404 Envelope not found", details });
});

test("a conflict about an e-mail address lists the candidates", async () => {
  const candidates = [{ customer_id: "cus_1", name: "Ann", client_id: "17" }];
  const error = await refused(409, { error: "Several customers share this e-mail", candidates });
  expect((error as ConflictError).candidates).toEqual(candidates);
  expect(((await refused(409, { error: "No" })) as ConflictError).candidates).toEqual([]);
});

test("isCode compares the code of a CountersignError only", async () => {
  const error = await refused(409, { error: "No" }, { "x-error-code": "envelope_wrong_status" });
  expect(isCode(error, "envelope_wrong_status")).toBe(true);
  expect(isCode(error, "document_not_ready")).toBe(false);
  expect(isCode(new Error("envelope_wrong_status"), "envelope_wrong_status")).toBe(false);
});

test("the beginning of a response from another program is shown", async () => {
  for (const text of [`<html>${"x".repeat(1000)}`, "[]", '"text"', "null", '{"error":5}', ""]) {
    peer.steps.push({ status: 500, text });
    await expect(cs().envelopes.get("env_1")).rejects.toMatchObject({
      code: null,
      message: `GET /partner/envelopes/env_1: 500 ${text.slice(0, 200)}`,
    });
  }
});
