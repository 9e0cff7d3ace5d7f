import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { Countersign } from "./client.ts";
import { webhooks, webhookTestHeaders } from "./webhooks.ts";

const newSecret = () => `whsec_${randomBytes(32).toString("base64")}`;
const body = JSON.stringify({ event_type: "envelope.voided", event_id: "evt_1", envelope_id: "env_1", data: { reason: "wrong price" } });

test("unwrap returns the event with typed data", async () => {
  const secret = newSecret();
  const event = await webhooks.unwrap(body, await webhookTestHeaders(body, secret), secret);
  switch (event.event_type) {
    case "envelope.voided":
      expect(event.data.reason).toBe("wrong price");
      break;
    default:
      expect.unreachable();
  }
  const cs = new Countersign({ baseUrl: "http://localhost", apiKey: "lk_test" });
  expect(await cs.webhooks.unwrap(body, await webhookTestHeaders(body, secret), secret)).toEqual(event);
});

test("one matching secret is enough, no secret is an error, and other errors are thrown as they are", async () => {
  const [one, two, three] = [newSecret(), newSecret(), newSecret()];
  const headers = await webhookTestHeaders(body, two);
  expect(await webhooks.unwrap(body, headers, [one, two, three])).toMatchObject({ event_id: "evt_1" });
  await expect(webhooks.unwrap(body, headers, [one, three])).rejects.toMatchObject({ reason: "wrong_signature" });
  await expect(webhooks.unwrap(body, headers, [])).rejects.toThrow(TypeError);
  await expect(webhooks.unwrap(body, headers, [one, "whsec_%%%"])).rejects.toThrow(TypeError);
  await expect(webhooks.unwrap(body, { ...headers, "webhook-timestamp": "1" }, [one, two])).rejects.toMatchObject({ reason: "too_old" });
});

test("an event of an unknown type is returned as it is", async () => {
  const secret = newSecret();
  const later = body.replace("envelope.voided", "envelope.renamed");
  const event: { readonly event_type: string } = await webhooks.unwrap(later, await webhookTestHeaders(later, secret), secret);
  expect(event.event_type).toBe("envelope.renamed");
});
