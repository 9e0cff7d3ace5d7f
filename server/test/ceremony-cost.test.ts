import pg from "pg";
import { expect, test } from "vitest";
import { currentText } from "../src/texts/current-texts.ts";
import { signingSession, typedMark } from "./ceremony.ts";
import { landlord, newEnvelope, newTemplate, tenant } from "./lease.ts";
import { testService } from "./service.ts";

/**
 * What a ceremony asks of the database: messages of `serve`, each of which is a round trip. Two people sign an envelope, with the calls that the
 * signing page makes. Jobs come besides.
 */
const MOST_MESSAGES = 237;

const service = testService();

/** Runs this and returns how many messages were sent to the database meanwhile, by what begins each. */
async function countMessages(run: () => Promise<void>): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function counted(this: pg.Client, ...args: unknown[]) {
    const [statement] = args as [string | { readonly name?: string; readonly text: string }];
    const text = typeof statement === "string" ? statement : (statement.name ?? statement.text);
    const what = text.replace(/\s+/g, " ").trim().slice(0, 60);
    counts.set(what, (counts.get(what) ?? 0) + 1);
    return (query as (...all: unknown[]) => unknown).apply(this, args);
  } as typeof query;
  try {
    await run();
  } finally {
    pg.Client.prototype.query = query;
  }
  return counts;
}

async function signLikeThePage(org: Parameters<typeof signingSession>[1], envelope_id: string, email: string, name: string): Promise<void> {
  const page = await signingSession(service, org, envelope_id, email);
  const { document, fields } = (await page.open()).json.data;
  expect((await page.see()).status).toBe(200);
  expect((await page.consent()).status).toBe(200);
  expect((await page.save({ adopt: { signature: typedMark(name), initials: typedMark("AE") } })).status).toBe(200);
  const marks = fields.filter(({ type }: { type: string }) => type === "signature" || type === "initials");
  const values = marks.map(({ field_id }: { field_id: string }) => ({ field_id, value: true }));
  const { revision } = (await page.save({ values })).json.data;
  const { prepared_sha256, state_sha256 } = document;
  const { text: _, ...intent } = currentText(service.features.texts, "intent");
  const body = { revision, prepared_sha256, state_sha256, intent, timezone: "Europe/Berlin" };
  const done = await page.send("POST", "/complete", { body });
  expect([done.status, done.json.error]).toEqual([200, undefined]);
}

test(`a ceremony of two signers sends at most ${MOST_MESSAGES} messages to the database`, async () => {
  const org = await service.newOrg();
  const key = await org.newKey();
  const template_id = await newTemplate(key);
  const ceremony = async () => {
    const envelope_id = await newEnvelope(key, template_id);
    expect((await key.send("POST", `/partner/envelopes/${envelope_id}/send`, { body: { signers: [tenant, landlord] } })).status).toBe(200);
    await signLikeThePage(org, envelope_id, tenant.email, "Ann Example");
    await signLikeThePage(org, envelope_id, landlord.email, "Sam Example");
  };
  // The first one creates what all others share.
  await ceremony();
  const counts = await countMessages(ceremony);
  const most = [...counts].sort(([, a], [, b]) => b - a);
  const total = most.reduce((sum, [, n]) => sum + n, 0);
  expect(counts.get("commit")).toBeGreaterThan(10);
  expect(total, most.map(([what, n]) => `${n} ${what}`).join("\n")).toBeLessThanOrEqual(MOST_MESSAGES);
  // A limit that is far above what is true holds nothing.
  expect(total).toBeGreaterThan(MOST_MESSAGES * 0.9);
});
