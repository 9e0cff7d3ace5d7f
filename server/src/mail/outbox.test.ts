import { afterAll, describe, expect, test } from "vitest";
import { refusedWith } from "../../test/refused-with.ts";
import { type TestOrg, type TestService, testService } from "../../test/service.ts";
import { signerFacts } from "../../test/signer-facts.ts";
import { startSmtpPeer } from "../../test/smtp.ts";
import type { MessageId } from "../shared/ids.ts";
import { invitationToSign } from "./messages/to-signer.ts";
import { queueMail } from "./queue-mail.ts";
import { sendMail } from "./send-mail.ts";

const peer = await startSmtpPeer();
const kept = testService();
const sending = testService({ SMTP_URL: peer.url });
afterAll(async () => {
  sending.features.mail.smtp?.close();
  await peer.stop();
});

const url = "https://sign.example.com/s/abc";
const iso = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

function queue(service: TestService, org: TestOrg, envelope_name: string): Promise<MessageId> {
  const expires_at = new Date(Date.now() + 86_400_000);
  const words = invitationToSign(signerFacts({ envelope_name, url, expires_at }));
  return service.db.tx(org.org_id, (tx) =>
    queueMail(service.features.mail, tx, org.org_id, { ...words, to: "ann@example.com", org_name: "Acme", expires_at }),
  );
}

describe("without a mail server, an admin", () => {
  test("sees the organization's messages, newest first, and none that belong to another organization or a person", async () => {
    const [org, other] = [await kept.newOrg(), await kept.newOrg()];
    const ids = [await queue(kept, org, "Lease"), await queue(kept, org, "Note")];
    await queue(kept, other, "Secret");
    await org.admin("POST", "/org/invitations", { body: { email: "ben@example.com", role: "viewer" } });
    const line = { to: "ann@example.com", kind: "signing_invitation", state: "queued", created_at: iso, sent_at: null, last_error: null };
    const { status, json } = await org.admin("GET", "/org/outbox");
    expect([status, json]).toEqual([
      200,
      {
        data: [
          { message_id: ids[1], subject: "Acme asks you to sign: Note", ...line },
          { message_id: ids[0], subject: "Acme asks you to sign: Lease", ...line },
        ],
        meta: { page: 1, limit: 50, total: 2 },
      },
    ]);
    const second = await org.admin("GET", "/org/outbox?page=2&limit=1");
    expect(second.json).toMatchObject({ data: [{ message_id: ids[0] }], meta: { page: 2, limit: 1, total: 2 } });
  });

  test("reads a message with its link, and the response must not be cached", async () => {
    const org = await kept.newOrg();
    const message_id = await queue(kept, org, "Lease");
    const { status, json, headers } = await org.admin("GET", `/org/outbox/${message_id}`);
    expect(status).toBe(200);
    expect(json.data).toEqual({
      message_id,
      to: "ann@example.com",
      subject: "Acme asks you to sign: Lease",
      kind: "signing_invitation",
      state: "queued",
      created_at: iso,
      sent_at: null,
      last_error: null,
      text: expect.stringContaining(`\n${url}\n`),
      html: expect.stringContaining(`href="${url}"`),
    });
    expect(headers["cache-control"]).toBe("no-store");
  });

  test("gets no text for a message that has expired or was encrypted under a different APP_SECRET", async () => {
    const org = await kept.newOrg();
    const [forgotten, foreign] = [await queue(kept, org, "Lease"), await queue(kept, org, "Note")];
    await kept.database.owner("update mail_messages set body_enc = null where message_id = $1", [forgotten]);
    await kept.database.owner("update mail_messages set body_context = 'another' where message_id = $1", [foreign]);
    for (const id of [forgotten, foreign]) {
      const { status, json } = await org.admin("GET", `/org/outbox/${id}`);
      expect([status, json.data]).toEqual([200, expect.objectContaining({ message_id: id, subject: null, text: null, html: null })]);
    }
    expect((await org.admin("GET", "/org/outbox")).status).toBe(200);
  });
});

describe("with a mail server, an admin", () => {
  test("sees the state of each message and cannot read any text", async () => {
    const org = await sending.newOrg();
    const [refused, sent, waiting] = [
      await queue(sending, org, "Refused"),
      await queue(sending, org, "Sent"),
      await queue(sending, org, "Waiting"),
    ];
    peer.fail("550 at RCPT");
    for (const id of [refused, sent]) await sendMail(sending.features.mail, id);
    const { json } = await org.admin("GET", "/org/outbox");
    expect(json.data).toMatchObject([
      { message_id: waiting, state: "queued", subject: "Acme asks you to sign: Waiting", sent_at: null, last_error: null },
      { message_id: sent, state: "sent", subject: null, sent_at: iso, last_error: null },
      { message_id: refused, state: "failed", subject: null, sent_at: null, last_error: "550 5.1.1 RCPT TO" },
    ]);
    for (const id of [refused, sent, waiting]) {
      const { status, json: closed } = await org.admin("GET", `/org/outbox/${id}`);
      expect([status, closed]).toEqual([
        409,
        refusedWith("A mail server is configured, so only the recipient can read the text of this message"),
      ]);
    }
  });
});
