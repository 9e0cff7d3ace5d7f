import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { makeLogins } from "../../test/database.ts";
import { withClient } from "../../test/global-setup.ts";
import { startSmtpPeer } from "../../test/smtp.ts";
import { connectDb, type Db } from "../db/connect.ts";
import { migrate, readMigrations } from "../db/migrate.ts";
import { makeResolveName, makeResolveTexts } from "../outbound/name-resolver.ts";
import { alwaysLeaves } from "../shared/departures.ts";
import { isId } from "../shared/ids.ts";
import { deriveKeys, encrypt } from "../shared/secrets.ts";
import { resumeMail } from "./resume-mail.ts";
import { smtpSender } from "./smtp.ts";

const name = `test_${randomBytes(6).toString("hex")}`;
const mailKey = deriveKeys([{ version: 1, secret: "a secret of the tests: 8d1f0c77aa" }]).mail;
const peer = await startSmtpPeer();
const smtp = smtpSender({ host: "127.0.0.1", port: peer.port, secure: false, auth: null, from: "sign@example.com" });
const outside = {
  dns: { resolveName: makeResolveName(), resolveTexts: makeResolveTexts() },
  fence: { loopback: true, plainHttp: false, allowedNetworks: [] },
};
let url: string;
let db: Db;

beforeAll(async () => {
  await withClient(inject("adminUrl"), (client) => client.query(`create database ${name}`));
  const made = await makeLogins(name);
  url = made.url;
  db = connectDb({ url: made.appUrl });
});
afterAll(async () => {
  smtp.close();
  await peer.stop();
  await db.end();
  await withClient(inject("adminUrl"), (client) => client.query(`drop database if exists ${name} with (force)`));
});

test("messages queued by a version that could not send are sent in order, as plain text; those without a text become failed", async () => {
  const all = await readMigrations();
  await migrate(
    url,
    all.slice(
      0,
      all.findIndex((one) => one.name === "0010-send-mail.sql"),
    ),
  );
  const insert = `insert into mail_messages (kind, to_address, body_context, body_enc, expires_at)
    values ('invitation', $1, 'context', $2, now() + interval '1 day')`;
  await withClient(url, async (client) => {
    const body = (subject: string) => encrypt(mailKey, JSON.stringify({ subject, text: "A text\n" }), "context");
    await client.query(insert, ["ann@example.com", body("First")]);
    await client.query(insert, ["ben@example.com", null]);
    await client.query(insert, ["sam@example.com", body("Second")]);
  });
  await migrate(url, all);
  await resumeMail({ mayLeave: alwaysLeaves, db, mailKey, smtp, onFailed: async () => undefined, attach: async () => [], ...outside });
  const { rows } = await withClient(url, (client) =>
    client.query<{ message_id: string; to_address: string; state: string }>("select * from mail_messages order by message_id"),
  );
  expect(rows.map(({ to_address, state }) => [to_address, state])).toEqual([
    ["ann@example.com", "sent"],
    ["ben@example.com", "failed"],
    ["sam@example.com", "sent"],
  ]);
  expect(rows.every(({ message_id }) => isId("message", message_id))).toBe(true);
  expect(peer.messages.map(({ to, text, html }) => [to[0], text, html])).toEqual([
    ["ann@example.com", "A text\n", null],
    ["sam@example.com", "A text\n", null],
  ]);
});
