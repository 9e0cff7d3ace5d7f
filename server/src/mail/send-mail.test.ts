import { randomBytes } from "node:crypto";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { type Running, startProcess, stopProcess } from "../../test/process.ts";
import { testService } from "../../test/service.ts";
import { headerOf, startSmtpPeer } from "../../test/smtp.ts";
import { until } from "../../test/until.ts";
import { startWorker } from "../jobs/worker.ts";
import { jobHandlers } from "../main.ts";
import { cleanUp } from "../orgs/clean-up.ts";
import type { MessageId, OrgId } from "../shared/ids.ts";
import type { SendingDeps } from "./message.ts";
import { queueMail } from "./queue-mail.ts";
import { resumeMail } from "./resume-mail.ts";
import { sendMail } from "./send-mail.ts";
import { writeLetter } from "./write-letter.ts";

const peer = await startSmtpPeer();
const APP_SECRET = randomBytes(32).toString("hex");
const service = testService({ SMTP_URL: peer.url, MAIL_FROM: "sign@example.com", APP_SECRET });
const { owner } = service.database;
const processes: Running[] = [];
afterAll(async () => {
  for (const one of processes) await stopProcess(one, "SIGKILL");
  service.features.mail.smtp?.close();
  await peer.stop();
});
beforeEach(async () => {
  peer.messages.length = 0;
  await owner("truncate mail_messages, outbox");
});

const quiet = { info: () => undefined, error: () => undefined };
const deps = (): SendingDeps => service.features.mail;
const letter = writeLetter({ kind: "notice", subject: "A subject", opening: ["A text"], closing: [] });

async function queue(org: OrgId | null = null, to = "ann@example.com"): Promise<MessageId> {
  const message = { ...letter, to, org_name: "Acme", expires_at: new Date(Date.now() + 7 * 86_400_000) };
  return service.db.system((tx) =>
    org === null ? queueMail(deps(), tx, null, message) : tx.forOrg(org, () => queueMail(deps(), tx, org, message)),
  );
}

interface Row {
  state: string;
  attempts: number;
  last_error: string | null;
  sent: boolean;
  has_body: boolean;
  pause_minutes: number;
}

async function rowOf(message_id: MessageId): Promise<Row | undefined> {
  const [row] = await owner<Row>(
    `select state, attempts, last_error, sent_at is not null as sent, body_enc is not null as has_body,
       round(extract(epoch from next_attempt_at - now()) / 60)::int as pause_minutes
     from mail_messages where message_id = $1`,
    [message_id],
  );
  return row;
}

/** Makes a message due by ending its pause or lease. */
const age = () => owner("update mail_messages set next_attempt_at = now() where state = 'queued'");

