import { createHash, X509Certificate } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { makeAuthority } from "../../../pdf/fixtures/time-stamp-authority.ts";
import { verdictOf } from "../../../verify/src/format-report.ts";
import { unzipBundle, verifyBundle } from "../../../verify/src/index.ts";
import { chainOf } from "../../test/envelopes.ts";
import { jobsDone, testJobs } from "../../test/jobs.ts";
import { runCommand } from "../../test/process.ts";
import { type TestKey, type TestOrg, testService } from "../../test/service.ts";
import { startAuthority } from "../../test/time-stamp-authority.ts";
import { flipBit, keyOfAnother, newMember, sweepVault, vaultedByPipeline, vaultedCopies } from "../../test/vaulted.ts";
import type { Jobs } from "../jobs/catalogue.ts";
import { enqueue } from "../jobs/enqueue.ts";
import { rememberAuthority } from "../seals/authority-store.ts";
import { systemCaller } from "../shared/caller.ts";
import type { EnvelopeId } from "../shared/ids.ts";
import { advanceLog } from "../transparency/advance-log.ts";
import { stampCheckpoint } from "../transparency/stamp-checkpoint.ts";
import { evaluateAffected } from "./evaluate-affected.ts";
import { evaluateRecord } from "./evaluate-record.ts";
import { restoreCopy } from "./keeping/restore-copy.ts";

/** What happens to a vaulted record later: each cause makes one revision and one event, however often it is reported. */

const service = testService({ SWEEP_HOURS: "24" });
testJobs(service);

let org: TestOrg;
let key: TestKey;
beforeAll(async () => {
  org = await service.newOrg();
  key = await org.newKey();
});

const secured_party = { name: "First Example Bank, N.A.", address: "1 Example Square" };

async function vaulted(of: TestOrg = org): Promise<EnvelopeId> {
  const envelope_id = await vaultedByPipeline(service, of, { secured_party });
  await jobsDone(service);
  return envelope_id;
}

interface Revision {
  readonly revision: number;
  readonly score: number;
  readonly standing: string;
  readonly cause: string | null;
}

const revisions = (envelope_id: EnvelopeId) =>
  service.database.owner<Revision>("select revision, score, standing, cause from certificates where envelope_id = $1 order by revision", [
    envelope_id,
  ]);

/** The latest revision, after every job has run; fails unless there are as many revisions and as many events. */
async function latest(envelope_id: EnvelopeId, count: number): Promise<Revision> {
  await jobsDone(service);
  const all = await revisions(envelope_id);
  const events = await service.database.owner<{ event_type: string }>(
    "select event_type from events where envelope_id = $1 and event_type like 'vault.compliance.%' order by event_id",
    [envelope_id],
  );
  expect([all.length, events.length]).toEqual([count, count]);
  return all.at(-1) ?? expect.fail("no revision");
}

const compliance = async (envelope_id: EnvelopeId, of: TestKey = key) =>
  (await of.send("GET", `/partner/envelopes/${envelope_id}/compliance`)).json.data;
const missing = async (envelope_id: EnvelopeId, of: TestKey = key): Promise<string[]> =>
  (await compliance(envelope_id, of)).checks
    .filter((check: { satisfied: boolean }) => !check.satisfied)
    .map(({ id }: { id: string }) => id);
const entriesOf = async (envelope_id: EnvelopeId, type: string, of: TestOrg = org) =>
  (await chainOf(service, of.org_id, envelope_id)).filter((entry) => entry.type === type);
const sweep = () => sweepVault(service, { share: 1 });
const rootOf = async (): Promise<string> => {
  const trust = (await (await fetch(`${service.url}/.well-known/countersign-trust.json`)).json()) as { root_certificate: string };
  return createHash("sha256")
    .update(new X509Certificate(Buffer.from(trust.root_certificate, "base64")).raw)
    .digest("hex");
};

/** The same job once more, as after a worker that died before it could report the end. */
const repeat = (envelope_id: EnvelopeId, cause: { type: string; hash: string }) =>
  service.db.tx(org.org_id, (tx) => enqueue(tx, "vault.evaluate", { org_id: org.org_id, envelope_id, cause }));

