import { beforeAll, describe, expect, test } from "vitest";
import { chainOf } from "../../test/envelopes.ts";
import { landlord, newEnvelope, newTemplate, tenant } from "../../test/lease.ts";
import { newSandbox } from "../../test/sandboxes.ts";
import { type TestKey, type TestOrg, testService } from "../../test/service.ts";
import { DAY_MS } from "../shared/durations.ts";
import type { EnvelopeId } from "../shared/ids.ts";

const service = testService();
let sandbox: TestOrg;
let key: TestKey;
let template_id: string;
beforeAll(async () => {
  sandbox = await newSandbox(service, await service.newOrg());
  key = await sandbox.newKey();
  template_id = await newTemplate(key);
});

/** Expires in 30 days. */
async function sentLease(more: object = {}): Promise<EnvelopeId> {
  const envelope_id = await newEnvelope(key, template_id);
  const sent = await key.send("POST", `/partner/envelopes/${envelope_id}/send`, { body: { signers: [tenant, landlord], ...more } });
  expect([sent.status, sent.json.error]).toEqual([200, undefined]);
  return envelope_id as EnvelopeId;
}

const advance = (envelope_id: EnvelopeId, days: number, headers = {}) =>
  key.send("POST", `/test/envelopes/${envelope_id}/advance`, { body: { days }, headers });
const shown = async (envelope_id: EnvelopeId) => (await key.send("GET", `/partner/envelopes/${envelope_id}`)).json.data.metadata;
const kindsTo = async (envelope_id: EnvelopeId, to: string) =>
  (await key.send("GET", `/test/messages?envelope_id=${envelope_id}&to=${to}`)).json.data.map(({ kind }: { kind: string }) => kind);
const daysUntil = (at: string) => Math.round((Date.parse(at) - Date.now()) / DAY_MS);
const last = async (envelope_id: EnvelopeId, count: number) =>
  (await chainOf(service, sandbox.org_id, envelope_id)).slice(-count).map(({ type, actor, data }) => [type, actor.kind, data.by]);

describe("letting days pass for an envelope", () => {
  test("sends the reminder that is due, announces that it expires, and at last ends it", async () => {
    const envelope_id = await sentLease({ reminders: { every_days: 7 } });
    expect((await advance(envelope_id, 3)).json.data).toEqual({ status: "sent", applied: [] });
    expect(daysUntil((await shown(envelope_id)).expires_at)).toBe(27);
    expect((await advance(envelope_id, 4)).json.data).toEqual({ status: "sent", applied: ["reminded"] });
    expect(await kindsTo(envelope_id, tenant.email)).toEqual(["signing_reminder", "signing_invitation"]);
    expect(await last(envelope_id, 2)).toEqual([
      ["envelope.expiry_changed", "key", "test_operation"],
      ["envelope.reminded", "system", "test_operation"],
    ]);
    const events = (await key.send("GET", `/webhooks/events?envelope_id=${envelope_id}`)).json.data;
    expect(events.map(({ event_type }: { event_type: string }) => event_type)).toContain("envelope.reminder_sent");
    expect((await advance(envelope_id, 21)).json.data.applied).toEqual(["reminded", "expiry_announced"]);
    expect((await advance(envelope_id, 1)).json.data).toEqual({ status: "sent", applied: [] });
    expect((await advance(envelope_id, 1)).json.data).toEqual({ status: "expired", applied: ["expired"] });
    expect(await kindsTo(envelope_id, tenant.email)).toContain("signing_expired");
    expect(await last(envelope_id, 1)).toEqual([["envelope.expired", "system", "test_operation"]]);
    const again = await advance(envelope_id, 1);
    expect([again.status, again.headers["x-error-code"]]).toEqual([409, "envelope_wrong_status"]);
  });

  test("further than its expiry reminds once and ends it now; what has happened keeps its times", async () => {
    const envelope_id = await sentLease({ reminders: { every_days: 5 } });
    const before = await key.send("GET", `/partner/envelopes/${envelope_id}/audit-trail?limit=200`);
    expect((await advance(envelope_id, 400)).json.data).toEqual({ status: "expired", applied: ["reminded", "expired"] });
    const after = await key.send("GET", `/partner/envelopes/${envelope_id}/audit-trail?limit=200`);
    expect(after.json.data.slice(-before.json.data.length)).toEqual(before.json.data);
    const ended = await shown(envelope_id);
    expect(Date.parse(ended.sent_at)).toBeLessThanOrEqual(Date.parse(ended.expires_at));
    expect(Math.abs(Date.parse(ended.expires_at) - Date.now())).toBeLessThan(DAY_MS);
  });

  test("without reminders sends none, and happens once for a repeated request", async () => {
    const envelope_id = await sentLease();
    const ask = () => advance(envelope_id, 10, { "idempotency-key": "ten days" });
    const [first, again] = [await ask(), await ask()];
    expect([first.json.data, again.text]).toEqual([{ status: "sent", applied: [] }, first.text]);
    expect(daysUntil((await shown(envelope_id)).expires_at)).toBe(20);
  });

  test.each([0, 401, 1.5, "2"])("by %j days is 422", async (days) => {
    const { status, json } = await advance("env_01h2xcejqtf2nbrexx3vqjhp41" as EnvelopeId, days as number);
    expect([status, json.details[0].field]).toEqual([422, "days"]);
  });

  test("is 409 for a draft and 404 for an envelope of another sandbox", async () => {
    const draft = (await newEnvelope(key, template_id)) as EnvelopeId;
    expect((await advance(draft, 1)).headers["x-error-code"]).toBe("envelope_wrong_status");
    const other = await (await newSandbox(service, await service.newOrg())).newKey();
    const foreign = await other.send("POST", `/test/envelopes/${await sentLease()}/advance`, { body: { days: 1 } });
    expect([foreign.status, foreign.headers["x-error-code"]]).toEqual([404, "envelope_not_found"]);
  });
});
