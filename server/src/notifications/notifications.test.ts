import { beforeAll, describe, expect, test } from "vitest";
import { makeReady, signingSession } from "../../test/ceremony.ts";
import type { Send } from "../../test/client.ts";
import { linkTokenFor, page } from "../../test/envelopes.ts";
import { jobsDone, testJobs } from "../../test/jobs.ts";
import { envelopeBody, landlord, newTemplate, tenant } from "../../test/lease.ts";
import { type TestOrg, testService } from "../../test/service.ts";
import { newMember } from "../../test/vaulted.ts";
import { sweepEnvelopes } from "../envelopes/sweep-envelopes.ts";
import { cleanUp } from "../orgs/clean-up.ts";

const service = testService();
testJobs(service);
let org: TestOrg;
let template_id: string;
beforeAll(async () => {
  org = await service.newOrg();
  template_id = await newTemplate(await org.newKey());
});

interface Sent {
  readonly envelope_id: string;
  readonly slug: string;
}

/** Sent to two people by a member or with a key. */
async function sendLease(send: Send, more: object = {}): Promise<Sent> {
  const { envelope_id } = (await send("POST", "/partner/envelopes", { body: envelopeBody({ template_id, ...more }) })).json.data;
  const { status, json } = await send("POST", `/partner/envelopes/${envelope_id}/send`, { body: { signers: [tenant, landlord] } });
  expect(status).toBe(200);
  return { envelope_id, slug: json.data.signers[0].slug };
}

async function decline({ envelope_id, slug }: Sent): Promise<void> {
  const signer = page(service, await linkTokenFor(service, slug as never));
  expect((await signer("POST", `/embed/sign/${envelope_id}/decline`)).status).toBe(200);
}

const unread = async (send: Send) => (await send("GET", "/notifications?unread=true")).json;
const change = (send: Send, kinds: object) => send("PATCH", "/notifications/settings", { body: { kinds } });

/** How many messages about these envelopes members got, by kind. */
async function mailed(envelope_name: string): Promise<Record<string, number>> {
  await jobsDone(service);
  const found = (await org.admin("GET", "/org/outbox?limit=100")).json.data as { kind: string; subject: string | null }[];
  const own = found.filter(({ subject }) => subject?.includes(envelope_name) === true).map(({ kind }) => kind);
  return Object.fromEntries([...new Set(own)].map((kind) => [kind, own.filter((one) => one === kind).length]));
}

describe("a member is notified", () => {
  test("of an envelope that they sent, and no other member is", async () => {
    const [sender, other] = [await newMember(service, org), await newMember(service, org)];
    const sent = await sendLease(sender.send, { envelope_name: "Declined lease" });
    await decline(sent);
    const { data, meta } = await unread(sender.send);
    expect([meta.total, data]).toEqual([
      1,
      [
        {
          notification_id: expect.stringMatching(/^ntf_/),
          kind: "declined",
          envelope_id: sent.envelope_id,
          batch_id: null,
          text: "Ann declined to sign Declined lease",
          created_at: expect.any(String),
          read_at: null,
        },
      ],
    ]);
    expect([(await unread(other.send)).data, (await unread(org.admin)).data]).toEqual([[], []]);
    expect(await mailed("Declined lease")).toMatchObject({ envelope_declined: 1 });
  });

  test("of an envelope that a key sent, if they are its owner; otherwise every admin is", async () => {
    const [owner, admin] = [await newMember(service, org), await newMember(service, org, "admin")];
    const key = await org.newKey();
    const [owned, ofNone] = [await sendLease(key.send), await sendLease(key.send)];
    const give = (envelope_id: string, owner_user_id: string | null) =>
      key.send("PATCH", `/partner/envelopes/${envelope_id}`, { body: { owner_user_id } });
    expect((await give(owned.envelope_id, owner.user_id)).status).toBe(200);
    await decline(owned);
    expect([(await unread(owner.send)).meta.total, (await unread(admin.send)).meta.total]).toEqual([1, 0]);
    await service.database.owner("update envelopes set owner_user_id = null where envelope_id = $1", [ofNone.envelope_id]);
    await decline(ofNone);
    expect([(await unread(owner.send)).meta.total, (await unread(admin.send)).meta.total]).toEqual([1, 1]);
  });

  test("when it is their turn in an envelope whose link they get from no mail", async () => {
    const member = await newMember(service, org);
    const email = (await member.send("GET", "/auth/me")).json.data.user.email;
    const recipients = [
      { ...tenant, kind: "signer" },
      { kind: "signer", name: "Member", email, role: landlord.role, delivery: "link" },
    ];
    const { envelope_id } = (
      await member.send("POST", "/partner/envelopes", { body: envelopeBody({ template_id, envelope_name: "Ours" }) })
    ).json.data;
    expect((await member.send("POST", `/partner/envelopes/${envelope_id}/send`, { body: { recipients } })).status).toBe(200);
    expect((await unread(member.send)).meta.total).toBe(0);
    const ann = await signingSession(service, org, envelope_id, tenant.email);
    await makeReady(ann);
    expect((await ann.complete()).status).toBe(200);
    expect((await unread(member.send)).data).toMatchObject([{ kind: "action_needed", envelope_id, text: "It is your turn: Ours" }]);
  });

  test("as they want it: in the console, by e-mail, in neither way", async () => {
    const { send } = await newMember(service, org);
    const both = { console: true, mail: true };
    const kinds = {
      completed: both,
      declined: both,
      expires_soon: both,
      expired: both,
      mail_failed: both,
      action_needed: both,
      batch_ended: both,
    };
    expect((await send("GET", "/notifications/settings")).json.data).toEqual({ kinds });
    expect((await change(send, { declined: { mail: false } })).json.data.kinds.declined).toEqual({ console: true, mail: false });
    await decline(await sendLease(send, { envelope_name: "Console only" }));
    expect([(await unread(send)).meta.total, await mailed("Console only")]).toEqual([
      1,
      expect.not.objectContaining({ envelope_declined: 1 }),
    ]);
    expect((await change(send, { declined: { console: false } })).json.data.kinds.declined).toEqual({ console: false, mail: false });
    await decline(await sendLease(send, { envelope_name: "Neither" }));
    expect([(await unread(send)).meta.total, await mailed("Neither")]).toEqual([1, expect.not.objectContaining({ envelope_declined: 1 })]);
    await change(send, { declined: { mail: true } });
    await decline(await sendLease(send, { envelope_name: "Mail only" }));
    expect([(await unread(send)).meta.total, await mailed("Mail only")]).toEqual([1, expect.objectContaining({ envelope_declined: 1 })]);
  });

  test("two days before an envelope expires, once for each expiry, and again when it has expired", async () => {
    const { send } = await newMember(service, org);
    const { envelope_id } = await sendLease(send, { envelope_name: "Slow lease" });
    const brief = await sendLease(send, { envelope_name: "Brief lease" });
    const expireIn = (id: string, interval: string, since = "4 days") =>
      service.database.owner(
        "update envelopes set expires_at = now() + $2::interval, sent_at = now() - $3::interval where envelope_id = $1",
        [id, interval, since],
      );
    const textsOf = async () => (await unread(send)).data.map(({ text }: { text: string }) => text);
    await expireIn(envelope_id, "49 hours");
    await expireIn(brief.envelope_id, "1 day", "1 hour");
    await sweepEnvelopes(service.features.envelopes);
    expect(await textsOf(), "not yet; and what was sent for a day only is not about to expire").toEqual([]);
    await expireIn(envelope_id, "47 hours");
    await sweepEnvelopes(service.features.envelopes);
    await sweepEnvelopes(service.features.envelopes);
    expect(await textsOf()).toEqual(["Slow lease expires in less than two days"]);
    await expireIn(envelope_id, "46 hours");
    await sweepEnvelopes(service.features.envelopes);
    expect(await textsOf()).toHaveLength(2);
    await expireIn(envelope_id, "-1 minute");
    await sweepEnvelopes(service.features.envelopes);
    expect(await textsOf()).toEqual([
      "Slow lease expired before everyone signed",
      ...Array(2).fill("Slow lease expires in less than two days"),
    ]);
    expect(await mailed("Slow lease")).toMatchObject({ envelope_expires_soon: 2, envelope_expired: 1 });
  });
});

