import { rename } from "node:fs/promises";
import { firstFault } from "@countersign/evidence";
import { beforeEach, describe, expect, test } from "vitest";
import { chainOf } from "../../../test/envelopes.ts";
import { type TestOrg, testService } from "../../../test/service.ts";
import {
  blobFile,
  flipBit,
  newMember,
  standInBundles,
  sweepVault,
  type Vaulted,
  vaultedCopies,
  vaultedCopy,
  vaultedEnvelope,
} from "../../../test/vaulted.ts";
import { readChain } from "../../audit/read-chain.ts";
import type { Jobs } from "../../jobs/catalogue.ts";
import { jobHandlers } from "../../main.ts";
import { systemCaller } from "../../shared/caller.ts";
import { StoreUnavailable } from "../../storage/blob-store.ts";
import { restoreCopy } from "./restore-copy.ts";
import { verifyCopy } from "./verify-copy.ts";

const service = testService({ SWEEP_HOURS: "24" });

let org: TestOrg;
beforeEach(async () => {
  // Removes the copies of earlier tests from the sweep.
  await service.database.owner("update authoritative_copies set state = 'destroyed', state_before_tamper = null");
  org = await service.newOrg();
});

/** The job that begins a sweep, and those that it queues, until none is left. */
async function runSweep(): Promise<void> {
  const jobs = jobHandlers(service.features);
  await jobs["vault.sweep"]({});
  for (;;) {
    const queued = await service.database.owner<{ payload: Jobs["vault.verify-slice"] }>(
      "delete from outbox where task = 'vault.verify-slice' returning payload",
    );
    if (queued.length === 0) return;
    for (const { payload } of queued) await jobs["vault.verify-slice"](payload);
  }
}

/** Without the random share, so that only due copies are verified. */
const sweep = () => sweepVault(service, { share: 0 });
const look = ({ envelope_id }: Vaulted, of: TestOrg = org) => verifyCopy(service.features.vault, of.org_id, envelope_id);
const rowOf = async ({ copy_id }: Vaulted) =>
  (
    await service.database.owner<{ state: string; state_before_tamper: string | null; verified_at: Date | null }>(
      "select state, state_before_tamper, verified_at from authoritative_copies where copy_id = $1",
      [copy_id],
    )
  )[0] ?? expect.fail("no row");
const lastEntry = async ({ envelope_id }: Vaulted) => (await chainOf(service, org.org_id, envelope_id)).at(-1);
const change = (text: string, ...values: unknown[]) => service.database.owner(text, values);

/** A copy with a history: transferred custody, a new assignee, extended retention, a cancelled export. */
async function copyWithHistory(): Promise<Vaulted> {
  standInBundles(service);
  const one = await vaultedEnvelope(service, org, { secured_party: { name: "First Example Bank" } });
  const path = `/partner/envelopes/${one.envelope_id}`;
  const [ben, key] = [await newMember(service, org), await org.newKey()];
  const { permission_id } = (await key.send("POST", `${path}/custody-transfers`, { body: { to_user_id: ben.user_id } })).json.data;
  await ben.send("POST", `/partner/custody-transfers/${permission_id}/accept`);
  const consent = { method: "written", given_by: { name: "Ann" }, given_at: new Date().toISOString() };
  await key.send("POST", `${path}/assignments`, { body: { secured_party: { name: "Second Example Bank" }, consent, present_seq: 1 } });
  await key.send("PUT", `${path}/vault/retention`, { body: { retention_until: "2050-01-01T00:00:00.000Z" } });
  const body = { recipient: { name: "Bank", email: "vault@example.com" }, reason: "Sold" };
  const { export_id } = (await key.send("POST", `${path}/vault-out`, { body })).json.data;
  await key.send("POST", `/partner/vault-exports/${export_id}/cancel`);
  await key.send("POST", `${path}/custody-transfers`, { body: { to_user_id: org.user_id } });
  return one;
}

