import { type Fault, firstFault } from "@countersign/evidence";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { client } from "../../test/client.ts";
import { PASSWORD, type TestOrg, testService } from "../../test/service.ts";
import { readChain } from "../audit/read-chain.ts";
import { sql } from "../db/sql.ts";

const service = testService();

/** Reads the whole chain with the app's rights, and checks it against the stored head. */
async function faultOf({ org_id }: TestOrg): Promise<Fault | null> {
  const links = await service.db.tx(org_id, (tx) => readChain(tx, org_id, org_id));
  const [head] = await service.database.owner("select seq, hash, at from audit_heads where org_id = $1 and subject = $1", [org_id]);
  return firstFault(links, { org_id, subject: org_id, head: { seq: head?.seq, hash: head?.hash, at: head?.at.toISOString() } });
}

/** An org with one entry for each action on people and settings; eleven entries including those of its creation. */
async function orgWithHistory(): Promise<TestOrg> {
  const org = await service.newOrg("Acme");
  const email = `colleague-of-${org.email}`;
  await org.admin("PATCH", "/org/settings", {
    body: { name: 'Ærøskøbing 日本 \u2028 "quoted"', branding: { scheme: "dark", font: "serif" } },
  });
  const invited = await org.admin("POST", "/org/invitations", { body: { email, role: "viewer" } });
  const token = invited.json.data.accept_url.split("#token=")[1];
  const { json } = await service.send("POST", "/auth/invitations/accept", { body: { token, name: "Ben", password: PASSWORD } });
  await client(service.url, { authorization: `Bearer ${json.data.token}` })("POST", "/auth/logout");
  await org.admin("PATCH", `/org/members/${json.data.user.user_id}`, { body: { role: "member" } });
  await org.newKey();
  await org.admin("DELETE", `/org/members/${json.data.user.user_id}`);
  return org;
}

describe("the chain of an org", () => {
  test("contains every action in order, is listed newest first, and verifies", async () => {
    const org = await orgWithHistory();
    const { status, json } = await org.admin("GET", "/org/audit-trail");
    expect(status).toBe(200);
    expect(json.meta).toEqual({ page: 1, limit: 50, total: 11 });
    expect(json.data.map(({ seq, type }: { seq: number; type: string }) => `${seq} ${type}`)).toEqual([
      "11 member.removed",
      "10 key.created",
      "9 member.role_changed",
      "8 session.ended",
      "7 session.started",
      "6 member.joined",
      "5 invitation.created",
      "4 settings.changed",
      "3 session.started",
      "2 member.joined",
      "1 org.created",
    ]);
    expect(await faultOf(org)).toBeNull();
  });

  test("stays intact with 30 simultaneous actions", async () => {
    const org = await service.newOrg();
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) => org.admin("PATCH", "/org/settings", { body: { name: `Name ${n}` } })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(200));
    expect((await org.admin("GET", "/org/audit-trail?limit=1")).json.meta.total).toBe(33);
    expect(await faultOf(org)).toBeNull();
  });

  test("has no entry for a rejected action", async () => {
    const org = await service.newOrg();
    await org.admin("PATCH", `/org/members/${org.user_id}`, { body: { role: "viewer" } });
    await org.admin("POST", "/org/invitations", { body: { email: org.email, role: "viewer" } });
    await org.admin("PATCH", "/org/settings", { body: { embed_origins: ["*"] } });
    expect((await org.admin("GET", "/org/audit-trail?limit=1")).json.meta.total).toBe(3);
    expect(await faultOf(org)).toBeNull();
  });

  test("cannot be read by other orgs", async () => {
    const [org, other] = [await orgWithHistory(), await service.newOrg()];
    const { json } = await other.admin("GET", "/org/audit-trail");
    expect(json.meta.total).toBe(3);
    expect(await service.db.tx(other.org_id, (tx) => readChain(tx, org.org_id, org.org_id))).toEqual([]);
  });

  test.each(["update audit_entries set type = 'x.y'", "delete from audit_entries", "update audit_entry_data set data = '{}'"])(
    "cannot be rewritten by the service itself: %s",
    async (statement) => {
      const { org_id } = await service.newOrg();
      const attempt = service.db.tx(org_id, (tx) => tx.query(sql([statement])));
      await expect(attempt).rejects.toThrow(/permission denied for table audit_/);
    },
  );
});

describe("a change made directly in the database is detected", () => {
  const tables = ["audit_entries", "audit_entry_data"];
  const tampers: [what: string, statement: string, found: Partial<Fault>][] = [
    ["another type", "update audit_entries set type = 'member.joined' where seq = 4", { kind: "wrong_hash", seq: 4 }],
    ["another actor", 'update audit_entries set actor = \'{"kind":"user","id":"usr_x"}\' where seq = 5', { kind: "wrong_hash", seq: 5 }],
    ["another time", "update audit_entries set at = at - interval '1 ms' where seq = 6", { kind: "wrong_hash", seq: 6 }],
    [
      "another role in the data",
      "update audit_entry_data set data = jsonb_set(data, '{to}', '\"admin\"') where seq = 9",
      { kind: "data_altered", seq: 9 },
    ],
    ["another field in the data", "update audit_entry_data set data = data || '{\"x\":1}' where seq = 1", { kind: "data_altered", seq: 1 }],
    ["another salt", "update audit_entry_data set salt = sha256(salt) where seq = 2", { kind: "data_altered", seq: 2 }],
    ["data that is gone", "delete from audit_entry_data where seq = 3", { kind: "data_missing", seq: 3 }],
    [
      "an entry that is gone",
      "with d as (delete from audit_entry_data where org_id = $1 and seq = 7) delete from audit_entries where seq = 7",
      { kind: "missing_entry", seq: 7 },
    ],
    [
      "an end that is cut off",
      "with d as (delete from audit_entry_data where org_id = $1 and seq = 11) delete from audit_entries where seq = 11",
      { kind: "head_mismatch", seq: 11 },
    ],
  ];

  let org: TestOrg;
  let untouched: TestOrg;
  beforeAll(async () => {
    org = await orgWithHistory();
    untouched = await service.newOrg();
    for (const table of tables) await service.database.owner(`create table saved_${table} as select * from ${table}`);
  });
  afterEach(async () => {
    for (const table of tables.toReversed()) await service.database.owner(`delete from ${table}`);
    for (const table of tables) await service.database.owner(`insert into ${table} select * from saved_${table}`);
  });

  test.each(tampers)("%s", async (_what, statement, found) => {
    expect(await faultOf(org)).toBeNull();
    await service.database.owner(`${statement} and org_id = $1`, [org.org_id]);
    expect(await faultOf(org)).toMatchObject(found);
    expect(await faultOf(untouched)).toBeNull();
  });
});
