import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { record } from "../../test/log.ts";
import { type TestOrg, testService } from "../../test/service.ts";
import { jobHandlers } from "../main.ts";
import { advanceLog } from "./advance-log.ts";
import { LogFault, LogStopped } from "./checkpoint.ts";
import { ensureCovered } from "./ensure-covered.ts";
import { consistencyProof, inclusionProofs, latestCheckpoint } from "./prove.ts";
import { verifyLog, verifyLogWhenDue } from "./verify-log.ts";

const service = testService();
const log = () => service.features.log;
const TABLES = ["log_leaves", "log_nodes", "checkpoints"];
const ZEROS = "0".repeat(64);
let org: TestOrg;
let chains = 0;
const entries = (count = 3) => record(service, org.org_id, `env_${++chains}`, count);

const STOPPED = "rows of the log were changed or lost, so the log is stopped; the service's own log says which rows";

async function ready(): Promise<[number, string]> {
  const answer = await fetch(`${service.url}/readyz`);
  const { checks } = (await answer.json()) as { checks: { log: string } };
  return [answer.status, checks.log];
}

/** Restores the rows from before the tampering. */
async function restore(): Promise<void> {
  for (const table of TABLES) {
    await service.database.owner(`delete from ${table}`);
    await service.database.owner(`insert into ${table} select * from saved_${table}`);
  }
}

let hashes: string[];

beforeAll(async () => {
  org = await service.newOrg();
  // With the organization's own entries, 71 leaves: full subtrees of 64, 4 and 2, and one leaf.
  hashes = [];
  for (const count of [20, 30, 18]) {
    hashes.push(...(await entries(count)));
    await advanceLog(log());
  }
  expect((await latestCheckpoint(log()))?.tree_size).toBe(71);
  for (const table of TABLES) await service.database.owner(`create table saved_${table} as select * from ${table}`);
});

afterEach(async () => {
  await restore();
  await service.database.owner("delete from log_queue");
  await verifyLog(log());
});

type Tamper = [what: string, statement: string, says: RegExp];

const changed = (table: string, where: string) => `update ${table} set hash = '${ZEROS}' where ${where}`;

const deep: Tamper[] = [
  ["the first leaf", changed("log_leaves", "leaf_index = 0"), /^node 0 of level 1 is [0-9a-f]{64}, and its leaves make [0-9a-f]{64}$/],
  ["a leaf in the middle", changed("log_leaves", "leaf_index = 37"), /^node 18 of level 1/],
  [
    "two swapped leaves",
    "update log_leaves l set hash = o.hash from log_leaves o where l.leaf_index in (10, 11) and o.leaf_index = 21 - l.leaf_index",
    /^node 5 of level 1/,
  ],
  ["a missing leaf in the middle", "delete from log_leaves where leaf_index = 12", /^of the leaves from 0 to 70 only 70 are there$/],
  ["a low node", changed("log_nodes", "level = 1 and node_index = 5"), /^node 5 of level 1 is 0{64}/],
  ["a missing node", "delete from log_nodes where level = 3 and node_index = 2", /^node 2 of level 3 is missing/],
  ["an early checkpoint's root", rewritten("root", 23), /^the checkpoint of 23 leaves is not what was signed$/],
];

/** The rows that the next checkpoint builds on. */
const atTheEdge: Tamper[] = [
  ["the last leaf", changed("log_leaves", "leaf_index = 70"), /^the first 71 leaves make the root/],
  ["the missing last leaf", "delete from log_leaves where leaf_index = 70", /^71 leaves were signed and 70 are there$/],
  ["the highest node", changed("log_nodes", "level = 6"), /^node 0 of level 6 is 0{64}/],
  ["the missing highest node", "delete from log_nodes where level = 6", /^node 0 of level 6 is missing/],
  ["the last checkpoint's root", rewritten("root", 71), /^the checkpoint of 71 leaves is not what was signed$/],
  ["the last checkpoint's time", rewritten("at", 71), /^the checkpoint of 71 leaves is not what was signed$/],
  [
    "its signature",
    "update checkpoints set signature = set_byte(signature, 0, get_byte(signature, 0) # 1) where tree_size = 71",
    /not what was signed/,
  ],
];

/** Changes one character of a member of a signed checkpoint. */
function rewritten(member: string, tree_size: number): string {
  const pattern = `("${member}":"[^"]*)[0-9a-fZ]"`;
  return `update checkpoints set bytes = convert_to(regexp_replace(convert_from(bytes, 'utf8'), '${pattern}', '\\1x"'), 'utf8') where tree_size = ${tree_size}`;
}