describe("a copy that leaves by an export", () => {
  let envelope_id: EnvelopeId;
  const recipient = { name: "Second Example Bank", email: "vault@example.com" };

  test("fails checks 1 and 3 in one new revision with one event, and a repeated acknowledgement or job makes none", async () => {
    envelope_id = await vaulted();
    expect(await latest(envelope_id, 1)).toMatchObject({ score: 100, standing: "attested" });
    const started = await key.send("POST", `/partner/envelopes/${envelope_id}/vault-out`, { body: { recipient, reason: "Sold" } });
    const { export_id, package_sha256 } = started.json.data;
    const other = await keyOfAnother(service, org);
    const acknowledge = () => other.send("POST", `/partner/vault-exports/${export_id}/acknowledge`, { body: { package_sha256 } });
    await latest(envelope_id, 1);
    expect((await acknowledge()).status).toBe(200);
    const [exported] = await service.database.owner<{ hash: string }>(
      "select hash from audit_entries where subject = $1 and type = 'vault.exported'",
      [envelope_id],
    );
    const cause = { type: "vault.exported", hash: exported?.hash ?? "" };
    expect(await latest(envelope_id, 2)).toEqual({ revision: 2, score: 75, standing: "left", cause: cause.hash });
    expect(await missing(envelope_id)).toEqual(["single_authoritative_copy", "custodian"]);
    expect((await entriesOf(envelope_id, "vault.certificate.issued")).map(({ data }) => data.cause)).toEqual([undefined, cause]);
    expect((await acknowledge()).status).toBe(200);
    await repeat(envelope_id, cause);
    await latest(envelope_id, 2);
  });

  test("has a bundle that verifies and ends with when it left and for whom", async () => {
    const { status, bytes } = await key.send("GET", `/partner/envelopes/${envelope_id}/vault/evidence`);
    expect(status).toBe(200);
    const [exported] = await service.database.owner<{ at: Date }>(
      "select at from audit_entries where subject = $1 and type = 'vault.exported'",
      [envelope_id],
    );
    const left_at = exported?.at.toISOString() ?? "";
    const verified = await verifyBundle(() => unzipBundle(bytes), { root: await rootOf(), tsa_roots: null, as_of: left_at });
    expect(verified.steps.filter(({ passed }) => !passed)).toEqual([]);
    expect(verdictOf(verified)).toBe(`VERIFIED, COPY LEFT THIS VAULT on ${left_at.slice(0, 10)} for ${recipient.name}`);
    expect(verified.notes).toContain("No custodian: the copy had left the vault.");
    expect(verified.steps[8]?.says).toContain("standing left");
  });
});

describe("damage", () => {
  test("that the sweep finds makes one revision with one event; another sweep makes none, and the restored copy one more", async () => {
    const envelope_id = await vaulted();
    const { sha256 } = (
      await service.database.owner<{ sha256: string }>("select sha256 from authoritative_copies where envelope_id = $1", [envelope_id])
    )[0] as { sha256: string };
    const good = await service.features.storage.blobs.read(org.org_id, sha256);
    await flipBit(service, org, sha256);
    expect(await sweep()).toMatchObject({ tampered: 1 });
    expect(await latest(envelope_id, 2)).toMatchObject({ standing: "not_passed" });
    expect(await missing(envelope_id)).toContain("tamper_evident_record");
    await sweep();
    await latest(envelope_id, 2);
    expect(await restoreCopy(service.features.vault, systemCaller(org.org_id), envelope_id, good)).toBeNull();
    expect(await latest(envelope_id, 3)).toMatchObject({ score: 100, standing: "attested" });
  });

  test("that a requested evaluation finds makes one revision, not a second one for the damage", async () => {
    const envelope_id = await vaulted();
    const [row] = await service.database.owner<{ sha256: string }>("select sha256 from authoritative_copies where envelope_id = $1", [
      envelope_id,
    ]);
    await flipBit(service, org, row?.sha256 ?? "");
    expect((await key.send("POST", `/partner/envelopes/${envelope_id}/compliance`)).status).toBe(200);
    const { cause, standing } = await latest(envelope_id, 2);
    expect([cause, standing]).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), "not_passed"]);
  });

  test("of the audit trail makes no revision, because nothing is appended to a damaged trail", async () => {
    const envelope_id = await vaulted();
    await service.database.owner(
      `update audit_entry_data set data = data || '{"path": "x"}' where subject = $1 and seq =
        (select seq from audit_entries where subject = $1 and type = 'vault.stored')`,
      [envelope_id],
    );
    expect(await sweep()).toMatchObject({ tampered: 1 });
    await latest(envelope_id, 1);
  });
});

