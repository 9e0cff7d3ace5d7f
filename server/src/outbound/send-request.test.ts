import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Receiver, startReceiver } from "../../test/receiver.ts";
import { alwaysLeaves } from "../shared/departures.ts";
import { makeResolveName } from "./name-resolver.ts";
import { type Limits, sendRequest } from "./send-request.ts";

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

const fence = { loopback: true, plainHttp: false, allowedNetworks: [] };
const roomy: Limits = { connect_ms: 60_000, exchange_ms: 60_000, body_ms: 60_000, body_bytes: 10 };

const get = (url: string, changed: Partial<Limits> = {}) =>
  sendRequest(
    { mayLeave: alwaysLeaves, fence, resolve: makeResolveName(), limits: { ...roomy, ...changed } },
    { method: "GET", url, headers: { accept: "text/plain" }, body: null },
    new AbortController().signal,
  );

describe("GET", () => {
  test("sends no body, and returns status, headers and the whole body", async () => {
    receiver.next({ status: 404, headers: { "x-why": "gone" }, body: "0123456789" });
    const result = await get(receiver.url);
    expect(result).toMatchObject({ kind: "answered", code: 404, headers: { "x-why": "gone" }, complete: true });
    expect(result.kind === "answered" && result.body.toString()).toBe("0123456789");
    const [request] = receiver.requests;
    expect([request?.method, request?.body.length, request?.headers.accept]).toEqual(["GET", 0, "text/plain"]);
    expect(request?.headers).not.toHaveProperty("content-length");
  });

  test("keeps the first bytes of a longer body and says that it is not whole", async () => {
    receiver.next({ status: 200, body: "0123456789+" });
    const result = await get(receiver.url);
    expect(result).toMatchObject({ kind: "answered", code: 200, complete: false });
    expect(result.kind === "answered" && result.body.toString()).toBe("0123456789");
  });

  test.each(["hang in the body", "half a body"] as const)("is not whole with a peer that answers with: %s", async (treatment) => {
    receiver.next(treatment);
    expect(await get(receiver.url, { body_ms: 200 })).toMatchObject({ kind: "answered", code: 200, complete: false });
  });

  test("of what is no URL is blocked", async () => {
    for (const url of ["", "ldap://127.0.0.1/cn=crl", "http://", "http://[::1"])
      expect(await get(url), url).toEqual({ kind: "failed", error: "blocked_address" });
  });
});
