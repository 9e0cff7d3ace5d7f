import { chainFacts, firstFault, replayCustody } from "@countersign/evidence";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ALL, testInAll } from "../../../testing/all.ts";
import { chainOf } from "../../test/envelopes.ts";
import { type TestOrg, testService } from "../../test/service.ts";
import { newMember, standInBundles, type Vaulted, vaultedCopies } from "../../test/vaulted.ts";
import { readChain } from "../audit/read-chain.ts";
import { connectDb, type Db } from "../db/connect.ts";
import type { Caller } from "../shared/caller.ts";
import { type ExportId, newId, type OrgId, type PermissionId, type UserId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import type { VaultDeps } from "./copy.ts";
import { expireTransfer } from "./custody/expire-transfers.ts";
import { initiateTransfer } from "./custody/initiate-transfer.ts";
import { acceptTransfer, cancelTransfer, rejectTransfer } from "./custody/transfer-answers.ts";
import { acknowledgeExport } from "./exports/acknowledge-export.ts";
import { cancelExport } from "./exports/ended-exports.ts";
import { startExport as startExportSteps } from "./exports/start-export.ts";
import { verifyCopy } from "./keeping/verify-copy.ts";

/**
 * Many concurrent operations, and a count of the successful ones. VAULT_COPIES, VAULT_RACERS and VAULT_ROUNDS set higher numbers for chaos
 * tests and measurements.
 */

const COPIES = Number(process.env.VAULT_COPIES ?? (ALL ? 40 : 10));
const RACERS = Number(process.env.VAULT_RACERS ?? (ALL ? 20 : 10));
const ROUNDS = Number(process.env.VAULT_ROUNDS ?? 12);
// More than there are connections, so that some wait for a connection and others for a lock.
const AT_ONCE = 48;
const TIMEOUT_MS = 30_000 + COPIES * (RACERS + ROUNDS) * 20;

const service = testService();

let org: TestOrg;
let db: Db;
let deps: VaultDeps;
let people: UserId[];
beforeAll(async () => {
  standInBundles(service);
  db = connectDb({ url: service.database.appUrl, poolSize: 24 });
  deps = { ...service.features.vault, db };
  org = await service.newOrg();
  people = [org.user_id];
  for (let i = 0; i < 3; i++) people.push((await newMember(service, org)).user_id);
});
afterAll(() => db.end());

const byMember = (id: OrgId): Caller => ({ ...byKey(id), actor: { kind: "user", id: receiver() } });
const byKey = (id: OrgId): Caller => ({
  org: id,
  actor: { kind: "key", id: newId("key") },
  scopes: [],
  session: null,
  ip: "127.0.0.1",
  user_agent: "racer",
  request_id: "race",
});

const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T;
const receiver = () => pick(people.slice(1));

type Outcome = "won" | "refused";

/** A refusal is a Problem; any other error is a bug and fails the test. */
async function outcomeOf(act: Promise<unknown>): Promise<Outcome> {
  try {
    return (await act) === false ? "refused" : "won";
  } catch (error) {
    if (error instanceof Problem) return "refused";
    throw error;
  }
}

/** Runs all tasks in the given order, a limited number at a time. */
async function crowd<T>(tasks: readonly (() => Promise<T>)[]): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const run = async () => {
    for (let index = next++; index < tasks.length; index = next++) results[index] = await (tasks[index] as () => Promise<T>)();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, run));
  return results;
}

/** Checks continuously, each time in one snapshot of the database: every copy has one custodian, or has left and has none. */
async function observed<T>(run: () => Promise<T>): Promise<{ result: T; looks: number; violations: unknown[] }> {
  let done = false;
  let looks = 0;
  const violations: unknown[] = [];
  const watch = async () => {
    while (!done) {
      looks++;
      violations.push(
        ...(await service.database.owner(
          `select * from (
             select c.copy_id, c.state,
               (select count(*)::int from custodian_permissions p where p.org_id = c.org_id and p.copy_id = c.copy_id and p.state = 'active') as custodians,
               (select count(*)::int from vault_exports x where x.org_id = c.org_id and x.copy_id = c.copy_id and x.state = 'escrowed') as escrows,
               (select count(*)::int from vault_exports x where x.org_id = c.org_id and x.copy_id = c.copy_id and x.state = 'acknowledged') as left
             from authoritative_copies c) seen
           where custodians + "left" <> 1 or ("left" = 1) <> (state = 'exported') or (escrows = 1) <> (state = 'escrowed')`,
        )),
      );
    }
  };
  const watching = watch();
  const result = await run().finally(() => {
    done = true;
  });
  await watching;
  return { result, looks, violations };
}

