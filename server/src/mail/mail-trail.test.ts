import { createHash } from "node:crypto";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { jobsDone, testJobs } from "../../test/jobs.ts";
import { landlord, newEnvelope, newTemplate, tenant } from "../../test/lease.ts";
import { type TestKey, type TestOrg, testService } from "../../test/service.ts";
import { headerOf, startSmtpPeer } from "../../test/smtp.ts";
import { until } from "../../test/until.ts";
import { lockHead } from "../audit/read-head.ts";
import type { Db } from "../db/connect.ts";
import { lockRow } from "../envelopes/store.ts";
import type { EnvelopeId, MessageId } from "../shared/ids.ts";
import { queueMail, withdrawMail } from "./queue-mail.ts";
import { resumeMail } from "./resume-mail.ts";
import { sendMail } from "./send-mail.ts";

/** What a mail server says about a message is in the audit trail of the envelope, from the moment when the message counts as sent or failed. */

const peer = await startSmtpPeer();
const service = testService({ SMTP_URL: peer.url, MAIL_FROM: "sign@example.com" });
/** without a worker, so that the test decides when a message is attempted */
const still = testService({ SMTP_URL: peer.url, MAIL_FROM: "sign@example.com" });
testJobs(service);
afterAll(() => peer.stop());
beforeEach(() => {
  peer.messages.length = 0;
});

interface Lease {
  readonly org: TestOrg;
  readonly key: TestKey;
  readonly envelope_id: EnvelopeId;
}

async function sentLease(on: typeof service, tenantEmail = tenant.email): Promise<Lease> {
  const org = await on.newOrg();
  const key = await org.newKey();
  const envelope_id = (await newEnvelope(key, await newTemplate(key))) as EnvelopeId;
  const body = { signers: [{ ...tenant, email: tenantEmail }, landlord], signing_order: "parallel" };
  const sent = await key.send("POST", `/partner/envelopes/${envelope_id}/send`, { body });
  expect([sent.status, sent.json.error]).toEqual([200, undefined]);
  return { org, key, envelope_id };
}

interface Entry {
  readonly type: string;
  readonly actor: unknown;
  readonly data: Record<string, unknown>;
}

/** As the API shows it, oldest first. */
async function trailOf({ key, envelope_id }: Lease): Promise<Entry[]> {
  const { json } = await key.send("GET", `/partner/envelopes/${envelope_id}/audit-trail?limit=200`);
  return json.data.toReversed();
}

const mailIn = async (lease: Lease) => (await trailOf(lease)).filter(({ type }) => type.startsWith("mail."));

async function messageTo({ org }: Lease, to: string): Promise<MessageId> {
  const [row] = await still.database.owner<{ message_id: MessageId }>(
    "select message_id from mail_messages where org_id = $1 and to_address = $2 and state = 'queued'",
    [org.org_id, to],
  );
  return row?.message_id ?? expect.fail("no message is queued");
}

const age = () => still.database.owner("update mail_messages set next_attempt_at = now() where state = 'queued'");

describe("a message that a mail server", () => {
  test("accepts is recorded with server, reply, encryption and the hash of what was sent", async () => {
    const lease = await sentLease(service);
    await jobsDone(service);
    const entries = await mailIn(lease);
    expect(entries.map(({ type, data }) => [type, data.to]).sort()).toEqual([
      ["mail.accepted", tenant.email],
      ["mail.accepted", landlord.email],
    ]);
    const toTenant = entries.find(({ data }) => data.to === tenant.email);
    const got = peer.messages.find(({ to }) => to.includes(tenant.email)) ?? expect.fail("nothing came");
    const header_id = headerOf(got, "message-id");
    expect(toTenant).toMatchObject({ actor: { kind: "system", id: "system" } });
    expect(toTenant?.data).toMatchObject({
      message_id: header_id?.slice(1, header_id.indexOf("@")),
      header_id,
      kind: "signing_invitation",
      to: tenant.email,
      server: `127.0.0.1:${peer.port}`,
      code: 250,
      tls: { protocol: expect.stringMatching(/^TLSv1\.[23]$/), cipher: expect.stringMatching(/^TLS_/) },
      body_sha256: createHash("sha256").update(got.raw, "latin1").digest("hex"),
    });
  });

  test("refuses for good is recorded with reply and command, once", async () => {
    const gone = "gone@example.com";
    peer.refuse(gone);
    const lease = await sentLease(service, gone);
    await jobsDone(service);
    await resumeMail(service.features.mail);
    const failed = (await mailIn(lease)).filter(({ type }) => type === "mail.failed");
    expect(failed.map(({ data }) => data)).toEqual([
      expect.objectContaining({
        message_id: expect.stringMatching(/^msg_/),
        kind: "signing_invitation",
        to: gone,
        code: 550,
        stage: "RCPT TO",
        reply: "550 5.1.1 refused by the test",
      }),
    ]);
  });

  test("defers leaves no entry until another attempt has an end", async () => {
    const lease = await sentLease(still);
    const message_id = await messageTo(lease, tenant.email);
    peer.fail("451 at RCPT");
    await sendMail(still.features.mail, message_id);
    expect(await mailIn(lease)).toEqual([]);
    await age();
    await sendMail(still.features.mail, message_id);
    expect((await mailIn(lease)).map(({ type, data }) => [type, data.message_id])).toEqual([["mail.accepted", message_id]]);
  });
});

