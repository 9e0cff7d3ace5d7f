import { randomBytes } from "node:crypto";
import { describe, expect, inject, test } from "vitest";
import { ALL } from "../../../testing/all.ts";
import { databaseUrl, withClient } from "../../test/global-setup.ts";
import { chainsOutOfOrder, leavesOf, record, rootByDefinition } from "../../test/log.ts";
import { testService } from "../../test/service.ts";
import { appendAudit } from "../audit/append-audit.ts";
import type { Db } from "../db/connect.ts";
import { DatabaseAway } from "../db/errors.ts";
import { migrate, readMigrations } from "../db/migrate.ts";
import { type SystemTx, sql } from "../db/sql.ts";
import { jobHandlers } from "../main.ts";
import type { EnvelopeId, OrgId } from "../shared/ids.ts";
import { advanceLog } from "./advance-log.ts";

const service = testService();
const log = () => service.features.log;
const by = { actor: { kind: "system", id: "system" }, ip: "127.0.0.1", user_agent: "test", request_id: "test" } as const;
const act = (chain: string) => ({ type: "envelope.changed", by, envelope_id: chain as EnvelopeId, data: {} }) as const;

const queued = async () => (await service.database.owner<{ n: number }>("select count(*)::int as n from log_queue"))[0]?.n;

/** A promise that another part of the test resolves. */
function signal(): { readonly given: Promise<void>; give(): void } {
  let give: () => void = () => undefined;
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give };
}

describe("the sequencer", () => {
  test("turns every entry of all organizations into a leaf, with the root of the definition", async () => {
    const orgs = [await service.newOrg(), await service.newOrg()];
    for (const { org_id } of orgs) await record(service, org_id, `env_of_${org_id}`, 5);
    const checkpoint = await advanceLog(log());
    const leaves = await leavesOf(service.database);
    expect(leaves).toHaveLength(checkpoint?.tree_size ?? 0);
    expect(JSON.parse(String(checkpoint?.bytes))).toMatchObject({ tree_size: leaves.length, root: rootByDefinition(leaves) });
    expect(await chainsOutOfOrder(service.database)).toEqual([]);
    expect(await queued()).toBe(0);
  });

  test("is run by a job", async () => {
    const { org_id } = await service.newOrg();
    const hashes = await record(service, org_id, "env_job", 2);
    await jobHandlers(service.features)["log.checkpoint"]({});
    expect((await leavesOf(service.database)).slice(-2)).toEqual(hashes);
    expect(await queued()).toBe(0);
  });

  test("signs nothing if there is nothing new", async () => {
    const first = await advanceLog(log());
    expect(await advanceLog(log())).toEqual(first);
  });

  test("an entry whose transaction was rolled back is in no queue and in no log", async () => {
    const { org_id } = await service.newOrg();
    await advanceLog(log());
    const before = await leavesOf(service.database);
    const failing = service.db.tx(org_id, async (tx) => {
      await appendAudit(tx, org_id, act("env_never"));
      throw new Error("the act failed");
    });
    await expect(failing).rejects.toThrow("the act failed");
    await advanceLog(log());
    expect(await leavesOf(service.database)).toEqual(before);
  });

  test("an entry that becomes visible after later ones is sequenced later, and its chain waits for it", async () => {
    const { org_id } = await service.newOrg();
    await advanceLog(log());
    const [written, released] = [signal(), signal()];
    const slow = service.db.tx(org_id, async (tx) => {
      const { hash } = await appendAudit(tx, org_id, act("env_slow"));
      written.give();
      await released.given;
      return hash;
    });
    await written.given;
    // Its id is smaller than all later ones.
    const waiting = record(service, org_id, "env_slow", 3, "each");
    const quick = await record(service, org_id, "env_quick", 3);
    const before = await leavesOf(service.database);
    await advanceLog(log());
    expect((await leavesOf(service.database)).slice(before.length)).toEqual(quick);
    released.give();
    const [first, rest] = [await slow, await waiting];
    await advanceLog(log());
    expect((await leavesOf(service.database)).slice(before.length)).toEqual([...quick, first, ...rest]);
  });

  test("with many racing transactions on 12 chains and 4 sequencers, no entry is lost, duplicated or out of its chain's order", async () => {
    const orgs = [await service.newOrg(), await service.newOrg(), await service.newOrg()];
    let left = ALL ? 600 : 150;
    const writer = async (n: number): Promise<void> => {
      while (left-- > 0) {
        const { org_id } = orgs[left % orgs.length] as { org_id: OrgId };
        // One to three chains per transaction, always in the same order, as the order of locks requires.
        const chains = [0, 1, 2, 3].filter((chain) => chain === left % 4 || (left * (n + 7)) % (chain + 3) === 0);
        await service.db.tx(org_id, async (tx) => {
          for (const chain of chains) {
            await appendAudit(tx, org_id, act(`env_race_${chain}`));
            // Some transactions stay open a little longer than others.
            for (let more = left % 3; more > 0; more--) await tx.query(sql`select 1`);
          }
        });
      }
    };
    const checkpoints = new Set<number>();
    const sequencer = async (): Promise<void> => {
      while (left > 0) checkpoints.add((await advanceLog(log()))?.tree_size ?? 0);
    };
    await Promise.all([...Array.from({ length: 5 }, (_, n) => writer(n)), ...Array.from({ length: 4 }, sequencer)]);
    await advanceLog(log());
    const entries = await service.database.owner<{ n: number }>("select count(*)::int as n from audit_entries");
    expect(await leavesOf(service.database)).toHaveLength(entries[0]?.n ?? 0);
    expect(await chainsOutOfOrder(service.database)).toEqual([]);
    // The sequencers did run concurrently.
    expect(checkpoints.size).toBeGreaterThan(5);
  });

  test("handles more than one transaction's limit, and signs also if the last one was exactly full", async () => {
    await service.newOrg();
    await service.database.owner(
      "insert into log_queue (hash) select encode(sha256(('many' || n)::bytea), 'hex') from generate_series($1 + 1, 10000) n order by n",
      [await queued()],
    );
    const checkpoint = await advanceLog(log());
    const leaves = await leavesOf(service.database);
    expect(JSON.parse(String(checkpoint?.bytes))).toMatchObject({ tree_size: leaves.length, root: rootByDefinition(leaves) });
    expect([leaves.length > 10_000, await queued()]).toEqual([true, 0]);
  });
});