describe("a message", () => {
  test("is sent by the worker after its transaction committed, and its text is erased", async () => {
    const { org_id } = await service.newOrg();
    const worker = await startWorker({ url: service.database.queueUrl, handlers: jobHandlers(service.features), log: quiet });
    const ids = [await queue(), await queue(org_id)];
    await until("both messages", async () => (await Promise.all(ids.map(rowOf))).every((row) => row?.state === "sent"));
    await worker.stop();
    expect(peer.messages.map((message) => headerOf(message, "message-id")).sort()).toEqual(ids.map((id) => `<${id}@example.com>`).sort());
    expect(peer.messages[0]).toMatchObject({ to: ["ann@example.com"], text: letter.text, html: letter.html });
    for (const id of ids) {
      expect(await rowOf(id)).toMatchObject({ state: "sent", attempts: 1, last_error: null, sent: true, has_body: false });
    }
  });

  test("is not stored and has no job when its transaction did not commit", async () => {
    const undone = service.db.system(async (tx) => {
      await queueMail(deps(), tx, null, { ...letter, to: "ann@example.com", org_name: null, expires_at: new Date(Date.now() + 1_000) });
      throw new Error("changed my mind");
    });
    await expect(undone).rejects.toThrow("changed my mind");
    expect([await owner("select from mail_messages"), await owner("select from outbox")]).toEqual([[], []]);
  });

  test("that was sent is not sent again by a second run of its job", async () => {
    const id = await queue();
    expect(await sendMail(deps(), id)).toMatchObject({ outcome: { kind: "sent" }, state: "sent" });
    expect(await sendMail(deps(), id)).toBeNull();
    expect(peer.messages).toHaveLength(1);
  });

  test("is sent once, for each of 20 that eight workers try to send at the same time", async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => queue()));
    const runs = await Promise.all(Array.from({ length: 8 }, () => ids.map((id) => sendMail(deps(), id))).flat());
    expect(runs.filter((run) => run !== null)).toHaveLength(20);
    expect(new Set(peer.messages.map((message) => headerOf(message, "message-id"))).size).toBe(20);
    expect(peer.messages).toHaveLength(20);
  });

  test("that has expired is not attempted; the clean-up marks it as failed and erases its text", async () => {
    const id = await queue();
    await owner("update mail_messages set expires_at = now() - interval '1 second'");
    expect(await sendMail(deps(), id)).toBeNull();
    await resumeMail(deps());
    await cleanUp(service.features.orgs);
    expect(await rowOf(id)).toMatchObject({ state: "failed", attempts: 0, last_error: "expired", has_body: false });
    expect(peer.messages).toEqual([]);
  });

  test("that can no longer be decrypted fails and does not block others", async () => {
    const [lost, fine] = [await queue(), await queue()];
    await owner("update mail_messages set body_context = 'another' where message_id = $1", [lost]);
    await resumeMail(deps());
    expect(await rowOf(lost)).toMatchObject({ state: "failed", last_error: "the text was encrypted under a different APP_SECRET" });
    expect(await rowOf(fine)).toMatchObject({ state: "sent" });
  });
});

describe("a refusal", () => {
  test("that is permanent fails the message at once, erases its text and logs a warning with only id and code", async () => {
    const warnings: unknown[] = [];
    const handlers = jobHandlers(service.features, { warn: (...line: unknown[]) => void warnings.push(line) });
    const id = await queue();
    peer.fail("550 at RCPT");
    await handlers["mail.send"]({ message_id: id });
    expect(await rowOf(id)).toMatchObject({ state: "failed", attempts: 1, last_error: "550 5.1.1 RCPT TO", sent: false, has_body: false });
    expect(warnings).toEqual([[{ message_id: id, outcome: "refused", error: "550 5.1.1 RCPT TO" }, "mail failed for good"]]);
    await age();
    await resumeMail(deps());
    expect(peer.messages).toEqual([]);
  });

  test("that is temporary is retried after growing pauses, nine times within a day, and not sooner", async () => {
    const id = await queue();
    peer.fail("451 at RCPT", 9);
    const pauses: number[] = [];
    for (let attempt = 1; attempt <= 8; attempt++) {
      expect(await sendMail(deps(), id)).toMatchObject({ outcome: { kind: "deferred" }, state: "queued" });
      expect(await sendMail(deps(), id)).toBeNull();
      const row = await rowOf(id);
      expect(row).toMatchObject({ state: "queued", attempts: attempt, last_error: "451 4.1.1 RCPT TO", has_body: true });
      pauses.push(row?.pause_minutes ?? 0);
      await age();
    }
    expect(pauses).toEqual([1, 5, 15, 60, 120, 240, 480, 480]);
    expect(pauses.reduce((sum, minutes) => sum + minutes)).toBeLessThanOrEqual(24 * 60);
    expect(await sendMail(deps(), id)).toMatchObject({ state: "failed" });
    expect(await rowOf(id)).toMatchObject({ state: "failed", attempts: 9, has_body: false });
  });

  test("of one message does not stop the sweep from sending the others", async () => {
    const ids = [await queue(), await queue(), await queue()];
    peer.fail("451 at RCPT");
    await resumeMail(deps());
    expect((await Promise.all(ids.map(rowOf))).map((row) => row?.state)).toEqual(["queued", "sent", "sent"]);
  });
});