describe("changed and lost rows are found", () => {
  test("and nothing is reported for 71 unchanged leaves", async () => {
    await verifyLog(log());
    expect(await ready()).toEqual([200, "ok"]);
  });

  test.each([...deep, ...atTheEdge])("by the comparison: %s", async (_, statement, says) => {
    await service.database.owner(statement);
    const fault = await verifyLog(log()).catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(LogFault);
    expect((fault as LogFault).message).toMatch(says);
  });

  test.each(atTheEdge)("by the next checkpoint, which is not signed: %s", async (_, statement) => {
    await service.database.owner(statement);
    const before = await service.database.owner("select tree_size from checkpoints");
    await entries();
    await expect(advanceLog(log())).rejects.toThrow(LogFault);
    expect(await service.database.owner("select tree_size from checkpoints")).toEqual(before);
    expect(await service.database.owner("select count(*)::int as n from log_queue")).toEqual([{ n: 3 }]);
  });

  test("by the proofs that read them: a leaf, a node next to the path, the checkpoint", async () => {
    const [hash = ""] = hashes.slice(10);
    const [{ index } = { index: 0 }] = await inclusionProofs(log(), [hash], 71);
    for (const statement of [
      changed("log_leaves", `leaf_index = ${index % 2 === 0 ? index + 1 : index - 1}`),
      changed(
        "log_nodes",
        `level = 1 and node_index = ${Math.floor(index / 2) % 2 === 0 ? Math.floor(index / 2) + 1 : Math.floor(index / 2) - 1}`,
      ),
      rewritten("root", 71),
    ]) {
      await service.database.owner(statement);
      await expect(inclusionProofs(log(), [hash], 71), statement).rejects.toThrow(LogFault);
      expect(await ready()).toEqual([200, STOPPED]);
      await restore();
      await verifyLog(log());
    }
    await service.database.owner(rewritten("root", 23));
    await expect(consistencyProof(log(), 23, 71)).rejects.toThrow(LogFault);
  });

  test("a node where leaves are still to come", async () => {
    await service.database.owner(`insert into log_nodes (level, node_index, hash) values (1, 36, '${ZEROS}')`);
    await entries();
    await expect(advanceLog(log())).rejects.toThrow("there is a node for leaves that come only now, from 71 on");
  });
});

describe("after that", () => {
  const [, statement] = deep[0] as Tamper;

  test("nothing is appended or signed, readiness and the log report it, entries wait; when the rows are restored, it continues", async () => {
    await service.database.owner(statement);
    await expect(verifyLogWhenDueAfterADay()).rejects.toThrow(LogFault);
    const waiting = await entries();
    await expect(advanceLog(log())).rejects.toThrow(LogStopped);
    await expect(ensureCovered(log(), waiting)).rejects.toThrow(/^the log has been stopped since .+: node 0 of level 1/);
    expect(await ready()).toEqual([200, STOPPED]);
    expect(await service.database.owner("select max(tree_size)::int as size from checkpoints")).toEqual([{ size: 71 }]);

    // A comparison before the rows are restored finds the same, and records it once.
    await expect(verifyLogWhenDue(log())).rejects.toThrow(LogFault);
    await restore();
    await verifyLogWhenDue(log());
    expect(await ready()).toEqual([200, "ok"]);
    expect((await ensureCovered(log(), waiting)).checkpoint.tree_size).toBe(74);
    const checks = await service.database.owner<{ fault: string | null }>(
      "select fault from log_checks order by log_check_id desc limit 3",
    );
    expect(checks.map(({ fault }) => fault?.slice(0, 18) ?? null)).toEqual([null, "node 0 of level 1 ", null]);
  });

  test("its jobs report it once per run, and are not retried", async () => {
    await service.database.owner(statement);
    const logged: string[] = [];
    const error = (fields: object, message?: string) => void logged.push(`${message}: ${(fields as { err: Error }).err.name}`);
    const handlers = jobHandlers(service.features, { error, warn: () => undefined });
    await service.database.owner("delete from log_checks");
    await handlers["log.verify"]({});
    await handlers["log.checkpoint"]({});
    await handlers["log.stamp"]({});
    expect(logged).toEqual(["the log cannot continue: LogFault", "the log cannot continue: LogStopped"]);
  });

  test("a comparison that started before the fault was found does not clear it", async () => {
    const { db } = log();
    let isFirst = true;
    const found: typeof db.system = async (run) => {
      const result = await db.system(run);
      if (isFirst) await service.database.owner("insert into log_checks (tree_size, fault) values (71, 'found by somebody else')");
      isFirst = false;
      return result;
    };
    await verifyLog({ db: { ...db, system: found } });
    expect(await ready()).toEqual([200, STOPPED]);
  });

  test("without a fault the whole log is compared once a day", async () => {
    const count = async () => (await service.database.owner<{ n: number }>("select count(*)::int as n from log_checks"))[0]?.n ?? 0;
    const before = await count();
    await verifyLogWhenDue(log());
    expect(await count()).toBe(before);
    await verifyLogWhenDueAfterADay();
    expect(await count()).toBe(before + 1);
  });
});

test("under another APP_SECRET nothing is signed, the job says why, new leaves wait for a signature; existing leaves can still be proven and compared", async () => {
  const { seals } = log();
  const locked = { ...log(), seals: { ...seals, sealKey: [{ version: 1, key: Buffer.alloc(32) }] as const } };
  const waiting = await entries();
  const logged: string[] = [];
  const error = (fields: object) => void logged.push((fields as { err: Error }).err.name);
  await jobHandlers({ ...service.features, log: locked }, { error, warn: () => undefined })["log.checkpoint"]({});
  expect(logged).toEqual(["SealUnavailable"]);
  expect((await latestCheckpoint(locked))?.tree_size).toBe(71);
  expect(await service.database.owner("select count(*)::int as n from log_leaves")).toEqual([{ n: 74 }]);
  expect(await inclusionProofs(locked, hashes, 71)).toHaveLength(68);
  await verifyLog(locked);
  expect((await ensureCovered(log(), waiting)).checkpoint.tree_size).toBe(74);
});

async function verifyLogWhenDueAfterADay(): Promise<void> {
  await service.database.owner("update log_checks set checked_at = checked_at - interval '24 hours'");
  await verifyLogWhenDue(log());
}