describe("a sequencer that is killed", () => {
  /** The real database; its connection is closed from outside before the nth statement of a transaction. */
  function killedAt(step: number): { db: Db; killed: () => boolean } {
    let killed = false;
    const dying = async <T>(run: (tx: SystemTx) => Promise<T>): Promise<T> =>
      service.db.system(async (tx) => {
        let n = 0;
        const { rows } = await tx.query<{ pid: number }>(sql`select pg_backend_pid() as pid`);
        const query: SystemTx["query"] = async (statement) => {
          if (n++ === step) {
            killed = true;
            await service.database.owner("select pg_terminate_backend($1, 5000)", [rows[0]?.pid]);
          }
          return tx.query(statement);
        };
        return run({ ...tx, query });
      });
    return { db: { ...service.db, system: dying }, killed: () => killed };
  }

  test("leaves the queue unchanged at every step, and the next one does the work", async () => {
    const { org_id } = await service.newOrg();
    await advanceLog(log());
    let step = 0;
    for (; ; step++) {
      await record(service, org_id, "env_killed", 3);
      const [leaves, waiting] = [await leavesOf(service.database), await queued()];
      const { db, killed } = killedAt(step);
      const outcome = await advanceLog({ ...log(), db }).catch((error: unknown) => error);
      if (!killed()) break;
      expect(outcome, `step ${step}`).toBeInstanceOf(DatabaseAway);
      expect([await leavesOf(service.database), await queued()], `step ${step}`).toEqual([leaves, waiting]);
    }
    // Every step was once the last: lock, look, take, store, sign.
    expect(step).toBeGreaterThan(8);
    const leaves = await leavesOf(service.database);
    const latest = await advanceLog(log());
    expect(JSON.parse(String(latest?.bytes))).toMatchObject({ tree_size: leaves.length, root: rootByDefinition(leaves) });
    const lost = (await chainsOutOfOrder(service.database)) as { subject: string }[];
    expect(lost).toEqual([]);
  });
});

test("entries from before the log existed are added, each chain in its order", async () => {
  const name = `test_${randomBytes(6).toString("hex")}`;
  await withClient(inject("adminUrl"), (client) => client.query(`create database ${name}`));
  const url = databaseUrl(inject("adminUrl"), name);
  const all = await readMigrations();
  const before = all.findIndex((one) => one.name === "0016-add-log.sql");
  await migrate(url, all.slice(0, before));
  const hashes = await withClient(url, async (client) => {
    // Two chains whose times interleave, with equal times within one. The queue lacks some entries and has others out of order.
    await client.query(`
      insert into audit_entries (org_id, subject, seq, type, at, actor, commitment, prev, hash)
      select 'org_x', 'env_' || c, n, 'envelope.changed', timestamptz '2026-01-01' + make_interval(secs => (n / 3) * 2 + c), '{}', '', '',
        encode(sha256((c || '/' || n)::bytea), 'hex')
      from generate_series(1, 2) c, generate_series(1, 20) n order by random()`);
    await client.query("insert into log_queue (hash) select hash from audit_entries where seq > 5 order by hash");
    await migrate(url, all.slice(0, before + 1));
    const { rows } = await client.query<{ subject: string; seq: number }>(
      "select e.subject, e.seq from log_queue q join audit_entries e using (hash) order by q.log_queue_id",
    );
    return rows;
  });
  await withClient(inject("adminUrl"), (client) => client.query(`drop database ${name} with (force)`));
  for (const chain of ["env_1", "env_2"]) {
    const seqs = hashes.filter(({ subject }) => subject === chain).map(({ seq }) => seq);
    expect(seqs).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
  }
  expect(hashes).toHaveLength(40);
});
