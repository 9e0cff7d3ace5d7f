import { type Checkpoint, isConsistent, isIncluded, isSigned, keyIdOf, readCheckpoint } from "@countersign/evidence";
import { beforeAll, describe, expect, test } from "vitest";
import { leavesOf, record, rootByDefinition } from "../../test/log.ts";
import { type TestOrg, testService } from "../../test/service.ts";
import { sha256 } from "../shared/secrets.ts";
import { advanceLog } from "./advance-log.ts";
import type { SignedCheckpoint } from "./checkpoint.ts";
import { checkpointCovering, ensureCovered } from "./ensure-covered.ts";
import { consistencyProof, inclusionProofs, latestCheckpoint } from "./prove.ts";

const service = testService();
const log = () => service.features.log;
let org: TestOrg;
const signed: SignedCheckpoint[] = [];
const states: Checkpoint[] = [];

// Small trees of every shape, and sizes around powers of two.
const SIZES = [3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 31, 33, 64, 100, 127, 128, 129];

beforeAll(async () => {
  org = await service.newOrg();
  for (const size of SIZES) {
    const before = (await service.database.owner<{ n: number }>("select count(*)::int as n from audit_entries"))[0]?.n ?? 0;
    if (size > before) await record(service, org.org_id, `env_${size}`, size - before);
    const checkpoint = (await advanceLog(log())) as SignedCheckpoint;
    signed.push(checkpoint);
    states.push(readCheckpoint(checkpoint.bytes) as Checkpoint);
  }
});

describe("checkpoints", () => {
  test("are canonical, signed by the records key and of one log; each has the defined root of its size, and times never go back", async () => {
    const [keys] = await service.database.owner<{ root: Buffer; records: Buffer }>(`
      select (select certificate from instance_keys where purpose = 'root') as root,
        (select public_key from instance_keys where purpose = 'records') as records`);
    const leaves = await leavesOf(service.database);
    expect(states.map(({ tree_size }) => tree_size)).toEqual(SIZES);
    for (const [n, state] of states.entries()) {
      expect(isSigned(signed[n] as SignedCheckpoint, keys?.records ?? Buffer.alloc(0))).toBe(true);
      expect(state).toEqual({
        type: "countersign/checkpoint/1",
        log_id: sha256(keys?.root ?? "").toString("hex"),
        tree_size: SIZES[n],
        root: rootByDefinition(leaves.slice(0, SIZES[n])),
        at: expect.stringMatching(/^20\d\d-.*Z$/),
        key_id: keyIdOf(keys?.records ?? Buffer.alloc(0)),
      });
      expect(state.at >= (states[n - 1]?.at ?? "")).toBe(true);
    }
  });

  test("the latest is the one that was signed last", async () => {
    expect(await latestCheckpoint(log())).toEqual(signed.at(-1));
  });
});