const copies = (count = COPIES) => vaultedCopies(service, org, count);

/** Starts the tasks of one copy close together so that they collide, for eight copies at a time. */
function perCopy<T>(of: readonly Vaulted[], tasksOf: (one: Vaulted) => (() => Promise<T>)[]): (() => Promise<T>)[] {
  const all: (() => Promise<T>)[] = [];
  for (let from = 0; from < of.length; from += 8) {
    const lanes = of.slice(from, from + 8).map(tasksOf);
    for (let turn = 0; lanes.some((lane) => turn < lane.length); turn++) all.push(...lanes.flatMap((lane) => lane.slice(turn, turn + 1)));
  }
  return all;
}

const count = (all: readonly Outcome[]) => all.filter((outcome) => outcome === "won").length;
const typesOf = async ({ envelope_id }: Vaulted) => (await chainOf(service, org.org_id, envelope_id)).map(({ type }) => type);

async function expectSoundChain(one: Vaulted): Promise<void> {
  const links = await service.db.tx(org.org_id, (tx) => readChain(tx, org.org_id, one.envelope_id));
  expect(firstFault(links, { org_id: org.org_id, subject: one.envelope_id })).toBeNull();
  expect(replayCustody(chainFacts(links, { org_id: org.org_id, subject: one.envelope_id }).milestones).fault).toBeNull();
}

const begin = ({ envelope_id }: Vaulted, caller = byKey(org.org_id)) =>
  initiateTransfer(deps, caller, envelope_id, { to_user_id: receiver() });

async function startExport(one: Vaulted, caller = byKey(org.org_id)) {
  const prepared = await startExportSteps.prepare(deps, caller, one.envelope_id);
  return startExportSteps.save(deps, caller, prepared, { recipient: { name: "Bank", email: "vault@example.com" }, reason: "Sold" });
}

