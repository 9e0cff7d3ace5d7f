import { createHash, randomBytes, X509Certificate } from "node:crypto";
import {
  ALGORITHMS,
  canonicalValue,
  isIncluded,
  isRecordOf,
  readCheckpoint,
  readLogRecord,
  rehashOfData,
  rehashOfEntry,
  rehashOfRecord,
  rootBySha512,
} from "@countersign/evidence";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addressesOf, makeCrl } from "../../../pdf/fixtures/revocation.ts";
import { type Authority, makeAuthority } from "../../../pdf/fixtures/time-stamp-authority.ts";
import { checkTimestamp } from "../../../pdf/src/cms/timestamp.ts";
import { chainOf } from "../../test/envelopes.ts";
import { leavesOf, record, rootByDefinition } from "../../test/log.ts";
import { type RevocationPeer, startRevocationPeer } from "../../test/revocation-peer.ts";
import { type TestOrg, testService } from "../../test/service.ts";
import { type AuthorityPeer, startAuthority } from "../../test/time-stamp-authority.ts";
import { flipBit, vaultedCopy } from "../../test/vaulted.ts";
import { readChain } from "../audit/read-chain.ts";
import { jobHandlers } from "../main.ts";
import { DAY_MS } from "../shared/durations.ts";
import { newId } from "../shared/ids.ts";
import { sha256 } from "../shared/secrets.ts";
import { advanceLog } from "./advance-log.ts";
import { ensureCovered } from "./ensure-covered.ts";
import { listKeptObjects, listRenewals } from "./list-renewals.ts";
import { type RenewalDeps, renewEvidence } from "./renew-evidence.ts";
import { stampLatest } from "./stamp-checkpoint.ts";
import { verifyLog } from "./verify-log.ts";

const service = testService();
const tomorrow = () => new Date(Date.now() + DAY_MS);
let revocations: RevocationPeer;
let authority: Authority;
let stamps: AuthorityPeer;
let org: TestOrg;
let published: Buffer;
/** the time that the authority states */
let stated = new Date();

beforeAll(async () => {
  revocations = await startRevocationPeer();
  authority = await makeAuthority({ at: () => stated, extensions: addressesOf({ crl: `${revocations.origin}/tsa.crl` }) });
  published = Buffer.from(makeCrl(authority.issuer, { until: tomorrow() }));
  revocations.answer("/tsa.crl", published);
  stamps = await startAuthority((request) => authority.answer(request));
  org = await service.newOrg();
});
afterAll(async () => {
  await stamps.close();
  await revocations.close();
});

const own = (text: string, ...values: unknown[]) => service.database.owner(text, values);
const tokens = async () => (await own("select from checkpoint_tokens where token is not null")).length;
const records = async (kind: string) =>
  (await own("select bytes from log_records where kind = $1 order by tree_size, bytes", kind)).map(
    ({ bytes }) => readLogRecord(bytes as Buffer) ?? expect.fail("unreadable"),
  );

/** The service with this authority, as it would be after a restart with other settings. */
function asking(peer: { readonly url: string | null; readonly root: Uint8Array }, change: Partial<RenewalDeps> = {}): RenewalDeps {
  const { seals, ...rest } = service.features.renewal;
  const timeStamps = { url: peer.url, roots: [peer.root], timeout_ms: 10_000 };
  return { ...rest, tsaRoots: [peer.root], ...change, seals: { ...seals, timeStamps } };
}
const here = (change: Partial<RenewalDeps> = {}) => asking({ url: stamps.url, root: authority.root }, change);
/** The settings after this many days, when the authority states that time too. */
const later = (days: number, deps = here()): RenewalDeps => {
  stated = new Date(Date.now() + days * DAY_MS);
  return { ...deps, now: () => stated };
};
const covered = async () => {
  stated = new Date();
  const hashes = await record(service, org.org_id, newId("envelope"), 2);
  return (await ensureCovered(here(), hashes)).checkpoint;
};