test("a record whose signatures were changed in the database fails check 4 in one new revision, another sweep makes none, the repair one more", async () => {
  const envelope_id = await vaulted();
  await service.database.owner("update signatures set ip = '192.0.2.99' where envelope_id = $1", [envelope_id]);
  expect(await sweep()).toMatchObject({ tampered: 0, mismatched: 1 });
  expect(await latest(envelope_id, 2)).toMatchObject({ score: 88, standing: "not_passed" });
  expect(await missing(envelope_id)).toEqual(["signatures_complete"]);
  expect(await entriesOf(envelope_id, "document.record_mismatch")).toHaveLength(1);
  expect(await sweep()).toMatchObject({ mismatched: 1 });
  await latest(envelope_id, 2);
  expect(await entriesOf(envelope_id, "document.record_mismatch")).toHaveLength(1);
  await service.database.owner("update signatures set ip = '127.0.0.1' where envelope_id = $1", [envelope_id]);
  const { url } = service.database;
  const { code, stderr } = await runCommand(["vault", "repair-rows", "--org", org.org_id, envelope_id], {
    DATABASE_URL: url,
    REPAIR_DATABASE_URL: url,
    APP_SECRET: service.config.appSecrets[0].secret,
  });
  expect([code, stderr]).toEqual([0, ""]);
  expect(await latest(envelope_id, 3)).toMatchObject({ score: 100, standing: "attested" });
});

describe("countersign seals revoke", () => {
  const revoke = (seal_id: string, ...more: string[]) =>
    runCommand(["seals", "revoke", seal_id, ...more], { ...service.database.env, APP_SECRET: service.config.appSecrets[0].secret });
  const list = async ({ org_id }: TestOrg) =>
    (await runCommand(["seals", "list", "--org", org_id], { ...service.database.env, APP_SECRET: service.config.appSecrets[0].secret }))
      .stdout;
  const sealOf = async (envelope_id: EnvelopeId) =>
    (
      await service.database.owner<{ seal_id: string; sealed_at: Date }>(
        "select seal_id, sealed_at from authoritative_copies where envelope_id = $1",
        [envelope_id],
      )
    )[0] ?? expect.fail("no copy");

  /** A time stamp over everything in the log so far, by an authority that the installation knows. */
  async function stampLog(): Promise<void> {
    const authority = await makeAuthority({ at: new Date() });
    const peer = await startAuthority((request) => authority.answer(request));
    await service.db.system((tx) => rememberAuthority(tx, "tsa", authority.root));
    const seals = { ...service.features.seals, timeStamps: { url: peer.url, roots: [authority.root], timeout_ms: 10_000 } };
    const checkpoint = await advanceLog(service.features.log);
    if (checkpoint === null) throw new Error("the log is empty");
    expect(await stampCheckpoint({ ...service.features.log, seals }, checkpoint)).toMatchObject({ error: null });
    await peer.close();
  }

  test("makes one revision for each record that the seal no longer holds, and none for those that it still holds", async () => {
    const own = await service.newOrg();
    const [seen, certifiedLater] = [await vaulted(own), await vaulted(own)];
    await stampLog();
    const evaluated = await own.admin("POST", `/partner/envelopes/${certifiedLater}/compliance`, { body: {} });
    expect(evaluated.status).toBe(200);
    const [unseen, later] = [await vaulted(own), await vaulted(own)];
    const { seal_id, sealed_at } = await sealOf(later);
    expect(await list(own)).toMatch(new RegExp(`^${seal_id}  .* document seal, serialNumber=${own.org_id}\\n$`));
    const { code, stderr } = await revoke(seal_id, "--reason", "key_compromise", "--invalid-from", sealed_at.toISOString());
    expect([code, stderr]).toEqual([0, ""]);
    expect(await list(own)).toMatch(/ {2}revoked .* \(key_compromise\)\n/);
    for (const envelope_id of [unseen, later]) {
      expect(await latest(envelope_id, 2)).toMatchObject({ standing: "not_passed" });
      const reader = await own.newKey();
      expect(await missing(envelope_id, reader)).toEqual(["tamper_evident_record"]);
      expect((await compliance(envelope_id, reader)).checks[1]).toMatchObject({
        detail: expect.stringMatching(
          /^The seal is not valid\. (Nothing but our own clock|No one outside).*, when the certificate became invalid\.$/,
        ),
        remedy: "This cannot be repaired, only reported.",
      });
    }
    await latest(seen, 1);
    // Its copy was seen in time, and its certificate was not.
    expect(await latest(certifiedLater, 3)).toMatchObject({ score: 100 });
    const again = await revoke(seal_id, "--reason", "superseded");
    expect([again.code, again.stderr]).toEqual([1, "This seal is already revoked.\n"]);
    await latest(later, 2);
    // The certificates were sealed with the next seal, which sealed no copy yet.
    const record = await vaulted(own);
    expect((await revoke((await sealOf(record)).seal_id, "--reason", "superseded")).code).toBe(0);
    await latest(record, 1);
  }, 60_000);
});

