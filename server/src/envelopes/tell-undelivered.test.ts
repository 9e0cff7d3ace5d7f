import { afterAll, beforeEach, expect, test } from "vitest";
import { testInAll } from "../../../testing/all.ts";
import { client, type Send } from "../../test/client.ts";
import { accept, newEmail } from "../../test/invitations.ts";
import { jobsDone, testJobs } from "../../test/jobs.ts";
import { envelopeBody, landlord, newTemplate, tenant } from "../../test/lease.ts";
import { tokenIn } from "../../test/mail.ts";
import { type TestOrg, testService } from "../../test/service.ts";
import { headerOf, startSmtpPeer } from "../../test/smtp.ts";
import { resumeMail } from "../mail/resume-mail.ts";
import { sendMail } from "../mail/send-mail.ts";
import type { MessageId } from "../shared/ids.ts";

const GONE = "gone@example.com";

const peer = await startSmtpPeer();
const service = testService({ SMTP_URL: peer.url, MAIL_FROM: "sign@example.com", REMIND_MIN_INTERVAL: "0" });
testJobs(service);
afterAll(() => peer.stop());
beforeEach(() => {
  peer.messages.length = 0;
  peer.refuse(GONE);
});

async function member(org: TestOrg) {
  const email = newEmail();
  expect((await org.admin("POST", "/org/invitations", { body: { email, role: "member" } })).status).toBe(201);
  await settled();
  const token = tokenIn({ text: peer.messages.find(({ to }) => to.includes(email))?.text ?? "" });
  const { json } = await accept(service, token);
  return { email, user_id: json.data.user.user_id as string, send: client(service.url, { authorization: `Bearer ${json.data.token}` }) };
}

/** To a tenant whose address is refused and a landlord whose address is accepted. */
async function sendEnvelope(org: TestOrg, send: Send): Promise<string> {
  const template_id = await newTemplate(await org.newKey());
  const body = envelopeBody({ template_id, signers: [{ ...tenant, email: GONE }, landlord] });
  const { envelope_id } = (await send("POST", "/partner/envelopes", { body })).json.data;
  const sent = await send("POST", `/partner/envelopes/${envelope_id}/send`, { body: { signing_order: "parallel" } });
  expect(sent.status, JSON.stringify(sent.json)).toBe(200);
  return envelope_id;
}

const notices = () => peer.messages.filter((message) => headerOf(message, "subject") === "Not delivered: Lease");
const settled = () => jobsDone(service);

test("a member whose message to a signer is refused with 550 gets one message that says what to do", async () => {
  const org = await service.newOrg();
  const sender = await member(org);
  const envelope_id = await sendEnvelope(org, sender.send);
  await settled();
  expect(notices().map(({ to }) => to)).toEqual([[sender.email]]);
  expect(notices()[0]?.text).toBe(`We could not deliver our message to Ann (${GONE}), a signer of: Lease

View the envelope:
${service.config.publicUrl}/console/envelopes/${envelope_id}

Check the address. If it is wrong, correct it there and the signer gets a new link. If it is right, give the signer a signing link yourself.
`);
  expect(peer.messages.filter(({ to }) => to.includes(landlord.email))).toHaveLength(1);
});

test("a second run of the job that failed tells the sender nothing more", async () => {
  const org = await service.newOrg();
  const sender = await member(org);
  await sendEnvelope(org, sender.send);
  await settled();
  const failed = await service.database.owner<{ message_id: MessageId }>(
    "select message_id from mail_messages where org_id = $1 and state = 'failed'",
    [org.org_id],
  );
  expect(failed).toHaveLength(1);
  for (const { message_id } of failed) expect(await sendMail(service.features.mail, message_id)).toBeNull();
  await resumeMail(service.features.mail);
  await settled();
  expect(notices()).toHaveLength(1);
});

test("a notice that is refused itself is reported to no one", async () => {
  const org = await service.newOrg();
  const sender = await member(org);
  peer.refuse(sender.email);
  await sendEnvelope(org, sender.send);
  await settled();
  const failed = await service.database.owner("select kind from mail_messages where org_id = $1 and state = 'failed' order by mail_id", [
    org.org_id,
  ]);
  expect(failed.map(({ kind }) => kind)).toEqual(["signing_invitation", "envelope_delivery_failed"]);
  expect(notices()).toEqual([]);
});

testInAll("the admins are told instead of a sender who has left, and when a key sent the envelope", async () => {
  const org = await service.newOrg();
  await sendEnvelope(org, (await org.newKey()).send);
  await settled();
  expect(notices().map(({ to }) => to)).toEqual([[org.email]]);

  const sender = await member(org);
  await sendEnvelope(org, sender.send);
  await settled();
  expect(notices().map(({ to }) => to)).toEqual([[org.email], [sender.email]]);

  // Their next reminder, after they have left.
  expect((await org.admin("DELETE", `/org/members/${sender.user_id}`)).status).toBeLessThan(300);
  const [envelope] = await service.database.owner("select envelope_id from envelopes where org_id = $1 and sent_by = $2", [
    org.org_id,
    sender.user_id,
  ]);
  const reminded = await org.admin("POST", `/partner/envelopes/${envelope?.envelope_id}/remind`, { body: {} });
  expect(reminded.status, JSON.stringify(reminded.json)).toBe(200);
  await settled();
  expect(notices().map(({ to }) => to)).toEqual([[org.email], [sender.email], [org.email]]);
});

test("a message to an address that was corrected in the meantime is reported to no one", async () => {
  const org = await service.newOrg();
  const sender = await member(org);
  const deferred = "slow@example.com";
  const template_id = await newTemplate(await org.newKey());
  const body = envelopeBody({ template_id, signers: [{ ...tenant, email: deferred }, landlord] });
  const { envelope_id } = (await sender.send("POST", "/partner/envelopes", { body })).json.data;
  await sender.send("POST", `/partner/envelopes/${envelope_id}/send`, { body: { signing_order: "parallel" } });
  await settled();
  await service.database.owner("update signers set email = 'right@example.com' where envelope_id = $1 and email = $2", [
    envelope_id,
    deferred,
  ]);
  await service.db.system((tx) =>
    tx.forOrg(org.org_id, (inside) => service.features.mail.onFailed(inside, org.org_id, { about: envelope_id, to: deferred })),
  );
  await settled();
  expect(notices()).toEqual([]);
});