describe("/notifications", () => {
  test("those that were read are no longer unread; ids of other people are passed over", async () => {
    const [mine, theirs] = [await newMember(service, org), await newMember(service, org)];
    for (const { send } of [mine, mine, theirs]) await decline(await sendLease(send));
    const idsOf = async (send: Send): Promise<string[]> =>
      (await unread(send)).data.map(({ notification_id }: { notification_id: string }) => notification_id);
    const [newest = "", oldest = ""] = await idsOf(mine.send);
    const [foreign = ""] = await idsOf(theirs.send);
    const read = await mine.send("POST", "/notifications/read", { body: { ids: [newest, foreign] } });
    expect([read.status, read.json.data]).toEqual([200, { unread: 1 }]);
    expect([await idsOf(mine.send), await idsOf(theirs.send)]).toEqual([[oldest], [foreign]]);
    const { data } = (await mine.send("GET", "/notifications")).json;
    expect(data.map((one: { read_at: string | null }) => one.read_at !== null)).toEqual([true, false]);
  });

  test("need a session, and refuse what is not theirs to know", async () => {
    const key = await org.newKey();
    for (const path of ["/notifications", "/notifications/settings"]) {
      const { status, headers } = await key.send("GET", path);
      expect([status, headers["x-error-code"]]).toEqual([403, "session_required"]);
    }
    const custodian = await newMember(service, org, "custodian");
    expect((await custodian.send("GET", "/notifications")).status).toBe(403);
    const { send } = await newMember(service, org, "viewer");
    const refused = [
      await send("GET", "/notifications?unread=yes"),
      await send("POST", "/notifications/read", { body: { ids: [] } }),
      await send("POST", "/notifications/read", { body: { ids: ["env_01h2xcejqtf2nbrexx3vqjhp41"] } }),
      await change(send, { declined: { console: "no" } }),
      await change(send, { birthday: { mail: true } }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([422, 422, 422, 422, 422]);
  });

  test("are deleted after 90 days", async () => {
    const { send } = await newMember(service, org);
    for (const age of ["89 days", "91 days"]) {
      await decline(await sendLease(send, { envelope_name: age }));
      await service.database.owner("update notifications set created_at = now() - $1::interval where data->>'envelope_name' = $1", [age]);
    }
    expect(await cleanUp(service.features.orgs)).toMatchObject({ notifications: 1 });
    expect((await unread(send)).data.map(({ text }: { text: string }) => text)).toEqual(["Ann declined to sign 89 days"]);
  });
});