describe("a custodian who leaves the organization", () => {
  test("costs each of their copies check 3 in one new revision, and a transfer to a member brings it back", async () => {
    const own = await service.newOrg();
    const [cleo, first, second] = [await newMember(service, own), await own.newKey(), await keyOfAnother(service, own)];
    const envelope_id = await vaulted(own);
    const transfer = async (to_user_id: string) => {
      const begun = await first.send("POST", `/partner/envelopes/${envelope_id}/custody-transfers`, { body: { to_user_id } });
      const { permission_id } = begun.json.data;
      expect((await second.send("POST", `/partner/custody-transfers/${permission_id}/accept`)).status).toBe(200);
    };
    await transfer(cleo.user_id);
    expect(await latest(envelope_id, 1), "a transfer between members changes no check").toMatchObject({ score: 100 });
    expect((await own.admin("DELETE", `/org/members/${cleo.user_id}?custody=leave`)).status).toBe(200);
    expect(await latest(envelope_id, 2)).toMatchObject({ score: 88, standing: "not_passed" });
    expect(await missing(envelope_id, first)).toEqual(["custodian"]);
    await transfer(own.user_id);
    expect(await latest(envelope_id, 3)).toMatchObject({ score: 100, standing: "attested" });
  });

  test("has copies evaluated in batches; after an interruption the job continues, and no record gets a second revision", async () => {
    const own = await service.newOrg();
    const cleo = await newMember(service, own);
    const copies = await vaultedCopies(service, own, 5, { custodian: cleo.user_id });
    const job: Jobs["vault.evaluate-affected"] = {
      org_id: own.org_id,
      cause: { type: "member.removed", hash: "ab".repeat(32) },
      of: { kind: "custodian", user_id: cleo.user_id },
      after: null,
    };
    const made = async () => (await Promise.all(copies.map(({ envelope_id }) => revisions(envelope_id)))).map((all) => all.length);
    await evaluateAffected(service.features.vault, job, 2);
    expect(await made(), "a custodian who is a member concerns no record").toEqual([1, 1, 1, 1, 1]);
    await service.database.owner("delete from members where org_id = $1 and user_id = $2", [own.org_id, cleo.user_id]);
    const failing = {
      ...service.features.vault,
      seal: async () => {
        throw new Error("no seal");
      },
    };
    await expect(evaluateAffected(failing, job, 2), "a batch in which everything fails is tried again").rejects.toThrow(
      "none of 2 records",
    );
    // Killed after the first record of the batch.
    const [one] = copies;
    await evaluateRecord(service.features.vault, { org_id: own.org_id, envelope_id: one?.envelope_id as EnvelopeId, cause: job.cause });
    expect(await made()).toEqual([2, 1, 1, 1, 1]);
    await evaluateAffected(service.features.vault, job, 2);
    await jobsDone(service);
    expect(await made()).toEqual([2, 2, 2, 2, 2]);
    await evaluateAffected(service.features.vault, job, 2);
    await jobsDone(service);
    expect(await made()).toEqual([2, 2, 2, 2, 2]);
    const other = { org_id: own.org_id, envelope_id: one?.envelope_id as EnvelopeId, cause: { ...job.cause, hash: "cd".repeat(32) } };
    await Promise.all([1, 2, 3, 4].map(() => evaluateRecord(service.features.vault, other)));
    expect(await made(), "four workers with the same job").toEqual([3, 2, 2, 2, 2]);
  }, 60_000);
});
