import { type KeyObject, randomBytes, sign as signBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { ALL, testInAll } from "../../../testing/all.ts";
import { databaseUrl, withClient } from "../../test/global-setup.ts";
import { chainsOutOfOrder, leavesOf, record, rootByDefinition } from "../../test/log.ts";
import { testService } from "../../test/service.ts";
import { appendAudit } from "../audit/append-audit.ts";
import type { Db } from "../db/connect.ts";
import { DatabaseAway } from "../db/errors.ts";
import { migrate, readMigrations } from "../db/migrate.ts";
import { type SystemTx, sql } from "../db/sql.ts";
import { jobHandlers } from "../main.ts";
import { openPrivateKey, SealUnavailable } from "../seals/seal.ts";
import type { EnvelopeId, OrgId } from "../shared/ids.ts";
import { advanceLog } from "./advance-log.ts";
import { verifyLog } from "./verify-log.ts";

const service = testService();
const log = () => service.features.log;
const by = { actor: { kind: "system", id: "system" }, ip: "127.0.0.1", user_agent: "test", request_id: "test" } as const;
const act = (chain: string) => ({ type: "envelope.changed", by, envelope_id: chain as EnvelopeId, data: {} }) as const;

const queued = async () => (await service.database.owner<{ n: number }>("select count(*)::int as n from log_queue"))[0]?.n;

const signedSize = async () => (await service.database.owner<{ n: number }>("select max(tree_size)::int as n from checkpoints"))[0]?.n;

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

  testInAll(
    "with many racing transactions on 12 chains and 4 sequencers, no entry is lost, duplicated or out of its chain's order",
    { timeout: 120_000 },
    async () => {
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
    },
  );

  test("handles more than one transaction's limit, and signs also if the last one was exactly full", async () => {
    await service.newOrg();
    // The statistics of a queue that was nearly empty after many entries: many pages and one row.
    await service.database.owner("insert into log_queue (hash) select repeat('0', 64) from generate_series(1, 20000)");
    await service.database.owner(
      "delete from log_queue where hash = repeat('0', 64) and log_queue_id < (select max(log_queue_id) from log_queue)",
    );
    await service.database.owner("analyze log_queue");
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

describe("while a state is signed", () => {
  let kept: Buffer;
  let key: KeyObject;
  beforeAll(async () => {
    await service.newOrg();
    await advanceLog(log());
    const [row] = await service.database.owner<{ private_key_enc: Buffer }>(
      "select private_key_enc from instance_keys where purpose = 'records'",
    );
    kept = row?.private_key_enc ?? Buffer.alloc(0);
    key = openPrivateKey(log().seals, kept, "instance key records");
    await service.database.owner(
      "update instance_keys set signer = 'http', signer_ref = 'records-1', private_key_enc = null where purpose = 'records'",
    );
  });
  afterAll(() =>
    service.database.owner("update instance_keys set signer = 'local', signer_ref = null, private_key_enc = $1 where purpose = 'records'", [
      kept,
    ]),
  );

  /** A process of its own, whose signer answers after `wait`. */
  const processWith = (wait: () => Promise<void>, asked: () => void): ReturnType<typeof log> => {
    const sign = async (_ref: string, _algorithm: string, bytes: Uint8Array) => {
      asked();
      await wait();
      return signBytes(null, bytes, key);
    };
    const signer = { sign, publicKey: () => Promise.reject(new Error("no new key is needed")) };
    return { ...log(), db: { ...log().db }, seals: { ...log().seals, signer } };
  };

  test("the log's lock is free: another process appends and signs, and the late checkpoint is not inserted", async () => {
    const { org_id } = await service.newOrg();
    const [asked, released] = [signal(), signal()];
    const first = await record(service, org_id, "env_late", 2);
    const late = advanceLog(processWith(() => released.given, asked.give));
    await asked.given;
    const second = await record(service, org_id, "env_late", 2);
    const checkpoint = await advanceLog(
      processWith(
        () => Promise.resolve(),
        () => undefined,
      ),
    );
    expect((await leavesOf(service.database)).slice(-4)).toEqual([...first, ...second]);
    released.give();
    expect(await late).toEqual(checkpoint);
    expect(await signedSize()).toBe(checkpoint?.tree_size);
    await verifyLog(log());
  });

  test("callers of one process share runs: forty of them ask for a few signatures, and all are covered", async () => {
    const { org_id } = await service.newOrg();
    const [asked, released] = [signal(), signal()];
    let signatures = 0;
    const slow = processWith(
      () => released.given,
      () => {
        signatures++;
        asked.give();
      },
    );
    const entries = await Promise.all(Array.from({ length: 40 }, (_, n) => record(service, org_id, `env_share_${n}`, 1)));
    const covering = entries.map((hashes) => advanceLog(slow, hashes));
    await asked.given;
    released.give();
    const places = await leavesOf(service.database);
    for (const [n, checkpoint] of (await Promise.all(covering)).entries()) {
      expect(checkpoint?.tree_size).toBeGreaterThan(places.indexOf(entries[n]?.[0] ?? ""));
    }
    expect(signatures).toBeLessThanOrEqual(5);
  });

  test("a signer that cannot be reached leaves leaves without a checkpoint, which the next run signs", async () => {
    const { org_id } = await service.newOrg();
    const before = await signedSize();
    const hashes = await record(service, org_id, "env_away", 3);
    const away = processWith(
      () => Promise.reject(new SealUnavailable("the signer cannot be reached")),
      () => undefined,
    );
    await expect(advanceLog(away)).rejects.toThrow("the signer cannot be reached");
    expect([(await leavesOf(service.database)).slice(-3), await queued(), await signedSize()]).toEqual([hashes, 0, before]);
    const next = await advanceLog(
      processWith(
        () => Promise.resolve(),
        () => undefined,
      ),
    );
    expect(next?.tree_size).toBe((await leavesOf(service.database)).length);
  });
});

describe("a sequencer that is killed", () => {
  /** The real database; its connection is closed from outside before the nth statement of all transactions together. */
  function killedAt(step: number): { db: Db; killed: () => boolean } {
    let [killed, n] = [false, 0];
    const dying = async <T>(run: (tx: SystemTx) => Promise<T>): Promise<T> =>
      service.db.system(async (tx) => {
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

  testInAll("at any step leaves either the queue or leaves to sign, and the next one does the rest", async () => {
    const { org_id } = await service.newOrg();
    await advanceLog(log());
    const outcomes = { queued: 0, unsigned: 0 };
    let step = 0;
    for (; ; step++) {
      const hashes = await record(service, org_id, "env_killed", 3);
      const [leaves, signed] = [await leavesOf(service.database), await signedSize()];
      const { db, killed } = killedAt(step);
      const outcome = await advanceLog({ ...log(), db }).catch((error: unknown) => error);
      if (!killed()) break;
      expect(outcome, `step ${step}`).toBeInstanceOf(DatabaseAway);
      const [now, waiting] = [await leavesOf(service.database), await queued()];
      expect([now, waiting], `step ${step}`).toEqual(waiting === 0 ? [[...leaves, ...hashes], 0] : [leaves, 3]);
      expect(await signedSize(), `step ${step}`).toBe(signed);
      outcomes[waiting === 0 ? "unsigned" : "queued"]++;
      const next = await advanceLog(log());
      expect([next?.tree_size, await queued()], `step ${step}`).toEqual([leaves.length + 3, 0]);
    }
    // Every step was once the last: lock, look, take, store; read the keys; lock, look, insert.
    expect(outcomes.queued).toBeGreaterThan(8);
    expect(outcomes.unsigned).toBeGreaterThan(6);
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
