import { randomBytes } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { startProcess, stopProcess } from "../../test/process.ts";
import { testService } from "../../test/service.ts";
import { signerFacts } from "../../test/signer-facts.ts";
import { startSmtpPeer } from "../../test/smtp.ts";
import { until } from "../../test/until.ts";
import type { OrgId } from "../shared/ids.ts";
import { invitationToSign } from "./messages/to-signer.ts";
import { queueMail } from "./queue-mail.ts";

/** Anyone with the token of a link can act for the signer, so the token must be in the message and nowhere else. */

const TOKEN = "canary-in-a-link-4f7c1e";
const PASSWORD = "canary-in-a-password-9b2d";
const peer = await startSmtpPeer({ allowInsecureAuth: true, disabledCommands: ["STARTTLS"] }, PASSWORD);
const env = {
  APP_SECRET: randomBytes(32).toString("hex"),
  MAIL_FROM: "sign@example.com",
  SMTP_URL: `smtp://sam:${PASSWORD}@127.0.0.1:${peer.port}`,
};
const service = testService(env);
afterAll(() => peer.stop());

/** Every row of every table as text, including the queue's tables. */
async function dump(): Promise<string> {
  const { owner } = service.database;
  const tables = await owner<{ name: string }>(
    "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'graphile_worker') order by 1",
  );
  expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(["public.outbox", "graphile_worker._private_jobs"]));
  const texts = await Promise.all(tables.map(({ name }) => owner<{ row: string }>(`select t::text as row from ${name} t`)));
  return texts
    .flat()
    .map(({ row }) => row)
    .join("\n");
}

/** As plain text, as bytea and as Base64. */
function hits(text: string, canary: string): string[] {
  const hex = Buffer.from(canary).toString("hex");
  const base64 = Buffer.from(canary).toString("base64").slice(0, -4);
  return [canary, hex, base64].filter((form) => text.includes(form));
}

async function queue(org: OrgId, to: string): Promise<void> {
  const expires_at = new Date(Date.now() + 86_400_000);
  const url = `https://sign.example.com/s/abc#token=${TOKEN}`;
  const words = invitationToSign(signerFacts({ url, expires_at }));
  await service.db.tx(org, (tx) => queueMail(service.features.mail, tx, org, { ...words, to, org_name: "Acme", expires_at }));
}

const states = async () =>
  (await service.database.owner<{ state: string }>("select state from mail_messages where attempts > 0 order by state")).map(
    (row) => row.state,
  );

test("the token of a link and the mail server's password are in no log, job or row, in any state of the message", async () => {
  const { org_id } = await service.newOrg();
  for (const to of ["ann@example.com", "ben@example.com", "sam@example.com"]) await queue(org_id, to);
  const waiting = await dump();
  expect(waiting).toContain("mail.send");
  expect(hits(waiting, TOKEN)).toEqual([]);

  peer.fail("550 at RCPT");
  peer.fail("451 at RCPT");
  const worker = await startProcess("worker", { ...env, ...service.database.env, LOG_LEVEL: "debug" });
  await until("all three attempts", async () => (await states()).length === 3 && !(await dump()).includes('"message_id"'));
  expect(await stopProcess(worker)).toBe(0);

  expect(await states()).toEqual(["failed", "queued", "sent"]);
  const logged = worker.stdout() + worker.stderr();
  expect(logged).toContain("mail failed for good");
  expect(logged).toContain("mail will be tried again");
  for (const [name, text] of Object.entries({ log: logged, database: await dump() })) {
    expect([name, hits(text, TOKEN), hits(text, PASSWORD)]).toEqual([name, [], []]);
  }
  expect(peer.messages.map(({ text }) => hits(text ?? "", TOKEN))).toEqual([[TOKEN]]);
});

test("the search of this test finds a value as plain text, as bytes and as Base64", async () => {
  const bytes = Buffer.from(`xx ${TOKEN}`);
  await service.database.owner("insert into outbox (task, payload) values ('x', $1)", [JSON.stringify({ bytes: bytes.toString("hex") })]);
  expect(hits(await dump(), TOKEN)).toHaveLength(1);
  expect(hits(`${TOKEN} ${Buffer.from(TOKEN).toString("base64")}`, TOKEN)).toHaveLength(2);
});