describe("log records", () => {
  test("each token becomes a leaf, once, and does not cause another token", async () => {
    const { tree_size } = await covered();
    await renewEvidence(here());
    await renewEvidence(here());
    const [row] = await own("select token from checkpoint_tokens where tree_size = $1", tree_size);
    const named = (await records("token")).filter((one) => one.tree_size === tree_size);
    expect(named).toHaveLength(1);
    expect(isRecordOf(named[0] ?? expect.fail("none"), row?.token as Buffer)).toBe(true);
    await advanceLog(here());
    expect(await leavesOf(service.database)).toContain(
      (await own("select hash from log_records where tree_size = $1 and kind = 'token'", tree_size))[0]?.hash,
    );
    const before = await tokens();
    expect(await stampLatest(here()), "only records were added").toBeNull();
    await record(service, org.org_id, newId("envelope"), 1);
    await advanceLog(here());
    expect((await stampLatest(here()))?.token, "an entry was added").not.toBeNull();
    expect(await tokens()).toBe(before + 1);
    await verifyLog(here());
  });

  test("the list of keys is recorded when it says something new", async () => {
    await renewEvidence(here());
    const before = (await records("trust")).length;
    await renewEvidence(here());
    expect(await records("trust")).toHaveLength(before);
    await renewEvidence({ ...here(), tsaRoots: [] });
    expect(await records("trust"), "without the setting: the authority is remembered").toHaveLength(before);
    await renewEvidence({ ...here(), tsaRoots: [(await makeAuthority()).root] });
    expect(await records("trust")).toHaveLength(before + 1);
  });

  test("the installation's revocation list is recorded when there is another one", async () => {
    const list = randomBytes(50);
    const withCrl = (): RenewalDeps => {
      const deps = here();
      return { ...deps, seals: { ...deps.seals, longTerm: { ...deps.seals.longTerm, ownCrl: async () => list } } };
    };
    await renewEvidence(withCrl());
    await renewEvidence(withCrl());
    expect((await records("crl")).filter((one) => isRecordOf(one, list))).toHaveLength(1);
  });
});

describe("time stamps", () => {
  test("are renewed after a year, with the authority's revocation data; the new one covers the old one", async () => {
    const vaulted = await covered();
    expect(await renewEvidence(later(364))).toEqual({ stamped: false, stamp_error: null });
    expect(await renewEvidence(later(366))).toEqual({ stamped: true, stamp_error: null });
    expect(await renewEvidence(later(366)), "a second run").toEqual({ stamped: false, stamp_error: null });

    const [renewal, ...more] = await listRenewals(here(), vaulted.tree_size);
    expect(more).toEqual([]);
    if (renewal === undefined || renewal.record === null || renewal.inclusion === null) throw new Error("not renewed");
    const { record: bytes, inclusion, checkpoint, token } = renewal;
    const [old] = await own("select token from checkpoint_tokens where tree_size = $1", vaulted.tree_size);
    expect(isRecordOf(readLogRecord(bytes) ?? expect.fail("unreadable"), old?.token as Buffer)).toBe(true);
    expect(inclusion.hash).toBe(sha256(bytes).toString("hex"));
    expect(isIncluded(inclusion, readCheckpoint(checkpoint.bytes) ?? expect.fail("unreadable"))).toBe(true);
    expect(checkTimestamp(token, () => sha256(checkpoint.bytes), [authority.root])).toMatchObject({ intact: true, trusted: true });
    const kept = await listKeptObjects(here(), checkpoint.tree_size, ["crl"]);
    expect(kept.map(({ object }) => object)).toContainEqual(published);
  });

  test("are renewed by another authority once there is one", async () => {
    await covered();
    const other = await makeAuthority({ at: () => new Date() });
    const peer = await startAuthority((request) => other.answer(request));
    const changed = asking({ url: peer.url, root: other.root });
    expect(await renewEvidence(changed)).toEqual({ stamped: true, stamp_error: null });
    expect(await renewEvidence(changed)).toEqual({ stamped: false, stamp_error: null });
    await peer.close();
  });

  test("are renewed before the authority's certificate ends, at most once in 30 days", async () => {
    const ending = await makeAuthority({ at: () => stated, not_after: new Date(Date.now() + 300 * DAY_MS) });
    const peer = await startAuthority((request) => ending.answer(request));
    const deps = asking({ url: peer.url, root: ending.root });
    stated = new Date();
    await ensureCovered(deps, await record(service, org.org_id, newId("envelope"), 1));
    expect(await renewEvidence(later(29, deps))).toEqual({ stamped: false, stamp_error: null });
    expect(await renewEvidence(later(31, deps))).toEqual({ stamped: true, stamp_error: null });
    expect(await renewEvidence(later(32, deps))).toEqual({ stamped: false, stamp_error: null });
    await peer.close();
  });

  test("that cannot be renewed say why, and the next run tries again", async () => {
    await covered();
    stamps.next(503);
    const error = "the time-stamp authority answered with status 503";
    expect(await renewEvidence(later(400))).toEqual({ stamped: false, stamp_error: error });
    expect(await renewEvidence(later(400))).toEqual({ stamped: true, stamp_error: null });
  });

  test("a checkpoint that had none is covered by a later one, with a consistency proof", async () => {
    await record(service, org.org_id, newId("envelope"), 1);
    const bare = await advanceLog(here());
    const later = await covered();
    const [renewal] = await listRenewals(here(), bare?.tree_size ?? 0);
    expect(renewal).toMatchObject({ record: null, inclusion: null, checkpoint: { tree_size: later.tree_size } });
    expect(renewal?.consistency?.length).toBeGreaterThan(0);
  });

  test("without an authority nothing is asked", async () => {
    const before = stamps.requests.length;
    expect(await renewEvidence(asking({ url: null, root: authority.root }))).toEqual({ stamped: false, stamp_error: null });
    expect(stamps.requests).toHaveLength(before);
  });
});