describe("concurrent operations", { timeout: TIMEOUT_MS }, () => {
  testInAll(
    `${COPIES} copies and ${RACERS} requests for a transfer of each: one pending transfer, one entry and one event each`,
    async () => {
      const all = await copies();
      const { result, violations } = await observed(() =>
        crowd(perCopy(all, (one) => Array.from({ length: RACERS }, () => () => outcomeOf(begin(one))))),
      );
      expect([count(result), violations]).toEqual([COPIES, []]);
      const ids = all.map(({ copy_id }) => copy_id);
      const pending = await service.database.owner(
        "select copy_id from custodian_permissions where copy_id = any($1) and state = 'pending' group by 1 having count(*) = 1",
        [ids],
      );
      expect(pending).toHaveLength(COPIES);
      const events = await service.database.owner("select from events where event_type = 'custodian.transfer' and envelope_id = any($1)", [
        all.map(({ envelope_id }) => envelope_id),
      ]);
      expect(events).toHaveLength(COPIES);
      for (const one of all.slice(0, 5)) expect((await typesOf(one)).filter((type) => type === "custody.initiated")).toHaveLength(1);
    },
  );

  testInAll("accept, reject, cancel and expire: one outcome each, and always one custodian", async () => {
    const all = await copies();
    const transfers = new Map<string, PermissionId>();
    for (const one of all) transfers.set(one.copy_id, (await begin(one)).permission_id);
    const ids = [...transfers.values()];
    // Half of them expire during the race.
    await service.database.owner(
      "update custodian_permissions set expires_at = clock_timestamp() + random() * interval '400 milliseconds' where permission_id = any($1)",
      [ids.slice(0, ids.length / 2)],
    );
    const each = Math.ceil(RACERS / 5);
    const tasks = perCopy(all, (one) => {
      const permission_id = transfers.get(one.copy_id) as PermissionId;
      return Array.from({ length: each }, () => [
        () => outcomeOf(acceptTransfer(deps, byKey(org.org_id), permission_id)),
        () => outcomeOf(rejectTransfer(deps, byKey(org.org_id), permission_id, null)),
        () => outcomeOf(cancelTransfer(deps, byKey(org.org_id), permission_id)),
        () => outcomeOf(expireTransfer(deps, org.org_id, permission_id)),
      ])
        .flat()
        .sort(() => Math.random() - 0.5);
    });
    const { result, violations } = await observed(() => crowd(tasks));
    // The job closes those that no request reached in time.
    const left = await crowd(ids.map((permission_id) => () => outcomeOf(expireTransfer(deps, org.org_id, permission_id))));
    expect([count(result) + count(left), violations]).toEqual([COPIES, []]);
    for (const one of all) {
      const ended = (await typesOf(one)).filter((type) => /^custody\.(accepted|rejected|cancelled|expired)$/.test(type));
      expect(ended).toHaveLength(1);
      await expectSoundChain(one);
    }
  });

  test("twenty acknowledgements of one export return the same response, and the copy leaves once", async () => {
    const [one] = (await copies(1)) as [Vaulted];
    const { export_id, package_sha256 } = await startExport(one);
    const { result, violations } = await observed(() =>
      crowd(Array.from({ length: 20 }, () => () => acknowledgeExport(deps, byMember(org.org_id), export_id, package_sha256))),
    );
    expect(new Set(result.map(({ key, receipt }) => `${key} ${receipt.signature}`)).size).toBe(1);
    expect(violations).toEqual([]);
    expect((await typesOf(one)).filter((type) => type === "vault.exported")).toHaveLength(1);
  });

  test("acknowledge against cancel: either the copy left with its key, or it stayed and the key is erased", async () => {
    const all = await copies(Math.ceil(COPIES / 4));
    const begun = await crowd(all.map((one) => () => startExport(one)));
    const tasks = begun.flatMap(({ export_id, package_sha256 }) => [
      () => outcomeOf(acknowledgeExport(deps, byMember(org.org_id), export_id, package_sha256)),
      () => outcomeOf(cancelExport(deps, byKey(org.org_id), export_id)),
    ]);
    const { result, violations } = await observed(() => crowd(tasks));
    expect([count(result), violations]).toEqual([all.length, []]);
    const rows = await service.database.owner<{ state: string; has_key: boolean }>(
      "select state, key_enc is not null as has_key from vault_exports where export_id = any($1)",
      [begun.map(({ export_id }) => export_id)],
    );
    for (const { state, has_key } of rows) expect([state, has_key]).toEqual([state, state === "acknowledged"]);
  });

  testInAll("transfers against exports, in any order: never two authoritative copies, and the records match the state", async () => {
    const all = await copies(Math.ceil(COPIES / 4));
    const pendingOf = async ({ copy_id }: Vaulted) =>
      (
        await service.database.owner<{ permission_id: PermissionId }>(
          "select permission_id from custodian_permissions where copy_id = $1 and state = 'pending'",
          [copy_id],
        )
      )[0]?.permission_id ?? newId("custodianPermission");
    const exportOf = async ({ copy_id }: Vaulted) =>
      (
        await service.database.owner<{ export_id: ExportId; package_sha256: string }>(
          "select export_id, package_sha256 from vault_exports where copy_id = $1 order by export_id desc limit 1",
          [copy_id],
        )
      )[0] ?? { export_id: newId("vaultExport"), package_sha256: "" };
    const acts: ((one: Vaulted) => Promise<unknown>)[] = [
      (one) => begin(one),
      async (one) => acceptTransfer(deps, byKey(org.org_id), await pendingOf(one)),
      async (one) => acceptTransfer(deps, byKey(org.org_id), await pendingOf(one)),
      async (one) => cancelTransfer(deps, byKey(org.org_id), await pendingOf(one)),
      (one) => startExport(one),
      async (one) => cancelExport(deps, byKey(org.org_id), (await exportOf(one)).export_id),
      async (one) => {
        // Rarely, because a copy that has left no longer takes part.
        if (Math.random() > 0.2) return false;
        const { export_id, package_sha256 } = await exportOf(one);
        return acknowledgeExport(deps, byMember(org.org_id), export_id, package_sha256);
      },
      (one) => verifyCopy(deps, org.org_id, one.envelope_id),
    ];
    const tasks = Array.from({ length: ROUNDS * all.length * 4 }, () => () => outcomeOf(pick(acts)(pick(all))));
    const { violations } = await observed(() => crowd(tasks));
    expect(violations).toEqual([]);
    for (const one of all) {
      await expectSoundChain(one);
      expect(await verifyCopy(deps, org.org_id, one.envelope_id)).not.toBe("tampered");
    }
  });
});