describe("proofs", () => {
  test("of every leaf verify at every size, and for no other leaf, size or root", async () => {
    const leaves = await leavesOf(service.database);
    for (const state of states) {
      const proofs = await inclusionProofs(log(), leaves.slice(0, state.tree_size), state.tree_size);
      expect(proofs.map(({ hash }) => hash)).toEqual(leaves.slice(0, state.tree_size));
      for (const [n, one] of proofs.entries()) {
        expect(isIncluded(one, state)).toBe(true);
        expect(isIncluded({ ...one, hash: leaves[(n + 1) % state.tree_size] as string }, state)).toBe(false);
        expect(isIncluded(one, { ...state, root: leaves[0] as string })).toBe(false);
      }
    }
  });

  test("of consistency verify between any two checkpoints", async () => {
    for (const [n, from] of states.entries()) {
      for (const to of states.slice(n)) {
        const proof = await consistencyProof(log(), from.tree_size, to.tree_size);
        expect(isConsistent(from, to, proof)).toBe(true);
        expect(isConsistent({ ...from, root: "0".repeat(64) }, to, proof)).toBe(false);
      }
    }
  });

  test("read one row per level, and those of a whole chain in one statement", async () => {
    const leaves = await leavesOf(service.database);
    const asked: number[] = [];
    const { db } = log();
    const counting: typeof db = {
      ...db,
      system: (run) =>
        db.system((tx) =>
          run({
            ...tx,
            query: (statement) => {
              const [levels] = statement.values;
              if (statement.text.includes("with ordinality")) asked.push((levels as unknown[]).length);
              return tx.query(statement);
            },
          }),
        ),
    };
    for (const leaf of leaves.slice(0, 129)) await inclusionProofs({ db: counting }, [leaf], 129);
    expect(Math.max(...asked)).toBe(8);
    asked.length = 0;
    await inclusionProofs({ db: counting }, leaves.slice(0, 129), 129);
    expect(asked).toHaveLength(1);
  });

  test("are refused for an entry after the checkpoint, an unknown entry and a size that was never signed", async () => {
    const [early = ""] = await leavesOf(service.database);
    const [late = ""] = await record(service, org.org_id, "env_late", 1);
    await ensureCovered(log(), [late]);
    await expect(inclusionProofs(log(), [late], 129)).rejects.toThrow("an entry is not in the checkpoint of 129 leaves");
    await expect(inclusionProofs(log(), ["0".repeat(64)], 129)).rejects.toThrow("an entry is not in the checkpoint");
    await expect(inclusionProofs(log(), [early], 99)).rejects.toThrow("there is no checkpoint of 99 leaves");
    await expect(consistencyProof(log(), 99, 129)).rejects.toThrow("there is no checkpoint of 99 leaves");
    // None of these is a fault of the log.
    expect(await service.database.owner("select from log_checks where fault is not null")).toEqual([]);
  });
});

describe("covering on demand", () => {
  test("signs a state that contains these entries, and finds it again", async () => {
    const hashes = await record(service, org.org_id, "env_wanted", 4);
    expect(await checkpointCovering(log(), hashes)).toBeNull();
    const { checkpoint } = await ensureCovered(log(), hashes);
    expect(checkpoint.tree_size).toBe((await leavesOf(service.database)).length);
    await record(service, org.org_id, "env_wanted", 1);
    await advanceLog(log());
    expect((await ensureCovered(log(), hashes)).checkpoint).toEqual(checkpoint);
    expect((await checkpointCovering(log(), hashes.slice(0, 1)))?.checkpoint).toEqual(checkpoint);
    expect(await inclusionProofs(log(), hashes, checkpoint.tree_size)).toHaveLength(4);
  });

  test("covers each of 60 concurrent calls with far fewer signatures", async () => {
    const count = async () => (await service.database.owner<{ n: number }>("select count(*)::int as n from checkpoints"))[0]?.n ?? 0;
    const before = await count();
    const wanted = await Promise.all(Array.from({ length: 60 }, (_, n) => record(service, org.org_id, `env_crowd_${n}`, 2)));
    const covered = await Promise.all(wanted.map((hashes) => ensureCovered(log(), hashes)));
    for (const [n, { checkpoint }] of covered.entries()) {
      expect(await inclusionProofs(log(), wanted[n] as string[], checkpoint.tree_size)).toHaveLength(2);
    }
    // All entries existed when the first call got the lock.
    expect((await count()) - before).toBe(1);
  });

  test("a call whose entries were covered while it waited for the lock leaves newer entries for the next", async () => {
    const hashes = await record(service, org.org_id, "env_waited", 2);
    const { checkpoint } = await ensureCovered(log(), hashes);
    await record(service, org.org_id, "env_since", 1);
    expect(await advanceLog(log(), hashes)).toEqual(checkpoint);
    expect(await service.database.owner("select count(*)::int as n from log_queue")).toEqual([{ n: 1 }]);
  });

  test("an entry that is neither in the log nor in its queue is an error, and is not waited for", async () => {
    await expect(ensureCovered(log(), ["0".repeat(64)])).rejects.toThrow("an entry is neither in the log nor in its queue");
  });
});