describe("the root", () => {
  const mails = () => own("select payload ->> 'org_id' as org_id from outbox where payload ->> 'kind' = 'root_ends'");

  test("that ends within 180 days is announced once to the admins of every organization, and again 30 days before", async () => {
    const quiet = asking({ url: null, root: authority.root });
    const [root] = await own("select certificate from instance_keys where purpose = 'root'");
    const ends = new Date(new X509Certificate(root?.certificate as Buffer).validTo).getTime();
    const orgs = (await own("select from orgs")).length;
    const atDaysLeft = (days: number) => renewEvidence({ ...quiet, now: () => new Date(ends - days * DAY_MS) });
    await atDaysLeft(182);
    expect(await mails()).toEqual([]);
    await atDaysLeft(179);
    await atDaysLeft(178);
    expect(await mails()).toHaveLength(orgs);
    await atDaysLeft(29);
    await atDaysLeft(28);
    expect(await mails()).toHaveLength(2 * orgs);
  });
});

describe("when SHA-256 is for existing records only", () => {
  const outdated = () => here({ algorithms: { ...ALGORITHMS, "sha-256": "verify_only" } });
  const queued = () => own("select from outbox where task = 'log.renew-evidence'");
  /** As the job does: until it does not continue. */
  const untilDone = async () => {
    stated = new Date();
    for (let runs = 1; runs <= 50; runs++) {
      await own("delete from outbox where task = 'log.renew-evidence'");
      await renewEvidence(outdated());
      await advanceLog(here());
      if ((await queued()).length === 0) return runs;
    }
    return expect.fail("the job never ended");
  };

  test("nothing is recorded again while it is accepted", async () => {
    await vaultedCopy(service, org);
    await renewEvidence(here());
    expect(await own("select from leaf_rehashes")).toEqual([]);
  });

  test("every file of a vaulted envelope is read, and its chain names both hashes", async () => {
    const { envelope_id, sha256: hash } = await vaultedCopy(service, org);
    await untilDone();
    const said = (await chainOf(service, org.org_id, envelope_id)).filter(({ type }) => type === "evidence.rehashed");
    const files = said.map(({ data }) => data as { sha256: string; sha512: string });
    expect(files.map((one) => one.sha256)).toContain(hash);
    for (const file of files) {
      const bytes = await service.features.storage.blobs.read(org.org_id, file.sha256);
      expect(file.sha512).toBe(createHash("sha512").update(bytes).digest("hex"));
    }
    await untilDone();
    expect((await chainOf(service, org.org_id, envelope_id)).filter(({ type }) => type === "evidence.rehashed")).toHaveLength(said.length);
  });

  test("a damaged file is left out and tried again in a day", async () => {
    const other = await service.newOrg();
    const { envelope_id, sha256: hash } = await vaultedCopy(service, other);
    await flipBit(service, other, hash);
    await untilDone();
    const rehashed = async () =>
      (await chainOf(service, other.org_id, envelope_id))
        .filter(({ type }) => type === "evidence.rehashed")
        .map(({ data }) => (data as { sha256: string }).sha256);
    expect(await rehashed()).not.toContain(hash);
    await flipBit(service, other, hash);
    await untilDone();
    expect(await rehashed(), "the same day").not.toContain(hash);
    await own("update rehashed_envelopes set at = at - interval '1 day' where envelope_id = $1", envelope_id);
    await untilDone();
    expect(await rehashed()).toContain(hash);
  });

  test("the block of leaves has a SHA-512 root over what the leaves stand for", async () => {
    await untilDone();
    const latest = (await records("leaves")).at(-1) ?? expect.fail("no block");
    const leaves = (await leavesOf(service.database)).slice(0, latest.tree_size);
    expect(latest.sha256).toBe(rootByDefinition(leaves));
    const standing = new Map<string, string>();
    const chains = await own("select distinct org_id, subject from audit_entries");
    for (const { org_id, subject } of chains as { org_id: TestOrg["org_id"]; subject: string }[]) {
      for (const { entry, data } of await service.db.tx(org_id, (tx) => readChain(tx, org_id, subject)))
        standing.set(entry.hash, rehashOfEntry(entry, data === null ? null : rehashOfData(data)));
    }
    for (const { hash, bytes } of await own("select hash, bytes from log_records")) {
      expect(canonicalValue(bytes as Buffer)).toBeDefined();
      standing.set(hash as string, rehashOfRecord(bytes as Buffer));
    }
    expect(latest.sha512).toBe(rootBySha512(leaves.map((hash) => standing.get(hash) ?? expect.fail(`nothing stands for ${hash}`))));
    const before = (await records("leaves")).length;
    await untilDone();
    expect(await records("leaves"), "without new entries").toHaveLength(before);
  });

  test("the job runs it daily with the statuses of this release", async () => {
    await jobHandlers(service.features)["log.renew-evidence"]({});
    expect(await queued()).toEqual([]);
  });
});