test("a message that can no longer be read is recorded as failed before it was sent", async () => {
  const lease = await sentLease(still);
  const message_id = await messageTo(lease, tenant.email);
  await still.database.owner("update mail_messages set body_context = 'another' where message_id = $1", [message_id]);
  await sendMail(still.features.mail, message_id);
  expect((await mailIn(lease)).map(({ type, data }) => [type, data.code, data.stage])).toEqual([["mail.failed", null, "before_sending"]]);
});

test("the news that an envelope was voided is recorded after the end of the envelope", async () => {
  const lease = await sentLease(service);
  await jobsDone(service);
  const voided = await lease.key.send("POST", `/partner/envelopes/${lease.envelope_id}/void`, { body: { reason: "A mistake" } });
  expect(voided.status).toBe(200);
  await jobsDone(service);
  const types = (await trailOf(lease)).map(({ type, data }) => (type === "mail.accepted" ? `${type} ${data.kind}` : type));
  expect(types.slice(types.indexOf("envelope.voided"))).toEqual([
    "envelope.voided",
    "mail.accepted signing_voided",
    "mail.accepted signing_voided",
  ]);
});

test("a message that was queued before envelopes recorded their mail, or belongs to a person, is sent as before and leaves no entry", async () => {
  const lease = await sentLease(still);
  const old = await messageTo(lease, tenant.email);
  await still.database.owner("update mail_messages set envelope_id = null where message_id = $1", [old]);
  const words = { kind: "test", subject: "A subject", text: "A text\n", html: "<p>A text</p>\n" };
  const message = { ...words, to: "ben@example.com", org_name: null, expires_at: new Date(Date.now() + 60_000) };
  const personal = await still.db.system((tx) => queueMail(still.features.mail, tx, null, message));
  const count = "select count(*)::int as entries from audit_entries";
  const before = await still.database.owner(count);
  for (const id of [old, personal]) expect(await sendMail(still.features.mail, id)).toMatchObject({ state: "sent" });
  expect(await still.database.owner(count)).toEqual(before);
});

test("an entry and the state of its message commit together or not at all", async () => {
  const lease = await sentLease(still);
  const message_id = await messageTo(lease, tenant.email);
  await still.database.owner("alter table audit_entries add constraint no_mail check (type <> 'mail.accepted') not valid");
  await expect(sendMail(still.features.mail, message_id)).rejects.toThrow(/no_mail/);
  const [row] = await still.database.owner("select state, body_enc is not null as has_body from mail_messages where message_id = $1", [
    message_id,
  ]);
  expect(row).toEqual({ state: "queued", has_body: true });
  await still.database.owner("alter table audit_entries drop constraint no_mail");
  await age();
  await sendMail(still.features.mail, message_id);
  expect((await mailIn(lease)).map(({ type }) => type)).toEqual(["mail.accepted"]);
});

test("an act that holds the envelope and its chain withdraws a message whose acceptance is being recorded, without a deadlock", async () => {
  const lease = await sentLease(still);
  const { envelope_id } = lease;
  const org = lease.org.org_id;
  const message_id = await messageTo(lease, tenant.email);
  const runs = { act: 0, mail: 0 };
  const counted: Db = {
    ...still.db,
    system: (run) =>
      still.db.system((tx) => {
        runs.mail++;
        return run(tx);
      }),
  };
  // Prepared here, because inside a transaction the tests refuse to talk to a mail server.
  let begin = (): void => undefined;
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const sending = begun.then(() => sendMail({ ...still.features.mail, db: counted }, message_id));
  await still.db.tx(org, async (tx) => {
    runs.act++;
    await lockRow(tx, org, envelope_id);
    await lockHead(tx, org, envelope_id);
    begin();
    await until("the acceptance to wait", async () => {
      const waiting = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
      return (await still.database.owner(waiting)).length === 1;
    });
    await withdrawMail(tx, envelope_id);
  });
  await sending;
  // One transaction claims the message and one records the acceptance. Neither was run again.
  expect(runs).toEqual({ act: 1, mail: 2 });
  const [row] = await still.database.owner("select state from mail_messages where message_id = $1", [message_id]);
  expect(row).toEqual({ state: "sent" });
  expect((await mailIn(lease)).map(({ type }) => type)).toEqual(["mail.accepted"]);
});
