import { beforeEach, expect, test } from "vitest";
import { client } from "../../test/client.ts";
import { sentEnvelope } from "../../test/envelopes.ts";
import { logIn, PASSWORD, type TestOrg, testService } from "../../test/service.ts";
import { makeResetLink } from "../accounts/password-reset.ts";
import { cleanUp } from "./clean-up.ts";

const service = testService();

const nothing = {
  sessions: 0,
  log_ins: 0,
  answers: 0,
  quotas: 0,
  mail_bodies: 0,
  recipients: 0,
  notifications: 0,
  form_starts: 0,
  mail: 0,
};
const { owner } = service.database;

// A quota of an earlier test might expire during a later one.
beforeEach(() => owner("delete from quotas"));

async function newestSession(org: TestOrg): Promise<string> {
  await logIn(service, org.email);
  return (await org.admin("GET", "/auth/sessions")).json.data[0].session_id;
}

test("sessions and their refresh tokens are deleted a day after their end", async () => {
  const org = await service.newOrg();
  const [endedLongAgo, endedLately] = [await newestSession(org), await newestSession(org)];
  const [expiredLongAgo, expiredLately] = [await newestSession(org), await newestSession(org)];
  const age = (column: string, by: string, session_id: string) =>
    owner(`update sessions set ${column} = now() - $1::interval where session_id = $2`, [by, session_id]);
  await age("ended_at", "24 hours 1 minute", endedLongAgo);
  await age("ended_at", "23 hours 59 minutes", endedLately);
  await age("expires_at", "24 hours 1 minute", expiredLongAgo);
  await age("expires_at", "23 hours 59 minutes", expiredLately);
  const idsIn = async (table: string) =>
    (await owner(`select session_id from ${table} where org_id = $1 order by session_id desc`, [org.org_id])).map((row) => row.session_id);
  const live = (await idsIn("sessions")).at(-1);

  expect(await cleanUp(service.features.orgs)).toEqual({ ...nothing, sessions: 2 });
  expect(await idsIn("sessions")).toEqual([expiredLately, endedLately, live]);
  expect(await idsIn("refresh_tokens")).toEqual([expiredLately, endedLately, live]);
  expect((await org.admin("GET", "/auth/me")).status).toBe(200);
});

test("reset links are deleted a day after they expire", async () => {
  const org = await service.newOrg();
  for (let n = 0; n < 3; n++) await service.db.system((tx) => makeResetLink(service.features.orgs, tx, org.email));
  const hashes = (await owner("select token_hash from password_resets")).map(({ token_hash }) => token_hash);
  const age = "update password_resets set expires_at = now() - $1::interval where token_hash = $2";
  await owner(age, ["24 hours 1 minute", hashes[0]]);
  await owner(age, ["23 hours 59 minutes", hashes[1]]);
  await cleanUp(service.features.orgs);
  const left = (await owner("select token_hash from password_resets")).map(({ token_hash }) => token_hash);
  expect(left).toHaveLength(2);
  expect(left).toEqual(expect.arrayContaining(hashes.slice(1)));
});

test("mailed links and known browsers are deleted a day after they expire", async () => {
  const { email } = await service.newOrg();
  const headers = { origin: service.config.publicUrl };
  for (let n = 0; n < 3; n++) await service.send("POST", "/auth/login", { body: { email, password: PASSWORD }, headers });
  const ids = async (table: string, id: string) => (await owner(`select ${id} as id from ${table} order by ${id}`)).map((row) => row.id);
  for (const [table, id, column] of [
    ["account_links", "token_hash", "expires_at"],
    ["devices", "device_id", "known_until"],
    ["devices", "device_id", "revoked_at"],
  ] as const) {
    const [old, young, ...others] = await ids(table, id);
    const age = `update ${table} set ${column} = now() - $1::interval where ${id} = $2`;
    await owner(age, ["24 hours 1 minute", old]);
    if (young !== undefined) await owner(age, ["23 hours 59 minutes", young]);
    await cleanUp(service.features.orgs);
    expect(await ids(table, id)).toEqual([young, ...others].filter((one) => one !== undefined));
  }
});

