import { userInfo } from "node:os";
import { beforeAll, describe, expect, test } from "vitest";
import { testInAll } from "../../../testing/all.ts";
import { chainOf } from "../../test/envelopes.ts";
import { killCommand, runCommand } from "../../test/process.ts";
import { type TestOrg, testService } from "../../test/service.ts";
import { vaultedByPipeline, vaultedCopies } from "../../test/vaulted.ts";
import { systemCaller } from "../shared/caller.ts";
import { type EnvelopeId, newId } from "../shared/ids.ts";
import { type ReEvaluated, reEvaluate } from "./re-evaluate.ts";

const service = testService();

const env = () => ({
  ...service.database.env,
  APP_SECRET: service.config.appSecrets[0].secret,
  DATA_DIR: service.config.dataDir,
});
const run = (...args: string[]) => runCommand(["vault", "re-evaluate", ...args], env());
const revisionsOf = async ({ org_id }: TestOrg) =>
  (
    await service.database.owner<{ revisions: number }>(
      "select count(*)::int as revisions from certificates where org_id = $1 group by envelope_id order by envelope_id",
      [org_id],
    )
  ).map(({ revisions }) => revisions);

/** As an earlier release left it: its certificate has no grades. */
async function withoutGrades(envelope_id: EnvelopeId): Promise<EnvelopeId> {
  for (const table of ["certificates", "authoritative_copies"])
    await service.database.owner(`update ${table} set rules = 1, proven_score = null, standing = 'not_assessed' where envelope_id = $1`, [
      envelope_id,
    ]);
  return envelope_id;
}

describe("countersign vault re-evaluate", () => {
  let org: TestOrg;
  let other: TestOrg;
  let envelope_id: EnvelopeId;
  let foreseen: readonly string[];
  beforeAll(async () => {
    [org, other] = [await service.newOrg(), await service.newOrg()];
    const secured_party = { name: "First Example Bank, N.A.", address: "1 Example Square" };
    envelope_id = await withoutGrades(await vaultedByPipeline(service, org, { secured_party }));
    await vaultedCopies(service, org, 2);
    await vaultedCopies(service, other, 3);
  }, 60_000);

  test("--dry-run says what would change and writes nothing", async () => {
    const tables = ["certificates", "audit_entries", "events", "outbox", "checkpoints", "authority_certificates", "blobs", "log_leaves"];
    const state = () => service.database.owner(`select ${tables.map((table) => `(select count(*) from ${table}) as ${table}`).join(", ")}`);
    const before = await state();
    const { code, stdout, stderr } = await run("--org", org.org_id, "--dry-run");
    expect([code, stderr]).toEqual([0, ""]);
    const lines = stdout.trimEnd().split("\n");
    expect([lines.length, lines[0]]).toEqual([5, "Records without grades: 3. Dry run: nothing is written."]);
    expect(lines[1]).toMatch(new RegExp(`^1 of 3 {2}${org.org_id} {2}${envelope_id} {2}100 -> 100 points, attested, proven \\d+ of 100$`));
    expect(lines[4]).toMatch(/^Would be evaluated: 3 \(1 attested, 2 not passed\)\. With fewer satisfied checks than before: 0\.$/);
    expect(await state()).toEqual(before);
    foreseen = lines.slice(1, 4);
  });

  test("gives the records of one organization grades, names the operator, and finds nothing to do when it runs again", async () => {
    const { code, stdout, stderr } = await run("--org", org.org_id);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout.split("\n").slice(1, 4), "as the dry run said").toEqual(foreseen);
    expect(stdout).toMatch(/\nEvaluated: 3 \(1 attested, 2 not passed\)\. /);
    expect([await revisionsOf(org), await revisionsOf(other)]).toEqual([
      [2, 2, 2],
      [1, 1, 1],
    ]);
    const { json } = await org.admin("GET", "/partner/vault?standing=not_assessed");
    expect(json.data).toEqual([]);
    const [first, second] = (await chainOf(service, org.org_id, envelope_id)).filter(({ type }) => type === "vault.certificate.issued");
    expect([first?.data.operator, second?.data.operator]).toEqual([undefined, userInfo().username]);
    const events = await service.database.owner("select from events where envelope_id = $1 and event_type like 'vault.compliance.%'", [
      envelope_id,
    ]);
    expect(events).toHaveLength(2);
    expect((await run("--org", org.org_id)).stdout).toBe(
      "Records without grades: 0.\nEvaluated: 0. With fewer satisfied checks than before: 0.\n",
    );
    expect(await revisionsOf(org)).toEqual([2, 2, 2]);
  });

  testInAll("continues after it was killed, and gives no record a second revision", async () => {
    expect(await killCommand(["vault", "re-evaluate"], env(), /^1 of 3 /m)).toBe("SIGKILL");
    const left = (await revisionsOf(other)).filter((revisions) => revisions === 1).length;
    expect(left).toBeLessThan(3);
    const { code, stdout } = await run();
    expect([code, stdout]).toEqual([0, expect.stringMatching(new RegExp(`^Records without grades: ${left}\\.\n`))]);
    expect(await revisionsOf(other)).toEqual([2, 2, 2]);
  });

  test("reports a record with a damaged audit trail and goes on with the others", async () => {
    const damaged = await service.newOrg();
    const [first] = await vaultedCopies(service, damaged, 2);
    await service.database.owner("update audit_entry_data set data = data || '{\"size\": 1}' where subject = $1 and seq = 1", [
      first?.envelope_id,
    ]);
    const { code, stdout, stderr } = await run("--org", damaged.org_id);
    expect([code, stderr]).toEqual([1, `1 of 2  ${damaged.org_id}  ${first?.envelope_id}  not evaluated: its audit trail is damaged\n`]);
    expect(stdout).toContain("\nEvaluated: 1 (1 not passed). With fewer satisfied checks than before: 0. Not evaluated: 1. ");
  });

  testInAll("refuses an organization that does not exist", async () => {
    expect((await run("--org", "x")).code).toBe(2);
    expect(await run("--org", newId("org"))).toMatchObject({ code: 2, stderr: expect.stringContaining("does not exist") });
  });
});

test("records are read in batches, and two runs at once make one revision of each", async () => {
  const org = await service.newOrg();
  await vaultedCopies(service, org, 5);
  const told: ReEvaluated[] = [];
  const one = () =>
    reEvaluate(service.features.vault, {
      orgs: [org.org_id],
      callerOf: systemCaller,
      dry_run: false,
      atOnce: 2,
      onRecord: (record) => told.push(record),
    });
  await Promise.all([one(), one()]);
  expect(await revisionsOf(org)).toEqual([2, 2, 2, 2, 2]);
  expect(new Set(told.map(({ envelope_id }) => envelope_id)).size).toBe(5);
  expect(told.every(({ now }) => now !== null)).toBe(true);
}, 60_000);