test("an outage uses up one attempt of one message per sweep, and all messages are sent when the server is back", async () => {
  const ids = [await queue(), await queue(), await queue()];
  await peer.stop();
  await resumeMail(deps());
  expect((await Promise.all(ids.map(rowOf))).map((row) => [row?.state, row?.attempts])).toEqual([
    ["queued", 1],
    ["queued", 0],
    ["queued", 0],
  ]);
  await peer.start();
  await age();
  await resumeMail(deps());
  expect((await Promise.all(ids.map(rowOf))).map((row) => row?.state)).toEqual(["sent", "sent", "sent"]);
  expect(peer.messages).toHaveLength(3);
});

test("a message is sent again when the connection breaks in the middle of it", async () => {
  const id = await queue();
  peer.fail("cut");
  expect(await sendMail(deps(), id)).toMatchObject({ outcome: { kind: "away" }, state: "queued" });
  await age();
  await resumeMail(deps());
  expect([(await rowOf(id))?.state, peer.messages.length]).toEqual(["sent", 1]);
});

test("messages that were queued without a mail server are sent once there is one", async () => {
  const without = { ...deps(), smtp: null };
  const message = { ...letter, to: "ann@example.com", org_name: null, expires_at: new Date(Date.now() + 60_000) };
  const id = await service.db.system((tx) => queueMail(without, tx, null, message));
  expect(await owner("select from outbox")).toEqual([]);
  expect(await sendMail(without, id)).toBeNull();
  await resumeMail(without);
  expect(await rowOf(id)).toMatchObject({ state: "queued", attempts: 0 });
  await resumeMail(deps());
  expect(await rowOf(id)).toMatchObject({ state: "sent" });
});

describe("when a worker is killed after the server accepted a message, before it recorded that", () => {
  test("the message stays claimed and is sent again with the same Message-ID when the lease ends", async () => {
    const id = await queue();
    const arrived = peer.hold();
    const worker = await startProcess("worker", {
      ...service.database.env,
      APP_SECRET,
      SMTP_URL: peer.url,
      MAIL_FROM: "sign@example.com",
    });
    processes.push(worker);
    await arrived;
    await stopProcess(worker, "SIGKILL");
    peer.release();
    expect(await rowOf(id)).toMatchObject({ state: "queued", attempts: 1, has_body: true, pause_minutes: 10 });

    await resumeMail(deps());
    expect(peer.messages).toHaveLength(1);
    await age();
    await resumeMail(deps());
    expect(await rowOf(id)).toMatchObject({ state: "sent", attempts: 2, has_body: false });
    const ids = peer.messages.map((message) => headerOf(message, "message-id"));
    expect(ids).toEqual([`<${id}@example.com>`, `<${id}@example.com>`]);
  });

  test("a stalled worker's late success counts, and its late failure does not", async () => {
    const [yes, no] = [await queue(null, "yes@example.com"), await queue(null, "no@example.com")];
    const claim = (id: MessageId) =>
      service.db.system((tx) => tx.query({ name: "", text: "select claim_mail($1, '10 minutes')", values: [id] }));
    const settle = (id: MessageId, state: string) =>
      owner("select settle_mail($1, 1, $2, 'late', '1 minute') as settled", [id, state]).then(([row]) => row?.settled);
    for (const id of [yes, no]) await claim(id);
    await age();
    for (const id of [yes, no]) await claim(id);
    expect([await settle(yes, "sent"), await settle(no, "failed")]).toEqual([true, false]);
    expect(await rowOf(yes)).toMatchObject({ state: "sent", attempts: 2 });
    expect(await rowOf(no)).toMatchObject({ state: "queued", attempts: 2, has_body: true });
  });
});
