import { expect, test } from "vitest";
import { failedDelivery, newEndpoint } from "../../test/deliveries.ts";
import { sentEnvelope, setSigner } from "../../test/envelopes.ts";
import { newEnvelope, newTemplate, tenant } from "../../test/lease.ts";
import { type TestOrg, testService } from "../../test/service.ts";

const service = testService();

const attention = async (org: TestOrg) => (await org.admin("GET", "/org/attention")).json.data;
const none = { count: 0, capped: false, items: [] };

test("counts what waits: on the member, on others, drafts of every kind, expiring soon, mail that came back, failed deliveries", async () => {
  const [org, stranger] = [await service.newOrg(), await service.newOrg()];
  const key = await org.newKey();
  expect(await attention(org)).toEqual({
    waiting_for_me: none,
    open: { count: 0, capped: false },
    drafts: none,
    undelivered: none,
    expiring_soon: none,
    failed_deliveries: { count: 0, capped: false },
  });
  const template_id = await newTemplate(key);
  const me = { email: org.email.toUpperCase(), name: "Admin", role: "Landlord" };
  const sent = async (more: object = {}) => {
    const id = await newEnvelope(key, template_id, { signers: [tenant, me], signing_order: "parallel", ...more });
    const { status, json } = await key.send("POST", `/partner/envelopes/${id}/send`, { body: {} });
    expect([status, json.error]).toEqual([200, undefined]);
    return { id, slugs: json.data.signers.map(({ slug }: { slug: string }) => slug) };
  };
  const both = await sent({ expires_in_days: 2 });
  const theirs = await sent();
  await setSigner(service, theirs.slugs[1], "signed");
  const drafts = [await newEnvelope(key, template_id), await newEnvelope(key, template_id)];
  await service.database.owner("update envelopes set status = 'uploaded' where envelope_id = $1", [drafts[0]]);
  await key.send("POST", "/partner/envelopes", {
    body: { envelope_name: "Lease", customer_email: "ann@example.com", customer_name: "Ann" },
  });
  const { endpoint_id } = await newEndpoint(org, { url: "https://example.com/hooks" }, { enabled: false });
  await failedDelivery(service, org, endpoint_id);
  const found = await attention(org);
  expect(found).toMatchObject({
    waiting_for_me: { count: 1, items: [{ envelope_id: both.id, person: null }] },
    open: { count: 2, capped: false },
    drafts: { count: 3, capped: false },
    undelivered: { count: 0 },
    expiring_soon: { count: 1, items: [{ envelope_id: both.id, envelope_name: "Lease", status: "sent" }] },
    failed_deliveries: { count: 1 },
  });
  expect(found.expiring_soon.items[0].recipients).toEqual([
    { name: "Ann", kind: "signer", status: "pending" },
    { name: "Admin", kind: "signer", status: "pending" },
  ]);
  expect(found.expiring_soon.items[0].recipient_count).toBe(2);
  expect(new Set(found.drafts.items.map(({ status }: { status: string }) => status))).toEqual(
    new Set(["pending", "uploaded", "preparing"]),
  );
  for (const [stage, total] of Object.entries({ draft: 3, open: 2 })) {
    expect((await key.send("GET", `/partner/envelopes?stage=${stage}&limit=1`)).json.meta).toMatchObject({ total });
  }
  const bounce = (id: string, to: string, change: string) =>
    service.database.owner(`update mail_messages set attempts = 1, ${change} where envelope_id = $1 and to_address = $2`, [id, to]);
  await bounce(theirs.id, tenant.email, "bounced_at = now()");
  await bounce(both.id, tenant.email, "state = 'failed', last_error = 'withdrawn', body_enc = null");
  const person = { name: "Ann", email: tenant.email };
  expect((await attention(org)).undelivered).toMatchObject({ count: 1, items: [{ envelope_id: theirs.id, person }] });
  // A later message takes its place, whatever becomes of it.
  await service.database.owner("update signers set reminded_at = null where envelope_id = $1", [theirs.id]);
  expect((await key.send("POST", `/partner/envelopes/${theirs.id}/remind`, { body: {} })).status).toBe(200);
  expect((await attention(org)).undelivered).toEqual(none);
  expect((await key.send("GET", "/org/attention")).json.data.waiting_for_me, "a key is not a person").toBe(null);
  const narrow = await org.newKey({ scopes: ["envelopes:read"] });
  expect((await narrow.send("GET", "/org/attention")).json.data.failed_deliveries).toBe(null);
  expect(await attention(stranger)).toMatchObject({ open: { count: 0 }, drafts: none, failed_deliveries: { count: 0 } });
});

test("counts stop at 1,000 and say so", async () => {
  const org = await service.newOrg();
  await service.database.owner(
    `insert into envelopes (org_id, envelope_id, envelope_name, status)
     select $1, 'env_' || lpad(n::text, 26, '0'), 'Draft', 'preparing' from generate_series(1, 1001) as n`,
    [org.org_id],
  );
  expect((await attention(org)).drafts).toMatchObject({ count: 1_000, capped: true });
});

test("the latest completed envelopes come in the order of their completion, with their people and without deposited originals", async () => {
  const [org, stranger] = [await service.newOrg(), await service.newOrg()];
  const latest = async (of: TestOrg) => (await of.admin("GET", "/org/latest-completed")).json.data.items;
  expect(await latest(org)).toEqual([]);
  const ids: string[] = [];
  for (const minutes of [30, 10, 60, 20, 50, 40]) {
    const { envelope_id, signers } = await sentEnvelope(service, org, { signers: ["ann@example.com", "sam@example.com"] });
    for (const { slug } of signers) await setSigner(service, slug, "signed");
    ids[minutes / 10] = envelope_id;
    await service.database.owner(
      `update envelopes set status = 'completed', completed_at = now() - make_interval(mins => $2), updated_at = now() where envelope_id = $1`,
      [envelope_id, minutes],
    );
  }
  const completed_at = await service.database.owner<{ at: Date }>("select completed_at as at from envelopes where envelope_id = $1", [
    ids[1],
  ]);
  await service.database.owner(
    `insert into envelopes (org_id, envelope_id, envelope_name, status, completed_at)
     select $1, 'env_' || lpad(n::text, 26, 'z'), 'Scan', 'completed', now() from generate_series(1, 10) n`,
    [org.org_id],
  );
  await sentEnvelope(service, org);
  const found = await latest(org);
  expect(found.map(({ envelope_id }: { envelope_id: string }) => envelope_id)).toEqual(ids.slice(1, 6));
  expect(found[0]).toEqual({
    envelope_id: ids[1],
    envelope_name: "Lease",
    status: "completed",
    completed_at: completed_at[0]?.at.toISOString(),
    recipients: [
      { name: "Ann", kind: "signer", status: "signed" },
      { name: "Sam", kind: "signer", status: "signed" },
    ],
    recipient_count: 2,
  });
  expect(await latest(stranger)).toEqual([]);
});
