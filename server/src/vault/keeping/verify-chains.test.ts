import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { chainOf } from "../../../test/envelopes.ts";
import { record } from "../../../test/log.ts";
import { type TestOrg, testService } from "../../../test/service.ts";
import { vaultedCopy } from "../../../test/vaulted.ts";
import { jobHandlers } from "../../main.ts";
import { HOUR_MS } from "../../shared/durations.ts";
import { type EnvelopeId, newId } from "../../shared/ids.ts";
import { advanceLog } from "../../transparency/advance-log.ts";
import { verifyLog } from "../../transparency/verify-log.ts";
import { SLICES, SWEEP_SLICES } from "./store.ts";
import { type ChainLimits, dueSlices, verifyChains } from "./verify-chains.ts";

// One round per hour: every sweep verifies every chain.
const service = testService({ SWEEP_HOURS: "1" });

let org: TestOrg;
let envelope_id: EnvelopeId;
// An intruder with access to the database can drop foreign keys.
beforeAll(() => change("alter table audit_entry_data drop constraint audit_entry_data_org_id_subject_seq_fkey"));
beforeEach(async () => {
  // Removes the data of earlier tests.
  for (const table of ["log_queue", "audit_entry_data", "audit_entries", "audit_heads", "verify_slices"])
    await change(`delete from ${table}`);
  org = await service.newOrg();
  envelope_id = newId("envelope");
  await record(service, org.org_id, envelope_id, 5);
});

const change = (text: string, ...values: unknown[]) => service.database.owner(text, values);
const FIRST = new Date("2026-03-01T00:17:00Z").getTime();
let hours = 0;
/** The slices of the sweep that have chains. The others have nothing to verify. */
const slicesInUse = async (): Promise<number[]> => {
  const rows = await service.database.owner<{ slice: number }>(
    `select distinct ((abs(hashtext(subject)::bigint) % ${SLICES}) / ${SLICES / SWEEP_SLICES})::int as slice
     from (select subject from audit_heads union select subject from audit_entries) as chains`,
  );
  return rows.map(({ slice }) => slice);
};
/** Every slice, an hour after the one before. */
async function sweep({ sweepHours = 1, ...limits }: Partial<ChainLimits> & { readonly sweepHours?: number } = {}) {
  const now = new Date(FIRST + hours++ * HOUR_MS);
  const deps = { ...service.features.vault, sweepHours };
  const swept = { broken: 0, failures: [] as unknown[], isUnfinished: false };
  for (const slice of await slicesInUse()) {
    const { broken, failures, isUnfinished } = await verifyChains(deps, slice, { stopAt: performance.now() + 60_000, now, ...limits });
    swept.broken += broken;
    swept.failures.push(...failures);
    swept.isUnfinished ||= isUnfinished;
  }
  return swept;
}
const mails = (kind: string) =>
  change(
    "select payload from outbox where task = 'orgs.notify-admins' and payload ->> 'kind' = $1 and payload ->> 'org_id' = $2",
    kind,
    org.org_id,
  );
const SOUND = { broken: 0, failures: [], isUnfinished: false };
const ONE_BROKEN = { ...SOUND, broken: 1 };