test("stored responses are deleted after 24 hours, and kept until then", async () => {
  const org = await service.newOrg();
  const create = (key: string) =>
    org.admin("POST", "/partners/keys", {
      body: { partner_name: key, scopes: ["envelopes:read"] },
      headers: { "idempotency-key": key },
    });
  for (const key of ["old", "young"]) expect((await create(key)).status).toBe(201);
  const age = "update idempotent_answers set created_at = now() - $1::interval where idempotency_key = $2";
  await owner(age, ["24 hours 1 minute", "old"]);
  await owner(age, ["23 hours 59 minutes", "young"]);
  expect(await cleanUp(service.features.orgs)).toEqual({ ...nothing, answers: 1 });
  expect((await create("young")).status).toBe(409);
  expect((await create("old")).status).toBe(201);
});

test("quotas are deleted once their window has passed", async () => {
  const org = await service.newOrg();
  expect((await org.admin("GET", "/auth/me")).status).toBe(200);
  await owner("update quotas set forget_at = now() - interval '1 second' where subject = $1", [`user:${org.user_id}`]);
  const before = await owner("select subject from quotas where forget_at > now() order by subject");
  expect(await cleanUp(service.features.orgs)).toEqual({ ...nothing, quotas: 1 });
  expect(await owner("select subject from quotas order by subject")).toEqual(before);
});

test("the text of a mail is deleted when its links expire, but the record of the mail stays", async () => {
  const org = await service.newOrg();
  const invite = (email: string) => org.admin("POST", "/org/invitations", { body: { email, role: "viewer" } });
  for (const email of ["dead@example.com", "alive@example.com"]) expect((await invite(email)).status).toBe(201);
  await owner("update mail_messages set expires_at = now() - interval '1 second' where to_address = 'dead@example.com'");
  expect(await cleanUp(service.features.orgs)).toEqual({ ...nothing, mail_bodies: 1 });
  expect(
    await owner("select to_address, body_enc is null as forgotten from mail_messages where kind = 'invitation' order by mail_id"),
  ).toEqual([
    { to_address: "dead@example.com", forgotten: true },
    { to_address: "alive@example.com", forgotten: false },
  ]);
});

test("a second run does nothing, and live data is not touched", async () => {
  const org = await service.newOrg();
  const token = await logIn(service, org.email);
  await cleanUp(service.features.orgs);
  expect(await cleanUp(service.features.orgs)).toEqual(nothing);
  expect((await client(service.url, { authorization: `Bearer ${token}` })("GET", "/auth/me")).status).toBe(200);
});

test("messages that are not about an envelope are deleted after their retention; a batch that is full is followed by another", async () => {
  const org = await service.newOrg();
  const invite = (n: number) => org.admin("POST", "/org/invitations", { body: { email: `batch${n}@example.com`, role: "viewer" } });
  for (const n of [1, 2, 3, 4, 5]) expect((await invite(n)).status).toBe(201);
  const { envelope_id } = await sentEnvelope(service, org);
  expect((await org.admin("POST", `/partner/envelopes/${envelope_id}/remind`)).status).toBe(200);
  const here = "(org_id = $1 or to_address like 'batch%@example.com')";
  const left = () => owner(`select to_address from mail_messages where ${here} order by message_id`, [org.org_id]);
  const all = await left();
  const ofEnvelope = await owner("select to_address from mail_messages where envelope_id = $1 order by message_id", [envelope_id]);
  expect(all).toHaveLength(ofEnvelope.length + 5);
  const age = (days: number) =>
    owner(`update mail_messages set created_at = now() - make_interval(days => $2), state = 'sent', body_enc = null where ${here}`, [
      org.org_id,
      days,
    ]);
  await age(399);
  expect(await cleanUp(service.features.orgs)).toEqual(nothing);
  expect(await left()).toEqual(all);
  await age(401);
  expect(await cleanUp(service.features.orgs, 2)).toEqual({ ...nothing, mail: 5 });
  expect(await left()).toEqual(ofEnvelope);
});