describe("the sweep", () => {
  test("finds unchanged copies sound in every state, and records when it looked", async () => {
    const one = await copyWithHistory();
    expect((await rowOf(one)).verified_at).toBeNull();
    expect(await sweep()).toEqual({ sound: 1, tampered: 0, mismatched: 0, broken: 0, away: null, failures: [] });
    expect((await rowOf(one)).state).toBe("active");
    expect((await rowOf(one)).verified_at).not.toBeNull();
    const body = { recipient: { name: "Bank", email: "vault@example.com" }, reason: "Sold" };
    const { json } = await org.admin("GET", `/partner/custody-transfers?envelope_id=${one.envelope_id}&status=pending`);
    await org.admin("POST", `/partner/custody-transfers/${json.data[0].permission_id}/cancel`);
    expect((await org.admin("POST", `/partner/envelopes/${one.envelope_id}/vault-out`, { body })).status).toBe(201);
    expect([await look(one), (await rowOf(one)).state]).toEqual(["sound", "escrowed"]);
  });

  test("verifies each copy once per interval, the oldest first, and some at random", async () => {
    const copies = await vaultedCopies(service, org, 5);
    expect((await sweepVault(service, { share: 0, atOnce: 1, run_ms: 20 })).sound, "in pieces").toBe(5);
    expect((await sweep()).sound, "nothing is due").toBe(0);
    await change(
      "update authoritative_copies set verified_at = now() - interval '22 hours 50 minutes' where copy_id = $1",
      copies[0]?.copy_id,
    );
    expect((await sweep()).sound, "not before its time").toBe(0);
    await change(
      "update authoritative_copies set verified_at = now() - interval '23 hours 10 minutes' where copy_id = $1",
      copies[0]?.copy_id,
    );
    expect((await sweep()).sound, "due before the next run").toBe(1);
    expect((await sweepVault(service, { share: 1 })).sound, "by chance").toBe(5);
  });

  test("marks a copy with one changed bit: state, entry, message to the admins; and reports it once", async () => {
    const one = await vaultedEnvelope(service, org);
    await flipBit(service, org, one.sha256);
    await runSweep();
    expect(await rowOf(one)).toEqual({ state: "tampered", state_before_tamper: "active", verified_at: null });
    expect(await lastEntry(one)).toEqual({
      type: "vault.document.tamper_detected",
      actor: { kind: "system", id: "system" },
      data: {
        envelope_id: one.envelope_id,
        copy_id: one.copy_id,
        state: "active",
        what: "the copy's bytes",
        expected: one.sha256,
        found: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    });
    const queued = await change("select payload from outbox where task = 'orgs.notify-admins' and payload ->> 'org_id' = $1", org.org_id);
    expect(queued).toHaveLength(1);
    expect(queued[0]).toMatchObject({ payload: { kind: "vault_tampered", text: expect.stringContaining(one.envelope_id) } });
    const entries = (await chainOf(service, org.org_id, one.envelope_id)).length;
    expect(await sweep()).toMatchObject({ sound: 0, tampered: 0 });
    expect(await chainOf(service, org.org_id, one.envelope_id)).toHaveLength(entries);
    const ben = await newMember(service, org);
    const path = `/partner/envelopes/${one.envelope_id}`;
    expect((await org.admin("POST", `${path}/custody-transfers`, { body: { to_user_id: ben.user_id } })).status).toBe(409);
  });

  test("marks a copy whose bytes, or those of its certificate, are missing", async () => {
    const [one, two] = [await vaultedEnvelope(service, org), await vaultedEnvelope(service, org)];
    const [row] = await change("select pdf_sha256 from certificates where envelope_id = $1", two.envelope_id);
    for (const sha256 of [one.sha256, (row as { pdf_sha256: string }).pdf_sha256]) {
      const path = blobFile(service, org, sha256);
      await rename(path, `${path}.gone`);
    }
    expect(await sweep()).toMatchObject({ sound: 0, tampered: 2 });
    expect((await lastEntry(one))?.data).toMatchObject({ what: "the copy's bytes", found: null });
    expect((await lastEntry(two))?.data).toMatchObject({ what: "the bytes of certificate 1", found: null });
  });

  test("treats an unreadable store as an outage: nothing is marked, and the next run continues", async () => {
    const one = await vaultedCopy(service, org);
    const { blobs } = service.features.storage;
    const read = () => Promise.reject(new StoreUnavailable("down for a test"));
    const deps = { ...service.features.vault, storage: { ...service.features.storage, blobs: { ...blobs, read } } };
    expect(await sweepVault(service, { share: 0, of: deps })).toMatchObject({ sound: 0, tampered: 0, away: expect.any(StoreUnavailable) });
    expect(await rowOf(one)).toEqual({ state: "active", state_before_tamper: null, verified_at: null });
    expect(await sweep()).toMatchObject({ sound: 1, away: null });
  });

  test("continues after a copy that it cannot verify, and reports it at the end", async () => {
    const copies = await vaultedCopies(service, org, 3);
    const { db } = service;
    let failed = false;
    const tx: typeof db.tx = (id, run) => {
      if (failed) return db.tx(id, run);
      failed = true;
      return Promise.reject(new Error("a bug"));
    };
    const swept = await sweepVault(service, { share: 0, of: { ...service.features.vault, db: { ...db, tx } } });
    expect([swept.sound, swept.failures]).toEqual([copies.length - 1, [new Error("a bug")]]);
  });

  test("tries a copy again in the next run if what was signed could not be compared, and passes over it in this one", async () => {
    const copies = await vaultedCopies(service, org, 3);
    const { vault } = service.features;
    const failing = copies[0]?.envelope_id ?? "";
    const { db } = service;
    const tx: typeof db.tx = (id, run) =>
      db.tx(id, (inner) => {
        let isLocked = false;
        return run({
          ...inner,
          query: (statement) => {
            const { text, values } = statement;
            isLocked ||= text.includes("for no key update");
            // Only the comparison reads the envelope without locking it.
            const isCompared = text.includes("from envelopes") && !isLocked && values.includes(failing);
            return isCompared ? Promise.reject(new Error("a bug")) : inner.query(statement);
          },
        });
      });
    const swept = await sweepVault(service, { share: 0, atOnce: 1, of: { ...vault, db: { ...db, tx } } });
    expect([swept.sound, swept.failures]).toEqual([2, [new Error("a bug")]]);
    expect((await rowOf(copies[0] ?? expect.fail("no copy"))).verified_at).toBeNull();
    expect((await sweep()).sound).toBe(1);
  });
});

describe("a row that was changed outside the service", () => {
  const changes: readonly (readonly [what: string, statement: string])[] = [
    ["the copy's row", "update authoritative_copies set content_sha256 = repeat('0', 64) where envelope_id = $1"],
    ["the copy's row", "update authoritative_copies set source = 'paper_upload' where envelope_id = $1"],
    ["the end of retention", "update authoritative_copies set retention_until = retention_until + interval '1 day' where envelope_id = $1"],
    ["the copy's state", "update authoritative_copies set state = 'escrowed' where envelope_id = $1"],
    ["custody", "update custodian_permissions set user_id = from_user_id, from_user_id = null where envelope_id = $1 and state = 'active'"],
    ["custody", "update custodian_permissions set state = 'released' where envelope_id = $1 and state = 'active'"],
    ["custody", "delete from custodian_permissions where envelope_id = $1 and state = 'pending'"],
    ["the register", `update assignments set party = '{"name": "Somebody Else"}' where envelope_id = $1 and seq = 2`],
    ["the register", "update assignments set consent = null where envelope_id = $1 and seq = 2"],
    ["the register", `update assignments set party = '{"name": 1.5}' where envelope_id = $1 and seq = 2`],
    ["the register", "delete from assignments where envelope_id = $1 and seq = 1"],
    ["the secured party", `update envelopes set secured_party = '{"name": "Somebody Else"}' where envelope_id = $1`],
    ["the secured party", "update envelopes set secured_party = null where envelope_id = $1"],
    ["the certificates", "update certificates set score = 100 where envelope_id = $1"],
    ["the certificates", "delete from certificates where envelope_id = $1"],
  ];

  test("is found in each case, with the expected and the found value", async () => {
    const one = await copyWithHistory();
    const tables = ["authoritative_copies", "custodian_permissions", "assignments", "certificates"];
    const saved = await Promise.all(
      tables.map((table) => change(`select to_jsonb(t) as row from ${table} t where envelope_id = $1`, one.envelope_id)),
    );
    const [envelope] = await change("select secured_party from envelopes where envelope_id = $1", one.envelope_id);
    for (const [what, statement] of changes) {
      await change(statement, one.envelope_id);
      expect([statement, await look(one)]).toEqual([statement, "tampered"]);
      expect((await lastEntry(one))?.data).toMatchObject({ what, expected: expect.anything() });
      for (const table of ["custodian_permissions", "assignments", "certificates"]) {
        await change(`delete from ${table} where envelope_id = $1`, one.envelope_id);
      }
      await change("alter table authoritative_copies disable trigger later_only");
      for (const [index, table] of tables.entries()) {
        for (const { row } of (saved[index] ?? []) as { row: Record<string, unknown> }[]) {
          if (table === "authoritative_copies") {
            await change(
              `update authoritative_copies c set (content_sha256, source, retention_until, state, state_before_tamper) =
                 (r.content_sha256, r.source, r.retention_until, r.state, r.state_before_tamper)
               from jsonb_populate_record(null::authoritative_copies, $1) r where c.copy_id = r.copy_id`,
              row,
            );
          } else await change(`insert into ${table} select * from jsonb_populate_record(null::${table}, $1)`, row);
        }
      }
      await change("alter table authoritative_copies enable trigger later_only");
      await change("update envelopes set secured_party = $2 where envelope_id = $1", one.envelope_id, envelope?.secured_party);
      expect([statement, await look(one)]).toEqual([statement, "sound"]);
    }
  });

  test("in the audit trail itself is found too, and recorded in the organization's trail", async () => {
    const statements = [
      'update audit_entry_data set data = data || \'{"user_id": "usr_x"}\' where subject = $1 and seq = 2',
      "update audit_entries set type = 'envelope.voided' where subject = $1 and seq = 1",
      "delete from audit_entry_data where subject = $1 and seq = 1",
      "update audit_heads set seq = seq - 1 where subject = $1",
      "delete from audit_heads where subject = $1",
    ];
    for (const statement of statements) {
      const one = await vaultedCopy(service, org);
      await change(statement, one.envelope_id);
      expect([statement, await look(one), (await rowOf(one)).state]).toEqual([statement, "tampered", "tampered"]);
      const links = await service.db.tx(org.org_id, (tx) => readChain(tx, org.org_id, org.org_id));
      expect(firstFault(links, { org_id: org.org_id, subject: org.org_id })).toBeNull();
      expect(links.at(-1)).toMatchObject({
        entry: { type: "vault.document.tamper_detected" },
        data: { data: { envelope_id: one.envelope_id, what: expect.stringContaining("the audit trail") } },
      });
    }
  });
});

describe("a damaged copy", () => {
  const restore = ({ envelope_id }: Vaulted, bytes: Uint8Array) =>
    restoreCopy(service.features.vault, systemCaller(org.org_id), envelope_id, bytes);

  test("gets its state back when its bytes are restored, and other bytes are refused", async () => {
    const one = await vaultedEnvelope(service, org);
    const bytes = await service.features.storage.blobs.read(org.org_id, one.sha256);
    await expect(restore(one, bytes), "of an undamaged copy").rejects.toThrow(/copy_wrong_state/);
    await flipBit(service, org, one.sha256);
    expect(await look(one)).toBe("tampered");
    const other = Buffer.concat([bytes, Buffer.from([0])]);
    await expect(restore(one, other)).rejects.toThrow(/bytes_not_recorded/);
    expect((await rowOf(one)).state).toBe("tampered");
    expect(await restore(one, bytes)).toBeNull();
    expect(await rowOf(one)).toMatchObject({ state: "active", state_before_tamper: null, verified_at: expect.any(Date) });
    expect(await lastEntry(one)).toMatchObject({
      type: "vault.document.restored",
      data: { copy_id: one.copy_id, hash: one.sha256, state: "active" },
    });
    expect(await look(one)).toBe("sound");
  });

  test("stays damaged while something else is wrong with it, and says what", async () => {
    const one = await vaultedEnvelope(service, org);
    const bytes = await service.features.storage.blobs.read(org.org_id, one.sha256);
    const [row] = await change("select json_sha256 from certificates where envelope_id = $1", one.envelope_id);
    const { json_sha256 } = row as { json_sha256: string };
    const certificate = await service.features.storage.blobs.read(org.org_id, json_sha256);
    for (const sha256 of [one.sha256, json_sha256]) await flipBit(service, org, sha256);
    expect(await look(one)).toBe("tampered");
    expect(await restore(one, bytes)).toBe("the bytes of certificate 1");
    await change("update certificates set score = 100 where envelope_id = $1", one.envelope_id);
    expect(await restore(one, certificate)).toBe("the certificates");
    await change("update certificates set score = 87 where envelope_id = $1", one.envelope_id);
    expect(await restore(one, certificate)).toBeNull();
    expect((await rowOf(one)).state).toBe("active");
  });
});
