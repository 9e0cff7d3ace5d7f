import { expect } from "vitest";
import { declaredEndpoints } from "../src/main.ts";
import type { Answer, Send } from "./client.ts";

const endpoints = declaredEndpoints();
const declared = new Map(endpoints.map((endpoint) => [endpoint.name, endpoint]));
const paths = endpoints.map(({ name, method, path }) => ({ name, method, path: new RegExp(`^${path.replace(/:\\w+/g, "[^/]+")}$`) }));

/** Whether the operation takes an `Idempotency-Key`. */
export const isIdempotent = (name: string): boolean => declared.get(name)?.idempotent === true;

/**
 * A request that was sent again with its `Idempotency-Key`. Such a request runs inside one transaction with its answer, so an operation that
 * opens a transaction of its own, or waits for one, fails here with 500. A refusal is not stored, and is said again.
 */
export function expectReplay(name: string, first: Answer, again: Answer): void {
  const codeOf = ({ json }: Answer) => json?.details?.[0]?.code;
  if (first.status >= 300) {
    expect(first.status, first.text).toBeLessThan(500);
    expect([again.status, codeOf(again)], again.text).toEqual([first.status, codeOf(first)]);
  } else if (declared.get(name)?.secret) {
    expect([again.status, codeOf(again)], again.text).toEqual([409, "idempotency_secret"]);
  } else {
    expect([again.status, again.headers["idempotent-replayed"], again.text]).toEqual([first.status, "true", first.text]);
  }
}

/** Sends what takes an `Idempotency-Key` twice with one. */
export const sendingTwice =
  (send: Send): Send =>
  async (method, path, request = {}) => {
    const { name = "" } = paths.find((one) => one.method === method && one.path.test(path)) ?? {};
    if (!isIdempotent(name)) return send(method, path, request);
    const keyed = { ...request, headers: { ...request.headers, "idempotency-key": `${name} ${crypto.randomUUID()}` } };
    const first = await send(method, path, keyed);
    expectReplay(name, first, await send(method, path, keyed));
    return first;
  };