describe("the sweep of chains", () => {
  test("finds every chain of every organization unchanged, before and after it is in the log", async () => {
    await record(service, (await service.newOrg()).org_id, newId("envelope"), 3);
    expect(await sweep()).toEqual(SOUND);
    await advanceLog(service.features.log);
    expect(await sweep()).toEqual(SOUND);
  });

  const changes: readonly (readonly [what: string, statement: string, says: string])[] = [
    ["a changed entry", "update audit_entries set type = 'envelope.voided' where subject = $1 and seq = 3", "at entry 3"],
    ["the data of an entry", "update audit_entry_data set data = '{}' where subject = $1 and seq = 2", "at entry 2"],
    ["a missing last entry", "delete from audit_entries where subject = $1 and seq = 5", "at entry 5"],
    ["a missing head", "delete from audit_heads where subject = $1", ""],
    ["a head that was set back", "update audit_heads set seq = 4 where subject = $1", "at entry"],
    ["a chain without entries", "delete from audit_entries where subject = $1", "at entry"],
    [
      "an entry that is not in the log",
      "delete from log_queue q using audit_entries e where e.hash = q.hash and e.subject = $1 and e.seq = 4",
      "at entry 4 (not in the log)",
    ],
  ];

  test.each(changes)(
    "finds %s and reports it once, with an entry in the organization's own trail and an e-mail",
    async (_, statement, says) => {
      await change(statement, envelope_id);
      expect(await sweep()).toEqual(ONE_BROKEN);
      const reported = (await chainOf(service, org.org_id, org.org_id as unknown as EnvelopeId)).at(-1);
      const what = expect.stringContaining(`the audit trail ${says}`.trim());
      expect(reported).toMatchObject({ type: "vault.document.tamper_detected", data: { envelope_id, what } });
      expect(await mails("trail_tampered")).toHaveLength(1);
      expect(await sweep(), "while it stays damaged").toEqual(ONE_BROKEN);
      expect(await mails("trail_tampered")).toHaveLength(1);
    },
  );

  test("marks the vaulted document of a damaged trail", async () => {
    const one = await vaultedCopy(service, org);
    await change("update audit_entries set type = 'envelope.voided' where subject = $1 and seq = 1", one.envelope_id);
    expect(await sweep()).toEqual(ONE_BROKEN);
    expect(await change("select state from authoritative_copies where copy_id = $1", one.copy_id)).toEqual([{ state: "tampered" }]);
    expect(await mails("vault_tampered")).toHaveLength(1);
    expect(await mails("trail_tampered")).toEqual([]);
  });

  test("reports the organization's own damaged trail by e-mail only, because nothing more is appended to it", async () => {
    await change("update audit_entries set type = 'member.removed' where subject = $1 and seq = 1", org.org_id);
    const before = await change("select from audit_entries where subject = $1", org.org_id);
    expect(await sweep()).toEqual(ONE_BROKEN);
    expect(await change("select from audit_entries where subject = $1", org.org_id)).toHaveLength(before.length);
    expect(await mails("trail_tampered")).toHaveLength(1);
  });

  test("verifies each chain once in a round, and in the next one again", async () => {
    for (let n = 0; n < 20; n++) await record(service, org.org_id, newId("envelope"), 1);
    await change("update audit_entries set type = 'envelope.voided' where seq = 1");
    const chains = (await change("select from audit_heads")).length;
    for (const round of ["first", "second"]) {
      const found: number[] = [];
      for (let hour = 0; hour < 4; hour++) found.push((await sweep({ sweepHours: 4 })).broken);
      expect(
        found.reduce((sum, n) => sum + n, 0),
        round,
      ).toBe(chains);
      expect(found.filter((n) => n > 0).length, "spread over the hours").toBeGreaterThan(1);
    }
  });

  test("makes up for hours in which no worker ran, and for time that was not enough", async () => {
    for (let n = 0; n < 20; n++) await record(service, org.org_id, newId("envelope"), 1);
    await change("update audit_entries set type = 'envelope.voided' where seq = 1");
    const chains = (await change("select from audit_heads")).length;
    const first = await sweep({ sweepHours: 24 });
    hours += 22;
    expect(await sweep({ sweepHours: 24, stopAt: performance.now() })).toMatchObject({ broken: 0, isUnfinished: true });
    hours--;
    const late = await sweep({ sweepHours: 24, atOnce: 1 });
    expect([first.broken + late.broken, late.isUnfinished]).toEqual([chains, false]);
  });

  test("tries a chain again that it could not verify, and no other", async () => {
    for (let n = 0; n < 5; n++) await record(service, org.org_id, newId("envelope"), 1);
    const { vault } = service.features;
    const { db } = service;
    const read: string[] = [];
    let isFailing = true;
    const tx: typeof db.tx = (id, run) =>
      db.tx(id, (inner) =>
        run({
          ...inner,
          query: (statement) => {
            if (statement.text.includes("from audit_heads")) {
              const subject = statement.values.find((value) => typeof value === "string" && value !== id);
              read.push(String(subject ?? id));
              if (isFailing && subject === envelope_id) return Promise.reject(new Error("a bug"));
            }
            return inner.query(statement);
          },
        }),
      );
    const verify = async () => {
      const failures: unknown[] = [];
      for (const slice of await slicesInUse()) {
        const now = new Date(FIRST);
        const swept = await verifyChains({ ...vault, db: { ...db, tx } }, slice, { stopAt: performance.now() + 60_000, now });
        failures.push(...swept.failures);
      }
      return failures;
    };
    expect(await verify()).toEqual([new Error("a bug")]);
    expect(new Set(read).size, "the others went on").toBe((await change("select from audit_heads")).length);
    read.length = 0;
    isFailing = false;
    expect([await verify(), read]).toEqual([[], [envelope_id]]);
    expect([await verify(), read]).toEqual([[], [envelope_id]]);
  });

  test("has all slices of chains due by the last hour of a round, however long that is", () => {
    for (let round = 1; round <= 720; round++) {
      const due = Array.from({ length: round }, (_, hour) => dueSlices(hour, round));
      expect(due.at(-1), `of ${round}`).toBe(SLICES / SWEEP_SLICES);
      expect([...due].sort((a, b) => a - b)).toEqual(due);
      expect(due[0], "at first").toBe(Math.ceil(SLICES / SWEEP_SLICES / round));
    }
  });

  test("raises no false alarm while entries are appended and added to the log", async () => {
    let writing = true;
    const subjects = [envelope_id, newId("envelope"), newId("envelope")];
    const writers = subjects.map(async (subject) => {
      for (let n = 0; n < 60; n++) await record(service, org.org_id, subject, 2);
    });
    const sequencer = (async () => {
      while (writing) await advanceLog(service.features.log);
    })();
    const looks: unknown[] = [];
    const sweeper = (async () => {
      while (writing) {
        looks.push(await sweep());
        await verifyLog(service.features.log);
      }
    })();
    await Promise.all(writers);
    writing = false;
    await Promise.all([sequencer, sweeper]);
    expect(looks.length).toBeGreaterThan(1);
    expect(looks.filter((look) => JSON.stringify(look) !== JSON.stringify(SOUND))).toEqual([]);
  });
});

describe("a log whose rows were changed", () => {
  test("is reported once to the admins of every organization, and readiness shows it", async () => {
    await advanceLog(service.features.log);
    const other = await service.newOrg();
    const jobs = jobHandlers(service.features);
    await change("update log_leaves set hash = repeat('0', 64) where leaf_index = 1");
    await change("update log_checks set checked_at = checked_at - interval '1 day'");
    await jobs["log.verify"]({});
    expect(await (await fetch(`${service.url}/readyz`)).json()).toMatchObject({ status: "degraded" });
    await jobs["vault.sweep"]({});
    await jobs["vault.sweep"]({});
    const messages = await change("select payload ->> 'org_id' as org_id from outbox where payload ->> 'kind' = 'log_tampered'");
    const orgs = messages.map((row) => (row as { org_id: string }).org_id);
    expect(orgs.filter((id) => id === org.org_id || id === other.org_id)).toHaveLength(2);
    expect(new Set(orgs).size, "once each").toBe(orgs.length);
  });
});
