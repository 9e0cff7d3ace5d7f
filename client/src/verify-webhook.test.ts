import { randomBytes } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { Webhook as Svix } from "svix";
import { describe, expect, test } from "vitest";
import fc from "../../testing/properties.ts";
import { verifyWebhook, type WebhookVerificationError } from "./verify-webhook.ts";
import { webhookTestHeaders } from "./webhook-test-headers.ts";

const secret = `whsec_${randomBytes(32).toString("base64")}`;
const event = {
  event_type: "envelope.voided",
  event_id: "evt_01h2xcejqtf2nbrexx3vqjhp41",
  org_id: "org_01h2xcejqtf2nbrexx3vqjhp41",
  envelope_id: null,
  timestamp: "2026-01-05T09:30:00.000Z",
  data: { reason: "wrong price – “really”" },
};
const body = JSON.stringify(event);
const now = new Date("2026-01-05T09:30:00.000Z");
const signed = (at = now, text: string | Uint8Array = body) => webhookTestHeaders(text, secret, { id: event.event_id, at });

async function reasonOf(verified: Promise<unknown>): Promise<string> {
  return verified.then(
    () => "accepted",
    (error: WebhookVerificationError) => (error.name === "WebhookVerificationError" ? error.reason : String(error)),
  );
}

describe("verifyWebhook", () => {
  test("returns the event, from text and bytes, and with the headers of fetch and of Node", async () => {
    const headers = await signed();
    const bytes = new TextEncoder().encode(body);
    for (const received of [body, bytes, bytes.buffer as ArrayBuffer]) {
      for (const given of [headers, new Headers(headers), { ...headers, "Webhook-Id": headers["webhook-id"], "webhook-id": undefined }]) {
        const one = "Webhook-Id" in given ? Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) : given;
        expect(await verifyWebhook(received, one as Record<string, string>, secret, { now })).toEqual(event);
      }
    }
  });

  test("accepts signatures of the public library, which accepts the test headers", async () => {
    const at = new Date();
    const headers = await signed(at);
    expect(new Webhook(secret).verify(body, headers)).toEqual(event);
    expect(new Svix(secret).verify(body, headers)).toEqual(event);
    const theirs = { ...headers, "webhook-signature": new Webhook(secret).sign(event.event_id, at, body) };
    expect(await verifyWebhook(body, theirs, secret)).toEqual(event);
  });

  test.each([
    ["five minutes old", 300, "accepted"],
    ["older than five minutes", 301, "too_old"],
    ["five minutes ahead", -300, "accepted"],
    ["further ahead", -301, "too_new"],
  ])("a delivery %s", async (_what, seconds, reason) => {
    const headers = await signed(new Date(now.getTime() - seconds * 1000));
    expect(await reasonOf(verifyWebhook(body, headers, secret, { now }))).toBe(reason);
    expect(await reasonOf(verifyWebhook(body, headers, secret, { now, toleranceSeconds: 10 }))).not.toBe("accepted");
  });

  test.each(["1767605400abc", " 1767605400", "1767605400.5", "1e9", "-5", "0x10", "NaN", "١٢٣", "1".repeat(13)])(
    "the timestamp %j is not a number",
    async (timestamp) => {
      const headers = { ...(await signed()), "webhook-timestamp": timestamp };
      expect(await reasonOf(verifyWebhook(body, headers, secret, { now }))).toBe("malformed_timestamp");
    },
  );

  test.each(["webhook-id", "webhook-timestamp", "webhook-signature"])(
    "a delivery with %s missing, empty or repeated is rejected",
    async (name) => {
      const headers: Record<string, string> = await signed();
      const { [name]: value = "", ...others } = headers;
      for (const odd of [
        others,
        { ...others, [name]: "" },
        { ...others, [name]: [value, value] },
        { ...headers, [name.toUpperCase()]: value },
      ]) {
        expect(await reasonOf(verifyWebhook(body, odd, secret, { now }))).toBe("missing_header");
      }
    },
  );

  test("one valid signature is enough, in any position; other versions and malformed ones are ignored", async () => {
    const headers = await signed();
    const good = headers["webhook-signature"];
    const other = `v1,${randomBytes(32).toString("base64")}`;
    for (const text of [`${good} ${other}`, `${other} ${good}`, `v1a,xyz nonsense v2,${good} ${good}`]) {
      expect(await reasonOf(verifyWebhook(body, { ...headers, "webhook-signature": text }, secret, { now }))).toBe("accepted");
    }
    for (const text of [other, good.replace("v1,", "v2,"), good.replace("v1,", ""), `${good}=`, `v1,`, good.replace(",", ", ")]) {
      expect(await reasonOf(verifyWebhook(body, { ...headers, "webhook-signature": text }, secret, { now }))).toBe("wrong_signature");
    }
    const late = `${`${other} `.repeat(100)}${good}`;
    expect(await reasonOf(verifyWebhook(body, { ...headers, "webhook-signature": late }, secret, { now }))).toBe("wrong_signature");
  });

  test("an invalid secret is reported differently from an invalid delivery", async () => {
    const headers = await signed();
    for (const wrong of ["", "whsec_", "whsec_%%%", "lk_0123"])
      await expect(verifyWebhook(body, headers, wrong)).rejects.toThrow(TypeError);
    expect(await reasonOf(verifyWebhook(body, headers, `whsec_${randomBytes(32).toString("base64")}`, { now }))).toBe("wrong_signature");
  });

  test("a signed body that is not an event is rejected", async () => {
    for (const odd of ["", "null", "5", "{}", "{", Uint8Array.of(0xff, 0xfe)]) {
      expect(await reasonOf(verifyWebhook(odd, await signed(now, odd), secret, { now }))).toBe("malformed_body");
    }
  });

  test("any flipped bit in the body, the ID or the time is noticed", async () => {
    const headers = await signed();
    const bytes = new TextEncoder().encode(body);
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length * 8 - 1), async (bit) => {
        const changed = Uint8Array.from(bytes);
        changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        expect(await reasonOf(verifyWebhook(changed, headers, secret, { now }))).toBe("wrong_signature");
      }),
    );
    expect(await reasonOf(verifyWebhook(body, { ...headers, "webhook-id": "evt_other" }, secret, { now }))).toBe("wrong_signature");
    const later = String(Number(headers["webhook-timestamp"]) + 1);
    expect(await reasonOf(verifyWebhook(body, { ...headers, "webhook-timestamp": later }, secret, { now }))).toBe("wrong_signature");
  });
});
