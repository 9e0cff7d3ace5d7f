import { describe, expect, test } from "vitest";
import { envelopeBody, landlord, newEnvelope, newTemplate, tenant } from "../../test/lease.ts";
import { type TestKey, type TestOrg, testService } from "../../test/service.ts";

const service = testService();

async function newDraft(more: object = {}) {
  const org = await service.newOrg();
  const key = await org.newKey();
  const template_id = await newTemplate(key);
  return { org, key, template_id, path: `/partner/envelopes/${await newEnvelope(key, template_id, more)}` };
}

const change = (key: TestKey, path: string, body: object) => key.send("PATCH", path, { body });
const send = (key: TestKey, path: string, body: object = {}) => key.send("POST", `${path}/send`, { body });
const shown = async (key: TestKey, path: string) => (await key.send("GET", path)).json.data.metadata;

/** The members that each change recorded in the audit trail names, oldest first. */
async function changedIn(key: TestKey, path: string): Promise<string[]> {
  const entries: { type: string; data: { fields: string[] } }[] = (await key.send("GET", `${path}/audit-trail`)).json.data;
  return entries.flatMap(({ type, data }) => (type === "envelope.changed" ? data.fields : [])).reverse();
}

/** The recipients of the messages, and whether each message contains the text. */
async function mailWith(words: string, { admin }: TestOrg): Promise<[to: string, hasThem: boolean][]> {
  const { data } = (await admin("GET", "/org/outbox")).json;
  const read = async ({ message_id }: { message_id: string }) => (await admin("GET", `/org/outbox/${message_id}`)).json.data;
  const messages: { to: string; text: string }[] = await Promise.all(data.map(read));
  return messages.map(({ to, text }): [string, boolean] => [to, text.includes(words)]).sort();
}

const daysOf = ({ sent_at, expires_at }: { sent_at: string; expires_at: string }) =>
  (Date.parse(expires_at) - Date.parse(sent_at)) / (24 * 3600 * 1000);

const chosen = { message: "Please sign by Friday.", signing_order: "parallel", expires_in_days: 14, reminders: { every_days: 3 } };
const signers = [{ ...tenant, locale: "de" }, landlord];

describe("a draft", () => {
  test("keeps each choice of its sender, and is sent with it", async () => {
    const { org, key, path } = await newDraft();
    for (const [name, value] of Object.entries({ ...chosen, signers })) {
      const { status, json } = await change(key, path, { [name]: value });
      expect([status, json.data.metadata[name]]).toEqual([200, value]);
    }
    expect(await shown(key, path)).toMatchObject({ ...chosen, signers });
    expect(await changedIn(key, path)).toEqual(Object.keys({ ...chosen, signers }));
    const sent = await send(key, path);
    expect([sent.status, daysOf(sent.json.data)]).toEqual([200, 14]);
    expect(await mailWith(chosen.message, org)).toEqual([
      [tenant.email, true],
      [landlord.email, true],
    ]);
    expect(await shown(key, path)).toMatchObject({ ...chosen, signers: null, signer_count: 2 });
    expect((await change(key, path, { message: null })).status).toBe(409);
  });

  test("can be created with them, and accepts the values that it shows", async () => {
    const { key, path } = await newDraft({ ...chosen, signers });
    const { message, signing_order, expires_in_days, reminders, signers: saved } = await shown(key, path);
    const read = { message, signing_order, expires_in_days, reminders, signers: saved };
    expect(read).toEqual({ ...chosen, signers });
    expect((await change(key, path, read)).json.data.metadata).toMatchObject(read);
    const cleared = { message: null, reminders: null, signers: [tenant, landlord] };
    expect((await change(key, path, cleared)).json.data.metadata).toMatchObject({ ...chosen, ...cleared });
  });

  test("yields to the values of the send request", async () => {
    const { org, key, path } = await newDraft(chosen);
    const named = { message: null, signing_order: "sequential", expires_in_days: 5, reminders: null };
    const sent = await send(key, path, named);
    expect([sent.status, daysOf(sent.json.data)]).toEqual([200, 5]);
    expect(await mailWith("writes:", org)).toEqual([[tenant.email, false]]);
    expect(await shown(key, path)).toMatchObject(named);
  });

  test("keeps its other choices when the send request has only a message", async () => {
    const { org, key, path } = await newDraft(chosen);
    await send(key, path, { message: "Today, please." });
    expect(await mailWith("Today, please.", org)).toEqual([
      [tenant.email, true],
      [landlord.email, true],
    ]);
    expect(await shown(key, path)).toMatchObject({ ...chosen, message: "Today, please." });
  });
});

test.each([
  ["a message of 2,001 characters", { message: "m".repeat(2_001) }, "message", "too_long"],
  ["a message that is a number", { message: 7 }, "message", "invalid_type"],
  ["an order that does not exist", { signing_order: "alphabetical" }, "signing_order", "invalid_value"],
  ["no order", { signing_order: null }, "signing_order", "invalid_value"],
  ["366 days", { expires_in_days: 366 }, "expires_in_days", "too_big"],
  ["no days", { expires_in_days: null }, "expires_in_days", "invalid_type"],
  ["reminders every 31 days", { reminders: { every_days: 31 } }, "reminders.every_days", "too_big"],
  ["reminders twice a day", { reminders: { every_days: 0.5 } }, "reminders.every_days", "invalid_type"],
  ["reminders without days", { reminders: {} }, "reminders.every_days", "required"],
  ["reminders that are a number", { reminders: 7 }, "reminders", "invalid_type"],
])("%s: the same 422 when it is created, changed or sent", async (_name, body, field, code) => {
  const { key, path, template_id } = await newDraft();
  const answers = [
    await key.send("POST", "/partner/envelopes", { body: envelopeBody({ template_id, ...body }) }),
    await change(key, path, body),
    await send(key, path, body),
  ];
  for (const { status, json } of answers) expect([status, json.details]).toMatchObject([422, [{ location: "body", field, code }]]);
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(await shown(key, path)).toMatchObject({ message: null, signing_order: "sequential", expires_in_days: 30, reminders: null });
});
